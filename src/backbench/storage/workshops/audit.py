"""Audit trail in the database: the numbered log of a workshop's changes. Entries are never changed."""

from collections.abc import Sequence

from msgspec import Struct

from backbench.domain.values.errors import NotFound
from backbench.domain.values.numbers import to_json_text
from backbench.domain.workshops.audit import AuditEntry, Change
from backbench.storage.engine.cursors import decode_number_cursor
from backbench.storage.engine.database import Catalog, Read, Value, Write
from backbench.storage.engine.lists import NewestFirst
from backbench.storage.engine.parameters import or_none

# What an entry counts as data of its workshop.
ENTRY_BYTES = 300
# More than any workshop holds.
UNLIMITED = 2**63 - 1

_COLUMNS = "id, workshop_id, version, at, actor_kind, action, object_id, actor_uid, session_id, key_id"

_VALUES = ":id, :workshop_id, :version, :at, :actor_kind, :action, :object_id, :actor_uid, :session_id, :key_id"
_INSERT = f"INSERT INTO audit_entries ({_COLUMNS}) "
_NEXT = """
    UPDATE workshop_counters
    SET version = version + 1, last_entry_id = :id, data_bytes = data_bytes + :bytes
    WHERE workshop_id = :workshop_id
"""
# On PostgreSQL a function adds the entry: other writers of the workshop wait from then on until the COMMIT.
_ARGUMENTS = """
    :id, :workshop_id, :at, :actor_kind, :action, :object_id, :actor_uid, :session_id, :key_id, :bytes
"""
_ADD = f"SELECT add_audit_entry({_ARGUMENTS})"
# Has the transaction run again where the workshop then holds more than `most`, or was deleted. Selects nothing.
_SEND = f"SELECT WHERE add_audit_entry_within({_ARGUMENTS}, :most) IS NULL"
# Where there is one writer. RETURNING would cost SQLite a temporary table, more than reading the row before.
_COUNTERS = "SELECT version, data_bytes FROM workshop_counters WHERE workshop_id = :workshop_id"
_INSERT_VALUES = f"{_INSERT} VALUES ({_VALUES})"


class WorkshopVersion(Struct, frozen=True):
    workshop_id: str
    version: int


class _Counters(Struct, frozen=True):
    version: int
    data_bytes: int


async def add(db: Write, change: Change, most: int = UNLIMITED) -> int | None:
    """Adds the entry with the next version. Returns the bytes of data that the workshop then holds.

    None where they are not known, and not more than `most`: the entry is then added with the COMMIT. With a `most` of 0
    they are always returned.

    Raises NotFound where the workshop was deleted meanwhile. Called last in a transaction: the row of the counters is
    locked until the commit, so that versions have no gaps and follow the order of commits.
    """
    values: dict[str, Value] = {
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
    if most and db.can_recheck:
        await db.send(_SEND, bytes=ENTRY_BYTES, most=most, **values)
        return None
    if db.has_functions:
        held = await db.value(_ADD, bytes=ENTRY_BYTES, **values)
        if held is None:
            raise NotFound
        return int(held)
    before = await db.one(_Counters, _COUNTERS, workshop_id=change.workshop_id)
    if before is None:
        raise NotFound
    await db.run(_NEXT, workshop_id=change.workshop_id, id=change.id, bytes=ENTRY_BYTES)
    await db.run(_INSERT_VALUES, version=before.version + 1, **values)
    return before.data_bytes + ENTRY_BYTES


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
