"""Statement parameters: converts the members of a request body to values of a statement."""

from typing import Any, TypeVar

from msgspec import UNSET, UnsetType

from backbench.domain.values.numbers import to_json_text
from backbench.domain.values.scalars import fold_case

Scalar = TypeVar("Scalar", str, int)


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
