"""The OpenAPI document: operations, responses, headers, problems and security schemes."""

import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

import msgspec
from msgspec import UNSET, Struct, UnsetType

from backbench.http.errors import status_phrase
from backbench.http.idempotency import MAX_KEY_LENGTH
from backbench.http.openapi import reference
from backbench.http.openapi.reference import Reference, ResponseText
from backbench.http.openapi.schemas import bytes_of, components_of, form_schema, query_schemas
from backbench.http.operations import Operation
from backbench.http.responses import Representation, location_of, representation_of
from backbench.values.errors import FieldError
from backbench.values.ids import NIL_ID

# The code of an error response that follows from the status alone.
CODES = {
    400: "validation_error",
    412: "precondition_failed",
    413: "too_large",
    415: "unsupported_media_type",
    422: "idempotency_mismatch",
    429: "rate_limited",
    503: "unavailable",
}
# The types of parameters whose examples are not text.
_PLAIN: Mapping[str | None, type] = {"integer": int, "boolean": bool}


class Problem(Struct, frozen=True, kw_only=True, rename="camel"):
    """An error response (RFC 9457) with a stable `code`; `title` is the HTTP status phrase."""

    type: str
    title: str
    status: int
    detail: str
    code: str
    limit: int | UnsetType = UNSET
    current: int | UnsetType = UNSET
    grid_ids: list[str] | UnsetType = UNSET
    workshop_id: str | UnsetType = UNSET
    request_id: str | UnsetType = UNSET


class ValidationError(Problem, frozen=True, kw_only=True):
    """A Problem that lists every validation error."""

    errors: list[FieldError]


def problem(text: ResponseText) -> dict[str, Any]:
    """An example of an error: its detail is what the code means, and it has the members that the meaning names."""
    # Without what the meaning says of the members.
    detail = re.split(r"; `|\. ", text.text)[0].removesuffix(".")
    body = {
        "type": "about:blank",
        "title": status_phrase(text.status),
        "status": text.status,
        "detail": detail[0].upper() + detail[1:],
        "code": text.code,
    }
    named = {name: value for name, value in _MEMBERS.items() if f"`{name}`" in text.text}
    return body | (named if text.code != "validation_error" else {"errors": [_FIELD_ERROR]})


_MEMBERS = {"limit": 20, "current": 20, "gridIds": [NIL_ID], "workshopId": NIL_ID}
_FIELD_ERROR = FieldError("/lineItems/3/quantity", "too_small", "Expected a number from 0 to 1000000")


_SCHEMES = {
    "session": {
        "type": "apiKey",
        "in": "cookie",
        "name": "session",
        "description": "The session cookie that `signIn`, `verifyAccount` and `finishGoogleSignIn` set. HttpOnly.",
    },
    "csrf": {
        "type": "apiKey",
        "in": "header",
        "name": "X-CSRF-Token",
        "description": "The value of the `csrf-token` cookie of the same session. Required with a session for every "
        "method except GET, HEAD and OPTIONS; not with an API key.",
    },
    "apiKey": {
        "type": "http",
        "scheme": "bearer",
        "description": "An API key: `Authorization: Bearer bbk_…`. It is limited to its scopes, and to one workshop "
        "if it is bound to it. Cookies are ignored if this header is present.",
    },
    "link": {
        "type": "http",
        "scheme": "bearer",
        "description": "The token of a link that a workshop sent to its client: `Authorization: Bearer bbl_…`. It "
        "shows one revision of one estimate. The token of a status link, `bbo_…`, shows one order. Each is for the "
        "operations of its kind alone.",
    },
}


def schemes(scopes: str) -> dict[str, Any]:
    """The schemes; `scopes` says what the scopes of an API key open."""
    api_key = _SCHEMES["apiKey"]
    return _SCHEMES | {"apiKey": api_key | {"description": f"{api_key['description']} {scopes}".strip()}}


def security(operation: Operation) -> list[dict[str, list[str]]]:
    """The schemes of which a request needs one; none for an operation without authentication."""
    if not operation.access.needs_session:
        return []
    if operation.access.takes_link:
        return [{"link": []}]
    by_session: dict[str, list[str]] = {"session": []} if operation.is_safe else {"session": [], "csrf": []}
    by_key: list[dict[str, list[str]]] = [{"apiKey": [*scopes]} for scopes in operation.access.keys]
    return [by_session, *by_key] if operation.access.takes_session else by_key


