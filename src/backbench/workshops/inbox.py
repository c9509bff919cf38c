"""Inbox: what waits for a person in a workshop, newest first."""

from collections import defaultdict
from collections.abc import Collection, Iterable, Iterator, Mapping, Set
from datetime import date, timedelta
from typing import Annotated, Any, Literal

import msgspec
from msgspec import UNSET, Meta, Struct, UnsetType, structs

from backbench.engine.database import Database, Read, Value, Write
from backbench.engine.rows import JoinedRow
from backbench.estimating import document_settings
from backbench.estimating.document_settings import DocumentSettings
from backbench.estimating.summaries import EstimateState, Validity
from backbench.orders.balances import IS_OWED
from backbench.orders.issued_invoices import IS_UNPAID
from backbench.orders.order_details import ESTIMATE_COLUMNS, LinkedEstimate
from backbench.orders.orders import OrderStatus, StatusChange
from backbench.orders.stages import WallClock, status_since, wall_clock
from backbench.values.calls import Call, Scope
from backbench.values.currencies import minor_digits
from backbench.values.enums import DecisionOutcome
from backbench.values.errors import NotFound
from backbench.values.money import of_thousandths
from backbench.values.numbers import Number, to_json_text
from backbench.values.times import Instant, later, of_wall_clock
from backbench.workshops.audit import Unchanged

InboxKind = Literal[
    "question",
    "accepted",
    "declined",
    "overdue",
    "due_today",
    "uncollected",
    "unanswered",
    "expiring",
    "unsent",
    "changed",
    "over_limit",
    "owed",
    "unpaid",
]
# Of the parameter of a path, too (http/requests.py).
_MAX_ID = 64


class InboxItem(Struct, frozen=True, rename="camel", kw_only=True):
    """`name` is the client's or customer's; `text` a question, the reason of a client who declined, or what is
    owed."""

    id: str
    kind: InboxKind
    at: Instant
    read: bool = False
    title: str
    name: str | UnsetType = UNSET
    text: str | UnsetType = UNSET
    estimate_id: str | UnsetType = UNSET
    order_id: str | UnsetType = UNSET
    invoice_id: str | UnsetType = UNSET

    @property
    def object_id(self) -> str:
        """The invoice or order, where it is about one, else the estimate."""
        return self.invoice_id or self.order_id or self.estimate_id or ""


def item_id(kind: InboxKind, *parts: str) -> str:
    """The id of an item: its kind, the id of what it is about, and what makes it another matter."""
    return ".".join((kind, *parts))[:_MAX_ID]


class Inbox(Struct, frozen=True):
    """`unread` counts all items, also those beyond the limit."""

    items: list[InboxItem]
    unread: int


class InboxQuery(Struct, frozen=True):
    limit: Annotated[int, Meta(ge=1, le=500)] | None = None


class InboxRead(Struct, frozen=True, forbid_unknown_fields=True):
    """The items that the account has read. Ids that are not in the inbox any more are ignored."""

    ids: Annotated[list[Annotated[str, Meta(min_length=1, max_length=_MAX_ID)]], Meta(max_length=500)]


class Dismissal(Struct, frozen=True):
    """The item of an object that was dismissed last, as it was."""

    item_id: str
    item_at: Instant


class Marks(Struct, frozen=True):
    """What people did with items: `dismissed` by all members, by id, and `read` by one account."""

    dismissed: Mapping[str, Instant]
    read: Set[str]

    def is_dismissed(self, item: InboxItem) -> bool:
        """Until something new happens there: the item gets another time then, or is another item."""
        return self.dismissed.get(item.id) == item.at

    def inbox(self, found: Iterable[InboxItem], limit: int | None) -> Inbox:
        """The items that wait, newest first, the first `limit` of them."""
        waiting = [item for item in found if not self.is_dismissed(item)]
        waiting.sort(key=lambda item: (item.at, item.id), reverse=True)
        unread = sum(item.id not in self.read for item in waiting)
        shown = [structs.replace(item, read=True) if item.id in self.read else item for item in waiting[:limit]]
        return Inbox(shown, unread)


EstimateReminder = Literal["unsent", "changed", "unanswered", "expiring"]
OrderReminder = Literal["overdue", "due_today", "uncollected"]
_DAY = 24 * 3600
_UNANSWERED = 7 * _DAY
_UNCOLLECTED = 14 * _DAY
_EXPIRING = timedelta(3)
_ONE_DAY = timedelta(1)
_SIGNS = str.maketrans("", "", "-:T")


