"""Payments in the database. Only a void changes a row."""

from msgspec import Struct, UnsetType

from backbench.domain.orders.payments import (
    Payment,
    PaymentsQuery,
    of_thousandths,
    thousandths,
)
from backbench.domain.values.enums import PaymentKind, PaymentMethod
from backbench.domain.values.errors import NotFound
from backbench.domain.values.times import Instant
from backbench.storage.engine.database import Read, Value, Write
from backbench.storage.engine.lists import NewestFirst
from backbench.storage.engine.parameters import or_none

COLUMNS = """id, order_id, kind, thousandths, currency, method, received_on, created_at, created_by_uid, note,
    voided_at, voided_by, reason"""


class StoredPayment(Struct, frozen=True):
    id: str
    order_id: str
    kind: PaymentKind
    thousandths: int
    currency: str
    method: PaymentMethod
    received_on: str
    created_at: Instant
    created_by_uid: str
    note: str | UnsetType
    voided_at: Instant | UnsetType
    voided_by: str | UnsetType
    reason: str | UnsetType

    def to_response(self) -> Payment:
        return Payment(
            id=self.id,
            order_id=self.order_id,
            kind=self.kind,
            amount=of_thousandths(self.thousandths),
            currency=self.currency,
            method=self.method,
            received_on=self.received_on,
            created_at=self.created_at,
            created_by_uid=self.created_by_uid,
            note=self.note,
            voided_at=self.voided_at,
            voided_by=self.voided_by,
            reason=self.reason,
        )


class ListedPayment(StoredPayment, frozen=True):
    """A payment with its order and the names of who recorded and voided it, for a list that people read."""

    number: int
    title: str
    customer_name: str
    recorded_by: str | None
    voided_by_name: str | None


def of_order(order_id: str) -> NewestFirst[StoredPayment]:
    """The payments for the order, voided ones included."""
    select = f"SELECT {COLUMNS} FROM payments WHERE order_id = :order_id"
    return NewestFirst(StoredPayment, select, {"order_id": order_id})


def of_workshop(workshop_id: str, wanted: PaymentsQuery) -> NewestFirst[StoredPayment]:
    """The payments that the workshop received in a period, by the day on which it did, voided ones included."""
    condition, values = _in_period(workshop_id, wanted.from_, wanted.to)
    select = f"SELECT {COLUMNS} FROM payments p WHERE {condition}"
    return NewestFirst(StoredPayment, select, values, at="p.received_on", id_="p.id")


def listed(workshop_id: str, first: str | None, last: str | None) -> NewestFirst[ListedPayment]:
    """The same with orders and names."""
    condition, values = _in_period(workshop_id, first, last)
    columns = ", ".join(f"p.{column.strip()}" for column in COLUMNS.split(","))
    select = f"""
        SELECT {columns}, d.number, o.title, o.customer_name, a.name AS recorded_by, v.name AS voided_by_name
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


async def list_changed(db: Read, condition: str, **values: Value) -> list[Payment]:
    """The payments for which the condition holds, newest first."""
    sql = f"SELECT {COLUMNS} FROM payments WHERE {condition} ORDER BY created_at DESC, id DESC"
    return [each.to_response() for each in await db.all(StoredPayment, sql, **values)]


async def find(db: Read, payment_id: str) -> Payment:
    """Raises NotFound."""
    sql = f"SELECT {COLUMNS} FROM payments WHERE id = :payment_id"
    found = await db.one(StoredPayment, sql, payment_id=payment_id)
    if found is None:
        raise NotFound
    return found.to_response()


async def count_standing(db: Read, order_id: str) -> int:
    """The payments for the order that are not voided."""
    sql = "SELECT count(*) FROM payments WHERE order_id = :order_id AND voided_at IS NULL"
    return int(await db.value(sql, order_id=order_id))


async def add(db: Write, workshop_id: str, payment: Payment) -> None:
    await db.run(
        """
        INSERT INTO payments (workshop_id, order_id, created_at, id, created_by_uid, kind, thousandths, currency,
            method, received_on, note)
        VALUES (:workshop_id, :order_id, :created_at, :id, :created_by_uid, :kind, :thousandths, :currency, :method,
            :received_on, :note)
        """,
        workshop_id=workshop_id,
        order_id=payment.order_id,
        created_at=payment.created_at,
        id=payment.id,
        created_by_uid=payment.created_by_uid,
        kind=payment.kind,
        thousandths=thousandths(payment.amount),
        currency=payment.currency,
        method=payment.method,
        received_on=payment.received_on,
        note=or_none(payment.note),
    )


async def save_voided(db: Write, payment_id: str, at: Instant, by_uid: str, reason: str) -> None:
    sql = "UPDATE payments SET voided_at = :at, voided_by = :by_uid, reason = :reason WHERE id = :payment_id"
    await db.run(sql, payment_id=payment_id, at=at, by_uid=by_uid, reason=reason)
