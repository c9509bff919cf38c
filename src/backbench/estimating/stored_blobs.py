"""Stored blobs: bytes are recorded before they are written, counted against the storage quota, and deleted later."""

from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager

from msgspec import Struct

from backbench.billing.plans import PlanRules
from backbench.engine.database import Database, Read, Write
from backbench.integrations.blobs import Blobs
from backbench.values.errors import Conflict, Unavailable
from backbench.values.times import Instant, later
from backbench.workshops import workshops
from backbench.workshops.workshops import StoredWorkshop


class StorageQuota(Struct, frozen=True):
    """The storage limit of a workshop's plan and the bytes in use."""

    limit: int
    used: int

    def require(self, size: int) -> None:
        """Raises Conflict `plan_limit` unless another `size` bytes fit."""
        if self.used + size > self.limit:
            raise Conflict(
                "plan_limit", "The file exceeds the storage limit of your plan", limit=self.limit, current=self.used
            )


# Statements


# Sorts before every instant.
DUE_NOW: Instant = ""
_FIRST_INSTANT: Instant = "0"


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


async def claim_due(db: Write, now: Instant, again_at: Instant, limit: int, *, are_kept: bool = False) -> list[str]:
    """Ids of blobs to delete now; each is due again at `again_at` unless its row is deleted first.

    The files of these uploads can no longer be recorded. `are_kept`: blobs that `keep` has not met yet are left to it.
    """
    return await db.all(
        str,
        """
        UPDATE stray_bytes SET is_upload = 0, due_at = :again_at
        WHERE id IN (
            SELECT id FROM stray_bytes WHERE due_at <= :now AND due_at >= :first ORDER BY due_at LIMIT :limit
        )
        RETURNING id
        """,
        first=_FIRST_INSTANT if are_kept else DUE_NOW,
        now=now,
        again_at=again_at,
        limit=limit,
    )


async def delete(db: Write, ids: Sequence[str]) -> None:
    """Deletes the rows of blobs that have been deleted."""
    for id_ in ids:
        await db.run("DELETE FROM stray_bytes WHERE id = :id", id=id_)


# Verbs


# Of small files it is not the bytes that fill a disk.
MAX_FILES = 20_000
_LONGEST_UPLOAD_SECONDS = 24 * 3600


async def take_storage(
    db: Write, workshop_id: str, blob_id: str, size: int, now: Instant, plan_rules: PlanRules
) -> None:
    """Takes `size` bytes of the workshop's storage, for a blob that has been written and whose record is added next.

    Raises Conflict `plan_limit` where they exceed the quota.
    """
    # Locked first: two uploads that fit one by one must not both be counted as the first.
    await db.lock(f"storage {workshop_id}")
    quota_of(await workshops.find(db, workshop_id), now, plan_rules).require(size)
    number = await count_files(db, workshop_id)
    if number >= MAX_FILES:
        raise Conflict("plan_limit", f"A workshop can have at most {MAX_FILES} files", limit=MAX_FILES, current=number)
    if not await claim_reserved(db, blob_id):
        raise Unavailable("unavailable", "The upload took too long")
    await use_storage(db, workshop_id, size)


def quota_of(workshop: StoredWorkshop, now: Instant, plan_rules: PlanRules) -> StorageQuota:
    return StorageQuota(workshop.plan_at(now, plan_rules).storage_bytes, workshop.storage_used_bytes)


@asynccontextmanager
async def written_blob(
    db: Database, blobs: Blobs, blob_id: str, pieces: AsyncIterator[bytes], now: Instant
) -> AsyncIterator[None]:
    """Writes the blob, then the block runs, whose transaction calls `add` for it. Both happen, or neither."""
    until = later(now, _LONGEST_UPLOAD_SECONDS)
    await db.write(lambda write: reserve(write, blob_id, until))
    try:
        await blobs.write(blob_id, pieces)
        yield
    except Exception:
        # If the commit succeeded and only its acknowledgement was lost, this changes nothing.
        await db.write(lambda write: abandon(write, blob_id))
        raise


async def once(content: bytes) -> AsyncIterator[bytes]:
    """The content as the one piece of a blob."""
    yield content


async def count_files(db: Read, workshop_id: str) -> int:
    """Of files, and of photos of orders."""
    sql = """
        SELECT (SELECT count(*) FROM files WHERE workshop_id = :workshop_id AND deleted_at IS NULL)
            + (SELECT count(*) FROM photos WHERE workshop_id = :workshop_id)
    """
    return int(await db.value(sql, workshop_id=workshop_id))


async def use_storage(db: Write, workshop_id: str, size: int) -> None:
    """Adds the size of a file, or of a photo, to the storage that the workshop uses."""
    sql = "UPDATE workshops SET storage_used_bytes = storage_used_bytes + :size WHERE id = :workshop_id"
    await db.run(sql, workshop_id=workshop_id, size=size)
