"""Details of orders in the database. A trigger adds the row of an order, with its number (0050_order_details.sql)."""

from msgspec import Struct

from backbench.domain.customers.phones import digits
from backbench.domain.estimating.document_settings import DocumentSettings
from backbench.domain.orders.order_details import Facts, OrderDetails
from backbench.domain.orders.stored_orders import LinkedEstimate, OrderState, order_details
from backbench.domain.values.errors import NotFound
from backbench.domain.values.numbers import to_json_text
from backbench.domain.values.scalars import fold_case
from backbench.domain.values.times import Instant
from backbench.storage.engine.database import Read, Value, Write
from backbench.storage.engine.objects import Loaded
from backbench.storage.engine.parameters import json_or_none, or_none
from backbench.storage.engine.rows import JoinedRow
from backbench.storage.estimating.summaries import estimate_lines

_STATE = """o.id, o.workshop_id, o.title, o.customer_name, o.status, o.last_activity_at,
    {history} AS status_history, d.waiting_since, d.collected_at, d.collected_by, d.link_generation"""
_FACTS = """d.number, d.customer_id, d.phone, d.item, d.due_on, d.due_time, d.price_limit, d.place, d.assigned_to,
    d.waiting_for, d.waiting_until, d.outcome, e.id AS estimate_id"""
ESTIMATE_COLUMNS = f"""e.id, e.markup_percent, e.discount_percent, coalesce(e.facts, '{{}}') AS facts, e.figures,
    {estimate_lines()} AS line_items"""
# Lists need the history of orders that are done, which says since when they are.
WITHOUT_HISTORY = _STATE.format(history="CASE WHEN o.status = 'done' THEN o.status_history ELSE '[]' END")
COLUMNS_OF_LIST = f"{WITHOUT_HISTORY}, {_FACTS}, {ESTIMATE_COLUMNS}"
# The estimate may have been deleted. Every order has details; a LEFT JOIN says that a lock is for the order alone.
SOURCE = """orders o LEFT JOIN order_details d ON d.order_id = o.id LEFT JOIN estimates e ON e.id = o.estimate_id"""
_COLUMNS = f"{_STATE.format(history='o.status_history')}, {_FACTS}, {ESTIMATE_COLUMNS}"
_SAVE = """
    UPDATE order_details SET customer_id = :customer_id, phone = :phone, phone_digits = :phone_digits, item = :item,
        item_folded = :item_folded, due_on = :due_on, due_time = :due_time, price_limit = :price_limit,
        place = :place, assigned_to = :assigned_to, waiting_for = :waiting_for, waiting_until = :waiting_until,
        waiting_since = :waiting_since, outcome = :outcome, changed_at = :now,
        agreed_estimate_id = :estimate_id
    WHERE order_id = :order_id
"""
_CLEAR_COLLECTED = """
    UPDATE order_details SET collected_at = NULL, collected_by = NULL
    WHERE order_id = :order_id AND collected_at IS NOT NULL
"""


class StoredDetails(JoinedRow, frozen=True):
    order: OrderState
    facts: Facts
    estimate: LinkedEstimate | None

    def to_response(self, settings: DocumentSettings | None) -> OrderDetails:
        """`settings` are those of the workshop; None where `needs_settings` is false."""
        return order_details(self.order, self.facts, self.estimate, settings)

    @property
    def needs_settings(self) -> bool:
        """Whether the total of an estimate is compared with a limit."""
        return self.facts.price_limit is not None and self.estimate is not None


# The details of the order of a path: locked together with the order, whose title and status they show.
ORDER_DETAILS = Loaded(
    StoredDetails,
    "details",
    "orders o",
    key="order_id",
    own_columns=_COLUMNS,
    joins=SOURCE.removeprefix("orders o"),
    locked="orders o JOIN order_details d ON d.order_id = o.id",
    locks=("o", "d"),
)


async def find(db: Read, order_id: str) -> StoredDetails:
    """The details of the order. Raises NotFound."""
    sql = f"SELECT {_COLUMNS} FROM {SOURCE} WHERE o.id = :order_id"
    found = await db.one(StoredDetails, sql, order_id=order_id)
    if found is None:
        raise NotFound
    return found


async def list_all(db: Read, workshop_id: str, condition: str, **values: Value) -> list[StoredDetails]:
    """The details of the workshop's orders for which the condition on `o` and `d` holds."""
    sql = f"SELECT {COLUMNS_OF_LIST} FROM {SOURCE} WHERE d.workshop_id = :workshop_id AND {condition}"
    return await db.all(StoredDetails, sql, workshop_id=workshop_id, **values)


async def save(db: Write, before: StoredDetails, after: Facts, now: Instant) -> None:
    """Replaces the facts of an order that was locked in the same transaction before it was read."""
    order_id = before.order.id
    if after.estimate_id != before.facts.estimate_id:
        sql = "UPDATE orders SET estimate_id = :estimate_id WHERE id = :order_id"
        await db.run(sql, order_id=order_id, estimate_id=after.estimate_id)
    await db.run(
        _SAVE,
        order_id=order_id,
        estimate_id=after.estimate_id,
        customer_id=after.customer_id,
        phone=after.phone,
        phone_digits=None if after.phone is None else digits(after.phone),
        item=json_or_none(after.item),
        item_folded=None if after.item is None else fold_case(or_none(after.item.description) or ""),
        due_on=after.due_on,
        due_time=after.due_time,
        price_limit=None if after.price_limit is None else to_json_text(after.price_limit),
        place=after.place,
        assigned_to=after.assigned_to,
        waiting_for=after.waiting_for,
        waiting_until=after.waiting_until,
        waiting_since=_waiting_since(before, after, now),
        outcome=after.outcome,
        now=now,
    )


def _waiting_since(before: StoredDetails, after: Facts, now: Instant) -> Instant | None:
    if after.waiting_for is None:
        return None
    return before.order.waiting_since if after.waiting_for == before.facts.waiting_for else now


async def save_collected(db: Write, order_id: str, at: Instant | None, to: str | None) -> None:
    """Sets or, with None, clears when and by whom the order was collected."""
    sql = "UPDATE order_details SET collected_at = :at, collected_by = :to_name WHERE order_id = :order_id"
    await db.run(sql, order_id=order_id, at=at, to_name=to)


async def clear_collected(db: Write, order_id: str) -> None:
    """The order left `done`. Most were never collected: their rows are not written."""
    await db.run(_CLEAR_COLLECTED, order_id=order_id)


async def save_customer(db: Write, order_id: str, customer_id: str) -> None:
    sql = "UPDATE order_details SET customer_id = :customer_id WHERE order_id = :order_id"
    await db.run(sql, order_id=order_id, customer_id=customer_id)


class _Numbered(Struct, frozen=True):
    number: int
    order_id: str


async def clear_assignee(db: Write, workshop_id: str, uid: str) -> list[str]:
    """Takes the account from all orders of the workshop. Returns their ids, in the order of their numbers."""
    sql = """
        UPDATE order_details SET assigned_to = NULL WHERE workshop_id = :workshop_id AND assigned_to = :uid
        RETURNING number, order_id
    """
    found = await db.all(_Numbered, sql, workshop_id=workshop_id, uid=uid)
    return [each.order_id for each in sorted(found, key=lambda each: each.number)]
