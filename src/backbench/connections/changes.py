"""Changes of a workshop since a cursor: the present state of what changed, for clients that keep a copy."""

import re
from collections.abc import Callable, Sequence
from functools import partial
from typing import Annotated, Any, Literal, get_args

from msgspec import UNSET, Meta, Struct, UnsetType, structs

from backbench.connections import effects
from backbench.connections.effects import IN_RANGE, CommentOfEstimate, Include
from backbench.customers import customers
from backbench.customers.customers import Customer
from backbench.engine.database import Read
from backbench.engine.rows import columns
from backbench.estimating import document_settings
from backbench.estimating.estimates import Estimate
from backbench.estimating.grids import Grid
from backbench.estimating.summaries import EstimateSummary
from backbench.orders import invoices, order_details
from backbench.orders.invoices import Invoice, StoredInvoice
from backbench.orders.order_details import OrderDetails, StoredDetails
from backbench.orders.order_summaries import OrderSummary
from backbench.orders.orders import Order
from backbench.orders.payments import Payment
from backbench.orders.photos import Photo, StoredPhoto
from backbench.services import Services
from backbench.values.calls import Call, Caller, Scope
from backbench.values.errors import FieldError, NotFound, ValidationError
from backbench.values.shapes import made_of
from backbench.values.times import Instant
from backbench.workshops import members, workshops
from backbench.workshops.inbox import InboxItem
from backbench.workshops.workshops import StoredWorkshop, Workshop

ObjectKind = Literal["order", "estimate", "grid", "photo", "customer", "invoice"]
# What `include` adds to those that may be gone.
RemovedKind = Literal["order", "estimate", "grid", "photo", "customer", "invoice", "inboxItem", "comment", "payment"]
# `workshop` stands for its profile, members and plan, which are one shape.
Kind = Literal["order", "estimate", "grid", "payment", "photo", "customer", "invoice", "workshop"]
# Beyond these, loading the lists anew costs less than the changes.
MAX_OBJECTS_BEHIND = 2_000
MAX_VERSIONS_BEHIND = 20_000
DEFAULT_LIMIT = 200
_KINDS: dict[str, Kind] = {
    "order": "order",
    "estimate": "estimate",
    # Its object is the estimate: what changed is whether that is decided.
    "decision": "estimate",
    "grid": "grid",
    "payment": "payment",
    "photo": "photo",
    "customer": "customer",
    "invoice": "invoice",
    "workshop": "workshop",
    "member": "workshop",
    "plan": "workshop",
}


class Feed(Struct, frozen=True):
    """The objects of a kind, in the member of Changes with its plural: their rows, and the scope by which a key reads.

    `shown` makes the response of a row, where that is another shape.

    `size`: the length of the JSON of those that may be large, as SQL.
    """

    row: type[Struct]
    scope: Scope
    shown: Callable[[Any], Struct] | None = None
    columns: str = ""
    condition: str = ""
    size: str = ""


FEEDS: dict[Kind, Feed] = {
    "order": Feed(Order, "orders:read"),
    "estimate": Feed(Estimate, "estimates:read", size="length(line_items)"),
    "grid": Feed(Grid, "estimates:read", size="length(buttons)"),
    "payment": Feed(Payment, "payments:read"),
    "photo": Feed(StoredPhoto, "orders:read", partial(made_of, Photo)),
    "invoice": Feed(
        StoredInvoice, "invoices:read", StoredInvoice.to_response, columns=invoices.COLUMNS, size="length(content)"
    ),
    "customer": Feed(
        Customer,
        "customers:read",
        columns=customers.COLUMNS,
        condition="AND state = 'present'",
        size="length(notes) + 1000",
    ),
}
# What an invoice shows follows from these.
_KINDS_OF_INVOICES: frozenset[Kind] = frozenset({"invoice", "payment", "order", "estimate", "customer", "workshop"})
# Of the other events of an order, neither shape shows anything.
ORDER_EVENTS = ("order.created", "order.updated", "order.moved", "order.deleted")
DETAILS_EVENTS = ("order.created", "order.moved", "order.collected", "order.details_updated")
_REMOVABLE = frozenset(get_args(ObjectKind))
_CURSOR = re.compile(r"([0-9a-f-]{8,36})\.([0-9]{1,15})\.([0-9a-f]{0,12})")


