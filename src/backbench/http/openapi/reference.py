"""Meanings of operations, properties and statuses, from the texts of the reference."""

import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

import msgspec
from msgspec import UNSET, Struct

from backbench.http.errors import status_phrase
from backbench.http.operations import Operation

# What a status means for every operation. Texts of single operations are added to these.
MEANINGS = {
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


IN_PROGRESS = ResponseText(409, "in_progress", "the first request with this Idempotency-Key is still in progress.")
ALREADY_CREATED = ResponseText(
    409,
    "already_created",
    "the Idempotency-Key was used before. The secret is not stored, so it cannot be returned again.",
)


def of_key(operation: Operation) -> list[ResponseText]:
    """What 409 means for an Idempotency-Key."""
    if not operation.takes_key:
        return []
    return [IN_PROGRESS, ALREADY_CREATED] if operation.is_secret else [IN_PROGRESS]


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
    if status == 409:
        meanings += [text.with_code for text in of_key(operation)]
    first, *others = meanings
    return " ".join([f"{status_phrase(status)}: {first}", *(text[0].upper() + text[1:] for text in others)])


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
        return MEANINGS[status]
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
# Groups: the name, an example, the meaning.
_ENTRY = re.compile(r"^- `(\w+)`(?: \((.+?)\))?: (.+)$")
_RESPONSE = re.compile(r"^- (\d{3})(?: `(\w+)`)?: (.+)$")


class OperationText(Struct, frozen=True):
    tag: str
    summary: str
    description: str
    responses: tuple[ResponseText, ...]


class Parameter(Struct, frozen=True):
    """`example` is empty where the recorded requests have one."""

    description: str
    example: str = ""


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


class Example(Struct, frozen=True):
    """What an operation was sent and what it returned, as JSON; absent where it has no such body."""

    body: Any = UNSET
    response: Any = UNSET


class Examples(Struct, frozen=True):
    """Recorded requests: `parameters` by name, `operations` by operationId."""

    parameters: Mapping[str, str]
    operations: Mapping[str, Example]

    def of(self, operation: str) -> Example:
        return self.operations.get(operation) or Example()


class Reference(Struct, frozen=True):
    """Everything that the document takes from outside the table of operations.

    properties: the meanings of the properties of schemas.
    parameters: by operation and name, and those that share a meaning by name.
    build: rises with each change of the document, whose version the specification sets.
    """

    texts: Texts
    properties: Properties
    parameters: Mapping[tuple[str, str], Parameter]
    examples: Examples
    build: int

    def parameter(self, operation: str, name: str) -> Parameter:
        return self.parameters.get((operation, name)) or self.parameters[_SHARED, name]


def read_build(json: str) -> int:
    """The number that `tools/api_build.py` gave to this document."""
    build: int = msgspec.json.decode(json)["build"]
    return build


def read_examples(json: str) -> Examples:
    return msgspec.json.decode(json, type=Examples)


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
    meanings = {names: match[3] for names, match in _entries(markdown)}
    shared = {name: text for (schema, name), text in meanings.items() if schema == _SHARED}
    return Properties({names: text for names, text in meanings.items() if names[0] != _SHARED}, shared)


def read_parameters(markdown: str) -> Mapping[tuple[str, str], Parameter]:
    """The parameters of the Markdown file. Raises ValueError for one that is given twice."""
    return {names: Parameter(match[3], match[2] or "") for names, match in _entries(markdown)}


def _entries(markdown: str) -> Iterator[tuple[tuple[str, str], re.Match[str]]]:
    """The entries by the names above them and their own. Raises ValueError where two have the same."""
    found = set()
    _, *parts = _HEADING.split(markdown)
    for above, text in zip(parts[1::3], parts[2::3], strict=True):
        for line in (line for lines in _paragraphs(text) for line in lines):
            match = _ENTRY.match(line)
            if match is None:
                raise ValueError(f"not an entry: {line}")
            for names in ((each, match[1]) for each in above.split(", ")):
                if names in found:
                    raise ValueError(f"{'.'.join(names)} has two meanings")
                found.add(names)
                yield names, match


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
