"""Order details: what the work on the shelf needs of an order that the Order shape does not have."""

from typing import Annotated, Any, Literal

from msgspec import UNSET, Meta, Struct, UnsetType, structs

from backbench.customers import customer_links
from backbench.customers.customer_links import require_known
from backbench.engine.database import Read, Value, Write
from backbench.engine.objects import Loaded
from backbench.engine.rows import JoinedRow, or_none
from backbench.estimating import document_facts, document_settings, estimates
from backbench.estimating.document_facts import DocumentFacts, lock_customer
from backbench.estimating.document_settings import DocumentSettings
from backbench.estimating.estimates import OrderFromEstimate, StoredEstimate, UnitPrice
from backbench.estimating.line_items import LineItem
from backbench.estimating.summaries import estimate_lines, stored_total
from backbench.orders import balances, orders, stages
from backbench.orders.balances import Price
from backbench.orders.orders import Order, OrderStatus, StatusChange
from backbench.orders.stages import OrderStage
from backbench.values.calls import Call
from backbench.values.errors import Conflict, FieldError, Forbidden, NotFound, ValidationError, unknown_member
from backbench.values.ids import Identifier
from backbench.values.numbers import Number
from backbench.values.phones import Phone, digits
from backbench.values.scalars import (
    END,
    LINE_FEEDS,
    LINES,
    NO_CONTROL,
    NOT_BLANK,
    NOT_REVERSED,
    ONE_LINE,
    Day,
    fold_case,
)
from backbench.values.shapes import edited, made_of
from backbench.values.times import Instant
from backbench.workshops import audit, members
from backbench.workshops.audit import ChangeSource, Unchanged

WaitingFor = Literal["parts", "customer", "supplier", "other"]
OrderOutcome = Literal["repaired", "not_repaired", "declined"]
TimeOfDay = Annotated[
    str, Meta(pattern=r"^(?:[01][0-9]|2[0-3]):[0-5][0-9]" + END, extra={"detail": "Expected a time as HH:MM"})
]
Place = Annotated[str, Meta(min_length=1, max_length=50, pattern=NO_CONTROL, extra=ONE_LINE), NOT_BLANK, NOT_REVERSED]
Description = Annotated[
    str, Meta(min_length=1, max_length=500, pattern=LINE_FEEDS, extra=LINES), NOT_BLANK, NOT_REVERSED
]
Condition = Annotated[
    str, Meta(min_length=1, max_length=2000, pattern=LINE_FEEDS, extra=LINES), NOT_BLANK, NOT_REVERSED
]
Serial = Annotated[str, Meta(min_length=1, max_length=100, pattern=NO_CONTROL, extra=ONE_LINE), NOT_BLANK, NOT_REVERSED]
Collector = Annotated[
    str, Meta(min_length=1, max_length=100, pattern=NO_CONTROL, extra=ONE_LINE), NOT_BLANK, NOT_REVERSED
]


class OrderItem(Struct, frozen=True, omit_defaults=True, forbid_unknown_fields=True):
    """The thing itself. `description` is in the customer's words, `condition` in the workshop's."""

    description: Description | UnsetType = UNSET
    condition: Condition | UnsetType = UNSET
    serial: Serial | UnsetType = UNSET
    pieces: Annotated[int, Meta(ge=1, le=99)] | UnsetType = UNSET


NO_ITEM = OrderItem()


class OrderDetails(Struct, frozen=True, rename="camel", kw_only=True):
    order_id: str
    number: int
    stage: OrderStage
    customer_id: str | UnsetType = UNSET
    phone: str | UnsetType = UNSET
    item: OrderItem | UnsetType = UNSET
    due_on: str | UnsetType = UNSET
    due_time: str | UnsetType = UNSET
    price_limit: Number | UnsetType = UNSET
    place: str | UnsetType = UNSET
    assigned_to: str | UnsetType = UNSET
    waiting_for: WaitingFor | UnsetType = UNSET
    waiting_until: str | UnsetType = UNSET
    outcome: OrderOutcome | UnsetType = UNSET
    estimate_id: str | UnsetType = UNSET
    ready_at: Instant | UnsetType = UNSET
    collected_at: Instant | UnsetType = UNSET
    collected_by: str | UnsetType = UNSET
    exceeds_limit: bool | UnsetType = UNSET


