"""API reference: the texts, parameters and examples that the OpenAPI document shows for each operation."""

import functools
from importlib import resources

from backbench.http.openapi.reference import Reference, read, read_properties
from backbench.reference.examples import BODIES, RESPONSES
from backbench.reference.examples.problems import PROBLEMS
from backbench.reference.parameters import PARAMETERS


@functools.cache
def reference() -> Reference:
    return Reference(
        read(_file("operations.md")), read_properties(_file("properties.md")), PARAMETERS, BODIES, RESPONSES, PROBLEMS
    )


def _file(name: str) -> str:
    return (resources.files("backbench.reference") / name).read_text("utf-8")
