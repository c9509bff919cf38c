"""Values on their way into a statement."""

from typing import Any, TypeVar

from msgspec import UNSET, UnsetType

from backbench.domain.values.numbers import to_json_text

Scalar = TypeVar("Scalar", str, int)


def or_none(value: Scalar | UnsetType | None) -> Scalar | None:
    """NULL for what was not sent: `coalesce(:name, name)` then leaves it as it is."""
    return None if value is UNSET else value


def json_or_none(value: Any) -> str | None:
    """JSON text; NULL for None and for what was not sent."""
    return None if value is None or value is UNSET else to_json_text(value)


def sent(value: Any) -> int:
    """1 when the member was in the body, null or not: for columns that null clears."""
    return 0 if value is UNSET else 1
