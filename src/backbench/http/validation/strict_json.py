"""Strict JSON: a parser that names what is wrong, for bodies that failed to decode or look suspicious."""

import json
import re
from collections import Counter
from decimal import Decimal, InvalidOperation
from typing import Any

from backbench.values.errors import FieldError

MAX_DEPTH = 32
# Each string to its end or, where it is not closed, to the end of the text: possessive, so that it is scanned once.
_STRINGS = re.compile(rb'"(?:[^"\\]++|\\.)*+"?', re.DOTALL)
_BRACKETS = re.compile(rb"[\[\]{}]")
# Python converts at most 4,300 digits into an int; a longer number is out of range for every field.
_MAX_DIGITS = 4000
_OUT_OF_RANGE: int = 10**_MAX_DIGITS


class NotStrictJson(Exception):
    """The body is not strict JSON."""

    def __init__(self, code: str, detail: str) -> None:
        super().__init__(detail)
        self.field_error = FieldError("", code, detail)


class Members(dict[str, Any]):
    """A JSON object that records its duplicate names."""

    duplicates: tuple[str, ...] = ()


def parse(raw: bytes) -> Any:
    """The value, objects as Members, numbers exact. Raises NotStrictJson."""
    try:
        text = raw.decode("utf-8")
    except UnicodeDecodeError:
        raise NotStrictJson("not_json", "Not UTF-8") from None
    if _is_too_deep(raw):
        raise NotStrictJson("too_deep", f"Nested deeper than {MAX_DEPTH}")
    try:
        return json.loads(
            text,
            object_pairs_hook=_members,
            parse_float=exact,
            parse_int=_integer,
            parse_constant=_reject_constant,
        )
    except (ValueError, RecursionError) as error:
        raise NotStrictJson("not_json", f"Not JSON: {error}") from None


def _is_too_deep(raw: bytes) -> bool:
    """Whether brackets are nested deeper than allowed. Not recursive, unlike the parsers that follow."""
    depth = 0
    for bracket in _BRACKETS.finditer(_STRINGS.sub(b"", raw)):
        depth += 1 if bracket[0] in b"[{" else -1
        if depth > MAX_DEPTH:
            return True
        if depth < 0:
            # An unmatched closing bracket: the parser reports it.
            return False
    return False


def _members(pairs: list[tuple[str, Any]]) -> Members:
    members = Members(pairs)
    if len(members) != len(pairs):
        times_named = Counter(name for name, _ in pairs)
        members.duplicates = tuple(name for name, times in times_named.items() if times > 1)
    return members


def exact(text: str) -> Decimal:
    """A number with a point or an exponent. One with an exponent too large for Decimal is infinite: out of range."""
    try:
        return Decimal(text)
    except InvalidOperation:
        return Decimal("-Infinity" if text.startswith("-") else "Infinity")


def _integer(digits: str) -> int:
    if len(digits) <= _MAX_DIGITS:
        return int(digits)
    return -_OUT_OF_RANGE if digits.startswith("-") else _OUT_OF_RANGE


def _reject_constant(name: str) -> Any:
    raise ValueError(f"{name} is not a JSON number")
