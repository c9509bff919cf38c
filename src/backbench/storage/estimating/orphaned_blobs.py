"""Orphaned blobs: stored bytes of deleted files, and of uploads that have no file record (yet)."""

from collections.abc import Sequence

from backbench.domain.values.times import Instant
from backbench.storage.engine.database import Write

# Sorts before every instant.
DUE_NOW: Instant = ""


async def reserve(db: Write, id_: str, until: Instant) -> None:
    """Records the id before its blob is written. The blob is orphaned unless its file is recorded before `until`."""
    await db.add("stray_bytes", id=id_, is_upload=True, due_at=until)


async def claim_reserved(db: Write, id_: str) -> bool:
    """Ends the reservation in the transaction that records the file. False when it was claimed for deletion."""
    return await db.run("DELETE FROM stray_bytes WHERE id = :id AND is_upload = 1", id=id_) > 0


async def abandon(db: Write, id_: str) -> None:
    """Makes the blob of a failed upload due for deletion. Changes nothing once its file is recorded."""
    await db.run("UPDATE stray_bytes SET due_at = :at WHERE id = :id AND is_upload = 1", id=id_, at=DUE_NOW)


async def keep(db: Write, until: Instant) -> None:
    """Keeps the blobs of files that were deleted since the last call."""
    await db.run("UPDATE stray_bytes SET due_at = :until WHERE due_at = :due_now", until=until, due_now=DUE_NOW)


async def claim_due(db: Write, now: Instant, again_at: Instant, limit: int) -> list[str]:
    """Ids of blobs to delete now; each is due again at `again_at` unless its row is deleted first.

    The files of these uploads can no longer be recorded.
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
    """Deletes the rows of blobs that have been deleted."""
    for id_ in ids:
        await db.run("DELETE FROM stray_bytes WHERE id = :id", id=id_)