class OrderDetailsEdit(Struct, frozen=True, rename="camel", forbid_unknown_fields=True):
    """null clears a member, an absent member is unchanged. `item` is replaced as a whole; an empty one is none."""

    customer_id: Identifier | UnsetType | None = UNSET
    phone: Phone | UnsetType | None = UNSET
    item: OrderItem | UnsetType | None = UNSET
    due_on: Day | UnsetType | None = UNSET
    due_time: TimeOfDay | UnsetType | None = UNSET
    price_limit: UnitPrice | UnsetType | None = UNSET
    place: Place | UnsetType | None = UNSET
    assigned_to: Identifier | UnsetType | None = UNSET
    waiting_for: WaitingFor | UnsetType | None = UNSET
    waiting_until: Day | UnsetType | None = UNSET
    outcome: OrderOutcome | UnsetType | None = UNSET
    estimate_id: Identifier | UnsetType | None = UNSET


class Facts(Struct, frozen=True):
    """The writable members as they are stored, and the number that the order got with its creation."""

    order_id: str
    number: int
    customer_id: str | None
    phone: str | None
    item: OrderItem | None
    due_on: str | None
    due_time: str | None
    price_limit: Number | None
    place: str | None
    assigned_to: str | None
    waiting_for: WaitingFor | None
    waiting_until: str | None
    outcome: OrderOutcome | None
    estimate_id: str | None

    @property
    def pieces(self) -> int:
        """How many pieces the item has: 1 where it is not stated."""
        return 1 if self.item is None else self.item.pieces or 1

    def edited(self, edit: OrderDetailsEdit) -> "Facts":
        """With the members that were sent. A time needs a day: clearing the day clears it. Raises ValidationError."""
        after = edited(self, edit)
        if after.item == NO_ITEM:
            after = structs.replace(after, item=None)
        if after.due_on is None and after.due_time is not None:
            if edit.due_time is not UNSET:
                raise ValidationError(FieldError("/dueTime", "requires_due_on", "A time needs dueOn, its day"))
            after = structs.replace(after, due_time=None)
        return after


class NewCollection(Struct, frozen=True, forbid_unknown_fields=True):
    """`to`: who collected it, where it was not the customer."""

    to: Collector | UnsetType = UNSET


def not_done() -> Conflict:
    return Conflict("not_done", "Only an order that is done can be collected")


class OrderState(Struct, frozen=True):
    """What details depend on. `status_history` may be empty where only an order that is done needs it."""

    id: str
    workshop_id: str
    title: str
    customer_name: str
    status: OrderStatus
    last_activity_at: Instant
    status_history: list[StatusChange]
    waiting_since: Instant | None
    collected_at: Instant | None
    collected_by: str | None
    link_generation: int

    @property
    def ready_at(self) -> Instant | None:
        return stages.status_since(self.status_history) if self.status == "done" else None

    @property
    def is_collected(self) -> bool:
        return self.status == "done" and self.collected_at is not None


class LinkedEstimate(Struct, frozen=True):
    """The estimate of an order, with what its total is computed from."""

    id: str
    markup_percent: Number
    discount_percent: Number
    facts: DocumentFacts
    figures: str | None
    line_items: list[LineItem] | None

    def total(self, settings: DocumentSettings) -> Number:
        terms = self.facts.revision_terms(settings)
        return stored_total(self.figures, self.line_items, self.markup_percent, self.discount_percent, terms)


def stage_of(order: OrderState, facts: Facts) -> OrderStage:
    is_waiting = facts.waiting_for is not None
    return stages.stage(order.status, is_waiting=is_waiting, is_collected=order.is_collected)


def exceeds_limit(facts: Facts, estimate: LinkedEstimate | None, settings: DocumentSettings | None) -> bool:
    """Whether the total of the estimate, as it stands, is above the limit. `settings` where there are both."""
    if facts.price_limit is None or estimate is None:
        return False
    assert settings is not None
    return estimate.total(settings) > facts.price_limit


# Statements


_STATE = """o.id, o.workshop_id, o.title, o.customer_name, o.status, o.last_activity_at,
    {history} AS status_history, d.waiting_since, d.collected_at, d.collected_by, d.link_generation"""
_FACTS = """d.order_id, d.number, d.customer_id, d.phone, d.item, d.due_on, d.due_time, d.price_limit, d.place,
    d.assigned_to, d.waiting_for, d.waiting_until, d.outcome, e.id AS estimate_id"""
ESTIMATE_COLUMNS = f"""e.id, e.markup_percent, e.discount_percent, coalesce(e.facts, '{{}}') AS facts, e.figures,
    {estimate_lines()} AS line_items"""
