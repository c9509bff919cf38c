"""Payments for orders: what was received and paid back, recorded once and never edited; a wrong one is voided."""

from decimal import Decimal
from typing import Annotated

from msgspec import UNSET, Meta, Struct, UnsetType

from backbench.domain.accounts.calls import Call
from backbench.domain.orders.order_details import Day
from backbench.domain.values.currencies import minor_digits, minor_unit
from backbench.domain.values.enums import PaymentKind, PaymentMethod
from backbench.domain.values.errors import Conflict, FieldError, ValidationError
from backbench.domain.values.money import plain
from backbench.domain.values.numbers import Column, Number
from backbench.domain.values.pagination import PageQuery
from backbench.domain.values.scalars import NO_CONTROL, NOT_BLANK, NOT_REVERSED, ONE_LINE, Name, Rule, between
from backbench.domain.values.times import Instant

# The smallest unit that any currency has; amounts are stored in it.
THOUSANDTHS = 3
MOST = 10**9


def thousandths(amount: Decimal) -> int:
    return int(amount.scaleb(THOUSANDTHS))


def of_thousandths(stored: int) -> Number:
    return plain(Decimal(stored).scaleb(-THOUSANDTHS))


# A column of whole thousandths, a decimal everywhere else.
Thousandths = Annotated[Number, Column("thousandths", of_thousandths, thousandths)]
_POSITIVE = Rule("too_small", "Expected an amount above 0", lambda amount: amount > 0, {"exclusiveMinimum": 0})
Amount = Annotated[Number, between(0, MOST, places=THOUSANDTHS)]
PaidAmount = Annotated[Number, between(0, MOST, places=THOUSANDTHS), _POSITIVE]
Note = Annotated[str, Meta(max_length=250, pattern=NO_CONTROL, extra=ONE_LINE), NOT_BLANK, NOT_REVERSED]


class NewPayment(Struct, frozen=True, rename="camel", forbid_unknown_fields=True):
    """In the currency of the workshop. Without `received_on` it was received today, by the workshop's time zone."""

    kind: PaymentKind
    amount: PaidAmount
    method: PaymentMethod
    received_on: Day | UnsetType = UNSET
    note: Note | UnsetType = UNSET


class NewVoid(Struct, frozen=True, forbid_unknown_fields=True):
    reason: Name


class Payment(Struct, frozen=True, rename="camel", kw_only=True):
    id: str
    order_id: str
    kind: PaymentKind
    amount: Thousandths
    currency: str
    method: PaymentMethod
    received_on: str
    created_at: Instant
    created_by_uid: str
    note: str | UnsetType = UNSET
    voided_at: Instant | UnsetType = UNSET
    voided_by: str | UnsetType = UNSET
    reason: str | UnsetType = UNSET

    @property
    def is_void(self) -> bool:
        return self.voided_at is not UNSET

    @property
    def added(self) -> Decimal:
        """What it adds to the sum that was paid; negative for a refund."""
        return -self.amount if self.kind == "refund" else self.amount + 0


class PaymentsList(Struct, frozen=True):
    payments: list[Payment]


class PaymentsQuery(PageQuery, frozen=True, rename={"from_": "from"}):
    """Payments that were received from day `from_` to day `to`, both included."""

    from_: Day | None = None
    to: Day | None = None


def new_payment(body: NewPayment, call: Call, order_id: str, currency: str, today: str) -> Payment:
    """Raises ValidationError for an amount that the currency does not have."""
    require_exact(body.amount, currency)
    return Payment(
        id=call.new_id(),
        order_id=order_id,
        kind=body.kind,
        amount=plain(body.amount),
        currency=currency,
        method=body.method,
        received_on=today if body.received_on is UNSET else body.received_on,
        created_at=call.now,
        created_by_uid=call.uid,
        note=body.note or UNSET,
    )


def require_exact(amount: Decimal, currency: str) -> None:
    """Raises ValidationError for an amount with more decimals than the currency has."""
    if amount != amount.quantize(minor_unit(currency)):
        detail = f"Amounts in {currency} have at most {minor_digits(currency)} decimals"
        raise ValidationError(FieldError("/amount", "too_precise", detail))


def already_void() -> Conflict:
    return Conflict("void", "This payment has been voided already")


def over_refund() -> Conflict:
    return Conflict("over_refund", "More would be paid back than was received")


def other_currency() -> Conflict:
    return Conflict("other_currency", "The order is in another currency than the workshop")


def has_payments(number: int) -> Conflict:
    return Conflict("has_payments", "The order has payments; void them first", current=number)
