"""Bytes that are, or may turn out to be, nobody's: of removed files, and of uploads that have not become a file."""

from collections.abc import Sequence

from backbench.domain.values.times import Instant
from backbench.storage.engine.database import Write

# Before every moment.
AT_ONCE: Instant = ""


async def reserve(db: Write, id_: str, until: Instant) -> None:
    """Bytes of this id are about to be written; unless they have become a file by `until`, they are stray."""
    await db.run("INSERT INTO stray_bytes (id, is_upload, due_at) VALUES (:id, 1, :until)", id=id_, until=until)


async def claim_reserved(db: Write, id_: str) -> bool:
    """The bytes become a file in this transaction; False when they have been given up already."""
    return await db.run("DELETE FROM stray_bytes WHERE id = :id AND is_upload = 1", id=id_) > 0


async def abandon(db: Write, id_: str) -> None:
    """The upload came to nothing; whatever was written of it is stray. Changes nothing once it is a file."""
    await db.run("UPDATE stray_bytes SET due_at = :at WHERE id = :id AND is_upload = 1", id=id_, at=AT_ONCE)


async def claim_due(db: Write, now: Instant, again_at: Instant, limit: int) -> list[str]:
    """Ids whose bytes are to be removed now; they come up again at `again_at` unless they are forgotten first.

    From here on they cannot become files any more.
    """
    return await db.all(
        str,
        """
        UPDATE stray_bytes SET is_upload = 0, due_at = :again_at
        WHERE id IN (SELECT id FROM stray_bytes WHERE due_at <= :now ORDER BY due_at LIMIT :limit)
        RETURNING id
        """,
        now=now,
        again_at=again_at,
        limit=limit,
    )


async def delete(db: Write, ids: Sequence[str]) -> None:
    for id_ in ids:
        await db.run("DELETE FROM stray_bytes WHERE id = :id", id=id_)