class ChangesQuery(Struct, frozen=True):
    since: Annotated[str, Meta(max_length=200)] | None = None
    limit: Annotated[int, Meta(ge=1, le=500)] | None = None
    include: Include | None = None

    @property
    def included(self) -> frozenset[str]:
        return frozenset((self.include or "").split(",")) - {""}


class RemovedObject(Struct, frozen=True):
    kind: RemovedKind
    id: str


class Changes(Struct, frozen=True, rename="camel"):
    """`reset`: the cursor cannot be continued; load the lists anew, then ask from the new `cursor`.

    `order_summaries`, `estimate_summaries`, `inbox` and `comments` are there where the query includes them.
    """

    cursor: str
    more: bool
    reset: bool
    orders: list[Order]
    order_details: list[OrderDetails]
    estimates: list[Estimate]
    grids: list[Grid]
    payments: list[Payment]
    photos: list[Photo]
    customers: list[Customer]
    invoices: list[Invoice]
    removed: list[RemovedObject]
    workshop: Workshop | UnsetType = UNSET
    order_summaries: list[OrderSummary] | UnsetType = UNSET
    estimate_summaries: list[EstimateSummary] | UnsetType = UNSET
    inbox: list[InboxItem] | UnsetType = UNSET
    comments: list[CommentOfEstimate] | UnsetType = UNSET


class ChangeCursor(Struct, frozen=True):
    """A position in a workshop's log. `history` names the database history, `entry` the end of the entry's id.

    The version alone would not do: a restored backup, or a failover that lost its latest writes, gives the same
    versions to other changes.
    """

    history: str
    version: int
    entry: str

    def __str__(self) -> str:
        return f"{self.history}.{self.version}.{self.entry}"


def cursor_at(history: str, version: int, entry_id: str) -> ChangeCursor:
    return ChangeCursor(history, version, entry_id[-12:])


def read_cursor(text: str, pointer: str) -> ChangeCursor:
    """The cursor in the text. Raises ValidationError at `pointer`."""
    match = _CURSOR.fullmatch(text)
    if match is None:
        raise ValidationError(FieldError(pointer, "malformed", "Not a cursor of a workshop's changes"))
    return ChangeCursor(match[1], int(match[2]), match[3])


class LogPosition(Struct, frozen=True):
    """The present version of a workshop, and id and time of the entry at the version that a client has."""

    workshop_id: str
    version: int
    history: str
    last_entry_id: str
    since_entry_id: str | None
    since_at: Instant | None

    @property
    def cursor(self) -> ChangeCursor:
        return cursor_at(self.history, self.version, self.last_entry_id)

    def continues(self, since: ChangeCursor) -> bool:
        """Whether the changes after the cursor are all in the log."""
        entry = (self.since_entry_id or "")[-12:]
        is_known = since.history == self.history and since.version <= self.version and since.entry == entry
        return is_known and self.version - since.version <= MAX_VERSIONS_BEHIND


class ChangedObject(Struct, frozen=True):
    """An object of the log: the type of one of its events, and the version of its latest change.

    An order and its details are two objects with one id, since they change apart.
    """

    id: str
    event: str
    version: int
    is_details: bool = False

    @property
    def kind(self) -> Kind | None:
        """None where the change concerns none of the shapes, such as an upload."""
        return kind_of(self.event)


def kind_of(event: str) -> Kind | None:
    return _KINDS.get(event.partition(".")[0])


def readable_kinds(caller: Caller) -> frozenset[Kind]:
    """The kinds of objects that the caller may read: all with a session, those of its scopes with a key.

    No scope is that of the workshop, with its notes, members and plan.
    """
    if caller.key_id is None:
        return frozenset(_KINDS.values())
    return frozenset(kind for kind, feed in FEEDS.items() if feed.scope in caller.scopes)


# Statements


class _Size(Struct, frozen=True):
    id: str
    size: int


