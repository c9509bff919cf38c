"""Errors of a parsed value: of a text, a number, an array, or an object with arbitrary names."""

import re
from collections.abc import Callable, Iterator
from decimal import Decimal
from typing import Any

from msgspec import Meta

from backbench.http.validation.pointers import escaped
from backbench.http.validation.strict_json import Members
from backbench.values.errors import FieldError

Check = Callable[[Any, str], Iterator[FieldError]]
_LONE_SURROGATE = re.compile("[\ud800-\udfff]")


def typed_errors(value: Any, pointer: str, type_: type, expected: str) -> Iterator[FieldError]:
    if not isinstance(value, type_):
        yield FieldError(pointer, "type", f"Expected {expected}")


def text_errors(value: Any, pointer: str, meta: Meta | None) -> Iterator[FieldError]:
    if not isinstance(value, str):
        yield FieldError(pointer, "type", "Expected a string")
        return
    yield from unstorable(value, pointer)
    if meta is None:
        return
    if meta.min_length is not None and len(value) < meta.min_length:
        yield FieldError(pointer, "too_short", _too_short(meta.min_length))
    if meta.max_length is not None and len(value) > meta.max_length:
        yield FieldError(pointer, "too_long", f"Expected at most {meta.max_length} characters")
    if meta.pattern is not None and re.search(meta.pattern, value) is None:
        yield FieldError(pointer, "pattern", _pattern_detail(meta))


def _too_short(min_length: int) -> str:
    return "Must not be empty" if min_length == 1 else f"Expected at least {min_length} characters"


def _pattern_detail(meta: Meta) -> str:
    """The `detail` that the type has for its pattern."""
    detail: str = (meta.extra or {}).get("detail", "Expected another format")
    return detail


def number_errors(value: Any, pointer: str, meta: Meta | None, *, whole: bool) -> Iterator[FieldError]:
    if isinstance(value, bool) or not isinstance(value, int | Decimal):
        yield FieldError(pointer, "type", "Expected a number")
        return
    if whole and not isinstance(value, int):
        yield FieldError(pointer, "type", "Expected an integer")
        return
    if meta is not None and meta.ge is not None and value < meta.ge:
        yield FieldError(pointer, "too_small", f"Expected at least {meta.ge}")
    if meta is not None and meta.le is not None and value > meta.le:
        yield FieldError(pointer, "too_large", f"Expected at most {meta.le}")


def literal_errors(value: Any, pointer: str, allowed: tuple[Any, ...]) -> Iterator[FieldError]:
    if not isinstance(value, str) or value not in allowed:
        yield FieldError(pointer, "enum", "Expected one of: " + ", ".join(map(str, allowed)))


def list_errors(value: Any, pointer: str, check: Check, meta: Meta | None) -> Iterator[FieldError]:
    if not isinstance(value, list):
        yield FieldError(pointer, "type", "Expected an array")
        return
    if meta is not None and meta.min_length is not None and len(value) < meta.min_length:
        yield FieldError(pointer, "too_short", f"Expected at least {meta.min_length} entries")
    if meta is not None and meta.max_length is not None and len(value) > meta.max_length:
        yield FieldError(pointer, "too_long", f"Expected at most {meta.max_length} entries")
        return
    for index, member in enumerate(value):
        yield from check(member, f"{pointer}/{index}")


def map_errors(value: Any, pointer: str, check_name: Check, check: Check, meta: Meta | None) -> Iterator[FieldError]:
    if not isinstance(value, dict):
        yield FieldError(pointer, "type", "Expected an object")
        return
    yield from duplicates(value, pointer)
    if meta is not None and meta.max_length is not None and len(value) > meta.max_length:
        yield FieldError(pointer, "too_long", f"Expected at most {meta.max_length} members")
        return
    for name, member in value.items():
        yield from check_name(name, f"{pointer}/{escaped(name)}")
        yield from check(member, f"{pointer}/{escaped(name)}")


def duplicates(members: dict[str, Any], pointer: str) -> Iterator[FieldError]:
    """An error for each name that an object has twice. Only the strict parser notes them."""
    for name in getattr(members, "duplicates", ()):
        yield FieldError(f"{pointer}/{escaped(name)}", "duplicate", "Duplicate member")


def unstorable(value: Any, pointer: str) -> Iterator[FieldError]:
    """U+0000 and lone surrogates, in names and values: neither database can store them."""
    if isinstance(value, str):
        if "\x00" in value:
            yield FieldError(pointer, "null_character", "U+0000 cannot be stored")
        if _LONE_SURROGATE.search(value):
            yield FieldError(pointer, "surrogate", "Invalid Unicode (lone surrogate)")
    elif isinstance(value, Members):
        yield from duplicates(value, pointer)
        for name, member in value.items():
            yield from unstorable(name, f"{pointer}/{escaped(name)}")
            yield from unstorable(member, f"{pointer}/{escaped(name)}")
    elif isinstance(value, list):
        for index, member in enumerate(value):
            yield from unstorable(member, f"{pointer}/{index}")
