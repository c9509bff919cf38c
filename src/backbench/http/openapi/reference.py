"""Meanings of operations, properties and statuses, from the texts of the reference."""

import re
from collections.abc import Mapping, Sequence
from http import HTTPStatus
from typing import Any

import msgspec
from msgspec import Struct

from backbench.http.operations import Operation
from backbench.values.numbers import to_json

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


class ResponseText(Struct, frozen=True):
    """What a response of this operation means, where the status alone does not say it. `code` is that of a Problem."""

    status: int
    code: str | None
    text: str

    @property
    def with_code(self) -> str:
        return f"`{self.code}`: {self.text}" if self.code else self.text


def meaning(operation: Operation, own: Sequence[ResponseText], status: int, default: str = "") -> str:
    """The status phrase and what the status means here: "Conflict: … `last_owner`: …".

    `own` are the texts of the operation. One without a code replaces the general meaning, except that of 400, which
    always applies.
    """
    texts = [text for text in own if text.status == status]
    meanings = [default or _of_error(operation, status) + "."]
    if status != 400 and any(text.code is None for text in texts):
        meanings = []
    meanings += [text.with_code for text in texts]
    if status == 409 and operation.takes_key:
        meanings.append("`in_progress`: the first request with this Idempotency-Key is still in progress.")
    first, *others = meanings
    return " ".join([f"{HTTPStatus(status).phrase}: {first}", *(text[0].upper() + text[1:] for text in others)])


def _no_credentials(operation: Operation) -> str:
    access = operation.access
    if access.takes_link:
        return "no valid token of a link; the response is the same for an unknown, a revoked and a malformed one"
    if not access.takes_session:
        return "no valid API key"
    return "no valid session or API key" if access.keys else "no valid session"


def _of_error(operation: Operation, status: int) -> str:
    """What an error status means for every operation with this access."""
    if status == 401:
        return _no_credentials(operation)
    if status != 403:
        return _MEANINGS[status]
    if not operation.access.needs_session:
        return "a browser marks the request as cross-site"
    missing = "a scope or a permission is missing" if operation.access.keys else "the caller has no permission"
    return missing if operation.is_safe else f"{missing}, or the CSRF token is missing or invalid"


def of_success(operation: Operation) -> str:
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


_HEADING = re.compile(r"^(#{1,2}) (.+)$", re.MULTILINE)
_SHARED = "Shared"
_PROPERTY = re.compile(r"^- `(\w+)`: (.+)$")
_RESPONSE = re.compile(r"^- (\d{3})(?: `(\w+)`)?: (.+)$")


class OperationText(Struct, frozen=True):
    tag: str
    summary: str
    description: str
    responses: tuple[ResponseText, ...]


class Parameter(Struct, frozen=True):
    description: str
    example: str | int


class Texts(Struct, frozen=True):
    """`tags` and `operations` are in the order of the file."""

    introduction: str
    tags: Mapping[str, str]
    operations: Mapping[str, OperationText]


class Properties(Struct, frozen=True):
    """The meanings of properties: by schema and property, and shared ones by property."""

    of_schemas: Mapping[tuple[str, str], str]
    shared: Mapping[str, str]

    def meaning(self, schema: str, name: str) -> str | None:
        return self.of_schemas.get((schema, name)) or self.shared.get(name)


class Reference(Struct, frozen=True):
    """Everything that the document takes from outside the table of operations.

    properties: the meanings of the properties of schemas.
    parameters: by name, or by `operationId.name` where the meaning differs.
    bodies, responses: examples of JSON bodies by operationId, as the types that the operation names.
    problems: examples of error bodies by `code`, or by `operationId.code` where the detail differs.
    """

    texts: Texts
    properties: Properties
    parameters: Mapping[str, Parameter]
    bodies: Mapping[str, Any]
    responses: Mapping[str, Any]
    problems: Mapping[str, Any]

    def parameter(self, operation: str, name: str) -> Parameter:
        return self.parameters.get(f"{operation}.{name}") or self.parameters[name]

    def problem(self, operation: str, code: str) -> str:
        """The name of the example of an error with this code."""
        specific = f"{operation}.{code}"
        return specific if specific in self.problems else code


def plain(example: Any) -> Any:
    """An example as it is sent."""
    return msgspec.json.decode(to_json(example))


def read(markdown: str) -> Texts:
    """The texts of the Markdown file. Raises ValueError for an operation before the first tag."""
    introduction, *parts = _HEADING.split(markdown)
    tags: dict[str, str] = {}
    operations: dict[str, OperationText] = {}
    tag = ""
    for level, name, text in zip(parts[::3], parts[1::3], parts[2::3], strict=True):
        if level == "#":
            tag = name
            tags[tag] = _prose(_paragraphs(text))
        elif tag:
            operations[name] = _operation(tag, text)
        else:
            raise ValueError(f"{name} has no tag")
    return Texts(introduction.strip(), tags, operations)


def read_properties(markdown: str) -> Properties:
    """The meanings of the Markdown file. Raises ValueError for a meaning that is given twice."""
    _, *parts = _HEADING.split(markdown)
    of_schemas: dict[tuple[str, str], str] = {}
    shared: dict[str, str] = {}
    for names, text in zip(parts[1::3], parts[2::3], strict=True):
        for name, meaning in map(_property, (line for lines in _paragraphs(text) for line in lines)):
            if names == _SHARED:
                shared[name] = meaning
                continue
            for schema in names.split(", "):
                if (schema, name) in of_schemas:
                    raise ValueError(f"{schema}.{name} has two meanings")
                of_schemas[schema, name] = meaning
    return Properties(of_schemas, shared)


def _property(line: str) -> tuple[str, str]:
    match = _PROPERTY.match(line)
    if match is None:
        raise ValueError(f"not a property: {line}")
    return match[1], match[2]


def _operation(tag: str, text: str) -> OperationText:
    summary, *rest = _paragraphs(text)
    listed = [line for lines in rest if lines[0].startswith("- ") for line in lines]
    responses = tuple(_response(line) for line in listed)
    prose = _prose([lines for lines in rest if not lines[0].startswith("- ")])
    errors = "\n".join(line for line, response in zip(listed, responses, strict=True) if response.status >= 400)
    return OperationText(tag, " ".join(summary), "\n\n".join(filter(None, (prose, errors))), responses)


def _response(line: str) -> ResponseText:
    match = _RESPONSE.match(line)
    if match is None:
        raise ValueError(f"not a response: {line}")
    return ResponseText(int(match[1]), match[2], match[3])


def _paragraphs(text: str) -> list[list[str]]:
    """Paragraphs as their lines. An indented line continues the list item above it."""
    joined = text.strip().replace("\n  ", " ")
    return [paragraph.splitlines() for paragraph in re.split(r"\n{2,}", joined) if paragraph]


def _prose(paragraphs: Sequence[Sequence[str]]) -> str:
    return "\n\n".join(" ".join(lines) for lines in paragraphs)