_ETAG = "The strong entity tag of the response."
_ETAG_OF_WRITE = "The strong entity tag that a GET of the resource carries now."
_CHALLENGE = (
    'What is wrong with the API key, if one was sent: `Bearer error="invalid_token"`, or `error="invalid_request"` '
    "with the reason in `error_description` for a valid key where the operation is for sessions only."
)
_MISSING_SCOPE = 'If the API key lacks a scope: `Bearer error="insufficient_scope", scope="orders:write"`.'
_WAIT = "Seconds until a repeated request can succeed."
_COOKIES = {
    "set": "Two headers: `session`, the secret of the session (HttpOnly), and `csrf-token`, whose value is sent in "
    "`X-CSRF-Token`. Both have Path=/, SameSite=Lax, and Secure where the service is reached over https.",
    "cleared": "Two headers, which clear `session` and `csrf-token`.",
}
_EXAMPLE_TAG = '"5f6d1c0e9b7a4d23"'


def parameters(operation: Operation, *, has_representation: bool) -> list[dict[str, Any]]:
    """The optional request headers of the operation."""
    found = []
    if operation.is_representation:
        text = "Entity tags of cached responses; 304 if one is current."
        found.append(_parameter("If-None-Match", text, _EXAMPLE_TAG))
    if operation.is_conditional:
        text = "Entity tags, one of which must be current; 412 otherwise."
        if not has_representation:
            text = "`*`: what this changes has no entity tag; 412 for any other."
        found.append(_parameter("If-Match", text, _EXAMPLE_TAG if has_representation else "*"))
    if operation.takes_key:
        text = "Makes the request safe to repeat: for 14 days a repetition gets the stored response."
        found.append(_parameter("Idempotency-Key", text, "web-shop-4711", MAX_KEY_LENGTH))
    return found


def of_success(operation: Operation, representation: Representation | None) -> dict[str, Any]:
    """The response headers of a success. `representation` reads what a write returns."""
    headers = {}
    if operation.is_representation:
        headers["ETag"] = _header(_ETAG)
    if representation is not None:
        headers["ETag"] = _header(_ETAG_OF_WRITE)
    if location_of(operation, representation) is not None:
        headers["Location"] = _header("The path of what was created.")
    if operation.is_paged:
        text = 'The address of the next page, `<…>; rel="next"`, relative to the server. Absent on the last page.'
        headers["Link"] = {**_header(text), "example": f'</api{operation.path}?limit=50&cursor=bGFzdA>; rel="next"'}
    if operation.is_page_image:
        headers["Page-Count"] = {"description": "The number of pages.", "schema": {"type": "integer", "minimum": 1}}
    if operation.cookies is not None:
        headers["Set-Cookie"] = _header(_COOKIES[operation.cookies])
    return {"headers": headers} if headers else {}


def of_error(operation: Operation, status: int) -> dict[str, Any]:
    """The response headers of that status."""
    match status:
        case 401:
            return {"headers": {"WWW-Authenticate": _header(_CHALLENGE)}}
        case 403 if operation.access.scope:
            return {"headers": {"WWW-Authenticate": _header(_MISSING_SCOPE)}}
        case 304:
            return {"headers": {"ETag": _header(_ETAG)}}
        case 429 | 503:
            return {"headers": {"Retry-After": _seconds()}}
    return {}


def _parameter(name: str, description: str, example: str, max_length: int | None = None) -> dict[str, Any]:
    schema: dict[str, Any] = {"type": "string"} if max_length is None else {"type": "string", "maxLength": max_length}
    return {
        "name": name,
        "in": "header",
        "required": False,
        "description": description,
        "schema": schema,
        "example": example,
    }


def _header(description: str) -> dict[str, Any]:
    return {"description": description, "schema": {"type": "string"}}


def _seconds() -> dict[str, Any]:
    return {"description": _WAIT, "schema": {"type": "integer", "minimum": 0}}


# Response headers of an operation with a rate limit.
OF_LIMITS = {
    "RateLimit-Policy": _header('The rate limits of the request: `"pair";q=10;w=900` is 10 in 900 seconds.'),
    "RateLimit": _header('What is left of the rate limits: `"pair";r=7;t=850` is 7 now, and more in 850 seconds.'),
}