async def find_position(db: Read, workshop_id: str, since: int) -> LogPosition:
    """The present version, and the entry at version `since`. Raises NotFound."""
    found = await db.one(
        LogPosition,
        """
        SELECT v.workshop_id, v.version, v.history, v.last_entry_id,
            a.id AS since_entry_id, a.at AS since_at
        FROM workshop_counters v LEFT JOIN audit_entries a ON a.workshop_id = v.workshop_id AND a.version = :since
        WHERE v.workshop_id = :workshop_id
        """,
        workshop_id=workshop_id,
        since=since,
    )
    if found is None:
        raise NotFound
    return found


async def entry_id(db: Read, workshop_id: str, version: int) -> str:
    """The id of the entry at the version; "" where there is none."""
    sql = "SELECT id FROM audit_entries WHERE workshop_id = :workshop_id AND version = :version"
    return await db.value(sql, workshop_id=workshop_id, version=version) or ""


async def list_objects(db: Read, workshop_id: str, since: int, until: int) -> list[ChangedObject]:
    """Every object that changed after version `since`, each once, in the order of their latest changes."""
    return await db.all(
        ChangedObject,
        f"""
        SELECT object_id AS id, min(action) AS event, max(version) AS version, 0 AS is_details
        FROM audit_entries
        WHERE {IN_RANGE} AND (action NOT LIKE 'order.%' OR action IN ({_quoted(ORDER_EVENTS)})) GROUP BY object_id
        UNION ALL SELECT object_id AS id, min(action) AS event, max(version) AS version, 1 AS is_details
        FROM audit_entries WHERE {IN_RANGE} AND action IN ({_quoted(DETAILS_EVENTS)}) GROUP BY object_id
        ORDER BY version, is_details
        """,
        workshop_id=workshop_id,
        since=since,
        until=until,
    )


async def list_sizes(db: Read, workshop_id: str, since: int, until: int) -> dict[str, int]:
    """The lengths of the JSON of those objects that may be large, by id."""
    sql = " UNION ALL ".join(
        f"SELECT id, {feed.size} AS size FROM {kind}s WHERE {_changed(kind)}"
        for kind, feed in FEEDS.items()
        if feed.size
    )
    sizes = await db.all(_Size, sql, workshop_id=workshop_id, since=since, until=until)
    return {each.id: each.size for each in sizes}


async def list_details(db: Read, workshop_id: str, since: int, until: int) -> list[StoredDetails]:
    condition = f"""o.id IN (
        SELECT object_id FROM audit_entries WHERE {IN_RANGE} AND action IN ({_quoted(DETAILS_EVENTS)})
    ) ORDER BY d.number"""
    return await order_details.list_all(db, workshop_id, condition, since=since, until=until)


async def list_invoices(
    db: Read, workshop_id: str, since: int, until: int, *, of_all: bool, most: int
) -> list[StoredInvoice]:
    """Up to `most` of those that show something else, newest first: changed ones, others of their order, and drafts.

    `of_all`: the workshop was changed, of which every draft is.
    """
    drafts = effects.ALL_DRAFTS if of_all else effects.DRAFTS
    # Without the workshop, by which SQLite would rather look through all of its invoices.
    sql = f"""
        SELECT {invoices.COLUMNS} FROM invoices i
        WHERE i.order_id IN ({effects.INVOICES} UNION {drafts})
            AND (i.state = 'draft' OR i.order_id IN ({effects.INVOICES}))
        ORDER BY i.created_at DESC, i.id DESC LIMIT :most
    """
    return await db.all(StoredInvoice, sql, workshop_id=workshop_id, since=since, until=until, most=most)


async def list_changed(db: Read, kind: Kind, workshop_id: str, since: int, until: int) -> list[Any]:
    """The rows that changed after version `since` and up to `until`, as they are now, newest first."""
    feed = FEEDS[kind]
    names = feed.columns or columns(feed.row)
    sql = f"SELECT {names} FROM {kind}s {kind[0]} WHERE {_changed(kind)} {feed.condition}"
    order = "ORDER BY created_at DESC, id DESC"
    return await db.all(feed.row, f"{sql} {order}", workshop_id=workshop_id, since=since, until=until)


def _quoted(events: Sequence[str]) -> str:
    return ", ".join(f"'{event}'" for event in events)