# Lists need the history of orders that are done, which says since when they are.
WITHOUT_HISTORY = _STATE.format(history="CASE WHEN o.status = 'done' THEN o.status_history ELSE '[]' END")
COLUMNS_OF_LIST = f"{WITHOUT_HISTORY}, {_FACTS}, {ESTIMATE_COLUMNS}"
# The estimate may have been deleted. Every order has details; a LEFT JOIN says that a lock is for the order alone.
SOURCE = """orders o LEFT JOIN order_details d ON d.order_id = o.id LEFT JOIN estimates e ON e.id = o.estimate_id"""
_COLUMNS = f"{_STATE.format(history='o.status_history')}, {_FACTS}, {ESTIMATE_COLUMNS}"
# Those of a Facts that its row has under the same names.
_OWN_COLUMNS = tuple(name for name in Facts.__struct_fields__ if name not in ("order_id", "number", "estimate_id"))


class StoredDetails(JoinedRow, frozen=True):
    order: OrderState
    facts: Facts
    estimate: LinkedEstimate | None

    def to_response(self, settings: DocumentSettings | None) -> OrderDetails:
        """`settings` are those of the workshop; None where `needs_settings` is false."""
        return made_of(OrderDetails, self.facts, **self.derived(settings))

    def derived(self, settings: DocumentSettings | None) -> dict[str, Any]:
        """The members of OrderDetails that are not facts."""
        order = self.order
        return {
            "stage": stage_of(order, self.facts),
            "ready_at": order.ready_at or UNSET,
            "collected_at": (order.collected_at if order.is_collected else None) or UNSET,
            "collected_by": (order.collected_by if order.is_collected else None) or UNSET,
            "exceeds_limit": exceeds_limit(self.facts, self.estimate, settings) or UNSET,
        }

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
    if after.estimate_id != before.facts.estimate_id:
        await db.save("orders", before.order, estimate_id=after.estimate_id)
        if before.facts.estimate_id is not None:
            await _note_former(db, before.order, before.facts.estimate_id)
    await db.save(
        "order_details",
        before.facts,
        key="order_id",
        **{name: getattr(after, name) for name in _OWN_COLUMNS},
        agreed_estimate_id=after.estimate_id,
        phone_digits=None if after.phone is None else digits(after.phone),
        item_folded=None if after.item is None else fold_case(or_none(after.item.description) or ""),
        waiting_since=_waiting_since(before, after, now),
        changed_at=now,
    )


async def save_zone(db: Write, workshop_id: str, now: Instant) -> None:
    """Notes that the hours of all orders are others now: their events in calendars have moved."""
    sql = "UPDATE order_details SET changed_at = :now WHERE workshop_id = :workshop_id AND due_time IS NOT NULL"
    await db.run(sql, workshop_id=workshop_id, now=now)


async def _note_former(db: Write, order: OrderState, estimate_id: str) -> None:
    """The list of estimates shows the order no more at this one: see connections/effects.py."""
    sql = """
        INSERT INTO change_effects (workshop_id, object_id, kind, value)
        VALUES (:workshop_id, :order_id, 'estimate', :estimate_id) ON CONFLICT DO NOTHING
    """
    await db.run(sql, workshop_id=order.workshop_id, order_id=order.id, estimate_id=estimate_id)


def _waiting_since(before: StoredDetails, after: Facts, now: Instant) -> Instant | None:
    if after.waiting_for is None:
        return None
    return before.order.waiting_since if after.waiting_for == before.facts.waiting_for else now


async def save_collected(db: Write, order_id: str, at: Instant | None, to: str | None) -> None:
    """Sets or, with None, clears when and by whom the order was collected."""
    sql = "UPDATE order_details SET collected_at = :at, collected_by = :to_name WHERE order_id = :order_id"
    await db.run(sql, order_id=order_id, at=at, to_name=to)


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


# Verbs


async def get(db: Read, details: StoredDetails) -> OrderDetails:
    """Read the details of an order."""
    return await response(db, details)


