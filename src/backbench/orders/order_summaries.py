"""Order summaries: what the board by date shows of each order."""

from typing import Annotated, Literal

from msgspec import UNSET, Meta, Struct, UnsetType, structs

from backbench.engine.database import Read, Value
from backbench.engine.lists import NewestFirst, decode_cursor, decode_number, encode_cursor
from backbench.engine.rows import containing, numbered
from backbench.estimating import document_settings
from backbench.estimating.document_settings import DocumentSettings
from backbench.orders import balances
from backbench.orders.balances import IS_OWED, AgreedRevision, AmountDue, EnteredPrice, OrderMoney, StoredMoney
from backbench.orders.order_details import (
    COLUMNS_OF_LIST,
    NO_ITEM,
    SOURCE,
    LinkedEstimate,
    OrderDetails,
    OrderItem,
    StoredDetails,
)
from backbench.orders.orders import OrderStatus
from backbench.orders.stages import Due, OrderStage, WallClock, wall_clock
from backbench.values.calls import Call, Caller
from backbench.values.errors import Forbidden, NotFound
from backbench.values.money import plain
from backbench.values.numbers import Number
from backbench.values.pagination import Page, PagedList, PageQuery
from backbench.values.phones import searched_digits
from backbench.values.scalars import END
from backbench.values.shapes import made_of
from backbench.values.times import Instant

# An address with so many is accepted by every proxy.
MOST_IDS = 100
_ID = r"[0-9a-f\-]{36}"


class AgreedPrice(Struct, frozen=True, rename="camel"):
    """The revision that the client accepted, else the latest one, in the money it was confirmed in."""

    estimate_id: str
    revision_number: int
    currency: str
    total: Number
    accepted: bool


class OrderSummary(OrderDetails, frozen=True, rename="camel", kw_only=True):
    """The details without the condition and serial number of the item, and what a ticket shows besides."""

    title: str
    customer_name: str
    status: OrderStatus
    last_activity_at: Instant
    photos: int
    cover_photo_id: str | UnsetType = UNSET
    agreed: AgreedPrice | UnsetType = UNSET
    due: AmountDue | UnsetType = UNSET
    notified_at: Instant | UnsetType = UNSET

    def shown_to(self, caller: Caller) -> "OrderSummary":
        """Without the amounts that the scopes of a key do not open."""
        if caller.may("payments:read"):
            return self
        agreed = self.agreed if caller.may("estimates:read") else UNSET
        return structs.replace(self, agreed=agreed, due=UNSET)


class OrderSummariesList(PagedList, frozen=True):
    summaries: list[OrderSummary]


Ids = Annotated[
    str,
    Meta(
        pattern=f"^{_ID}(,{_ID}){{0,{MOST_IDS - 1}}}" + END,
        extra={"detail": f"Expected up to {MOST_IDS} ids with commas between them"},
    ),
]


class OrderSummaryFilter(PageQuery, frozen=True, rename="camel"):
    due: Due | None = None
    status: OrderStatus | None = None
    stage: OrderStage | None = None
    assigned_to: Annotated[str, Meta(max_length=100)] | None = None
    customer_id: Annotated[str, Meta(max_length=100)] | None = None
    place: Annotated[str, Meta(max_length=50)] | None = None
    collected: Literal["true", "false"] | None = None
    owed: Literal["true"] | None = None
    ids: Ids | None = None
    q: Annotated[str, Meta(max_length=250)] | None = None


class OrderCounts(Struct, frozen=True):
    """`open` orders are neither ready nor collected; `overdue`, `today` and `week` are among them."""

    open: int
    overdue: int
    today: int
    week: int
    waiting: int
    ready: int


class PhotosOfOrder(Struct, frozen=True):
    """How many photos an order has, and the first of them."""

    photos: int
    cover_photo_id: str | UnsetType


def _agreed(money: StoredMoney, estimate: LinkedEstimate | None, settings: DocumentSettings) -> AgreedPrice | UnsetType:
    if money.revision is None or estimate is None:
        return UNSET
    price = money.revision.price(settings)
    accepted = money.revision.accepted
    return AgreedPrice(estimate.id, money.revision.revision_number, price.currency, plain(price.amount), accepted)


def _item_of_board(item: OrderItem | None) -> OrderItem | UnsetType:
    if item is None:
        return UNSET
    shown = OrderItem(description=item.description, pieces=item.pieces)
    return UNSET if shown == NO_ITEM else shown


# Statements