def _changed(kind: str) -> str:
    """The condition that the log names the row of the kind. Ids of different kinds are never the same."""
    events = f"action LIKE '{kind}.%'" + (" OR action LIKE 'decision.%'" if kind == "estimate" else "")
    return f"""workshop_id = :workshop_id AND id IN
        (SELECT object_id FROM audit_entries WHERE {IN_RANGE} AND ({events}))"""


# Verbs


# A page ends before its estimates and grids exceed this, except for a single larger one.
_MAX_PAGE_BYTES = 2 * 1024 * 1024
# The members that are there only where they are included.
_INCLUDED = {
    "orderSummaries": "order_summaries",
    "estimateSummaries": "estimate_summaries",
    "inbox": "inbox",
    "comments": "comments",
}
# Fewer of them than this cannot exceed it by much, so their sizes need not be read.
_FEW = 8


async def list_since(
    db: Read, call: Call, workshop: StoredWorkshop, query: ChangesQuery, services: Services
) -> Changes:
    """Read what changed after the cursor `since`; without one, the present cursor alone.

    A key with `orders:read` reads orders and photos, one with `estimates:read` estimates and grids, one with
    `customers:read` customers, one with `payments:read` payments; `workshop` is for sessions. `include` adds what lists
    show else by effect, as a payment changes what is due; each for who may read its list.
    """
    workshop_id, include = workshop.id, query.included
    since = None if query.since is None else read_cursor(query.since, "/since")
    position = await find_position(db, workshop_id, 0 if since is None else since.version)
    if since is None or not position.continues(since):
        return _without_objects(position.cursor, is_reset=since is not None, include=include)
    if since.version == position.version:
        found = _without_objects(position.cursor, is_reset=False, include=include)
        if "inbox" not in include:
            return found
        return await _with_effects(db, call, found, position, since.version, position.version, frozenset({"inbox"}))
    kinds = readable_kinds(call.caller)
    changed = await list_objects(db, workshop_id, since.version, position.version)
    readable = [each for each in changed if each.kind in kinds]
    if len({each.id for each in readable}) > MAX_OBJECTS_BEHIND:
        return _without_objects(position.cursor, is_reset=True, include=include)
    page = await _page(db, workshop_id, since.version, _first(readable, query.limit or DEFAULT_LIMIT))
    has_more = len(page) < len(readable)
    cursor = await _cursor_after(db, workshop_id, position, page) if has_more else position.cursor
    found = await _present_state(db, workshop_id, since.version, page, str(cursor), has_more=has_more)
    changed_kinds = {each.kind for each in changed if each.version <= cursor.version}
    if "invoice" in kinds and not changed_kinds.isdisjoint(_KINDS_OF_INVOICES):
        of_all = "workshop" in changed_kinds
        rows = await list_invoices(
            db, workshop_id, since.version, cursor.version, of_all=of_all, most=MAX_OBJECTS_BEHIND + 1
        )
        if len(rows) > MAX_OBJECTS_BEHIND:
            return _without_objects(position.cursor, is_reset=True, include=include)
        found = structs.replace(found, invoices=await invoices.list_shown(db, rows))
    if any(each.kind == "workshop" for each in page):
        # Read again: the one of the path was read with the credentials, before the position.
        present = await workshops.find(db, workshop_id)
        shown = present.to_response(await members.list_all(db, workshop_id), call.now, services.plan_rules)
        found = structs.replace(found, workshop=shown)
    return await _with_effects(db, call, found, position, since.version, cursor.version, include)


