"""Audit trail: the numbered log of a workshop, who changed what and when. Entries never change."""

from collections.abc import Sequence
from typing import Generic, Literal, TypeVar, get_args

from msgspec import UNSET, Struct, UnsetType

from backbench.engine.database import Catalog, Read, Value, Write
from backbench.engine.lists import NewestFirst, decode_number_cursor
from backbench.engine.rows import columns, or_none
from backbench.values.calls import Call, Caller
from backbench.values.errors import NotFound
from backbench.values.ids import NewId
from backbench.values.numbers import to_json_text
from backbench.values.pagination import Page, PagedList, PageQuery
from backbench.values.times import Instant, later

T = TypeVar("T")
# `account`: a person with a session. `client`: the holder of a link. `host`: the command line. `provider`: an event of
# the payment provider.
ActorKind = Literal["account", "key", "client", "host", "provider"]

# Every event type: what can happen in a workshop. Webhooks, changes and the activity of a workshop have these alone.
EventType = Literal[
    "workshop.created",
    "workshop.updated",
    "plan.changed",
    "invitation.created",
    "invitation.deleted",
    "member.joined",
    "member.updated",
    "member.left",
    "webhook.created",
    "webhook.updated",
    "webhook.deleted",
    "webhook.rotated",
    "customer.created",
    "customer.updated",
    "customer.deleted",
    "customer.merged",
    "customer.erased",
    "order.created",
    "order.updated",
    "order.moved",
    "order.details_updated",
    "order.collected",
    "order.agreed",
    "payment.recorded",
    "payment.voided",
    "invoice.created",
    "invoice.updated",
    "invoice.deleted",
    "invoice.issued",
    "order.asked",
    "order.answered",
    "order.notified",
    "photo.created",
    "photo.updated",
    "photo.deleted",
    "order.link_renewed",
    "order.deleted",
    "estimate.created",
    "estimate.updated",
    "estimate.confirmed",
    "estimate.deleted",
    "estimate.shared",
    "estimate.unshared",
    "estimate.opened",
    "estimate.accepted",
    "estimate.declined",
    "estimate.commented",
    "decision.voided",
    "inbox.dismissed",
    "pdf.created",
    "pdf.deleted",
    "handoff.created",
    "grid.created",
    "grid.updated",
    "grid.deleted",
    "file.created",
    "file.deleted",
    "import.run",
    "import.undone",
]
EVENT_TYPES: tuple[EventType, ...] = get_args(EventType)
_NAMES = frozenset(EVENT_TYPES)


class Actor(Struct, frozen=True):
    """Who made a change. `uid` is the account, where there is one."""

    kind: ActorKind
    uid: str | UnsetType = UNSET
    session_id: str | UnsetType = UNSET
    key_id: str | UnsetType = UNSET


CLIENT = Actor("client")
HOST = Actor("host")
PROVIDER = Actor("provider")


class AuditEntry(Struct, frozen=True, rename="camel"):
    """A change of a workshop. `version` numbers them from 1, without gaps, in the order of their commits.

    `action` is the event type, such as `order.moved`; `object_id` is the id of what was changed or created.
    """

    id: str
    workshop_id: str
    version: int
    at: Instant
    actor_kind: ActorKind
    action: str
    object_id: str
    actor_uid: str | UnsetType = UNSET
    session_id: str | UnsetType = UNSET
    key_id: str | UnsetType = UNSET


class AuditTrail(PagedList, frozen=True):
    entries: list[AuditEntry]


class Change(Struct, frozen=True):
    """A change that has no version yet: its transaction takes one at its end."""

    id: str
    workshop_id: str
    at: Instant
    actor: Actor
    event: str
    object_id: str


class Audited(Struct, Generic[T], frozen=True):
    """The result of an action whose shape does not name the workshop or the object for its audit entry.

    `event`: the event type, where it is not that of the operation. `copied`: the bytes that it stored and that are
    neither in the body of the request nor in that of the response, for the data quota.
    """

    result: T
    workshop_id: str
    object_id: str
    event: str = ""
    copied: int = 0


class Unchanged(Struct, Generic[T], frozen=True):
    """The result of a write that found everything as it should be: no audit entry and no version belong to it."""

    result: T


class ChangeSource(Struct, frozen=True):
    """Who makes changes, and when."""

    actor: Actor
    now: Instant
    new_id: NewId

    def change(self, workshop_id: str, event: str, object_id: str) -> Change:
        assert event in _NAMES, f"{event} is no event type"
        return Change(self.new_id(), workshop_id, self.now, self.actor, event, object_id)