_NO_BODY = (304, 401, 403, 404, 416)


class Responses:
    """The entries under `responses`."""

    def __init__(
        self,
        operation: Operation,
        references: Mapping[Any, dict[str, Any]],
        reference: Reference,
        *,
        returned: Representation | None,
    ) -> None:
        self._operation = operation
        self._references = references
        self._reference = reference
        self._texts = reference.texts.operations[operation.name].responses
        self._returned = returned

    def all(self) -> dict[str, Any]:
        operation = self._operation
        responses: dict[str, Any] = {str(operation.status): self._success()}
        if operation.has_ranges:
            responses["206"] = {
                "description": self._meaning(206, "the requested range of the file."),
                "content": self._bytes(),
            }
        if operation.is_representation:
            responses["304"] = {"description": self._meaning(304), **of_error(operation, 304)}
        for status in sorted(operation.error_statuses()):
            responses[str(status)] = {**self._error(status), **of_error(operation, status)}
        responses[str(operation.status)] |= of_success(operation, self._returned)
        if operation.is_limited:
            for response in responses.values():
                response["headers"] = {**response.get("headers", {}), **OF_LIMITS}
        return responses

    def _success(self) -> dict[str, Any]:
        operation = self._operation
        response: dict[str, Any] = {
            "description": self._meaning(operation.status, f"{reference.of_success(operation)}.")
        }
        returned = operation.response or operation.messages[1]
        if returned is not None:
            schema = self._references[returned]
            example = self._reference.examples.of(operation.name).response
            response["content"] = {"application/json": {"schema": schema, "example": example}}
        elif operation.sends_bytes:
            response["content"] = self._bytes()
        elif operation.sends_text:
            response["content"] = {operation.content_type: {"schema": {"type": "string"}}}
        return response

    def _bytes(self) -> dict[str, Any]:
        return {media_type: {"schema": bytes_of(media_type)} for media_type in self._operation.media_types}

    def _error(self, status: int) -> dict[str, Any]:
        if status == 400 and self._operation.hides_validation_errors:
            return {"description": f"{status_phrase(400)}: the request is not valid. Without a body."}
        response = {"description": self._meaning(status)}
        if status in _NO_BODY:
            return response
        if status != 400:
            return {**response, **self._content(status, "Problem")}
        names = ("ValidationError", "Problem") if status in self._operation.errors else ("ValidationError",)
        return {**response, **self._content(status, *names)}

    def _content(self, status: int, *names: str) -> dict[str, Any]:
        """An error body that is one of the components, with an example for each code."""
        options = [{"$ref": f"#/components/schemas/{name}"} for name in names]
        schema = options[0] if len(options) == 1 else {"anyOf": options}
        examples = {text.code: {"value": problem(text)} for text in self._coded(status)}
        return {"content": {"application/json": {"schema": schema, "examples": examples}}}

    def _coded(self, status: int) -> Iterator[ResponseText]:
        """The codes with which the operation can respond, with what they mean."""
        yield from (text for text in self._texts if text.status == status and text.code)
        if status == 409:
            yield from reference.of_key(self._operation)
        if status in CODES:
            yield ResponseText(status, CODES[status], reference.MEANINGS[status])

    def _meaning(self, status: int, default: str = "") -> str:
        return reference.meaning(self._operation, self._texts, status, default)


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
            *parameters(operation, has_representation=has_representation),
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
        content = {"schema": references[body], "example": reference.examples.of(operation.name).body}
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
        example = text.example or reference.examples.parameters[name]
        yield {
            "name": name,
            "in": place,
            "required": place == "path",
            "description": text.description,
            "schema": schema,
            "example": msgspec.convert(example, _PLAIN.get(schema.get("type"), str), strict=False),
        }


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
            "x-build": reference.build,
            "summary": "Back office for small craft workshops: orders, estimates, PDFs and hand-offs.",
            "description": reference.texts.introduction,
            "license": {"name": "MIT", "identifier": "MIT"},
        },
        "servers": [{"url": "/api", "description": "The server that serves this document"}],
        "tags": [{"name": name, "description": text} for name, text in reference.texts.tags.items()],
        "paths": paths,
        "components": {
            "schemas": components,
            "securitySchemes": schemes(scopes),
        },
    }
