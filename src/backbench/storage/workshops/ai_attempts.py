"""AI attempts: one row for each attempt at an AI operation, shared by all workers and nodes."""

from backbench.domain.drafting.providers import Kind
from backbench.domain.values.times import Instant
from backbench.storage.engine.database import Read, Write


async def newest(db: Read, workshop_id: str, kind: Kind, *, since: Instant, most: int) -> list[Instant]:
    """The times of the workshop's attempts after `since`, newest first."""
    return await db.all(
        str,
        """
        SELECT at FROM ai_attempts WHERE workshop_id = :workshop_id AND kind = :kind AND at > :since
        ORDER BY at DESC, id DESC LIMIT :most
        """,
        workshop_id=workshop_id,
        kind=kind,
        since=since,
        most=most,
    )


async def add(db: Write, workshop_id: str, kind: Kind, *, attempt_id: str, at: Instant) -> None:
    await db.run(
        "INSERT INTO ai_attempts (workshop_id, kind, at, id) VALUES (:workshop_id, :kind, :at, :id)",
        workshop_id=workshop_id,
        kind=kind,
        at=at,
        id=attempt_id,
    )


async def delete_old(db: Write, workshop_id: str, kind: Kind, *, until: Instant) -> None:
    """Removes the workshop's attempts that count no more."""
    await db.run(
        "DELETE FROM ai_attempts WHERE workshop_id = :workshop_id AND kind = :kind AND at <= :until",
        workshop_id=workshop_id,
        kind=kind,
        until=until,
    )