def source_of(call: Call) -> ChangeSource:
    return ChangeSource(actor_of(call.caller), call.now, call.new_id)


def actor_of(caller: Caller) -> Actor:
    if caller.link_id is not None:
        return CLIENT
    kind: ActorKind = "account" if caller.key_id is None else "key"
    return Actor(kind, caller.uid, caller.session_id or UNSET, caller.key_id or UNSET)


# Statements


# What an entry counts as data of its workshop.
ENTRY_BYTES = 300
# What a row counts besides its texts.
_ROW_BYTES = 500
# In one statement, where there are many.
_ENTRIES_AT_ONCE = 1_000
_LONGEST_REQUEST_SECONDS = 3600
_COLUMNS = columns(AuditEntry)
_VALUES = ":id, :workshop_id, :version, :at, :actor_kind, :action, :object_id, :actor_uid, :session_id, :key_id"
_INSERT = f"INSERT INTO audit_entries ({_COLUMNS}) "
_NEXT = """
    UPDATE workshop_counters
    SET version = version + 1, last_entry_id = :id, data_bytes = data_bytes + :bytes
    WHERE workshop_id = :workshop_id
"""
# Where a WITH clause may change rows: one round trip. Other writers of the workshop wait from then on until the COMMIT.
_ADD = f"""
    WITH counted AS ({_NEXT} RETURNING version, data_bytes), entry AS (
        {_INSERT} SELECT {_VALUES.replace(":version", "version")} FROM counted
    )
    SELECT data_bytes FROM counted
"""
# The same where the workshop may hold as much.
_ADD_LAST = _ADD.replace(
    "WHERE workshop_id = :workshop_id", "WHERE workshop_id = :workshop_id AND data_bytes + :bytes <= :most"
)
# On SQLite RETURNING would cost a temporary table, more than reading the row before. There is one writer.
_COUNTERS = "SELECT version, data_bytes FROM workshop_counters WHERE workshop_id = :workshop_id"
_INSERT_VALUES = f"{_INSERT} VALUES ({_VALUES})"


class WorkshopVersion(Struct, frozen=True):
    workshop_id: str
    version: int


class _Counters(Struct, frozen=True):
    version: int
    data_bytes: int


def most_added(received: int, returned: int, copied: int = 0) -> int:
    """The most that a write adds to the data of its workshop, besides the audit entry, in bytes.

    What it stores is in the body of the request or of the response; `copied` is what is in neither.
    """
    return _ROW_BYTES + max(received, returned) + copied


async def add(db: Write, change: Change, added: int = 0, *, last_up_to: int | None = None) -> int:
    """Adds the entry with the next version. Returns the bytes of data that the workshop then holds, or more.

    `added` is what the write has added at most, in bytes. It is counted here, with the entry: what a write deletes is
    subtracted by the next recount (workshops/counters.py). `last_up_to`: nothing follows that could fail where the
    workshop then holds at most so many bytes.

    Raises NotFound where the workshop was deleted meanwhile. Called last in a transaction: the row of the counters is
    locked until the commit, so that versions have no gaps and follow the order of commits.
    """
    values = _values(change)
    counted = ENTRY_BYTES + added
    if db.has_changes_in_with:
        held, values["bytes"] = None, counted
        if last_up_to is not None:
            held = await db.value_after_changes(_ADD_LAST, True, {**values, "most": last_up_to})
        if held is None:
            held = await db.value_after_changes(_ADD, False, values)
        if held is None:
            raise NotFound
        return int(held)
    before = await db.one(_Counters, _COUNTERS, workshop_id=change.workshop_id)
    if before is None:
        raise NotFound
    await db.run(_NEXT, workshop_id=change.workshop_id, id=change.id, bytes=counted)
    await db.run(_INSERT_VALUES, version=before.version + 1, **values)
    return before.data_bytes + counted


async def lock(db: Write, workshop_id: str) -> None:
    """Locks the version of the workshop before an order is numbered, which `add` does at the end of its statement."""
    sql = "SELECT workshop_id FROM workshop_counters WHERE workshop_id = :workshop_id"
    await db.locking().one(str, sql, workshop_id=workshop_id)


