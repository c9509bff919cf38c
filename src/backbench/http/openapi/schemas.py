"""JSON Schemas of shapes, and their types in words."""

import inspect
import re
from collections.abc import Callable, Mapping, Sequence
from types import UnionType
from typing import Annotated, Any, Literal, Union, get_args, get_origin, get_type_hints

import msgspec
from msgspec import Meta, Struct

from backbench.http.openapi.reference import Properties
from backbench.values.numbers import JsonScalar, Number
from backbench.values.scalars import LINE_FEEDS, NO_CONTROL, Rule

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
            above = f" above {schema['exclusiveMinimum']}" if "exclusiveMinimum" in schema else ""
            return kind + above + _range(schema.get("minimum"), schema.get("maximum"), "")
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


def components_of(
    types: Sequence[Any], properties: Properties
) -> tuple[dict[Any, dict[str, Any]], dict[str, dict[str, Any]]]:
    """A reference for each type, and the components that they refer to, named after the types."""
    schemas, components = msgspec.json.schema_components(
        types, schema_hook=_number_schema, ref_template="#/components/schemas/{name}"
    )
    for type_ in _structs(types):
        _keep_order(components[type_.__name__], type_)
        _add_rules(components[type_.__name__], type_)
        _add_meanings(components[type_.__name__], type_.__name__, properties)
    return dict(zip(types, schemas, strict=True)), components


def query_schemas(type_: type[Struct]) -> dict[str, dict[str, Any]]:
    """The schema of each query parameter; none is required."""
    _, components = msgspec.json.schema_components([type_])
    _keep_order(components[type_.__name__], type_)
    return {name: _not_null(schema) for name, schema in components[type_.__name__]["properties"].items()}


def form_schema(type_: type[Struct], properties: Properties) -> dict[str, Any]:
    """The fields of a multipart/form-data body, and its file."""
    _, components = msgspec.json.schema_components([type_])
    fields = components[type_.__name__]
    _keep_order(fields, type_)
    form = {
        **fields,
        "properties": {**fields["properties"], "file": BYTES},
        "required": [*fields["required"], "file"],
    }
    _add_meanings(form, type_.__name__, properties)
    return form


BYTES = {"type": "string", "format": "binary"}


def bytes_of(media_type: str) -> dict[str, Any]:
    """The schema of a body of that type. `format` is for tools that expect OpenAPI 3.0."""
    return {**BYTES, "contentMediaType": media_type}


def _add_meanings(component: dict[str, Any], name: str, properties: Properties) -> None:
    """Adds the meaning of each property, and moves its default into the text.

    Generated clients make a property with `default` required, although a request may leave it out.
    """
    for property_, schema in component["properties"].items():
        meaning = properties.meaning(name, property_) or ""
        plain = {key: value for key, value in schema.items() if key != "default"}
        if schema.get("default") is not None:
            meaning = f"{meaning} Default: {_default(schema['default'])}."
        component["properties"][property_] = {**plain, "description": meaning} if meaning else plain


def _default(value: Any) -> str:
    return "empty" if value == "" else f"`{str(value).lower() if isinstance(value, bool) else value}`"


def _not_null(schema: dict[str, Any]) -> dict[str, Any]:
    """The schema of an optional member without null."""
    options = [option for option in schema.get("anyOf", []) if option != {"type": "null"}]
    if len(options) == 1:
        return dict(options[0])
    if None in schema.get("enum", []):
        return {"enum": [value for value in schema["enum"] if value is not None]}
    return {name: value for name, value in schema.items() if name != "default"}


def _number_schema(type_: type) -> dict[str, Any]:
    if type_ is Number:
        return {"type": "number"}
    if issubclass(type_, JsonScalar):
        return type_.schema
    # What msgspec expects of a schema hook for a type that it does not know.
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


def _keep_order(component: dict[str, Any], type_: type[Struct]) -> None:
    """Puts enumerations in the order in which they are declared: msgspec sorts them."""
    hints = get_type_hints(type_, include_extras=True)
    for field in msgspec.structs.fields(type_):
        _reorder(component["properties"][field.encode_name], _enumerations(hints[field.name]))


def _enumerations(hint: Any) -> list[tuple[Any, ...]]:
    """The values of each enumeration, in the order of its Literal, or of the schema in its annotation."""
    if get_origin(hint) is Literal:
        return [get_args(hint)]
    if get_origin(hint) is Annotated:
        schemas = [each.extra_json_schema for each in get_args(hint)[1:] if isinstance(each, Meta)]
        if orders := [tuple(schema["enum"]) for schema in schemas if schema and "enum" in schema]:
            return orders
    return [found for argument in get_args(hint) for found in _enumerations(argument)]


def _reorder(schema: Any, declared: Sequence[tuple[Any, ...]]) -> None:
    for value in schema.values() if isinstance(schema, dict) else schema if isinstance(schema, list) else ():
        _reorder(value, declared)
    if isinstance(schema, dict) and isinstance(schema.get("enum"), list):
        values = schema["enum"]
        order = next((each for each in declared if set(each) == set(values) - {None}), values)
        schema["enum"] = [*order, *([None] if None in values and None not in order else [])]


def _add_rules(component: dict[str, Any], type_: type[Struct]) -> None:
    """Adds what `Meta` cannot express: rules of members, omitted members, and that an edit needs a member."""
    if "description" in component:
        component["description"] = _public(component["description"], type_)
    if getattr(type_, "at_least_one", False):
        component["minProperties"] = 1
    hints = get_type_hints(type_, include_extras=True)
    for field in msgspec.structs.fields(type_):
        schema = component["properties"][field.encode_name]
        if type_.__struct_config__.omit_defaults and field.default is None:
            schema = component["properties"][field.encode_name] = _not_null(schema)
        schema.update(_rule_schema(hints[field.name]))


def _public(docstring: str, type_: type[Struct]) -> str:
    """The docstring of a Struct with the names that its members have in JSON."""
    text = inspect.cleandoc(docstring)
    for field in msgspec.structs.fields(type_):
        text = re.sub(rf"\b{field.name}\b", field.encode_name, text)
    return text


def _rule_schema(hint: Any) -> dict[str, Any]:
    options = get_args(hint) if get_origin(hint) in (Union, UnionType) else (hint,)
    merged: dict[str, Any] = {}
    for option in options:
        if get_origin(option) is Annotated:
            for extra in get_args(option)[1:]:
                if isinstance(extra, Rule):
                    merged |= extra.schema
                    if "exclusiveMinimum" in extra.schema:
                        # Of two least values the rule's is the narrower.
                        merged.pop("minimum", None)
    return merged
