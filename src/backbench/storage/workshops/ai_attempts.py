"""Attempts at AI operations in the database: one row per attempt, shared by every worker and node."""

from msgspec import Struct

from backbench.domain.drafting.providers import Kind
from backbench.domain.values.times import Instant
from backbench.storage.engine.database import Read, Write


class AiAttempt(Struct, frozen=True):
    kind: Kind
    at: Instant


async def list_all(db: Read, workshop_id: str) -> list[AiAttempt]:
    """Every stored attempt of the workshop, oldest first."""
    return await db.all(
        AiAttempt,
        "SELECT kind, at FROM ai_attempts WHERE workshop_id = :workshop_id ORDER BY at, id",
        workshop_id=workshop_id,
    )


async def list_times_since(db: Read, workshop_id: str, kind: Kind, *, since: Instant, limit: int) -> list[Instant]:
    """When the newest `limit` attempts after `since` were made, newest first."""
    return await db.all(
        str,
        """
        SELECT at FROM ai_attempts WHERE workshop_id = :workshop_id AND kind = :kind AND at > :since
        ORDER BY at DESC, id DESC LIMIT :limit
        """,
        workshop_id=workshop_id,
        kind=kind,
        since=since,
        limit=limit,
    )


async def add(db: Write, workshop_id: str, kind: Kind, *, attempt_id: str, at: Instant) -> None:
    await db.add("ai_attempts", workshop_id=workshop_id, kind=kind, at=at, id=attempt_id)


async def delete_old(db: Write, workshop_id: str, kind: Kind, *, until: Instant) -> None:
    """Deletes the workshop's attempts up to `until`."""
    await db.run(
        "DELETE FROM ai_attempts WHERE workshop_id = :workshop_id AND kind = :kind AND at <= :until",
        workshop_id=workshop_id,
        kind=kind,
        until=until,
    )
