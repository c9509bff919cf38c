"""The OpenAPI document, derived from the table of operations and the types it names."""

import inspect
from collections.abc import Mapping, Sequence
from types import UnionType
from typing import Annotated, Any, Union, get_args, get_origin, get_type_hints

import msgspec
from msgspec import Struct

from backbench.domain.values.errors import FieldError
from backbench.domain.values.numbers import Number
from backbench.domain.values.scalars import Rule
from backbench.http.openapi import headers
from backbench.http.operations import Operation

VERSION = "0.40.0"
_NO_BODY = {
    304: "Not Modified: If-None-Match lists the current ETag",
    401: "Unauthorized: no valid session or API key",
    403: "Forbidden: not a member of the workshop, a missing scope, or a missing or invalid CSRF token",
    404: "Not Found",
    416: "Range Not Satisfiable",
}
_PROBLEMS = {
    409: "Conflict: the stored state does not allow this; `code` says why",
    412: "Precondition Failed: If-Match does not match the current ETag",
    413: "Content Too Large",
    415: "Unsupported Media Type",
    422: "Unprocessable Content: the Idempotency-Key was used with another payload",
    429: "Too Many Requests",
    503: "Service Unavailable: a part that the operation needs is down or not set up",
}


class Problem(Struct, frozen=True):
    """An error response (RFC 9457) with a stable `code`; `title` is the HTTP status phrase."""

    type: str
    title: str
    status: int
    detail: str
    code: str


class ValidationError(Problem, frozen=True):
    """A Problem that lists every validation error."""

    errors: list[FieldError]


def document(operations: Sequence[Operation]) -> dict[str, Any]:
    """The document of all operations. Components are named after the types."""
    named = [type_ for operation in operations for type_ in (operation.body, operation.response) if type_ is not None]
    types = list(dict.fromkeys([*named, Problem, ValidationError]))
    schemas, components = msgspec.json.schema_components(
        types, schema_hook=_number_schema, ref_template="#/components/schemas/{name}"
    )
    for type_ in _structs(types):
        _add_rules(components[type_.__name__], type_)
    references = dict(zip(types, schemas, strict=True))
    readable = {operation.path for operation in operations if operation.method == "GET"}
    paths: dict[str, dict[str, Any]] = {}
    for operation in operations:
        described = _operation(operation, references, has_representation=operation.read_at(readable) is not None)
        paths.setdefault(operation.path, {})[operation.method.lower()] = described
    return {
        "openapi": "3.1.0",
        "info": {
            "title": "Backbench",
            "version": VERSION,
            "description": "The back office for small craft workshops. Every operation is experimental.",
        },
        "servers": [{"url": "/api"}],
        "paths": paths,
        "components": {"schemas": components, "securitySchemes": _SECURITY_SCHEMES},
    }


_SECURITY_SCHEMES = {
    "session": {"type": "apiKey", "in": "cookie", "name": "session"},
    "csrf": {"type": "apiKey", "in": "header", "name": "X-CSRF-Token"},
    "apiKey": {"type": "http", "scheme": "bearer"},
}


def _operation(
    operation: Operation, references: Mapping[Any, dict[str, Any]], *, has_representation: bool
) -> dict[str, Any]:
    summary, _, rest = (inspect.getdoc(operation.action) or "").partition("\n")
    described: dict[str, Any] = {
        "operationId": operation.name,
        "tags": [operation.tag],
        "summary": summary,
        "x-stability": "experimental",
        "security": _security(operation),
        "parameters": [
            *_path_parameters(operation),
            *_query_parameters(operation),
            *headers.parameters(operation, has_representation=has_representation),
        ],
        "responses": _responses(operation, references, has_representation=has_representation),
    }
    if rest.strip():
        described["description"] = " ".join(rest.split())
    if operation.body is not None:
        described["requestBody"] = {
            "required": True,
            "content": {"application/json": {"schema": references[operation.body]}},
        }
    if operation.form is not None:
        described["requestBody"] = {"required": True, "content": {"multipart/form-data": _form(operation.form)}}
    return described


def _form(type_: Any) -> dict[str, Any]:
    """The fields of the form and its file."""
    _, components = msgspec.json.schema_components([type_])
    fields = components[type_.__name__]
    return {
        "schema": {
            **fields,
            "properties": {**fields["properties"], "file": {"type": "string", "format": "binary"}},
            "required": [*fields["required"], "file"],
        }
    }


def _security(operation: Operation) -> list[dict[str, list[str]]]:
    if not operation.access.needs_session:
        return []
    by_session: dict[str, list[str]] = {"session": []} if operation.is_safe else {"session": [], "csrf": []}
    return [by_session, {"apiKey": []}] if operation.access.scope else [by_session]


