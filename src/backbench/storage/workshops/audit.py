"""Audit trail in the database: the numbered log of a workshop's changes. Entries are never changed."""

from collections.abc import Sequence

from msgspec import Struct

from backbench.domain.values.errors import NotFound
from backbench.domain.values.numbers import to_json_text
from backbench.domain.values.pagination import PageQuery
from backbench.domain.workshops.audit import AuditEntry, Change
from backbench.storage.engine.cursors import decode_number_cursor, encode_cursor
from backbench.storage.engine.database import Catalog, Read, Value, Write
from backbench.storage.engine.parameters import or_none

_COLUMNS = "id, workshop_id, version, at, actor_kind, action, object_id, actor_uid, session_id, key_id"


class WorkshopVersion(Struct, frozen=True):
    workshop_id: str
    version: int


async def add_version(db: Write, workshop_id: str, history: str) -> None:
    """Starts the log of a new workshop at version 0."""
    await db.run(
        """
        INSERT INTO workshop_versions (workshop_id, version, history, last_entry_id)
        VALUES (:workshop_id, 0, :history, '')
        """,
        workshop_id=workshop_id,
        history=history,
    )


async def add(db: Write, change: Change) -> int:
    """Adds the entry and returns its version. Raises NotFound where the workshop was deleted meanwhile.

    Called last in a transaction: the row of the version is locked until the commit, so that versions have no gaps and
    follow the order of commits, and writers of one workshop wait for each other here.
    """
    version = await db.value(
        """
        UPDATE workshop_versions SET version = version + 1, last_entry_id = :id
        WHERE workshop_id = :workshop_id RETURNING version
        """,
        workshop_id=change.workshop_id,
        id=change.id,
    )
    if version is None:
        raise NotFound
    await db.run(
        f"""
        INSERT INTO audit_entries ({_COLUMNS})
        VALUES (:id, :workshop_id, :version, :at, :actor_kind, :action, :object_id, :actor_uid, :session_id, :key_id)
        """,
        id=change.id,
        workshop_id=change.workshop_id,
        version=version,
        at=change.at,
        actor_kind=change.actor.kind,
        action=change.event,
        object_id=change.object_id,
        actor_uid=or_none(change.actor.uid),
        session_id=or_none(change.actor.session_id),
        key_id=or_none(change.actor.key_id),
    )
    return int(version)


async def list_page(db: Read, workshop_id: str, page: PageQuery) -> tuple[list[AuditEntry], str | None]:
    """The workshop's entries, newest first, and the next cursor."""
    values: dict[str, Value] = {"workshop_id": workshop_id}
    select = f"SELECT {_COLUMNS} FROM audit_entries WHERE workshop_id = :workshop_id"
    if page.cursor is not None:
        select += " AND version < :below"
        values["below"] = decode_number_cursor(page.cursor)
    select += " ORDER BY version DESC"
    if page.limit is not None:
        select += " LIMIT :one_more"
        values["one_more"] = page.limit + 1
    entries = await db.all(AuditEntry, select, **values)
    if page.limit is None or len(entries) <= page.limit:
        return entries, None
    last = entries[page.limit - 1]
    return entries[: page.limit], encode_cursor(str(last.version), last.id)


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
    asked = catalog.rows_from_json("workshop_versions", ["workshop_id"])
    sql = f"SELECT workshop_id, version FROM workshop_versions WHERE workshop_id IN ({asked})"
    return await db.all(WorkshopVersion, sql, rows=rows)


async def delete_all(db: Write, workshop_id: str) -> None:
    await db.run("DELETE FROM audit_entries WHERE workshop_id = :workshop_id", workshop_id=workshop_id)


async def start_new_history(db: Write, history: str) -> None:
    """Makes every cursor from before invalid: the database is a restored one."""
    await db.run("UPDATE workshop_versions SET history = :history", history=history)
