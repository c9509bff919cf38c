"""API reference: the texts, parameters and examples that the OpenAPI document shows for each operation."""

import functools
from importlib import resources

from backbench.api.reference.examples import BODIES, PROBLEMS, RESPONSES
from backbench.api.reference.parameters import PARAMETERS
from backbench.http.openapi.reference import Reference, read


@functools.cache
def reference() -> Reference:
    texts = read((resources.files("backbench.api.reference") / "operations.md").read_text("utf-8"))
    return Reference(texts, PARAMETERS, BODIES, RESPONSES, PROBLEMS)
