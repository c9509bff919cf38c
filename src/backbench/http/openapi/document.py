"""OpenAPI document: derived from the table of operations, the types it names, and the API reference."""

from collections.abc import Iterator, Mapping, Sequence
from http import HTTPStatus
from typing import Any

import msgspec
from msgspec import UNSET, Struct, UnsetType

from backbench.domain.values.errors import FieldError
from backbench.domain.values.numbers import to_json
from backbench.http.openapi import headers
from backbench.http.openapi.reference import Reference
from backbench.http.openapi.schemas import bytes_of, components_of, form_schema, query_schemas
from backbench.http.operations import Operation
from backbench.http.writes.representations import Representation, representation_of

VERSION = "0.40.0"
# What a status means for every operation. Texts of single operations are added to these.
_MEANINGS = {
    304: "If-None-Match lists the current ETag",
    400: "the request is not valid; `errors` lists every error, at most the first 100",
    404: "an id in the path does not exist",
    409: "the stored state does not allow this; `code` says why",
    412: "If-Match does not match the current ETag",
    413: "the body has more bytes than the operation accepts",
    415: "the content type is not the operation's, or the body has a Content-Encoding",
    416: "the file has no such range",
    422: "the Idempotency-Key was used with another payload",
    429: "a rate limit is reached; Retry-After says when to try again",
    503: "a component that the operation needs is down or not configured",
}
_NO_BODY = (304, 401, 403, 404, 416)
# The codes of error responses that follow from the status alone.
_CODES = {
    400: ("validation_error",),
    412: ("precondition_failed",),
    413: ("too_large",),
    415: ("unsupported_media_type",),
    422: ("idempotency_mismatch",),
    429: ("rate_limited",),
    503: ("unavailable",),
}


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
    request_id: str | UnsetType = UNSET


class ValidationError(Problem, frozen=True, kw_only=True):
    """A Problem that lists every validation error."""

    errors: list[FieldError]


def document(operations: Sequence[Operation], reference: Reference) -> dict[str, Any]:
    """The document of all operations. Components are named after the types."""
    named = [type_ for operation in operations for type_ in (operation.body, operation.response) if type_ is not None]
    types = list(dict.fromkeys([*named, Problem, ValidationError]))
    references, components = components_of(types, reference.properties)
    readable = {operation.path for operation in operations if operation.method == "GET"}
    paths: dict[str, dict[str, Any]] = {}
    for operation in operations:
        described = _Description(
            operation,
            references,
            reference,
            returned=representation_of(operation, operations),
            has_representation=operation.read_at(readable) is not None,
        )
        paths.setdefault(operation.path, {})[operation.method.lower()] = described.operation()
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
            "examples": {name: {"value": _plain(body)} for name, body in reference.problems.items()},
            "securitySchemes": _SECURITY_SCHEMES,
        },
    }


_SECURITY_SCHEMES = {
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
        "shows one revision of one estimate. No other operation accepts it.",
    },
}


