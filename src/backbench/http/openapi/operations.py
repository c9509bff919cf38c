"""Operations in the OpenAPI document: the entry of each under `paths`."""

from collections.abc import Iterator, Mapping
from typing import Any

from backbench.http.openapi import headers
from backbench.http.openapi.reference import Reference, plain
from backbench.http.openapi.responses import Responses
from backbench.http.openapi.schemas import form_schema, query_schemas
from backbench.http.openapi.security import security
from backbench.http.operations import Operation
from backbench.http.representations import Representation


def entry(
    operation: Operation,
    references: Mapping[Any, dict[str, Any]],
    reference: Reference,
    *,
    returned: Representation | None,
    has_representation: bool,
) -> dict[str, Any]:
    """`references` are those of the types, `returned` reads what a write returns."""
    text = reference.texts.operations[operation.name]
    responses = Responses(operation, references, reference, returned=returned)
    return {
        "operationId": operation.name,
        "tags": [text.tag],
        "summary": text.summary,
        "description": text.description,
        "x-stability": "experimental",
        "security": security(operation),
        "parameters": [
            *_parameters(operation, reference),
            *headers.parameters(operation, has_representation=has_representation),
        ],
        "responses": responses.all(),
        **_request_body(operation, references, reference),
    }


def _request_body(
    operation: Operation, references: Mapping[Any, dict[str, Any]], reference: Reference
) -> dict[str, Any]:
    content: dict[str, Any]
    body = operation.body or operation.messages[0]
    if body is not None:
        content = {"schema": references[body], "example": plain(reference.bodies[operation.name])}
        return {"requestBody": {"required": True, "content": {"application/json": content}}}
    if operation.form is not None:
        content = {"schema": form_schema(operation.form, reference.properties)}
        return {"requestBody": {"required": True, "content": {"multipart/form-data": content}}}
    return {}


def _parameters(operation: Operation, reference: Reference) -> Iterator[dict[str, Any]]:
    """Those of the path, then those of the query."""
    schemas = {} if operation.query is None else query_schemas(operation.query)
    found = [(name, "path", {"type": "string"}) for name in operation.path_names]
    found += [(name, "query", schema) for name, schema in schemas.items()]
    for name, place, schema in found:
        text = reference.parameter(operation.name, name)
        yield {
            "name": name,
            "in": place,
            "required": place == "path",
            "description": f"{text.description}.",
            "schema": schema,
            "example": text.example,
        }