class InboxClock(Struct, frozen=True):
    """What the calendar and the clock on the wall of the workshop show.

    What was sent until `unanswered_from` is unanswered, what was ready until `uncollected_from` is uncollected.
    """

    wall: WallClock
    zone: str
    unanswered_from: Instant
    uncollected_from: Instant

    @classmethod
    def of(cls, now: Instant, settings: DocumentSettings) -> "InboxClock":
        wall = wall_clock(now, settings.zone)
        return cls(wall, settings.zone, later(now, -_UNANSWERED), later(now, -_UNCOLLECTED))

    @property
    def today(self) -> str:
        return self.wall.today.isoformat()

    def start_of(self, day: date) -> Instant:
        return of_wall_clock(day, "00:00", self.zone)


class OpenQuestion(Struct, frozen=True):
    """The last entry of a conversation about an estimate or an order, where it is not the workshop's."""

    id: str
    at: Instant
    name: str
    text: str
    title: str
    estimate_id: str | None
    order_id: str | None

    def items(self, _: InboxClock) -> Iterator[InboxItem]:
        yield InboxItem(
            id=item_id("question", self.id),
            kind="question",
            at=self.at,
            title=self.title,
            name=self.name,
            text=self.text,
            estimate_id=self.estimate_id or UNSET,
            order_id=self.order_id or UNSET,
        )


class StandingDecision(Struct, frozen=True):
    id: str
    recorded_at: Instant
    outcome: DecisionOutcome
    name: str | None
    reason: str | None
    estimate_id: str
    title: str

    def items(self, _: InboxClock) -> Iterator[InboxItem]:
        yield InboxItem(
            id=item_id(self.outcome, self.id),
            kind=self.outcome,
            at=self.recorded_at,
            title=self.title,
            name=self.name or UNSET,
            text=self.reason or UNSET,
            estimate_id=self.estimate_id,
        )


class UndecidedEstimate(Struct, frozen=True):
    """An estimate whose latest revision nobody has decided about. `shared_at`: of links that are not revoked."""

    id: str
    title: str
    recipient_name: str | None
    state: EstimateState
    updated_at: Instant
    revision_number: int
    confirmed_at: Instant
    snapshot: Validity | None
    handed_off_at: Instant | None
    shared_at: Instant | None

    @property
    def sent_at(self) -> Instant | None:
        """When the latest revision was sent last. A link may be older than the revision that it shows."""
        sent = max(self.handed_off_at or "", self.shared_at or "")
        return max(sent, self.confirmed_at) if sent else None

    def items(self, clock: InboxClock) -> Iterator[InboxItem]:
        number = str(self.revision_number)
        sent_at = self.sent_at
        if self.state == "changed":
            yield self._item("changed", self.updated_at, number)
        elif sent_at is None:
            yield self._item("unsent", self.confirmed_at, number)
        if sent_at is not None and sent_at <= clock.unanswered_from:
            yield self._item("unanswered", later(sent_at, _UNANSWERED), f"{number}-{_digits(sent_at)}")
        last = self.snapshot and self.snapshot.valid_until
        if last and timedelta(0) <= last - clock.wall.today <= _EXPIRING:
            since = clock.start_of(last - _EXPIRING)
            yield self._item("expiring", max(since, self.confirmed_at), f"{number}-{last:%Y%m%d}")

    def _item(self, kind: EstimateReminder, at: Instant, matter: str) -> InboxItem:
        return InboxItem(
            id=item_id(kind, self.id, matter),
            kind=kind,
            at=at,
            title=self.title,
            name=self.recipient_name or UNSET,
            estimate_id=self.id,
        )


class TimedOrder(Struct, frozen=True):
    """An order that is done and was not collected, or that is open and due. The history of an open one is empty."""

    id: str
    title: str
    customer_name: str
    status: OrderStatus
    status_history: list[StatusChange]
    due_on: str | None
    due_time: str | None

    def items(self, clock: InboxClock) -> Iterator[InboxItem]:
        if self.status == "done":
            ready_at = status_since(self.status_history)
            if ready_at <= clock.uncollected_from:
                yield self._item("uncollected", later(ready_at, _UNCOLLECTED), _digits(ready_at))
        elif self.due_on is not None:
            day, matter = date.fromisoformat(self.due_on), f"{self.due_on}{self.due_time or ''}".translate(_SIGNS)
            # A time of the day is earlier than none.
            if (self.due_on, self.due_time or "~") > (clock.today, clock.wall.time):
                yield self._item("due_today", clock.start_of(day), matter)
            elif self.due_time is None:
                yield self._item("overdue", clock.start_of(day + _ONE_DAY), matter)
            else:
                yield self._item("overdue", of_wall_clock(day, self.due_time, clock.zone), matter)

    def _item(self, kind: OrderReminder, at: Instant, matter: str) -> InboxItem:
        return InboxItem(
            id=item_id(kind, self.id, matter),
            kind=kind,
            at=at,
            title=self.title,
            name=self.customer_name or UNSET,
            order_id=self.id,
        )