# Sorts by day, then by time with orders without a time last, and orders without a day last.
_DUE_KEY = "coalesce(d.due_on || 'T' || coalesce(d.due_time, '~'), '~')"
_IS_OPEN = "o.status <> 'done'"
HAS_PASSED = "(d.due_on < :today OR (d.due_on = :today AND coalesce(d.due_time <= :time, 1 = 0)))"
_DUE: dict[Due, str] = {
    "overdue": f"{_IS_OPEN} AND {HAS_PASSED}",
    "today": f"{_IS_OPEN} AND d.due_on = :today AND coalesce(d.due_time > :time, 1 = 1)",
    "week": f"{_IS_OPEN} AND d.due_on > :today AND d.due_on <= :week_ends",
    "later": f"{_IS_OPEN} AND d.due_on > :week_ends",
    "none": f"{_IS_OPEN} AND d.due_on IS NULL",
}
_STAGES: dict[OrderStage, str] = {
    "received": "o.status = 'todo' AND d.waiting_for IS NULL",
    "waiting": f"{_IS_OPEN} AND d.waiting_for IS NOT NULL",
    "in_progress": "o.status = 'in_progress' AND d.waiting_for IS NULL",
    "ready": "o.status = 'done' AND d.collected_at IS NULL",
    "collected": "o.status = 'done' AND d.collected_at IS NOT NULL",
}
# The stage of an order in a list.
_CASES = " ".join(f"WHEN {condition} THEN '{stage}'" for stage, condition in _STAGES.items())
STAGE = f"CASE {_CASES} END"
_PHOTOS = """(SELECT count(*) FROM photos p WHERE p.order_id = o.id) AS photos,
    (SELECT p.id FROM photos p WHERE p.order_id = o.id ORDER BY p.position, p.id LIMIT 1) AS cover_photo_id"""
# When the customer was notified last that it is ready.
_NOTIFIED = """(SELECT max(n.at) FROM order_notices n
    WHERE n.order_id = o.id AND n.kind IN ('ready', 'reminder')) AS notified_at"""
_COLUMNS = f"{COLUMNS_OF_LIST}, {_PHOTOS}, {balances.COLUMNS}, {_NOTIFIED}"
SELECT = f"SELECT {_COLUMNS} FROM {SOURCE} {balances.REVISION_JOINS} WHERE "
_COUNTS = f"""
    SELECT count(*) FILTER (WHERE {_IS_OPEN}) AS open, count(*) FILTER (WHERE {_DUE["overdue"]}) AS overdue,
        count(*) FILTER (WHERE {_DUE["today"]}) AS today, count(*) FILTER (WHERE {_DUE["week"]}) AS week,
        count(*) FILTER (WHERE {_STAGES["waiting"]}) AS waiting, count(*) FILTER (WHERE {_STAGES["ready"]}) AS ready
    FROM order_details d JOIN orders o ON o.id = d.order_id WHERE d.workshop_id = :workshop_id
"""


class SummaryRow(StoredDetails, frozen=True):
    photos: PhotosOfOrder
    revision: AgreedRevision | None
    entered: EnteredPrice | None
    paid: str | None
    notified_at: Instant | None

    @property
    def id(self) -> str:
        return self.order.id

    def to_summary(self, settings: DocumentSettings) -> OrderSummary:
        return made_of(
            OrderSummary,
            self.facts,
            self.order,
            self.photos,
            **self.derived(settings),
            item=_item_of_board(self.facts.item),
            agreed=_agreed(self._stored, self.estimate, settings),
            due=self.money(settings).due() or UNSET,
            notified_at=self._notified_at or UNSET,
        )

    def money(self, settings: DocumentSettings) -> OrderMoney:
        return self._stored.of_order(settings)

    @property
    def _notified_at(self) -> Instant | None:
        """Of an order that is ready, since it is."""
        ready_at = self.order.ready_at
        return self.notified_at if self.notified_at and ready_at and self.notified_at >= ready_at else None

    @property
    def _stored(self) -> StoredMoney:
        return StoredMoney(self.revision, self.entered, self.paid)


async def list_after(db: Read, workshop_id: str, number: int, limit: int) -> list[SummaryRow]:
    """The next orders of the workshop after the one with the number, by number."""
    sql = f"{SELECT} d.workshop_id = :workshop_id AND d.number > :number ORDER BY d.number LIMIT :limit"
    return await db.all(SummaryRow, sql, workshop_id=workshop_id, number=number, limit=limit)


