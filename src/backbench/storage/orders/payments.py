"""Payments in the database. Only a void changes a row."""

from backbench.domain.orders.payments import (
    Payment,
    PaymentsQuery,
)
from backbench.storage.engine.database import Read, Value
from backbench.storage.engine.lists import NewestFirst
from backbench.storage.engine.objects import Loaded
from backbench.storage.engine.rows import columns

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


class ListedPayment(Payment, frozen=True, kw_only=True):
    """A payment with its order and the names of who recorded and voided it, for a list that people read."""

    number: int
    title: str
    customer_name: str
    recorded_by: str | None
    voided_by_name: str | None


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
        SELECT {columns(Payment, "p")}, d.number, o.title, o.customer_name,
            a.name AS recorded_by, v.name AS voided_by_name
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
    sql = f"SELECT {_COLUMNS} FROM payments WHERE {condition} ORDER BY created_at DESC, id DESC"
    return await db.all(Payment, sql, **values)


async def count_standing(db: Read, order_id: str) -> int:
    """The payments for the order that are not voided."""
    sql = "SELECT count(*) FROM payments WHERE order_id = :order_id AND voided_at IS NULL"
    return int(await db.value(sql, order_id=order_id))
