"""Statement parameters: their names and order in a statement, and values for them of a request body."""

import re
from collections.abc import Sequence
from functools import cache
from typing import Any, TypeVar

from msgspec import UNSET, UnsetType

from backbench.values.numbers import to_json_text
from backbench.values.scalars import fold_case

Scalar = TypeVar("Scalar", str, int)
_PARAMETER = re.compile(r"(?<![:\w]):([a-z_]+)")


@cache
def positional(sql: str) -> tuple[str, tuple[str, ...]]:
    """The statement with `$1` in place of `:name`, and the names in that order."""
    names: dict[str, int] = {}

    def number(match: re.Match[str]) -> str:
        return f"${names.setdefault(match[1], len(names) + 1)}"

    return _PARAMETER.sub(number, sql), tuple(names)


def numbered(name: str, at: int) -> str:
    """The name of a parameter for the value at a position of a list. Names of parameters have no digits."""
    return f"{name}_{''.join(chr(ord('a') + int(digit)) for digit in str(at))}"


def or_none(value: Scalar | UnsetType | None) -> Scalar | None:
    """NULL for an absent member, so that `coalesce(:name, name)` leaves the column unchanged."""
    return None if value is UNSET else value


def json_or_none(value: Any) -> str | None:
    """JSON text; NULL for None and for an absent member."""
    return None if value is None or value is UNSET else to_json_text(value)


def is_sent(value: Any) -> int:
    """1 when the member was in the body, null or not, else 0: for columns that null clears."""
    return 0 if value is UNSET else 1


def containing(text: str) -> str:
    """The pattern of folded texts that contain `text`, for `LIKE :pattern ESCAPE '!'`: `%` and `_` are themselves."""
    escaped = fold_case(text).replace("!", "!!").replace("%", "!%").replace("_", "!_")
    return f"%{escaped}%"


def rows_of(values: Sequence[str], column: str = "id") -> str:
    """`:rows` of one column, for `rows_from_json`."""
    return to_json_text([{column: value} for value in values])
