"""API reference: the texts and examples of the OpenAPI document, in addition to what follows from the operations.

The texts are one Markdown file: the introduction, then `# tag` with its description, then `## operationId` with the
summary, the description, and a list of responses: "- 409 `last_owner`: the workshop would have no owner." Everything
except the introduction and the names is Markdown that the document passes on.

Another file has the meaning of every property: `# Shared` or `# Order, NewOrder`, then "- `title`: …" for each.
"""

import re
from collections.abc import Mapping, Sequence
from typing import Any

import msgspec
from msgspec import Struct

from backbench.values.numbers import to_json

_HEADING = re.compile(r"^(#{1,2}) (.+)$", re.MULTILINE)
_SHARED = "Shared"
_PROPERTY = re.compile(r"^- `(\w+)`: (.+)$")
_RESPONSE = re.compile(r"^- (\d{3})(?: `(\w+)`)?: (.+)$")


class ResponseText(Struct, frozen=True):
    """What a response of this operation means, where the status alone does not say it. `code` is that of a Problem."""

    status: int
    code: str | None
    text: str

    @property
    def with_code(self) -> str:
        return f"`{self.code}`: {self.text}" if self.code else self.text


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