class _Description:
    """The entry of one operation under `paths`."""

    def __init__(
        self,
        operation: Operation,
        references: Mapping[Any, dict[str, Any]],
        reference: Reference,
        *,
        returned: Representation | None,
        has_representation: bool,
    ) -> None:
        self._operation = operation
        self._references = references
        self._reference = reference
        self._text = reference.texts.operations[operation.name]
        self._returned = returned
        self._has_representation = has_representation

    def operation(self) -> dict[str, Any]:
        operation = self._operation
        described: dict[str, Any] = {
            "operationId": operation.name,
            "tags": [self._text.tag],
            "summary": self._text.summary,
            "description": self._text.description,
            "x-stability": "experimental",
            "security": _security(operation),
            "parameters": [
                *self._path_parameters(),
                *self._query_parameters(),
                *headers.parameters(operation, has_representation=self._has_representation),
            ],
            "responses": self._responses(),
        }
        if operation.body is not None:
            content = {
                "schema": self._references[operation.body],
                "example": _plain(self._reference.bodies[operation.name]),
            }
            described["requestBody"] = {"required": True, "content": {"application/json": content}}
        if operation.form is not None:
            content = {"schema": form_schema(operation.form, self._reference.properties)}
            described["requestBody"] = {"required": True, "content": {"multipart/form-data": content}}
        return described

    def _path_parameters(self) -> Iterator[dict[str, Any]]:
        for name in self._operation.path_names:
            yield self._parameter(name, "path", {"type": "string"}, required=True)

    def _query_parameters(self) -> Iterator[dict[str, Any]]:
        if self._operation.query is None:
            return
        for name, schema in query_schemas(self._operation.query).items():
            yield self._parameter(name, "query", schema, required=False)

    def _parameter(self, name: str, place: str, schema: dict[str, Any], *, required: bool) -> dict[str, Any]:
        text = self._reference.parameter(self._operation.name, name)
        return {
            "name": name,
            "in": place,
            "required": required,
            "description": f"{text.description}.",
            "schema": schema,
            "example": text.example,
        }

    def _responses(self) -> dict[str, Any]:
        operation = self._operation
        responses: dict[str, Any] = {str(operation.status): self._success()}
        if operation.has_ranges:
            responses["206"] = {
                "description": self._meaning(206, "the requested range of the file."),
                "content": self._bytes(),
            }
        if operation.is_representation:
            responses["304"] = {"description": self._meaning(304), **headers.of_error(operation, 304)}
        for status in sorted(operation.error_statuses(has_representation=self._has_representation)):
            responses[str(status)] = {**self._error(status), **headers.of_error(operation, status)}
        responses[str(operation.status)] |= headers.of_success(operation, self._returned)
        if operation.is_limited:
            for response in responses.values():
                response["headers"] = {**response.get("headers", {}), **headers.OF_LIMITS}
        return responses

    def _success(self) -> dict[str, Any]:
        operation = self._operation
        response: dict[str, Any] = {"description": self._meaning(operation.status, f"{_success_meaning(operation)}.")}
        if operation.response is not None:
            schema = self._references[operation.response]
            example = _plain(self._reference.responses[operation.name])
            response["content"] = {"application/json": {"schema": schema, "example": example}}
        elif operation.sends_bytes:
            response["content"] = self._bytes()
        elif operation.sends_events:
            response["content"] = {operation.content_type: {"schema": {"type": "string"}}}
        return response

    def _bytes(self) -> dict[str, Any]:
        return {media_type: {"schema": bytes_of(media_type)} for media_type in self._operation.media_types}

    def _error(self, status: int) -> dict[str, Any]:
        if status == 400 and self._operation.hides_validation_errors:
            return {"description": f"{HTTPStatus(400).phrase}: the request is not valid. Without a body."}
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
        examples = {
            code: {"$ref": f"#/components/examples/{self._reference.problem(self._operation.name, code)}"}
            for code in self._codes(status)
        }
        return {"content": {"application/json": {"schema": schema, "examples": examples}}}

    def _codes(self, status: int) -> list[str]:
        """The codes with which the operation can respond."""
        own = [text.code for text in self._text.responses if text.status == status and text.code]
        general = ("in_progress",) if status == 409 and self._operation.takes_key else _CODES.get(status, ())
        return [*own, *general]

    def _meaning(self, status: int, default: str = "") -> str:
        """The status phrase and what the status means here: "Conflict: … `last_owner`: …".

        A text without a code replaces the general meaning, except that of 400, which always applies.
        """
        texts = [text for text in self._text.responses if text.status == status]
        meaning = [default or _general_meaning(self._operation, status) + "."]
        if status != 400 and any(text.code is None for text in texts):
            meaning = []
        meaning += [text.with_code for text in texts]
        if status == 409 and self._operation.takes_key:
            meaning.append("`in_progress`: the first request with this Idempotency-Key is still in progress.")
        first, *others = meaning
        return " ".join([f"{HTTPStatus(status).phrase}: {first}", *(text[0].upper() + text[1:] for text in others)])


def _no_credentials(operation: Operation) -> str:
    access = operation.access
    if access.takes_link:
        return "no valid token of a link; the response is the same for an unknown, a revoked and a malformed one"
    if not access.takes_session:
        return "no valid API key"
    return "no valid session or API key" if access.keys else "no valid session"


def _general_meaning(operation: Operation, status: int) -> str:
    """What an error status means for every operation with this access."""
    if status == 401:
        return _no_credentials(operation)
    if status != 403:
        return _MEANINGS[status]
    if not operation.access.needs_session:
        return "a browser marks the request as cross-site"
    missing = "a scope or a permission is missing" if operation.access.keys else "the caller has no permission"
    return missing if operation.is_safe else f"{missing}, or the CSRF token is missing or invalid"


def _success_meaning(operation: Operation) -> str:
    """What a success means, where the reference does not say it."""
    if operation.sends_bytes:
        return "the bytes of the file"
    if operation.is_paged:
        return "the list, or a page of it"
    if operation.status == 201:
        return "the new resource"
    if operation.method == "GET":
        return "the current state"
    if operation.method == "DELETE":
        return "the resource is deleted"
    return "the state after the change" if operation.response is not None else "the change is made"


def _plain(body: Any) -> Any:
    """An example as it is sent."""
    return msgspec.json.decode(to_json(body))


def _security(operation: Operation) -> list[dict[str, list[str]]]:
    if not operation.access.needs_session:
        return []
    if operation.access.takes_link:
        return [{"link": []}]
    by_session: dict[str, list[str]] = {"session": []} if operation.is_safe else {"session": [], "csrf": []}
    by_key: list[dict[str, list[str]]] = [{"apiKey": [*scopes]} for scopes in operation.access.keys]
    return [by_session, *by_key] if operation.access.takes_session else by_key
