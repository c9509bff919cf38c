"""OpenAPI document: derived from the table of operations, the types it names, and the API reference."""

from collections.abc import Sequence
from typing import Any

from backbench.http.openapi.operations import entry
from backbench.http.openapi.problems import Problem, ValidationError
from backbench.http.openapi.reference import Reference, plain
from backbench.http.openapi.schemas import components_of
from backbench.http.openapi.security import schemes
from backbench.http.operations import Operation
from backbench.http.representations import representation_of

VERSION = "0.40.0"


def document(operations: Sequence[Operation], reference: Reference, scopes: str = "") -> dict[str, Any]:
    """The document of all operations. Components are named after the types; `scopes` says what those of keys open."""
    named = [
        type_
        for operation in operations
        for type_ in (operation.body, operation.response, *operation.messages)
        if type_ is not None
    ]
    types = list(dict.fromkeys([*named, Problem, ValidationError]))
    references, components = components_of(types, reference.properties)
    readable = {operation.path for operation in operations if operation.method == "GET"}
    paths: dict[str, dict[str, Any]] = {}
    for operation in operations:
        paths.setdefault(operation.path, {})[operation.method.lower()] = entry(
            operation,
            references,
            reference,
            returned=representation_of(operation, operations),
            has_representation=operation.read_at(readable) is not None,
        )
    return {
        "openapi": "3.1.0",
        "info": {
            "title": "Backbench",
            "version": VERSION,
            "summary": "Back office for small craft workshops: orders, estimates, PDFs and hand-offs.",
            "description": reference.texts.introduction,
            "license": {"name": "MIT", "identifier": "MIT"},
        },
        "servers": [{"url": "/api", "description": "The server that serves this document"}],
        "tags": [{"name": name, "description": text} for name, text in reference.texts.tags.items()],
        "paths": paths,
        "components": {
            "schemas": components,
            "examples": {name: {"value": plain(body)} for name, body in reference.problems.items()},
            "securitySchemes": schemes(scopes),
        },
    }