class LimitedOrder(Struct, frozen=True):
    """An order with a price limit, and when its estimate was changed."""

    id: str
    title: str
    customer_name: str
    price_limit: Number
    updated_at: Instant

    def item(self, estimate: LinkedEstimate, settings: DocumentSettings) -> InboxItem | None:
        """None while the total of the estimate, as it stands, is within the limit."""
        if estimate.total(settings) <= self.price_limit:
            return None
        return InboxItem(
            id=item_id("over_limit", self.id, to_json_text(self.price_limit)),
            kind="over_limit",
            at=self.updated_at,
            title=self.title,
            name=self.customer_name or UNSET,
            estimate_id=estimate.id,
            order_id=self.id,
        )


class OwedOrder(Struct, frozen=True):
    """A collected order for which something is due."""

    id: str
    title: str
    customer_name: str
    collected_at: Instant
    thousandths: int
    currency: str

    def items(self, _: InboxClock) -> Iterator[InboxItem]:
        """Another amount is another matter: a part was paid, or the price has changed."""
        yield InboxItem(
            id=item_id("owed", self.id, str(self.thousandths)),
            kind="owed",
            at=self.collected_at,
            title=self.title,
            name=self.customer_name or UNSET,
            text=_amount(self.thousandths, self.currency),
            order_id=self.id,
        )


class _Party(Struct, frozen=True):
    name: str


class _Addressed(Struct, frozen=True):
    """Of what an invoice shows, its buyer."""

    buyer: _Party


class UnpaidInvoice(Struct, frozen=True):
    """An issued invoice that is due, with something left to pay."""

    id: str
    number: str
    order_id: str
    content: _Addressed
    due_date: str
    thousandths: int
    currency: str

    def items(self, clock: InboxClock) -> Iterator[InboxItem]:
        yield InboxItem(
            id=item_id("unpaid", self.id),
            kind="unpaid",
            at=clock.start_of(date.fromisoformat(self.due_date) + _ONE_DAY),
            title=self.number,
            name=self.content.buyer.name or UNSET,
            text=_amount(self.thousandths, self.currency),
            order_id=self.order_id,
            invoice_id=self.id,
        )


def _amount(sum_thousandths: int, currency: str) -> str:
    return f"{of_thousandths(sum_thousandths):.{minor_digits(currency)}f} {currency}"


def _digits(at: Instant) -> str:
    """Year to second, for an id, which has little space."""
    return at[2:19].translate(_SIGNS)


# Statements


