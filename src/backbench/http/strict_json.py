"""JSON as the service takes it: one parse that names what is wrong, for bodies that look suspicious."""

import json
import re
from collections import Counter
from decimal import Decimal, InvalidOperation
from typing import Any

from backbench.domain.values.errors import FieldError

DEEPEST = 32
# Each string to its end, or to the end of the text: one that is never closed must not be looked through twice.
_STRINGS = re.compile(rb'"(?:[^"\\]++|\\.)*+"?', re.DOTALL)
_BRACKETS = re.compile(rb"[\[\]{}]")
# Python turns at most 4,300 digits into an int; what is longer is beyond every bound that a field has.
_LONGEST_INTEGER = 4000
_BEYOND_BOUNDS: int = 10**_LONGEST_INTEGER


class NotStrictJson(Exception):
    """The body is not JSON as the service takes it."""

    def __init__(self, code: str, detail: str) -> None:
        super().__init__(detail)
        self.fault = FieldError("", code, detail)


class Members(dict[str, Any]):
    """An object that remembers which of its names came more than once."""

    duplicates: tuple[str, ...] = ()


def parse(raw: bytes) -> Any:
    """The value, objects as Members, numbers exact. Raises NotStrictJson."""
    try:
        text = raw.decode("utf-8")
    except UnicodeDecodeError:
        raise NotStrictJson("not_json", "Not UTF-8") from None
    if _is_too_deep(raw):
        raise NotStrictJson("too_deep", f"Nested deeper than {DEEPEST}")
    try:
        return json.loads(
            text,
            object_pairs_hook=_members,
            parse_float=exact,
            parse_int=_integer,
            parse_constant=_refuse_constant,
        )
    except (ValueError, RecursionError) as error:
        raise NotStrictJson("not_json", f"Not JSON: {error}") from None


def _is_too_deep(raw: bytes) -> bool:
    """Whether the brackets go deeper than we take, whatever else is wrong; parsers recurse, this does not."""
    depth = 0
    for bracket in _BRACKETS.finditer(_STRINGS.sub(b"", raw)):
        depth += 1 if bracket[0] in b"[{" else -1
        if depth > DEEPEST:
            return True
        if depth < 0:
            # Closed what was never open: no JSON, which the parser says better.
            return False
    return False


def _members(pairs: list[tuple[str, Any]]) -> Members:
    members = Members(pairs)
    if len(members) != len(pairs):
        times_named = Counter(name for name, _ in pairs)
        members.duplicates = tuple(name for name, times in times_named.items() if times > 1)
    return members


def exact(text: str) -> Decimal:
    """A number with a point or an exponent. One whose exponent nothing can hold is infinite: out of every range."""
    try:
        return Decimal(text)
    except InvalidOperation:
        return Decimal("-Infinity" if text.startswith("-") else "Infinity")


def _integer(digits: str) -> int:
    if len(digits) <= _LONGEST_INTEGER:
        return int(digits)
    return -_BEYOND_BOUNDS if digits.startswith("-") else _BEYOND_BOUNDS


def _refuse_constant(name: str) -> Any:
    raise ValueError(f"{name} is no JSON number")
