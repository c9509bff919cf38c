"""Texts of types: a JSON Schema in words, for the tables of the documentation and the API reference page."""

from collections.abc import Callable, Mapping
from typing import Any

from backbench.values.scalars import LINE_FEEDS, NO_CONTROL

_LONG_LIST = 30
_FORMATS = {"date-time": "timestamp", "date": "date, such as `2026-12-31`", "email": "email address", "binary": "file"}


def type_text(schema: Mapping[str, Any], code: Callable[[str], str], link: Callable[[str], str]) -> str:
    """The type with its limits. `code` formats a value, `link` the name of a component."""

    def text(schema: Mapping[str, Any]) -> str:
        if "$ref" in schema:
            return link(schema["$ref"].rpartition("/")[2])
        if "anyOf" in schema:
            return " or ".join(map(text, schema["anyOf"]))
        if len(schema.get("enum", ())) > _LONG_LIST:
            return f"one of {len(schema['enum'])} values"
        if "enum" in schema:
            return ", ".join("null" if value is None else code(str(value)) for value in schema["enum"])
        if "const" in schema:
            return code(str(schema["const"]).lower() if isinstance(schema["const"], bool) else schema["const"])
        kind = str(schema.get("type", "any value"))
        if kind == "array":
            items = f" of {text(schema['items'])}" if schema.get("items") else ""
            return f"array{items}{_range(schema.get('minItems'), schema.get('maxItems'), ' entries')}"
        if kind == "object" and isinstance(schema.get("additionalProperties"), dict):
            return f"object of {text(schema['additionalProperties'])}"
        if kind == "string":
            return code("#RRGGBB") if "#[0-9A-Fa-f]{6}" in schema.get("pattern", "") else _string(schema)
        if kind in ("integer", "number"):
            return kind + _range(schema.get("minimum"), schema.get("maximum"), "")
        return kind

    return text(schema)


def _string(schema: Mapping[str, Any]) -> str:
    words = _FORMATS.get(str(schema.get("format")), "string")
    if words == "string":
        words += _range(schema.get("minLength"), schema.get("maxLength"), " characters")
    if schema.get("pattern") == LINE_FEEDS:
        return f"{words}, line feeds allowed"
    return f"{words}, no control characters" if schema.get("pattern") == NO_CONTROL else words


def _range(least: Any, most: Any, unit: str) -> str:
    if least is not None and most is not None:
        return f", {least} to {most}{unit}"
    if most is not None:
        return f", at most {most}{unit}"
    return f", at least {least}{unit}" if least is not None else ""
