"""Stored blobs: how blobs and their records are written and deleted together, and count as storage of a workshop.

A blob is durable before the record that names it is written, and the record is deleted before its blob. A blob is
reserved in `orphaned_blobs` before it is written, so the sweep job deletes what a crash leaves between the two.
"""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

from backbench.domain.billing.plans import PlanRules
from backbench.domain.estimating.files import StorageQuota
from backbench.domain.values.errors import Conflict, Unavailable
from backbench.domain.values.times import Instant, later
from backbench.domain.workshops.workshops import StoredWorkshop
from backbench.integrations.blobs import Blobs
from backbench.storage.engine.database import Database, Write
from backbench.storage.estimating import files, orphaned_blobs
from backbench.storage.workshops import workshops

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
    number = await files.count(db, workshop_id)
    if number >= MAX_FILES:
        raise Conflict("plan_limit", f"A workshop can have at most {MAX_FILES} files", limit=MAX_FILES, current=number)
    if not await orphaned_blobs.claim_reserved(db, blob_id):
        raise Unavailable("unavailable", "The upload took too long")
    await files.use_storage(db, workshop_id, size)


def quota_of(workshop: StoredWorkshop, now: Instant, plan_rules: PlanRules) -> StorageQuota:
    return StorageQuota(workshop.plan_at(now, plan_rules).storage_bytes, workshop.storage_used_bytes)


@asynccontextmanager
async def written_blob(
    db: Database, blobs: Blobs, blob_id: str, pieces: AsyncIterator[bytes], now: Instant
) -> AsyncIterator[None]:
    """Writes the blob, then the block runs, whose transaction calls `add` for it. Both happen, or neither."""
    until = later(now, _LONGEST_UPLOAD_SECONDS)
    await db.write(lambda write: orphaned_blobs.reserve(write, blob_id, until))
    try:
        await blobs.write(blob_id, pieces)
        yield
    except Exception:
        # If the commit succeeded and only its acknowledgement was lost, this changes nothing.
        await db.write(lambda write: orphaned_blobs.abandon(write, blob_id))
        raise


async def once(content: bytes) -> AsyncIterator[bytes]:
    """The content as the one piece of a blob."""
    yield content