# Of each source the newest: neither a person nor the event loop gets through more.
MOST_FACTS = 500
# A client who declined is asked again with the next revision.
_IS_UNDECIDED = """NOT EXISTS (
    SELECT 1 FROM decisions a WHERE a.estimate_id = e.id AND a.voided_at IS NULL
        AND (a.outcome = 'accepted' OR a.revision_number >= e.latest_revision)
)"""
_QUESTIONS = """
    SELECT * FROM (
        SELECT c.id, c.created_at AS at, c.name, c.text, e.name AS title, e.id AS estimate_id, NULL AS order_id
        FROM link_comments c JOIN estimates e ON e.id = c.estimate_id
        WHERE c.workshop_id = :workshop_id AND c.author = 'client' AND NOT EXISTS (
            SELECT 1 FROM link_comments n
            WHERE n.estimate_id = c.estimate_id AND (n.created_at, n.id) > (c.created_at, c.id)
        )
        UNION ALL
        SELECT q.id, q.at, q.name, q.text, o.title, NULL AS estimate_id, o.id AS order_id
        FROM order_questions q JOIN orders o ON o.id = q.order_id
        WHERE q.workshop_id = :workshop_id AND q.author = 'customer' AND NOT EXISTS (
            SELECT 1 FROM order_questions n WHERE n.order_id = q.order_id AND (n.at, n.id) > (q.at, q.id)
        )
    ) AS questions ORDER BY at DESC, id DESC LIMIT :most
"""
# An acceptance waits until an order is made of the estimate.
_DECISIONS = """
    SELECT d.id, d.recorded_at, d.outcome, coalesce(d.name, e.recipient_name) AS name, d.reason,
        e.id AS estimate_id, e.name AS title
    FROM decisions d JOIN estimates e ON e.id = d.estimate_id
    WHERE d.workshop_id = :workshop_id AND d.voided_at IS NULL AND NOT (
        d.outcome = 'accepted'
        AND EXISTS (SELECT 1 FROM orders o WHERE o.estimate_id = e.id AND o.created_at > d.recorded_at)
    )
    ORDER BY d.recorded_at DESC, d.id DESC LIMIT :most
"""
_ESTIMATES = f"""
    SELECT e.id, e.name AS title, e.recipient_name, e.state, e.updated_at, r.revision_number,
        r.created_at AS confirmed_at, r.snapshot,
        (SELECT max(h.created_at) FROM handoffs h
            WHERE h.estimate_id = e.id AND h.revision_number = e.latest_revision) AS handed_off_at,
        (SELECT max(l.created_at) FROM links l WHERE l.estimate_id = e.id
            AND l.revision_number = e.latest_revision AND l.revoked_at IS NULL) AS shared_at
    FROM estimates e JOIN revisions r ON r.estimate_id = e.id AND r.revision_number = e.latest_revision
    WHERE e.workshop_id = :workshop_id AND {_IS_UNDECIDED}
    ORDER BY e.updated_at DESC, e.id DESC LIMIT :most
"""
_UNCOLLECTED_ORDERS = """
    SELECT o.id, o.title, o.customer_name, o.status, o.status_history, d.due_on, d.due_time
    FROM order_details d JOIN orders o ON o.id = d.order_id
    WHERE d.workshop_id = :workshop_id
        AND o.status = 'done' AND d.collected_at IS NULL AND o.created_at <= :ready_before
    ORDER BY o.last_activity_at DESC, o.id DESC LIMIT :most
"""
_DUE_ORDERS = """
    SELECT o.id, o.title, o.customer_name, o.status, '[]' AS status_history, d.due_on, d.due_time
    FROM order_details d JOIN orders o ON o.id = d.order_id
    WHERE d.workshop_id = :workshop_id AND o.status <> 'done' AND d.due_on <= :today
    ORDER BY d.due_on DESC, o.id DESC LIMIT :most
"""
OWED = f"""
    SELECT o.id, o.title, o.customer_name, d.collected_at, d.owed_thousandths AS thousandths,
        d.owed_currency AS currency
    FROM order_details d JOIN orders o ON o.id = d.order_id
    WHERE d.workshop_id = :workshop_id AND {IS_OWED}
    ORDER BY d.collected_at DESC, d.order_id DESC LIMIT :most
"""
_UNPAID = f"""
    SELECT i.id, i.number, i.order_id, i.content, i.due_date,
        i.standing_thousandths - i.paid_thousandths AS thousandths, i.currency
    FROM invoices i WHERE i.workshop_id = :workshop_id AND {IS_UNPAID}
    ORDER BY i.due_date DESC, i.id DESC LIMIT :most
"""
_LIMITED = f"""
    SELECT o.id, o.title, o.customer_name, d.price_limit, e.updated_at, {ESTIMATE_COLUMNS}
    FROM order_details d JOIN orders o ON o.id = d.order_id JOIN estimates e ON e.id = o.estimate_id
    WHERE d.workshop_id = :workshop_id AND d.price_limit IS NOT NULL
        AND NOT (o.status = 'done' AND d.collected_at IS NOT NULL) AND {_IS_UNDECIDED}
    ORDER BY e.updated_at DESC, o.id DESC LIMIT :most
"""


class LimitedRow(JoinedRow, frozen=True):
    order: LimitedOrder
    estimate: LinkedEstimate


async def list_facts(
    db: Read, workshop_id: str, clock: InboxClock
) -> list[OpenQuestion | StandingDecision | UndecidedEstimate | OwedOrder | TimedOrder | UnpaidInvoice]:
    """The facts of the kinds that follow from one row, the newest of each source."""
    found: list[Any] = []
    for type_, sql in (
        (OpenQuestion, _QUESTIONS),
        (StandingDecision, _DECISIONS),
        (UndecidedEstimate, _ESTIMATES),
        (OwedOrder, OWED),
    ):
        found += await db.all(type_, sql, workshop_id=workshop_id, most=MOST_FACTS)
    of_workshop: dict[str, Value] = {"workshop_id": workshop_id, "most": MOST_FACTS}
    found += await db.all(TimedOrder, _UNCOLLECTED_ORDERS, ready_before=clock.uncollected_from, **of_workshop)
    found += await db.all(TimedOrder, _DUE_ORDERS, today=clock.today, **of_workshop)
    return found + await db.all(UnpaidInvoice, _UNPAID, today=clock.today, **of_workshop)


