"""Writes what docs/api can take from the table of operations: fields, answers, refusals, and the page of shapes.

Prose and examples are written by hand around it. `make docs` runs this; a test fails when it was forgotten.
"""

import re
import sys
from collections.abc import Iterator, Mapping
from pathlib import Path
from types import UnionType
from typing import Annotated, Any, Union, get_args, get_origin, get_type_hints

import msgspec

from backbench.api.reference import reference
from backbench.api.routes import OPERATIONS, PREFIX
from backbench.domain.values.scalars import NO_CONTROL, Rule
from backbench.http.openapi.document import document as openapi_document
from backbench.http.operations import Operation

PAGES = Path(__file__).parent.parent / "docs" / "api"
SHAPES = "shapes.md"
BLOCK = re.compile(r"<!-- table: (\w+ \S+) -->\n.*?<!-- end -->", re.DOTALL)
HEADING = re.compile(rf"^## (\w+) {PREFIX}(/\S+)$", re.MULTILINE)
_LONG_LIST = 30
_REFUSALS = "../guide/api-basics.md#refusals"


def main() -> None:
    document = openapi_document(OPERATIONS, reference())
    for page in sorted(PAGES.glob("*.md")):
        page.write_text(with_blocks(page.read_text("utf-8"), document), "utf-8")
    (PAGES / SHAPES).write_text(shapes(document), "utf-8")


def with_blocks(text: str, document: Mapping[str, Any]) -> str:
    """The page with its blocks written anew."""
    operations = {f"{operation.method} {operation.path}": operation for operation in OPERATIONS}

    def block_of(match: re.Match[str]) -> str:
        operation = operations.get(match[1])
        if operation is None:
            sys.exit(f"there is no operation {match[1]}")
        return f"<!-- table: {match[1]} -->\n{block(operation, document)}\n<!-- end -->"

    return BLOCK.sub(block_of, text)


def block(operation: Operation, document: Mapping[str, Any]) -> str:
    """Who may call, what is sent, what comes back."""
    described = document["paths"][operation.path][operation.method.lower()]
    parts = [f"For: {_who(operation)}."]
    query = [parameter for parameter in described["parameters"] if parameter["in"] == "query"]
    if query:
        rows = [_row(entry["name"], entry["schema"], is_required=entry["required"]) for entry in query]
        parts.append(_table("Query parameter", rows))
    if operation.body is not None:
        parts.append(_table("Field", _field_rows(operation.body, document["components"]["schemas"])))
    if operation.form is not None:
        form = described["requestBody"]["content"]["multipart/form-data"]["schema"]
        rows = [_row(name, field, is_required=name in form["required"]) for name, field in form["properties"].items()]
        parts.append(_table("Part of the form", rows))
    parts.append(_answers(described["responses"]))
    return "\n\n".join(parts)


def shapes(document: Mapping[str, Any]) -> str:
    """Every shape that is sent or answered."""
    parts = [
        "# Shapes",
        "What operations take and answer, field by field. This page is written by `make docs`.",
        "A moment is ISO 8601 in UTC with milliseconds, such as `2026-11-20T10:15:00.000Z`.",
        "An optional field is absent, not null, unless null is named.",
    ]
    components = document["components"]["schemas"]
    for name in sorted(components):
        parts.append(f"## {name}")
        parts += _shape(components[name])
    return "\n\n".join(parts) + "\n"


def _shape(component: Mapping[str, Any]) -> Iterator[str]:
    if component.get("description"):
        yield " ".join(component["description"].split())
    if "properties" in component:
        required = component.get("required", [])
        rows = [_row(field, schema, is_required=field in required) for field, schema in component["properties"].items()]
        yield _table("Field", rows)
    else:
        yield words(component)


def _who(operation: Operation) -> str:
    access = operation.access
    if not access.needs_session:
        return "anybody"
    if access.scope:
        return f"a session, or an API key with `{access.scope}`"
    return "a session"


