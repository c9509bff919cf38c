"""Payments for orders: what was received and paid back, recorded once and never edited; a wrong one is voided."""

from datetime import date
from decimal import Decimal
from typing import Annotated

from msgspec import UNSET, Meta, Struct, UnsetType
from msgspec.structs import replace

from backbench.engine.database import Read, Value, Write
from backbench.engine.lists import NewestFirst
from backbench.engine.objects import Loaded
from backbench.engine.rows import columns
from backbench.estimating import document_settings
from backbench.estimating.document_settings import DocumentSettings
from backbench.orders import balances, issued_invoices
from backbench.orders.balances import find as find_money
from backbench.orders.balances import other_currency
from backbench.orders.order_links import OrderRef
from backbench.values.calls import Call
from backbench.values.enums import PaymentKind, PaymentMethod
from backbench.values.errors import Conflict
from backbench.values.money import MOST_AMOUNT, THOUSANDTHS, Thousandths, plain, require_exact
from backbench.values.numbers import Number
from backbench.values.pagination import Page, PagedList, PageQuery
from backbench.values.scalars import NO_CONTROL, NOT_BLANK, NOT_REVERSED, ONE_LINE, Day, MoneyDay, Name, Rule, between
from backbench.values.times import Instant, local_date

_POSITIVE = Rule("too_small", "Expected an amount above 0", lambda amount: amount > 0, {"exclusiveMinimum": 0})
PaidAmount = Annotated[Number, between(0, MOST_AMOUNT, places=THOUSANDTHS), _POSITIVE]
Note = Annotated[str, Meta(max_length=250, pattern=NO_CONTROL, extra=ONE_LINE), NOT_BLANK, NOT_REVERSED]


class NewPayment(Struct, frozen=True, rename="camel", forbid_unknown_fields=True):
    """In the currency of the workshop. Without `received_on` it was received today, by the workshop's time zone."""

    kind: PaymentKind
    amount: PaidAmount
    method: PaymentMethod
    received_on: MoneyDay | UnsetType = UNSET
    note: Note | UnsetType = UNSET


class NewVoid(Struct, frozen=True, forbid_unknown_fields=True):
    reason: Name


class Payment(Struct, frozen=True, rename="camel", kw_only=True):
    """`number` is absent for a payment of an earlier release until the service has numbered it."""

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
    number: str | UnsetType = UNSET
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


class PaymentsList(PagedList, frozen=True):
    payments: list[Payment]


class PaymentsQuery(PageQuery, frozen=True, rename={"from_": "from"}):
    """Payments that were received from day `from_` to day `to`, both included."""

    from_: Day | None = None
    to: Day | None = None


def new_payment(body: NewPayment, call: Call, order_id: str, currency: str, today: str) -> Payment:
    """Still without a number. Raises ValidationError for an amount that the currency does not have."""
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


class _ToNumber(Struct, frozen=True):
    """A payment of a version before. `document_settings` are those of its workshop."""

    id: str
    workshop_id: str
    kind: PaymentKind
    created_at: Instant
    document_settings: DocumentSettings


def already_void() -> Conflict:
    return Conflict("void", "This payment has been voided already")


def over_refund() -> Conflict:
    return Conflict("over_refund", "More would be paid back than was received")


def has_payments(number: int) -> Conflict:
    return Conflict("has_payments", "The order has payments; void them first", current=number)


# Statements


_COLUMNS = columns(Payment)
# The payment of a path. Sums of payments are judged under the lock of their order.
PAYMENT = Loaded(
    Payment,
    "payment",
    "payments p",
    key="payment_id",
    locked="payments p JOIN order_details d ON d.order_id = p.order_id",
    locks=("d",),
)


_NEXT_IN_SERIES = """
    INSERT INTO payment_series (workshop_id, direction, year, latest) VALUES (:workshop_id, :direction, :year, 1)
    ON CONFLICT (workshop_id, direction, year) DO UPDATE SET latest = payment_series.latest + 1 RETURNING latest
"""


async def take_number(db: Write, workshop_id: str, kind: PaymentKind, day: date) -> str:
    """The next number of the year: `KP 12/2026` of what was received, `KW 3/2026` of what was paid back.

    The row of the series is locked until the transaction ends, and one that fails takes no number: no gap and no
    duplicate under concurrent requests.
    """
    direction = "KW" if kind == "refund" else "KP"
    latest = await db.value(_NEXT_IN_SERIES, workshop_id=workshop_id, direction=direction, year=day.year)
    return f"{direction} {latest}/{day.year}"


class _Unnumbered(Struct, frozen=True):
    id: str


_UNNUMBERED = "SELECT id FROM payments WHERE id = :id AND number IS NULL"


async def add_missing_numbers(db: Write, most: int) -> int:
    """Numbers up to `most` payments of a version before, in the order in which they were recorded.

    Returns how many there were. Another node may do the same: each payment is locked before it takes a number.
    """
    sql = """
        SELECT p.id, p.workshop_id, p.kind, p.created_at, w.document_settings
        FROM payments p JOIN workshops w ON w.id = p.workshop_id WHERE p.number IS NULL
        ORDER BY p.created_at, p.id LIMIT :most
    """
    found = await db.all(_ToNumber, sql, most=most)
    for each in found:
        if await db.locking().one(_Unnumbered, _UNNUMBERED, id=each.id) is None:
            continue
        day = local_date(each.created_at, each.document_settings.zone)
        number = await take_number(db, each.workshop_id, each.kind, day)
        await db.run("UPDATE payments SET number = :number WHERE id = :id", id=each.id, number=number)
    return len(found)


