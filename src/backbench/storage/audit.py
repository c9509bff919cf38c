"""The audit trail in the database. Entries are added with the change they tell of, and never changed."""

from backbench.domain.audit import AuditEntry
from backbench.storage.cursors import cursor_after, position
from backbench.storage.database import Read, Write
from backbench.storage.values import or_none

_COLUMNS = "id, workshop_id, at, actor_uid, action, object_id, session_id, key_id"


async def add(db: Write, entry: AuditEntry) -> None:
    await db.run(
        f"""
        INSERT INTO audit_entries ({_COLUMNS})
        VALUES (:id, :workshop_id, :at, :actor_uid, :action, :object_id, :session_id, :key_id)
        """,
        id=entry.id,
        workshop_id=entry.workshop_id,
        at=entry.at,
        actor_uid=entry.actor_uid,
        action=entry.action,
        object_id=entry.object_id,
        session_id=or_none(entry.session_id),
        key_id=or_none(entry.key_id),
    )


async def page(db: Read, workshop_id: str, cursor: str | None, limit: int) -> list[AuditEntry]:
    """The first `limit` entries after the cursor, newest first."""
    at, id_ = ("9999", "") if cursor is None else position(cursor)
    return await db.all(
        AuditEntry,
        f"""
        SELECT {_COLUMNS} FROM audit_entries
        WHERE workshop_id = :workshop_id AND (at, id) < (:at, :id)
        ORDER BY at DESC, id DESC LIMIT :limit
        """,
        workshop_id=workshop_id,
        at=at,
        id=id_,
        limit=limit,
    )


def cursor_of(entry: AuditEntry) -> str:
    return cursor_after(entry.at, entry.id)


async def remove_all(db: Write, workshop_id: str) -> None:
    await db.run("DELETE FROM audit_entries WHERE workshop_id = :workshop_id", workshop_id=workshop_id)