async def add_all(db: Write, changes: Sequence[Change], added: int = 0) -> int:
    """Adds an entry for each of the changes of one workshop, as `add` does. Returns the version of the last.

    Raises NotFound.
    """
    last = changes[-1]
    await db.run(
        """
        UPDATE workshop_counters
        SET version = version + :count, last_entry_id = :id, data_bytes = data_bytes + :bytes
        WHERE workshop_id = :workshop_id
        """,
        count=len(changes),
        id=last.id,
        bytes=ENTRY_BYTES * len(changes) + added,
        workshop_id=last.workshop_id,
    )
    version = await db.value(
        "SELECT version FROM workshop_counters WHERE workshop_id = :workshop_id", workshop_id=last.workshop_id
    )
    if version is None:
        raise NotFound
    columns = _COLUMNS.split(", ")
    sql = f"INSERT INTO audit_entries ({_COLUMNS}) {db.catalog.rows_from_json('audit_entries', columns)}"
    first = int(version) - len(changes) + 1
    for start in range(0, len(changes), _ENTRIES_AT_ONCE):
        part = changes[start : start + _ENTRIES_AT_ONCE]
        rows = [{**_values(change), "version": first + start + at} for at, change in enumerate(part)]
        await db.run(sql, rows=to_json_text(rows))
    return int(version)


def _values(change: Change) -> dict[str, Value]:
    return {
        "id": change.id,
        "workshop_id": change.workshop_id,
        "at": change.at,
        "actor_kind": change.actor.kind,
        "action": change.event,
        "object_id": change.object_id,
        "actor_uid": or_none(change.actor.uid),
        "session_id": or_none(change.actor.session_id),
        "key_id": or_none(change.actor.key_id),
    }


def of_workshop(workshop_id: str) -> NewestFirst[AuditEntry]:
    """The workshop's entries."""
    select = f"SELECT {_COLUMNS} FROM audit_entries WHERE workshop_id = :workshop_id"
    values = {"workshop_id": workshop_id}
    return NewestFirst(AuditEntry, select, {**values}, at="version", decode=decode_number_cursor)


async def list_after(db: Read, workshop_id: str, version: int, limit: int) -> list[AuditEntry]:
    """The next entries after the version, oldest first."""
    sql = f"""
        SELECT {_COLUMNS} FROM audit_entries WHERE workshop_id = :workshop_id AND version > :version
        ORDER BY version LIMIT :limit
    """
    return await db.all(AuditEntry, sql, workshop_id=workshop_id, version=version, limit=limit)


async def version_before(db: Read, workshop_id: str, at: Instant) -> int:
    """The version before the first of those that are of the time or later: all of these come after it.

    Times are those of the requests' beginnings, so a later version may be of an earlier time.
    """
    # No request takes that long: only the end of the log is read.
    sql = """
        SELECT min(version) - 1 FROM audit_entries
        WHERE workshop_id = :workshop_id AND at >= :at AND version > coalesce((
            SELECT version FROM audit_entries WHERE workshop_id = :workshop_id AND at < :earlier
            ORDER BY version DESC LIMIT 1
        ), 0)
    """
    earlier = later(at, -_LONGEST_REQUEST_SECONDS)
    found = await db.value(sql, workshop_id=workshop_id, at=at, earlier=earlier)
    if found is None:
        found = await db.value("SELECT version FROM workshop_counters WHERE workshop_id = :id", id=workshop_id)
    return int(found)


async def list_versions(db: Read, catalog: Catalog, workshop_ids: Sequence[str]) -> list[WorkshopVersion]:
    """The present versions of the workshops, without those that do not exist."""
    rows = to_json_text([{"workshop_id": workshop_id} for workshop_id in workshop_ids])
    asked = catalog.rows_from_json("workshop_counters", ["workshop_id"])
    sql = f"SELECT workshop_id, version FROM workshop_counters WHERE workshop_id IN ({asked})"
    return await db.all(WorkshopVersion, sql, rows=rows)


async def delete_all(db: Write, workshop_id: str) -> None:
    await db.run("DELETE FROM audit_entries WHERE workshop_id = :workshop_id", workshop_id=workshop_id)


async def start_new_history(db: Write, history: str) -> None:
    """Makes every cursor from before invalid: the database is a restored one."""
    await db.run("UPDATE workshop_counters SET history = :history", history=history)


# Verbs


_DEFAULT_LIMIT = 100


async def list_all(db: Read, workshop_id: str, query: PageQuery) -> Page[AuditEntry]:
    """List the audit entries of a workshop, newest first, 100 a page by default. Owners only."""
    return await of_workshop(workshop_id).page(db, PageQuery(query.limit or _DEFAULT_LIMIT, query.cursor))