class ListedPayment(Payment, frozen=True, kw_only=True):
    """A payment with its order and the names of who recorded and voided it, for a list that people read."""

    order_number: int
    title: str
    customer_name: str
    recorded_by: str | None
    voided_by_name: str | None
    # What the standing payments of the order up to this one add up to, in its currency.
    paid_thousandths: int


_PAID_SO_FAR = """(
            SELECT CAST(
                coalesce(sum(CASE s.kind WHEN 'refund' THEN -s.thousandths ELSE s.thousandths END), 0) AS BIGINT)
            FROM payments s WHERE s.order_id = p.order_id AND s.currency = p.currency AND s.voided_at IS NULL
                AND (s.created_at, s.id) <= (p.created_at, p.id))"""


def of_order(order_id: str) -> NewestFirst[Payment]:
    """The payments for the order, voided ones included."""
    select = f"SELECT {_COLUMNS} FROM payments WHERE order_id = :order_id"
    return NewestFirst(Payment, select, {"order_id": order_id})


def of_workshop(workshop_id: str, wanted: PaymentsQuery) -> NewestFirst[Payment]:
    """The payments that the workshop received in a period, by the day on which it did, voided ones included."""
    condition, values = _in_period(workshop_id, wanted.from_, wanted.to)
    select = f"SELECT {_COLUMNS} FROM payments p WHERE {condition}"
    return NewestFirst(Payment, select, values, at="p.received_on", id_="p.id")


def listed(workshop_id: str, first: str | None, last: str | None) -> NewestFirst[ListedPayment]:
    """The same with orders and names."""
    condition, values = _in_period(workshop_id, first, last)
    select = f"""
        SELECT {columns(Payment, "p")}, d.number AS order_number, o.title, o.customer_name,
            a.name AS recorded_by, v.name AS voided_by_name, {_PAID_SO_FAR} AS paid_thousandths
        FROM payments p JOIN orders o ON o.id = p.order_id JOIN order_details d ON d.order_id = p.order_id
            LEFT JOIN accounts a ON a.id = p.created_by_uid LEFT JOIN accounts v ON v.id = p.voided_by
        WHERE {condition}"""
    return NewestFirst(ListedPayment, select, values, at="p.received_on", id_="p.id")


def _in_period(workshop_id: str, first: str | None, last: str | None) -> tuple[str, dict[str, Value]]:
    conditions, values = ["p.workshop_id = :workshop_id"], dict[str, Value](workshop_id=workshop_id)
    if first is not None:
        conditions.append("p.received_on >= :first")
        values["first"] = first
    if last is not None:
        conditions.append("p.received_on <= :last")
        values["last"] = last
    return " AND ".join(conditions), values


async def count_standing(db: Read, order_id: str) -> int:
    """The payments for the order that are not voided."""
    sql = "SELECT count(*) FROM payments WHERE order_id = :order_id AND voided_at IS NULL"
    return int(await db.value(sql, order_id=order_id))


# Verbs


async def list_all(db: Read, order: OrderRef, query: PageQuery) -> Page[Payment]:
    """List the payments for an order, newest first, voided ones included."""
    return await of_order(order.id).page(db, query)


async def list_of_workshop(db: Read, workshop_id: str, query: PaymentsQuery) -> Page[Payment]:
    """List the payments that a workshop received in a period, the latest first, voided ones included."""
    return await of_workshop(workshop_id, query).page(db, query)


async def record(db: Write, call: Call, order: OrderRef, body: NewPayment) -> Payment:
    """Record a payment for an order, in the currency of the workshop. It is never edited.

    Raises Conflict `other_currency` where the order is in another currency, `over_refund` where more would be paid back
    than was received.
    """
    settings = await document_settings.find(db, order.workshop_id)
    today = settings.today(call.now)
    payment = new_payment(body, call, order.id, settings.currency, today.isoformat())
    money = await find_money(db, order.id, settings)
    if money.currency != payment.currency:
        raise other_currency()
    if money.paid_in(payment.currency) + payment.added < 0:
        raise over_refund()
    payment = replace(payment, number=await take_number(db, order.workshop_id, payment.kind, today))
    await db.add("payments", payment, workshop_id=order.workshop_id)
    await balances.save_owed(db, order.id)
    await issued_invoices.save_paid(db, order.id)
    return payment


async def void(db: Write, call: Call, payment: Payment, workshop_id: str, body: NewVoid) -> Payment:
    """Void a payment, with the reason. It stays in the list and counts no more.

    Raises Conflict `void` for a second time, `over_refund` where more would have been paid back than was received.
    """
    if payment.is_void:
        raise already_void()
    money = await find_money(db, payment.order_id, await document_settings.find(db, workshop_id))
    if money.paid_in(payment.currency) - payment.added < 0:
        raise over_refund()
    after = await db.save("payments", payment, voided_at=call.now, voided_by=call.uid, reason=body.reason)
    await balances.save_owed(db, payment.order_id)
    await issued_invoices.save_paid(db, payment.order_id)
    return after