class EarliestDueFirst(NewestFirst[SummaryRow]):
    """Orders by the day and time on which they are due, then by number."""

    def _after(self, cursor: str | None) -> tuple[str, dict[str, Value]]:
        if cursor is None:
            return "", self._values
        due, number = decode_cursor(cursor)
        after: dict[str, Value] = {"after_due": due, "after_number": decode_number(number)}
        return f" AND ({_DUE_KEY}, d.number) > (:after_due, :after_number)", {**self._values, **after}

    @property
    def _order(self) -> str:
        return f"ORDER BY {_DUE_KEY}, d.number"

    def _cursor_of(self, item: SummaryRow) -> str:
        day, time = item.facts.due_on, item.facts.due_time or "~"
        return encode_cursor("~" if day is None else f"{day}T{time}", str(item.facts.number))


def of_workshop(workshop_id: str, wanted: OrderSummaryFilter, clock: WallClock) -> EarliestDueFirst:
    """The workshop's orders that match the filter. `clock` is that of the workshop."""
    conditions = ["d.workshop_id = :workshop_id"]
    values: dict[str, Value] = {"workshop_id": workshop_id}
    if wanted.due is not None:
        conditions.append(_DUE[wanted.due])
        values |= {name: value for name, value in _clock_values(clock).items() if f":{name}" in _DUE[wanted.due]}
    if wanted.stage is not None:
        conditions.append(_STAGES[wanted.stage])
    if wanted.collected is not None:
        is_collected = f"({_STAGES['collected']})"
        conditions.append(is_collected if wanted.collected == "true" else f"NOT {is_collected}")
    if wanted.owed is not None:
        conditions.append(IS_OWED)
    for name, column in _EXACT.items():
        value = getattr(wanted, name)
        if value is not None:
            conditions.append(f"{column} = :{name}")
            values[name] = value
    if wanted.ids is not None:
        ids = {numbered("id", at): order_id for at, order_id in enumerate(wanted.ids.split(","))}
        conditions.append(f"d.order_id IN ({', '.join(f':{name}' for name in ids)})")
        values |= ids
    if wanted.q:
        condition, found = _searched(wanted.q)
        conditions.append(condition)
        values |= found
    return EarliestDueFirst(SummaryRow, SELECT + " AND ".join(conditions), values)


_EXACT = {"status": "o.status", "assigned_to": "d.assigned_to", "customer_id": "d.customer_id", "place": "d.place"}


def _searched(q: str) -> tuple[str, dict[str, Value]]:
    """The condition of a search, and its values."""
    conditions = [f"{column} LIKE :pattern ESCAPE '!'" for column in ("o.title_folded", "o.customer_folded")]
    conditions.append("d.item_folded LIKE :pattern ESCAPE '!'")
    values: dict[str, Value] = {"pattern": containing(q)}
    phone = searched_digits(q)
    if phone:
        conditions.append("d.phone_digits LIKE :phone")
        values["phone"] = f"%{phone}%"
    if q == phone and len(phone) < 16:
        conditions.append("d.number = :number_of_q")
        values["number_of_q"] = int(phone)
    return f"({' OR '.join(conditions)})", values


async def count_stored(db: Read, workshop_id: str, clock: WallClock) -> OrderCounts:
    counts = await db.one(OrderCounts, _COUNTS, workshop_id=workshop_id, **_clock_values(clock))
    if counts is None:
        raise NotFound
    return counts


def _clock_values(clock: WallClock) -> dict[str, Value]:
    return {"today": clock.today.isoformat(), "time": clock.time, "week_ends": clock.week_ends.isoformat()}


# Verbs


async def list_all(db: Read, call: Call, workshop_id: str, query: OrderSummaryFilter) -> Page[OrderSummary]:
    """List summaries of the orders of a workshop, the earliest due first, then by number.

    `due` is for sessions and keys with `payments:read`, `agreed` for keys with `estimates:read`, too;
    the parameter `owed` needs `payments:read`.
    """
    if query.owed is not None and not call.caller.may("payments:read"):
        raise Forbidden(missing_scope="payments:read")
    settings = await document_settings.find(db, workshop_id)
    listed = of_workshop(workshop_id, query, _clock(settings, call.now))
    page = await listed.page(db, query)
    return page.map(lambda row: row.to_summary(settings).shown_to(call.caller))


async def count(db: Read, call: Call, workshop_id: str) -> OrderCounts:
    """Count the orders of a workshop by the date in its time zone, and by stage."""
    settings = await document_settings.find(db, workshop_id)
    return await count_stored(db, workshop_id, _clock(settings, call.now))


def _clock(settings: DocumentSettings, now: Instant) -> WallClock:
    return wall_clock(now, settings.zone)
