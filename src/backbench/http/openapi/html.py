"""HTML of the API reference page: text with `code` and **bold**, fields with their types, JSON examples."""

import re
from collections.abc import Collection, Mapping, Sequence
from html import escape
from typing import Any

import msgspec

from backbench.http.openapi.type_texts import type_text

Entry = Mapping[str, Any]

_CODE = re.compile(r"`([^`]+)`")
_BOLD = re.compile(r"\*\*([^*]+)\*\*")


def inline(text: str, operations: Collection[str] = ()) -> str:
    """A line of Markdown. The name of an operation links to it."""

    def code(match: re.Match[str]) -> str:
        html = f"<code>{match[1]}</code>"
        return f'<a href="#{match[1]}">{html}</a>' if match[1] in operations else html

    return _BOLD.sub(r"<strong>\1</strong>", _CODE.sub(code, escape(text, quote=False)))


def paragraphs(text: str, operations: Collection[str] = ()) -> str:
    """Paragraphs of Markdown, without the lists of errors, which the responses contain."""
    found = [paragraph for paragraph in text.split("\n\n") if paragraph and not paragraph.startswith("- ")]
    return "".join(f"<p>{inline(paragraph, operations)}</p>" for paragraph in found)


def anchored(heading: str, anchor: str) -> str:
    """A heading with a link to itself."""
    return f'<h3>{escape(heading)} <a href="#{anchor}" aria-label="Link to {escape(heading)}">#</a></h3>'


def fields(schema: Entry, operations: Collection[str] = ()) -> str:
    """The properties of an object."""
    required = schema.get("required", ())
    members = schema["properties"].items()
    return description_list(
        [
            described(name, member, member.get("description", ""), operations, is_required=name in required)
            for name, member in members
        ]
    )


def described(name: str, schema: Entry, meaning: str, operations: Collection[str], *, is_required: bool) -> str:
    """A property or parameter: name, type, and whether it is required; then the meaning."""
    mark = " <strong>required</strong>" if is_required else ""
    return (
        f"<dt><code>{escape(name)}</code> <span>{type_html(schema)}</span>{mark}</dt>"
        f"<dd>{inline(meaning, operations)}</dd>"
    )


def description_list(entries: Sequence[str]) -> str:
    return f"<dl>{''.join(entries)}</dl>" if entries else ""


def type_html(schema: Entry) -> str:
    return type_text(schema, code=lambda value: f"<code>{escape(value)}</code>", link=_schema_link)


def _schema_link(name: str) -> str:
    return f'<a href="#schema-{name}">{name}</a>'


def json_text(value: Any) -> str:
    return msgspec.json.format(msgspec.json.encode(value), indent=2).decode()


def json_block(value: Any) -> str:
    return block(json_text(value))


def block(text: str) -> str:
    return f"<pre>{escape(text, quote=False)}</pre>"