async def update(
    db: Write, call: Call, details: StoredDetails, body: OrderDetailsEdit
) -> OrderDetails | Unchanged[OrderDetails]:
    """Change the details of an order; null clears a member. Clearing `dueOn` clears `dueTime`.

    Raises Forbidden for a key without `payments:write` that links an estimate by which another price is agreed.
    """
    after = details.facts.edited(body)
    if after == details.facts:
        return Unchanged(await response(db, details))
    await _require_known(db, details, after)
    links_another = after.estimate_id != details.facts.estimate_id
    changes_owed = details.order.is_collected and links_another
    if changes_owed and after.estimate_id is not None:
        # Its acceptance at the same moment is seen here, or the order there.
        await estimates.lock_row(db, after.estimate_id)
    keeps_price = not links_another or call.caller.may("payments:write")
    price = None if keeps_price else await _price(db, details)
    await save(db, details, after, call.now)
    if not keeps_price and await _price(db, details) != price:
        raise Forbidden(missing_scope="payments:write")
    if changes_owed:
        await balances.save_owed(db, details.order.id)
    return await _changed(db, details)


async def collect(
    db: Write, call: Call, details: StoredDetails, body: NewCollection
) -> OrderDetails | Unchanged[OrderDetails]:
    """Record that an order was collected, once. Raises Conflict `not_done` unless its status is `done`."""
    if details.order.status != "done":
        raise not_done()
    if details.order.is_collected:
        return Unchanged(await response(db, details))
    # Not before the move to `done`, which another node's clock may have stamped.
    at = max(call.now, details.order.last_activity_at)
    await save_collected(db, details.order.id, at, or_none(body.to))
    await balances.save_owed(db, details.order.id)
    return await _changed(db, details)


async def uncollect(db: Write, details: StoredDetails) -> OrderDetails | Unchanged[OrderDetails]:
    """Take back that an order was collected."""
    if not details.order.is_collected:
        return Unchanged(await response(db, details))
    await save_collected(db, details.order.id, None, None)
    return await _changed(db, details)


async def lock_named(db: Write, workshop_id: str, body: OrderDetailsEdit) -> None:
    """Locks which customers and members the orders of the workshop name, where the edit changes that.

    Before the order: who deletes a customer or removes a member locks its orders after them as well.
    """
    if body.customer_id is not UNSET:
        await customer_links.lock_links(db, workshop_id)
    if body.assigned_to is not UNSET:
        await db.lock(f"members {workshop_id}")


async def response(db: Read, found: StoredDetails) -> OrderDetails:
    settings = await document_settings.find(db, found.order.workshop_id) if found.needs_settings else None
    return found.to_response(settings)


async def release_assignee(db: Write, source: ChangeSource, workshop_id: str, uid: str) -> None:
    """Takes a member that leaves from its orders; each has an entry in the log, by which clients learn of it."""
    released = await clear_assignee(db, workshop_id, uid)
    if released:
        changes = [source.change(workshop_id, "order.details_updated", order_id) for order_id in released]
        await audit.add_all(db, changes)


async def _changed(db: Write, before: StoredDetails) -> OrderDetails:
    """The details as the transaction has left them."""
    return await response(db, await find(db, before.order.id))


async def _price(db: Read, details: StoredDetails) -> Price | None:
    """The price that is agreed for the order at this moment of the transaction."""
    settings = await document_settings.find(db, details.order.workshop_id)
    return (await balances.find_stored(db, details.order.id)).of_order(settings).price


async def _require_known(db: Write, before: StoredDetails, after: Facts) -> None:
    """Raises ValidationError where a member that is new names nothing of the workshop."""
    workshop_id = before.order.workshop_id
    if after.customer_id not in (None, before.facts.customer_id):
        await require_known(db, workshop_id, after.customer_id)
    if after.assigned_to not in (None, before.facts.assigned_to) and (
        await members.lookup_role(db, workshop_id, after.assigned_to) is None
    ):
        raise unknown_member("/assignedTo", "Not a member of the workshop")
    if after.estimate_id not in (None, before.facts.estimate_id) and (
        await estimates.lookup_workshop(db, after.estimate_id) != workshop_id
    ):
        raise unknown_member("/estimateId", "The workshop has no such estimate")


async def create_order(db: Write, call: Call, estimate: StoredEstimate, body: OrderFromEstimate) -> Order:
    """Create an order from an estimate, for its customer.

    Title and customer name are the estimate's unless the body gives others.
    """
    estimate_id, workshop_id = estimate.shown.id, estimate.shown.workshop_id
    order = body.to_new_order(estimate.shown).to_order(workshop_id, call.new_id(), call.now)
    await audit.lock(db, workshop_id)
    await orders.add(db, order)
    await orders.save_estimate(db, order.id, estimate_id)
    await lock_customer(db, estimate_id, workshop_id)
    if (customer_id := (await document_facts.find(db, estimate_id)).customer_id) is not None:
        await save_customer(db, order.id, customer_id)
    return order
