"""Taxes: the tax of a line, which is a rate or a kind that is no rate, and the tax of each line of an estimate."""

from collections.abc import Mapping, Sequence
from decimal import Decimal
from typing import Any, ClassVar, Literal, Protocol, get_args

from backbench.values.errors import FieldError
from backbench.values.numbers import JsonScalar, Number
from backbench.values.scalars import between

# `outside`: outside the scope of the tax.
NoRate = Literal["exempt", "reverse_charge", "outside"]
TaxKind = Literal["rate", "exempt", "reverse_charge", "outside"]
NO_RATES: tuple[NoRate, ...] = get_args(NoRate)
PERCENT = between(0, 100, places=4)


class Tax(JsonScalar):
    """`percent` is None for a kind that is no rate; `kind` is None for a rate. In JSON it is the one or the other."""

    __slots__ = ("kind", "percent")
    schema: ClassVar[dict[str, Any]] = {
        "anyOf": [{"type": "number", **PERCENT.schema}, {"type": "string", "enum": list(NO_RATES)}]
    }

    def __init__(self, value: Decimal | NoRate) -> None:
        self.percent = None if isinstance(value, str) else Number(value)
        self.kind = value if isinstance(value, str) else None

    @classmethod
    def from_json(cls, value: Any) -> "Tax":
        """Raises ValueError."""
        if cls.errors(value, ""):
            raise ValueError("Expected a percentage or a kind of tax")
        return cls(value)

    @classmethod
    def errors(cls, value: Any, pointer: str) -> list[FieldError]:
        if isinstance(value, str):
            detail = "Expected a number or one of: " + ", ".join(NO_RATES)
            return [] if value in NO_RATES else [FieldError(pointer, "enum", detail)]
        if isinstance(value, bool) or not isinstance(value, int | Decimal):
            return [FieldError(pointer, "type", "Expected a number, or the name of a kind of tax")]
        return [] if PERCENT.holds(value) else [FieldError(pointer, PERCENT.code_for(value), PERCENT.detail)]

    def to_json(self) -> Number | str:
        if self.percent is not None:
            return self.percent
        assert self.kind is not None
        return self.kind

    @property
    def rate(self) -> Decimal:
        """In percent: 0 for a kind that is no rate."""
        return self.percent or Decimal(0)

    @property
    def order(self) -> tuple[int, Decimal]:
        """The highest rate first, then the kinds."""
        return (0, -self.rate) if self.kind is None else (1 + NO_RATES.index(self.kind), Decimal(0))

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Tax) and (self.percent, self.kind) == (other.percent, other.kind)

    def __hash__(self) -> int:
        return hash((self.percent, self.kind))

    def __repr__(self) -> str:
        return f"Tax({self.to_json()!r})"


class WithId(Protocol):
    @property
    def id(self) -> str: ...


NO_LINE_TAXES: Mapping[str, Tax] = {}


def tax_of(kind: TaxKind, percent: Decimal | None) -> Tax | None:
    """The tax of an estimate; None without one."""
    if kind != "rate":
        return Tax(kind)
    return None if percent is None else Tax(percent)


def taxes_of_lines(lines: Sequence[WithId], tax: Tax | None, line_taxes: Mapping[str, Tax]) -> list[Tax | None]:
    """The tax of each line. Without any tax all are None; with some, a line without one has 0 %.

    An estimate without lines has one entry, for its own tax.
    """
    if tax is None and not any(line.id in line_taxes for line in lines):
        return [None for _ in lines] or [None]
    default = tax or Tax(Decimal(0))
    return [line_taxes.get(line.id, default) for line in lines] or [tax]
