"""API reference: the texts, parameters and examples that the OpenAPI document shows for each operation."""

import functools
from importlib import resources

from backbench.http.openapi.reference import (
    Reference,
    read,
    read_build,
    read_examples,
    read_parameters,
    read_properties,
)


@functools.cache
def reference() -> Reference:
    """The texts of the Markdown files, the examples that `tools/examples.py` recorded, and the build number."""
    return Reference(
        read(_file("operations.md")),
        read_properties(_file("properties.md")),
        read_parameters(_file("parameters.md")),
        read_examples(_file("examples.json")),
        read_build(_file("build.json")),
    )


def _file(name: str) -> str:
    return (resources.files("backbench.reference") / name).read_text("utf-8")
