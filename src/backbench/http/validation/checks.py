"""Checks of parsed values by their type: every error, each with a JSON Pointer."""

from collections.abc import Iterator
from functools import cache
from typing import Any, Literal, get_args, get_origin

from msgspec import Meta, Struct, UnsetType

from backbench.http.validation import hints
from backbench.http.validation.objects import ObjectCheck
from backbench.http.validation.values import (
    Check,
    list_errors,
    literal_errors,
    map_errors,
    number_errors,
    text_errors,
    typed_errors,
)
from backbench.values.errors import FieldError
from backbench.values.numbers import JsonScalar, Number


def check_for(hint: Any) -> Check:
    """The check for one value of the type."""
    options = [part for part in hints.parts(hint) if part is not UnsetType]
    if len(options) == 1:
        return _check_of(options[0])
    structs = [bare for option in options if hints.is_struct(bare := hints.bare(option))]
    is_nullable = type(None) in options
    other = next(_check_of(option) for option in options if option is not type(None))

    def check(value: Any, pointer: str) -> Iterator[FieldError]:
        if value is None and is_nullable:
            return
        if structs and isinstance(value, dict):
            yield from _tagged(structs, value, pointer)
        else:
            yield from other(value, pointer)

    return check


@cache
def object_check(type_: type[Struct]) -> ObjectCheck:
    """The check of objects of a Struct type."""
    return ObjectCheck(type_, {field.encode_name: check_for(hint) for field, hint in hints.fields_of(type_)})


def _tagged(types: list[type[Struct]], value: dict[str, Any], pointer: str) -> Iterator[FieldError]:
    """An object of one of several types, distinguished by their tag."""
    if len(types) == 1:
        yield from object_check(types[0])(value, pointer)
        return
    field = types[0].__struct_config__.tag_field or ""
    for type_ in types:
        if value.get(field) == type_.__struct_config__.tag:
            yield from object_check(type_)(value, pointer)
            return
    tags = ", ".join(str(type_.__struct_config__.tag) for type_ in types)
    code = "enum" if field in value else "missing"
    yield FieldError(f"{pointer}/{field}", code, f"Expected one of: {tags}")


def _check_of(option: Any) -> Check:
    rules = hints.rules(option)
    by_type = _by_type(hints.bare(option), hints.meta(option))

    def check(value: Any, pointer: str) -> Iterator[FieldError]:
        is_valid = True
        for error in by_type(value, pointer):
            is_valid = False
            yield error
        if is_valid:
            for rule in rules:
                if not rule.holds(value):
                    yield FieldError(pointer, rule.code_for(value), rule.detail)

    return check


def _by_type(bare: Any, meta: Meta | None) -> Check:
    if bare is str:
        return lambda value, pointer: text_errors(value, pointer, meta)
    if bare is Number or bare is int:
        return lambda value, pointer: number_errors(value, pointer, meta, whole=bare is int)
    if bare is bool:
        return lambda value, pointer: typed_errors(value, pointer, bool, "a boolean")
    if get_origin(bare) is Literal:
        return lambda value, pointer: literal_errors(value, pointer, get_args(bare))
    if get_origin(bare) is list:
        check_entry = check_for(get_args(bare)[0])
        return lambda value, pointer: list_errors(value, pointer, check_entry, meta)
    if get_origin(bare) is dict:
        check_name, check_value = map(check_for, get_args(bare))
        return lambda value, pointer: map_errors(value, pointer, check_name, check_value, meta)
    if hints.is_struct(bare):
        return lambda value, pointer: object_check(bare)(value, pointer)
    if isinstance(bare, type) and issubclass(bare, JsonScalar):
        return lambda value, pointer: iter(bare.errors(value, pointer))
    if bare is type(None):
        return lambda value, pointer: typed_errors(value, pointer, type(None), "null")
    raise TypeError(f"no validation for {bare!r}")