async def _with_effects(
    db: Read,
    call: Call,
    found: Changes,
    position: LogPosition,
    since: int,
    until: int,
    include: frozenset[str],
) -> Changes:
    """With what the lists that are included show else than at version `since`, as far as the caller may read it."""
    if not include & _INCLUDED.keys():
        return found
    workshop_id, may = position.workshop_id, call.caller.may
    of = await effects.find(db, workshop_id, since, until)
    if len(of.orders) + len(of.estimates) > MAX_OBJECTS_BEHIND:
        return _without_objects(position.cursor, is_reset=True, include=include)
    settings = await document_settings.find(db, workshop_id)
    members: dict[str, Any] = {_INCLUDED[name]: [] for name in include & _INCLUDED.keys()}
    if "orderSummaries" in include and may("orders:read"):
        summaries = await of.order_summaries(db, settings)
        members["order_summaries"] = [each.shown_to(call.caller) for each in summaries]
    if "estimateSummaries" in include and may("estimates:read"):
        members["estimate_summaries"] = await of.estimate_summaries(db, settings)
    if "comments" in include and may("estimates:read"):
        members["comments"] = await of.comments(db)
    if "inbox" in include and may("orders:read") and may("estimates:read"):
        members["inbox"], gone = await of.inbox(db, call, position.since_at or "")
        members["removed"] = [*found.removed, *(RemovedObject("inboxItem", id_) for id_ in gone)]
    return structs.replace(found, **members)


def _without_objects(cursor: ChangeCursor, *, is_reset: bool, include: frozenset[str]) -> Changes:
    lists: dict[str, Any] = {f"{kind}s": [] for kind in FEEDS}
    lists |= {member: [] for name, member in _INCLUDED.items() if name in include}
    return Changes(cursor=str(cursor), more=False, reset=is_reset, order_details=[], removed=[], **lists)


def _first(objects: list[ChangedObject], limit: int) -> list[ChangedObject]:
    """The first of the objects. Those of one version are not separated, since the next page starts after a version."""
    end = limit
    while 0 < end < len(objects) and objects[end].version == objects[end - 1].version:
        end -= 1
    return objects[: end or 2]


async def _page(db: Read, workshop_id: str, since: int, objects: list[ChangedObject]) -> list[ChangedObject]:
    """The first of the objects, as many as fit into a page."""
    if sum(each.kind in FEEDS and bool(FEEDS[each.kind].size) for each in objects) <= _FEW:
        return objects
    sizes = await list_sizes(db, workshop_id, since, objects[-1].version)
    total = 0
    for index, each in enumerate(objects):
        total += sizes.get(each.id, 0)
        if total > _MAX_PAGE_BYTES and index > 0:
            return objects[:index]
    return objects


async def _cursor_after(
    db: Read, workshop_id: str, position: LogPosition, page: Sequence[ChangedObject]
) -> ChangeCursor:
    """The cursor at the last object of the page."""
    last = page[-1].version
    return cursor_at(position.history, last, await entry_id(db, workshop_id, last))


async def _present_state(
    db: Read, workshop_id: str, since: int, page: Sequence[ChangedObject], cursor: str, *, has_more: bool
) -> Changes:
    """The objects of the page as they are now, and the ids of those that are gone."""
    ids = {each.id for each in page if not each.is_details}
    kinds = {each.kind for each in page}
    until = page[-1].version if page else since
    # An object that changed again after this page belongs to a later one.
    found = {
        kind: [each for each in await list_changed(db, kind, workshop_id, since, until) if each.id in ids]
        for kind in FEEDS
        if kind in kinds
    }
    present = {each.id for rows in found.values() for each in rows}
    gone = [each for each in page if each.id not in present and not each.is_details]
    return Changes(
        cursor=cursor,
        more=has_more,
        reset=False,
        order_details=await _details(db, workshop_id, since, page),
        removed=[made_of(RemovedObject, each) for each in gone if each.kind in _REMOVABLE],
        **{f"{kind}s": _shown(feed, found.get(kind, [])) for kind, feed in FEEDS.items()},
    )


def _shown(feed: Feed, rows: list[Any]) -> Any:
    return rows if feed.shown is None else list(map(feed.shown, rows))


async def _details(db: Read, workshop_id: str, since: int, page: Sequence[ChangedObject]) -> list[OrderDetails]:
    """The details of the orders of the page whose details may have changed."""
    ids = {each.id for each in page if each.is_details}
    if not ids:
        return []
    found = await list_details(db, workshop_id, since, page[-1].version)
    wanted = [each for each in found if each.order.id in ids]
    settings = None
    if any(each.needs_settings for each in wanted):
        settings = await document_settings.find(db, workshop_id)
    return [each.to_response(settings) for each in wanted]
