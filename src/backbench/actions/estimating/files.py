"""What a member does with the workshop's files, and how bytes and records come and go together.

Bytes are durable before the record that names them is written, and the record is gone before they are removed. What
a crash leaves between the two is listed in `orphaned_blobs` from the start, and the sweep job deletes it.
"""

from collections.abc import AsyncIterator
from typing import TypeVar

from msgspec import UNSET

from backbench.actions.authorization import require_member
from backbench.domain.accounts.sessions import Caller
from backbench.domain.estimating.files import FilesList, NewFile, StorageQuota, StoredFile
from backbench.domain.values.errors import Conflict, Unavailable
from backbench.domain.values.numbers import to_json
from backbench.domain.values.pagination import Page, PageQuery
from backbench.domain.values.times import Instant, later
from backbench.domain.workshops.workshops import StoredWorkshop
from backbench.integrations.blobs import Blobs
from backbench.storage.engine.database import Database, Read, Work, Write
from backbench.storage.estimating import estimates, files, grids, orphaned_blobs
from backbench.storage.workshops import workshops

Result = TypeVar("Result")

_LONGEST_UPLOAD_SECONDS = 24 * 3600


async def show_all(db: Read, caller: Caller, workshop_id: str, query: PageQuery) -> Page:
    """FilesList as JSON; a page of it where a limit was asked for."""
    await workshops.find(db, workshop_id)
    await require_member(db, caller, workshop_id)
    shown, following = await files.list_page(db, workshop_id, query)
    return Page(to_json(FilesList([file.to_response() for file in shown])), following)


async def delete(db: Write, caller: Caller, file_id: str) -> None:
    """Conflict `icon_in_use` while a button of a grid shows it. A generated PDF goes with its file."""
    file = await find_for(db, caller, file_id)
    await db.lock(f"icons {file.workshop_id}")
    using = await grids.using_icon(db, file.workshop_id, file_id)
    if using:
        raise Conflict("icon_in_use", "Buttons of these grids show the icon", gridIds=using)
    await files.delete(db, file)


async def find_for(db: Read, caller: Caller, file_id: str) -> StoredFile:
    """The file; NotFound when there is none, NotAllowed when it is another workshop's."""
    file = await files.find(db, file_id)
    await require_member(db, caller, file.workshop_id)
    return file


async def destination(db: Read, caller: Caller, new: NewFile) -> str:
    """The id of the workshop that the file goes to. NotFound, NotAllowed."""
    if new.estimate_id is not UNSET:
        workshop_id = (await estimates.find(db, new.estimate_id)).workshop_id
    else:
        assert new.workshop_id is not UNSET
        workshop_id = (await workshops.find(db, new.workshop_id)).id
    await require_member(db, caller, workshop_id)
    return workshop_id


async def storage_left_at_most(db: Read, caller: Caller, now: Instant) -> StorageQuota:
    """The room of that workshop of the caller's which has most of it: nothing that the caller sends may be larger."""
    rooms = [_room(workshop, now) for workshop in await workshops.list_all(db, caller.uid)]
    return max(rooms, key=lambda room: room.limit - room.taken, default=StorageQuota(0, 0))


async def add(db: Write, file: StoredFile, now: Instant) -> None:
    """The record of bytes that are written. Conflict `plan_limit` where the workshop has no room for them."""
    # Held first: two that would fit one by one must not both be counted as the first.
    await db.lock(f"storage {file.workshop_id}")
    _room(await workshops.find(db, file.workshop_id), now).require(file.size_bytes)
    if not await orphaned_blobs.claim_reserved(db, file.id):
        raise Unavailable("unavailable", "The upload took too long")
    await files.add(db, file)


def _room(workshop: StoredWorkshop, now: Instant) -> StorageQuota:
    return StorageQuota(workshop.plan_at(now).storage_bytes, workshop.storage_used_bytes)


async def keep(
    db: Database,
    blobs: Blobs,
    blob_id: str,
    pieces: AsyncIterator[bytes],
    record: Work[Result],
    now: Instant,
) -> Result:
    """Writes the bytes, then what `record` does, which `add`s them under `blob_id`. All of it happens, or nothing."""
    until = later(now, _LONGEST_UPLOAD_SECONDS)
    await db.write(lambda write: orphaned_blobs.reserve(write, blob_id, until))
    try:
        await blobs.write(blob_id, pieces)
        return await db.write(record)
    except Exception:
        # Should the record stand after all (its answer got lost on the way), this changes nothing.
        await db.write(lambda write: orphaned_blobs.abandon(write, blob_id))
        raise