async def list_limited(db: Read, workshop_id: str) -> list[LimitedRow]:
    """The orders with a price limit and an estimate that nobody has decided about."""
    return await db.all(LimitedRow, _LIMITED, workshop_id=workshop_id, most=MOST_FACTS)


class _FormerOrder(Struct, frozen=True):
    id: str
    status_history: list[StatusChange]
    due_on: str | None
    due_time: str | None
    price_limit: Number | None
    owed_thousandths: int | None


class _FormerValue(Struct, frozen=True):
    order_id: str
    kind: Literal["due", "limit", "owed"]
    value: str


class _FormerRevision(Struct, frozen=True):
    estimate_id: str
    revision_number: int
    created_at: Instant
    snapshot: Validity | None


class _Sent(Struct, frozen=True):
    estimate_id: str
    created_at: Instant


async def list_possible(db: Read, orders: str, estimates: str, **values: Value) -> set[str]:
    """The ids that items about these orders and estimates can have, or have had; both are SELECTs of ids."""

    async def all_of(type_: type[Any], sql: str) -> list[Any]:
        return await db.all(type_, sql, **{name: value for name, value in values.items() if f":{name}" in sql})

    found = set(
        await all_of(
            str,
            f"""
            SELECT 'question.' || id FROM link_comments WHERE author = 'client' AND estimate_id IN ({estimates})
            UNION ALL
            SELECT 'question.' || id FROM order_questions WHERE author = 'customer' AND order_id IN ({orders})
            UNION ALL SELECT outcome || '.' || id FROM decisions WHERE estimate_id IN ({estimates})
            UNION ALL SELECT 'unpaid.' || id FROM invoices WHERE order_id IN ({orders})
            """,
        )
    )
    sql = f"""
        SELECT o.id, o.status_history, d.due_on, d.due_time, d.price_limit, d.owed_thousandths
        FROM orders o JOIN order_details d ON d.order_id = o.id WHERE o.id IN ({orders})
    """
    for order in await all_of(_FormerOrder, sql):
        found |= {
            item_id("uncollected", order.id, _digits(change.at))
            for change in order.status_history
            if change.status == "done"
        }
        if order.due_on is not None:
            found |= _of_value(order.id, "due", f"{order.due_on}{order.due_time or ''}")
        if order.price_limit is not None:
            found |= _of_value(order.id, "limit", to_json_text(order.price_limit))
        found |= _of_value(order.id, "owed", str(order.owed_thousandths or 0))
    sql = f"""
        SELECT object_id AS order_id, kind, value FROM change_effects
        WHERE workshop_id = :workshop_id AND kind IN ('due', 'limit', 'owed') AND object_id IN ({orders})
    """
    for former in await all_of(_FormerValue, sql):
        found |= _of_value(former.order_id, former.kind, former.value)
    sent: dict[str, list[Instant]] = defaultdict(list)
    sql = f"""
        SELECT estimate_id, created_at FROM handoffs WHERE estimate_id IN ({estimates})
        UNION SELECT estimate_id, created_at FROM links WHERE estimate_id IN ({estimates})
    """
    for each in await all_of(_Sent, sql):
        sent[each.estimate_id].append(each.created_at)
    sql = f"""
        SELECT estimate_id, revision_number, created_at, snapshot FROM revisions WHERE estimate_id IN ({estimates})
    """
    for revision in await all_of(_FormerRevision, sql):
        id_, number = revision.estimate_id, str(revision.revision_number)
        found |= {item_id("unsent", id_, number), item_id("changed", id_, number)}
        last = revision.snapshot and revision.snapshot.valid_until
        if last:
            found.add(item_id("expiring", id_, f"{number}-{last:%Y%m%d}"))
        times = {max(at, revision.created_at) for at in sent[id_]}
        found |= {item_id("unanswered", id_, f"{number}-{_digits(at)}") for at in times}
    return found