def _field_rows(type_: Any, components: Mapping[str, Any]) -> list[str]:
    component = components[type_.__name__]
    hints = get_type_hints(type_, include_extras=True)
    names = {field.encode_name: field.name for field in msgspec.structs.fields(type_)}
    return [
        _row(
            name,
            schema,
            is_required=name in component.get("required", []),
            rules=[rule.detail for rule in _rules(hints[names[name]])] if name in names else [],
        )
        for name, schema in component["properties"].items()
    ]


def _rules(hint: Any) -> Iterator[Rule]:
    options = get_args(hint) if get_origin(hint) in (Union, UnionType) else (hint,)
    for option in options:
        if get_origin(option) is Annotated:
            yield from (extra for extra in get_args(option)[1:] if isinstance(extra, Rule))


def _row(name: str, schema: Mapping[str, Any], *, is_required: bool, rules: list[str] | None = None) -> str:
    told = "moment" if name.endswith("At") and schema.get("type") == "string" else words(schema)
    for rule in rules or []:
        # A rule says what is expected, or what was wrong.
        told = rule.removeprefix("Expected ") if rule.startswith("Expected ") else f"{told}. {rule}"
    return f"| `{name}` | {told} | {'required' if is_required else ''} |"


def _table(title: str, rows: list[str]) -> str:
    return "\n".join([f"| {title} | Takes | |", "|---|---|---|", *rows])


def words(schema: Mapping[str, Any]) -> str:
    """A JSON Schema as people read it."""
    if "$ref" in schema:
        name = schema["$ref"].rpartition("/")[2]
        return f"[{name}]({SHAPES}#{name.lower()})"
    if "anyOf" in schema:
        return " or ".join(words(option) for option in schema["anyOf"])
    if len(schema.get("enum", ())) > _LONG_LIST:
        return f"one of {len(schema['enum'])} values"
    if "enum" in schema:
        return ", ".join(f"`{value}`" if value is not None else "null" for value in schema["enum"])
    if "const" in schema:
        return f"`{schema['const']}`"
    kind = schema.get("type")
    if kind == "array":
        many = f", at most {schema['maxItems']}" if "maxItems" in schema else ""
        return f"list of {words(schema['items'])}{many}" if schema.get("items") else f"list{many}"
    if kind == "string":
        return _text(schema)
    if kind in ("integer", "number"):
        return str(kind) + _range(schema.get("minimum"), schema.get("maximum"), "")
    return {"boolean": "true or false", "null": "null", "object": "object"}.get(str(kind), "any value")


def _text(schema: Mapping[str, Any]) -> str:
    formats = {"date-time": "moment", "email": "e-mail address", "binary": "the file"}
    told: str = formats.get(str(schema.get("format")), "text")
    if told == "text":
        told += _range(schema.get("minLength"), schema.get("maxLength"), " characters")
    if schema.get("pattern") == NO_CONTROL:
        told += ", no control characters"
    elif "#[0-9A-Fa-f]{6}" in schema.get("pattern", ""):
        told = "colour as `#RRGGBB`"
    return told


def _range(least: Any, most: Any, unit: str) -> str:
    if least is not None and most is not None:
        return f", {least} to {most}{unit}"
    if most is not None:
        return f", at most {most}{unit}"
    return f", at least {least}{unit}" if least is not None else ""


def _answers(responses: Mapping[str, Any]) -> str:
    given, refused = [], []
    for status, response in responses.items():
        if int(status) < 300:
            content = response.get("content", {})
            shape = next((media.get("schema") for media in content.values()), None)
            told = words(shape) if shape else "the bytes" if content else "no body"
            given.append(f"**{status}** {told}")
        elif int(status) < 400:
            given.append(f"**{status}**")
        else:
            refused.append(status)
    return f"Answers {', '.join(given)}. [Refuses]({_REFUSALS}) with {', '.join(refused)}."


if __name__ == "__main__":
    main()
