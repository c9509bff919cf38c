"""Files of a workshop: upload, list and delete them. How their blobs are written: `actions/stored_blobs.py`."""

from msgspec import UNSET

from backbench.actions.services import Services
from backbench.actions.stored_blobs import quota_of, take_storage
from backbench.domain.accounts.calls import Call
from backbench.domain.accounts.sessions import Scope
from backbench.domain.billing.plans import PlanRules
from backbench.domain.estimating.files import FileRecord, NewFile, StorageQuota, StoredFile
from backbench.domain.values.errors import Conflict, Forbidden
from backbench.domain.values.pagination import Page, PageQuery
from backbench.domain.values.times import Instant
from backbench.domain.workshops.audit import Audited
from backbench.storage.engine.database import Read, Write
from backbench.storage.estimating import document_settings, estimates, files, grids
from backbench.storage.sharing import links
from backbench.storage.workshops import workshops
from backbench.storage.workshops.members import MEMBERSHIP


async def list_all(db: Read, call: Call, workshop_id: str, query: PageQuery) -> Page[FileRecord]:
    """List the files of a workshop, newest first. A key without `estimates:read` sees no files of estimates."""
    listed = files.of_workshop(workshop_id, with_estimates=call.caller.may("estimates:read"))
    return (await listed.page(db, query)).map(StoredFile.to_response)


async def delete(db: Write, call: Call, file: StoredFile) -> None:
    """Delete a file. A PDF export is deleted with its file.

    An image that revisions show as logo stays part of their documents. Raises Conflict `icon_in_use` while a button
    of a grid shows it, `logo_in_use` while it is the logo in the document settings, `pdf_in_use` for the PDF of a link.
    """
    _require_scope(call, file, "estimates:write")
    using = await grids.list_ids_using_icon(db, file.workshop_id, file.id)
    if using:
        raise Conflict("icon_in_use", "Buttons of these grids show the icon", gridIds=using)
    settings = await document_settings.find(db, file.workshop_id)
    if settings.logo_file_id == file.id:
        raise Conflict("logo_in_use", "The document settings show this image as logo")
    if await links.is_bound(db, file.id):
        raise pdf_in_use()
    if await files.is_logo_of_a_revision(db, file.id):
        await files.save_deleted(db, file.id, call.now)
    else:
        await files.delete(db, file)


async def lock_icons(db: Write, workshop_id: str) -> None:
    """No grid and no settings come to show a file of the workshop until the end of the transaction."""
    await db.lock(f"icons {workshop_id}")


def pdf_in_use() -> Conflict:
    return Conflict("pdf_in_use", "A link shows this PDF, or a client has decided about it")


async def require_readable_file(db: Read, call: Call, file: StoredFile) -> None:
    """Raises Forbidden for a key that may not read the content of the file."""
    _require_scope(call, file, "estimates:read")
    await require_readable(db, call, file.id)


def _require_scope(call: Call, file: StoredFile, scope: Scope) -> None:
    """Raises Forbidden for a file of an estimate, with a key that may not do the same with the estimate itself."""
    if file.estimate_id is not UNSET and not call.caller.may(scope):
        raise Forbidden(missing_scope=scope)


async def require_readable(db: Read, call: Call, file_id: str) -> None:
    """Raises Forbidden for the PDF of a link, with a key that may not create links.

    A code on the PDF has a token of the link: who reads it can decide as the client.
    """
    if not call.caller.may("estimates:write") and await links.is_bound(db, file_id):
        raise Forbidden(missing_scope="estimates:write")


async def destination(db: Read, call: Call, new: NewFile) -> str:
    """The id of the workshop that the file is uploaded to. Raises NotFound, Forbidden."""
    if new.estimate_id is not UNSET:
        workshop_id = (await estimates.find(db, new.estimate_id)).workshop_id
    else:
        assert new.workshop_id is not UNSET
        workshop_id = (await workshops.find(db, new.workshop_id)).id
    await MEMBERSHIP.find(db, call, workshop_id)
    return workshop_id


async def storage_left_at_most(db: Read, call: Call, services: Services) -> StorageQuota:
    """The quota of that workshop of the caller which has most storage left: no upload of the caller may be larger."""
    quotas = [quota_of(workshop, call.now, services.plan_rules) for workshop in await workshops.list_all(db, call.uid)]
    return max(quotas, key=lambda quota: quota.limit - quota.used, default=StorageQuota(0, 0))


async def upload(db: Write, call: Call, prepared: StoredFile, services: Services) -> Audited[FileRecord]:
    """Upload an icon (PNG, JPEG, WebP) or a PDF as multipart/form-data.

    The fields are `category`, `workshopId` or `estimateId`, and `file`. The type of the file is detected from its
    content. Nothing is stored unless all fields are valid, the caller is a member and the plan's storage suffices.
    """
    await MEMBERSHIP.find(db, call, prepared.workshop_id)
    await add(db, prepared, prepared.created_at, services.plan_rules)
    return Audited(prepared.to_response(), prepared.workshop_id, prepared.id)


async def authorize_upload_replay(db: Read, call: Call, stored: FileRecord) -> None:
    """Raises Forbidden where the caller has left the workshop that the file was uploaded to."""
    await MEMBERSHIP.find(db, call, stored.scope_id)


async def add(db: Write, file: StoredFile, now: Instant, plan_rules: PlanRules) -> None:
    """Add the record of a blob that has been written. Raises Conflict `plan_limit` where it exceeds the quota."""
    await take_storage(db, file.workshop_id, file.id, file.size_bytes, now, plan_rules)
    await files.add(db, file)