def _path_parameters(operation: Operation) -> list[dict[str, Any]]:
    return [
        {"name": name, "in": "path", "required": True, "schema": {"type": "string"}} for name in operation.path_names
    ]


def _query_parameters(operation: Operation) -> list[dict[str, Any]]:
    if operation.query is None:
        return []
    _, components = msgspec.json.schema_components([operation.query])
    properties = components[operation.query.__name__]["properties"]
    return [
        {"name": name, "in": "query", "required": False, "schema": _not_null(schema)}
        for name, schema in properties.items()
    ]


def _not_null(schema: dict[str, Any]) -> dict[str, Any]:
    """The schema of an optional member without null."""
    options = [option for option in schema.get("anyOf", []) if option != {"type": "null"}]
    if len(options) == 1:
        return dict(options[0])
    if None in schema.get("enum", []):
        return {"enum": [value for value in schema["enum"] if value is not None]}
    return {name: value for name, value in schema.items() if name != "default"}


def _responses(
    operation: Operation, references: Mapping[Any, dict[str, Any]], *, has_representation: bool
) -> dict[str, Any]:
    responses: dict[str, Any] = {str(operation.status): _success(operation, references)}
    if operation.sends_bytes:
        responses["206"] = {
            "description": "Partial Content: the requested range",
            "content": {operation.content_type: {}},
        }
    if operation.is_representation:
        responses["304"] = {"description": _NO_BODY[304], **headers.of_error(304)}
    for status in sorted(operation.error_statuses(has_representation=has_representation)):
        responses[str(status)] = {**_error_response(operation, status), **headers.of_error(status)}
    responses[str(operation.status)] |= headers.of_success(operation)
    if operation.is_limited:
        for response in responses.values():
            response["headers"] = {**response.get("headers", {}), **headers.OF_LIMITS}
    return responses


def _success(operation: Operation, references: Mapping[Any, dict[str, Any]]) -> dict[str, Any]:
    if operation.response is None:
        if operation.content_type == "application/json":
            return {"description": "Done"}
        return {"description": "The file", "content": {operation.content_type: {}}}
    return {"description": "Done", "content": {"application/json": {"schema": references[operation.response]}}}


def _error_response(operation: Operation, status: int) -> dict[str, Any]:
    if status in _NO_BODY:
        return {"description": _NO_BODY[status]}
    if status == 400:
        if operation.hides_validation_errors:
            return {"description": "Bad Request (no body)"}
        if status in operation.errors:
            return {"description": "Bad Request", **_content("ValidationError", "Problem")}
        return {"description": "Bad Request", **_content("ValidationError")}
    return {"description": _PROBLEMS[status], **_content("Problem")}


def _content(*names: str) -> dict[str, Any]:
    """A JSON body that is one of the components."""
    options = [{"$ref": f"#/components/schemas/{name}"} for name in names]
    schema = options[0] if len(options) == 1 else {"anyOf": options}
    return {"content": {"application/json": {"schema": schema}}}


def _number_schema(type_: type) -> dict[str, Any]:
    if type_ is Number:
        return {"type": "number"}
    raise NotImplementedError(type_)


def _structs(types: Sequence[Any]) -> list[type[Struct]]:
    """Every Struct among the types and their members."""
    found: dict[type[Struct], None] = {}

    def visit(type_: Any) -> None:
        if isinstance(type_, type) and issubclass(type_, Struct):
            if type_ not in found:
                found[type_] = None
                for hint in get_type_hints(type_, include_extras=True).values():
                    visit(hint)
            return
        for argument in get_args(type_):
            visit(argument)

    for type_ in types:
        visit(type_)
    return list(found)


def _add_rules(component: dict[str, Any], type_: type[Struct]) -> None:
    """Adds what `Meta` cannot express: rules of members, omitted members, and that an edit needs at least one."""
    if getattr(type_, "at_least_one", False):
        component["minProperties"] = 1
    hints = get_type_hints(type_, include_extras=True)
    for field in msgspec.structs.fields(type_):
        schema = component["properties"][field.encode_name]
        if type_.__struct_config__.omit_defaults and field.default is None:
            schema = component["properties"][field.encode_name] = _not_null(schema)
        schema.update(_rule_schema(hints[field.name]))


def _rule_schema(hint: Any) -> dict[str, Any]:
    options = get_args(hint) if get_origin(hint) in (Union, UnionType) else (hint,)
    merged: dict[str, Any] = {}
    for option in options:
        if get_origin(option) is Annotated:
            for extra in get_args(option)[1:]:
                if isinstance(extra, Rule):
                    merged |= extra.schema
    return merged