def _of_value(order_id: str, kind: Literal["due", "limit", "owed"], value: str) -> set[str]:
    """The ids of items about an order that follow from such a value of it."""
    if kind == "due":
        matter = value.translate(_SIGNS)
        return {item_id("overdue", order_id, matter), item_id("due_today", order_id, matter)}
    if kind == "limit":
        return {item_id("over_limit", order_id, to_json_text(Number(value)))}
    return {item_id("owed", order_id, value)}


async def find_marks(db: Read, workshop_id: str, uid: str) -> Marks:
    sql = "SELECT item_id, item_at FROM inbox_dismissals WHERE workshop_id = :workshop_id"
    dismissed = await db.all(Dismissal, sql, workshop_id=workshop_id)
    sql = "SELECT item_ids FROM inbox_reads WHERE workshop_id = :workshop_id AND account_id = :uid"
    read = await db.value(sql, workshop_id=workshop_id, uid=uid)
    ids = frozenset() if read is None else msgspec.json.decode(read, type=frozenset[str])
    return Marks({each.item_id: each.item_at for each in dismissed}, ids)


async def save_read(db: Write, workshop_id: str, uid: str, item_ids: Collection[str]) -> None:
    """Replaces the items that the account has read."""
    key = "workshop_id, account_id"
    await db.put("inbox_reads", key=key, workshop_id=workshop_id, account_id=uid, item_ids=sorted(item_ids))


async def save_dismissed(db: Write, workshop_id: str, item: InboxItem) -> None:
    """Replaces what was dismissed of the same kind and object before."""
    await db.put(
        "inbox_dismissals",
        key="workshop_id, kind, object_id",
        workshop_id=workshop_id,
        kind=item.kind,
        object_id=item.object_id,
        item_id=item.id,
        item_at=item.at,
    )


# Verbs


# What a key needs besides those of the inbox.
_SCOPES: dict[InboxKind, Scope] = {"owed": "payments:read", "unpaid": "invoices:read"}


def hidden_kinds(call: Call) -> set[InboxKind]:
    """The kinds that a key may not see."""
    return {kind for kind, scope in _SCOPES.items() if not call.caller.may(scope)}


async def get(db: Read, call: Call, workshop_id: str, query: InboxQuery) -> Inbox:
    """Get what waits for a person in a workshop, newest first. A key sees what is owed with
    `payments:read`, and unpaid invoices with `invoices:read`.
    """
    return await find(db, call, workshop_id, query.limit)


async def find(db: Read, call: Call, workshop_id: str, limit: int | None = None) -> Inbox:
    """The inbox as the caller may see it."""
    found = await find_items(db, call.now, workshop_id)
    hidden = hidden_kinds(call)
    found = [item for item in found if item.kind not in hidden]
    return (await find_marks(db, workshop_id, call.uid)).inbox(found, limit)


async def list_items(db: Database, call: Call, workshop_id: str) -> list[InboxItem]:
    """Every item, before a transaction that must not take long."""
    async with db.read() as read:
        return await find_items(read, call.now, workshop_id)


async def mark_read(db: Write, call: Call, workshop_id: str, body: InboxRead, prepared: list[InboxItem]) -> None:
    """Mark items of the inbox as read by the account."""
    # What is read in parallel would be lost.
    await db.lock(f"inbox {workshop_id} {call.uid}")
    present = {item.id for item in prepared}
    before = (await find_marks(db, workshop_id, call.uid)).read
    after = (before | set(body.ids)) & present
    if after != before:
        await save_read(db, workshop_id, call.uid, after)


async def dismiss(
    db: Write, call: Call, workshop_id: str, item_id: str, prepared: list[InboxItem]
) -> Unchanged[None] | None:
    """Take an item out of the inbox of every member, until something new happens there. Raises NotFound."""
    found = [item for item in prepared if item.id == item_id]
    if not found:
        raise NotFound
    if (await find_marks(db, workshop_id, call.uid)).is_dismissed(found[0]):
        return Unchanged(None)
    await save_dismissed(db, workshop_id, found[0])
    return None


async def find_items(db: Read, now: Instant, workshop_id: str) -> list[InboxItem]:
    """Every item, dismissed ones included, in no order."""
    settings = await document_settings.find(db, workshop_id)
    clock = InboxClock.of(now, settings)
    found = [item for fact in await list_facts(db, workshop_id, clock) for item in fact.items(clock)]
    for row in await list_limited(db, workshop_id):
        item = row.order.item(row.estimate, settings)
        if item is not None:
            found.append(item)
    return found
