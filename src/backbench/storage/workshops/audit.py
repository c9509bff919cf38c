"""Audit trail in the database. Entries are added in the transaction of the change, and never changed."""

from backbench.domain.workshops.audit import AuditEntry
from backbench.storage.engine.database import Write
from backbench.storage.engine.lists import NewestFirst
from backbench.storage.engine.parameters import or_none

# What an entry counts, as in the trigger.
ENTRY_BYTES = 300

_COLUMNS = "id, workshop_id, at, actor_uid, action, object_id, session_id, key_id"


async def add(db: Write, entry: AuditEntry) -> int:
    """Adds the entry. The bytes of data that the workshop then holds, for which no other statement is needed."""
    held: int | None = await db.value(
        f"""
        INSERT INTO audit_entries ({_COLUMNS})
        VALUES (:id, :workshop_id, :at, :actor_uid, :action, :object_id, :session_id, :key_id)
        RETURNING (SELECT data_bytes FROM workshop_counters c WHERE c.workshop_id = audit_entries.workshop_id)
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
    # RETURNING is computed before the trigger that counts the entry itself.
    return (held or 0) + ENTRY_BYTES


def of_workshop(workshop_id: str) -> NewestFirst[AuditEntry]:
    """The workshop's entries."""
    select = f"SELECT {_COLUMNS} FROM audit_entries WHERE workshop_id = :workshop_id"
    return NewestFirst(AuditEntry, select, {"workshop_id": workshop_id}, at="at")


async def delete_all(db: Write, workshop_id: str) -> None:
    await db.run("DELETE FROM audit_entries WHERE workshop_id = :workshop_id", workshop_id=workshop_id)
