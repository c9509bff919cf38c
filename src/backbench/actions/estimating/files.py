"""Files of a workshop, and how blobs and their records are written and deleted together.

A blob is durable before the record that names it is written, and the record is deleted before its blob. A blob is
reserved in `orphaned_blobs` before it is written, so the sweep job deletes what a crash leaves between the two.
"""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

from msgspec import UNSET

from backbench.actions.authorization import member_of, require_member
from backbench.actions.services import Services
from backbench.domain.accounts.calls import Call
from backbench.domain.billing.plans import PlanRules
from backbench.domain.estimating.files import FileRecord, NewFile, StorageQuota, StoredFile
from backbench.domain.values.errors import Conflict, Forbidden, Unavailable
from backbench.domain.values.pagination import Page, PageQuery
from backbench.domain.values.times import Instant, later
from backbench.domain.workshops.audit import Audited
from backbench.domain.workshops.workshops import StoredWorkshop
from backbench.integrations.blobs import Blobs
from backbench.storage.engine.database import Database, Read, Write
from backbench.storage.estimating import document_settings, estimates, files, grids, orphaned_blobs
from backbench.storage.sharing import links
from backbench.storage.workshops import workshops

# Of small files it is not the bytes that fill a disk.
MAX_FILES = 20_000
_LONGEST_UPLOAD_SECONDS = 24 * 3600


async def list_all(db: Read, call: Call, workshop_id: str, query: PageQuery) -> Page[FileRecord]:
    """List the files of a workshop, newest first."""
    await member_of(db, call, workshop_id)
    return (await files.of_workshop(workshop_id).page(db, query)).map(StoredFile.to_response)


async def delete(db: Write, call: Call, file_id: str) -> StoredFile:
    """Delete a file. A PDF export is deleted with its file.

    An image that revisions show as logo stays part of their documents. Raises Conflict `icon_in_use` while a button
    of a grid shows it, `logo_in_use` while it is the logo in the document settings, `pdf_in_use` for the PDF of a link.
    """
    file = await find_for(db, call, file_id)
    await db.lock(f"icons {file.workshop_id}")
    using = await grids.list_ids_using_icon(db, file.workshop_id, file_id)
    if using:
        raise Conflict("icon_in_use", "Buttons of these grids show the icon", gridIds=using)
    settings = await document_settings.find(db, file.workshop_id)
    if settings.logo_file_id == file_id:
        raise Conflict("logo_in_use", "The document settings show this image as logo")
    if await links.is_bound(db, file_id):
        raise pdf_in_use()
    if await files.is_logo_of_a_revision(db, file_id):
        await files.save_deleted(db, file_id, call.now)
    else:
        await files.delete(db, file)
    return file


def pdf_in_use() -> Conflict:
    return Conflict("pdf_in_use", "A link shows this PDF, or a client has decided about it")


async def find_for(db: Read, call: Call, file_id: str) -> StoredFile:
    """The file. Raises NotFound, and Forbidden when it is another workshop's."""
    file = await files.find(db, file_id)
    await require_member(db, call, file.workshop_id)
    return file


async def find_readable_for(db: Read, call: Call, file_id: str) -> StoredFile:
    """The file, whose content the caller may read."""
    file = await find_for(db, call, file_id)
    await require_readable(db, call, file_id)
    return file


async def require_readable(db: Read, call: Call, file_id: str) -> None:
    """Raises Forbidden for the PDF of a link, with a key that may not create links.

    A code on the PDF has a token of the link: who reads it can decide as the client.
    """
    if call.caller.key_id is None or "estimates:write" in call.caller.scopes:
        return
    if await links.is_bound(db, file_id):
        raise Forbidden(missing_scope="estimates:write")


async def destination(db: Read, call: Call, new: NewFile) -> str:
    """The id of the workshop that the file is uploaded to. Raises NotFound, Forbidden."""
    if new.estimate_id is not UNSET:
        workshop_id = (await estimates.find(db, new.estimate_id)).workshop_id
    else:
        assert new.workshop_id is not UNSET
        workshop_id = (await workshops.find(db, new.workshop_id)).id
    await require_member(db, call, workshop_id)
    return workshop_id


async def storage_left_at_most(db: Read, call: Call, services: Services) -> StorageQuota:
    """The quota of that workshop of the caller which has most storage left: no upload of the caller may be larger."""
    quotas = [_quota(workshop, call.now, services.plan_rules) for workshop in await workshops.list_all(db, call.uid)]
    return max(quotas, key=lambda quota: quota.limit - quota.used, default=StorageQuota(0, 0))


async def upload(db: Write, call: Call, prepared: StoredFile, services: Services) -> Audited[FileRecord]:
    """Upload an icon (PNG, JPEG, WebP) or a PDF as multipart/form-data.

    The fields are `category`, `workshopId` or `estimateId`, and `file`. The type of the file is detected from its
    content. Nothing is stored unless all fields are valid, the caller is a member and the plan's storage suffices.
    """
    await require_member(db, call, prepared.workshop_id)
    await add(db, prepared, prepared.created_at, services.plan_rules)
    return Audited(prepared.to_response(), prepared.workshop_id, prepared.id)


async def authorize_upload_replay(db: Read, call: Call, stored: FileRecord) -> None:
    """Raises Forbidden where the caller has left the workshop that the file was uploaded to."""
    await require_member(db, call, stored.scope_id)


async def add(db: Write, file: StoredFile, now: Instant, plan_rules: PlanRules) -> None:
    """Add the record of a blob that has been written. Raises Conflict `plan_limit` where it exceeds the quota."""
    # Locked first: two uploads that fit one by one must not both be counted as the first.
    await db.lock(f"storage {file.workshop_id}")
    _quota(await workshops.find(db, file.workshop_id), now, plan_rules).require(file.size_bytes)
    number = await files.count(db, file.workshop_id)
    if number >= MAX_FILES:
        raise Conflict("plan_limit", f"A workshop can have at most {MAX_FILES} files", limit=MAX_FILES, current=number)
    if not await orphaned_blobs.claim_reserved(db, file.id):
        raise Unavailable("unavailable", "The upload took too long")
    await files.add(db, file)


def _quota(workshop: StoredWorkshop, now: Instant, plan_rules: PlanRules) -> StorageQuota:
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
