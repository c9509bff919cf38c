"""Files of a workshop: upload, list, download and delete icons and PDFs."""

from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager

from msgspec import UNSET, structs

from backbench.billing.plans import PlanRules
from backbench.engine.database import Database, Read, Write
from backbench.engine.lists import NewestFirst
from backbench.engine.objects import Loaded
from backbench.engine.rows import columns
from backbench.estimating import document_settings, estimates, grids
from backbench.estimating.file_types import (
    MAX_ICON_BYTES,
    SIGNATURE_BYTES,
    ContentType,
    FileRecord,
    NewFile,
    PdfCheck,
    StoredFile,
    content_type_of,
    require_category,
    require_icon,
)
from backbench.estimating.stored_blobs import DUE_NOW, StorageQuota, quota_of, take_storage, written_blob
from backbench.http.multipart import Form
from backbench.http.requests import Request
from backbench.http.responses import Response
from backbench.http.streaming import file_or_range
from backbench.services import Services
from backbench.values.calls import Call, Scope
from backbench.values.errors import Conflict, Forbidden, NotFound, TooLarge
from backbench.values.pagination import Page, PageQuery
from backbench.values.shapes import made_of
from backbench.values.text import safe_name
from backbench.values.times import Instant
from backbench.workshops import workshops
from backbench.workshops.audit import Audited
from backbench.workshops.members import MEMBERSHIP

# Statements


_COLUMNS = columns(StoredFile)
# The file of a path.
FILE = Loaded(StoredFile, "file", "files f", key="file_id", condition="f.id = :file_id AND f.deleted_at IS NULL")


async def find(db: Read, file_id: str) -> StoredFile:
    """Raises NotFound."""
    sql = f"SELECT {_COLUMNS} FROM files WHERE id = :id AND deleted_at IS NULL"
    file = await db.one(StoredFile, sql, id=file_id)
    if file is None:
        raise NotFound
    return file


async def lookup_with_deleted(db: Read, file_id: str) -> StoredFile | None:
    """The file, also one that a member deleted and that revisions still show. None if its content was lost."""
    return await db.one(StoredFile, f"SELECT {_COLUMNS} FROM files WHERE id = :id", id=file_id)


async def is_logo_of_a_document(db: Read, file_id: str) -> bool:
    sql = """
        SELECT 1 FROM revisions WHERE logo_file_id = :id
        UNION ALL SELECT 1 FROM invoices WHERE logo_file_id = :id LIMIT 1
    """
    return await db.value(sql, id=file_id) is not None


def of_workshop(workshop_id: str, *, with_estimates: bool = True) -> NewestFirst[StoredFile]:
    """The workshop's files, with those that belong to estimates unless they are left out."""
    select = f"SELECT {_COLUMNS} FROM files WHERE workshop_id = :workshop_id AND deleted_at IS NULL"
    if not with_estimates:
        select += " AND estimate_id IS NULL"
    return NewestFirst(StoredFile, select, {"workshop_id": workshop_id})


async def add_row(db: Write, file: StoredFile) -> None:
    """Adds the record. The caller adds its size to the storage that the workshop uses."""
    await db.add("files", file)


async def delete_row(db: Write, file_id: str) -> bool:
    """Deletes the record, frees its storage and marks its blob as orphaned. False where there is none."""
    return await _delete(db, "id = :id", file_id) > 0


async def save_deleted(db: Write, file_id: str, at: Instant) -> None:
    """Deletes the file for members, but not for the documents of the revisions that show it as logo.

    Its storage stays in use until the last of them is deleted.
    """
    await db.run("UPDATE files SET deleted_at = :at WHERE id = :id", id=file_id, at=at)


async def delete_unused_logos(db: Write, workshop_id: str) -> None:
    """Deletes the logos that were deleted by a member and that no revision or invoice shows any more."""
    unused = await db.all(
        str,
        """
        SELECT id FROM files WHERE workshop_id = :workshop_id AND deleted_at IS NOT NULL
            AND NOT EXISTS (SELECT 1 FROM revisions WHERE revisions.logo_file_id = files.id)
            AND NOT EXISTS (SELECT 1 FROM invoices WHERE invoices.logo_file_id = files.id)
        """,
        workshop_id=workshop_id,
    )
    for file_id in unused:
        await _delete(db, "id = :id", file_id)


async def delete_of_estimate(db: Write, estimate_id: str) -> None:
    await _delete(db, "estimate_id = :id", estimate_id)


async def delete_of_workshop(db: Write, workshop_id: str) -> None:
    await _delete(db, "workshop_id = :id", workshop_id)


async def _delete(db: Write, condition: str, id_: str) -> int:
    """The number of deleted files."""
    # A concurrent deletion of the same file waits at the conflict, and then finds nothing to delete.
    await db.run(
        f"""
        INSERT INTO stray_bytes (id, is_upload, due_at) SELECT id, 0, :due_now FROM files WHERE {condition}
        ON CONFLICT (id) DO NOTHING
        """,
        id=id_,
        due_now=DUE_NOW,
    )
    await db.run(
        f"""
        UPDATE workshops SET storage_used_bytes = storage_used_bytes - (
            SELECT coalesce(sum(size_bytes), 0) FROM files WHERE {condition}
        ) WHERE id = (SELECT workshop_id FROM files WHERE {condition} LIMIT 1)
        """,
        id=id_,
    )
    return await db.run(f"DELETE FROM files WHERE {condition}", id=id_)


# Verbs


async def list_all(db: Read, call: Call, workshop_id: str, query: PageQuery) -> Page[FileRecord]:
    """List the files of a workshop, newest first. A key without `estimates:read` sees no files of estimates."""
    listed = of_workshop(workshop_id, with_estimates=call.caller.may("estimates:read"))
    return (await listed.page(db, query)).map(to_response)


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
    if await is_bound(db, file.id):
        raise pdf_in_use()
    if await is_logo_of_a_document(db, file.id):
        await save_deleted(db, file.id, call.now)
    else:
        await delete_row(db, file.id)


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
    if not call.caller.may("estimates:write") and await is_bound(db, file_id):
        raise Forbidden(missing_scope="estimates:write")


def to_response(file: StoredFile) -> FileRecord:
    return made_of(FileRecord, file)


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
    quotas = [
        quota_of(workshop, call.now, services.plan_rules) for workshop in await workshops.list_stored(db, call.uid)
    ]
    return max(quotas, key=lambda quota: quota.limit - quota.used, default=StorageQuota(0, 0))


async def upload(db: Write, call: Call, prepared: StoredFile, services: Services) -> Audited[FileRecord]:
    """Upload an icon (PNG, JPEG, WebP) or a PDF as multipart/form-data.

    The fields are `category`, `workshopId` or `estimateId`, and `file`. The type of the file is detected from its
    content. Nothing is stored unless all fields are valid, the caller is a member and the plan's storage suffices.
    """
    await MEMBERSHIP.find(db, call, prepared.workshop_id)
    await add(db, prepared, prepared.created_at, services.plan_rules)
    return Audited(to_response(prepared), prepared.workshop_id, prepared.id)


async def authorize_upload_replay(db: Read, call: Call, stored: FileRecord) -> None:
    """Raises Forbidden where the caller has left the workshop that the file was uploaded to."""
    await MEMBERSHIP.find(db, call, stored.scope_id)


async def add(db: Write, file: StoredFile, now: Instant, plan_rules: PlanRules) -> None:
    """Add the record of a blob that has been written. Raises Conflict `plan_limit` where it exceeds the quota."""
    await take_storage(db, file.workshop_id, file.id, file.size_bytes, now, plan_rules)
    await add_row(db, file)


# Over HTTP


@asynccontextmanager
async def receive(db: Database, call: Call, request: Request, services: Services) -> AsyncIterator[StoredFile]:
    """Checks an upload while it arrives, and writes its blob. Raises TooLarge, UnsupportedMedia, ValidationError."""
    form = Form(request)
    if not await form.to_file():
        await form.fields_as(NewFile)
    async with db.read() as read:
        quota = await storage_left_at_most(read, structs.replace(call, now=services.clock()), services)
    incoming = _IncomingFile(db, call, form, quota, services.clock)
    async with written_blob(db, services.blobs, incoming.id, incoming.pieces(), call.now):
        yield incoming.file


async def download(db: Read, call: Call, file: StoredFile, request: Request, services: Services) -> Response:
    """Download a file, or one range of it with a Range header."""
    await require_readable_file(db, call, file)
    return file_or_range(request, services.blobs, file)


class _IncomingFile:
    """A file being uploaded. `file` is set once every byte and every field of the form has been checked."""

    def __init__(self, db: Database, call: Call, form: Form, quota: StorageQuota, clock: Callable[[], Instant]) -> None:
        self.id = call.new_id()
        self.file: StoredFile
        self._db = db
        self._call = call
        self._form = form
        self._quota = quota
        self._clock = clock

    async def pieces(self) -> AsyncIterator[bytes]:
        """The checked content. The last piece comes before everything is known to be valid, and an invalid file
        raises then: the caller stores the pieces stores all of them or none."""
        pieces = self._form.pieces()
        beginning = await _beginning(pieces)
        kind = content_type_of(beginning)
        if kind == "application/pdf":
            check = PdfCheck()
            async for piece in _joined(beginning, pieces):
                check.feed(piece)
                self._quota.require(check.size)
                yield piece
            check.require_complete()
            await self._complete(kind, check.size)
        else:
            content = await _gathered(beginning, pieces)
            require_icon(kind, content)
            await self._complete(kind, len(content))
            yield content

    async def _complete(self, kind: ContentType, size: int) -> None:
        new = await self._form.fields_as(NewFile)
        require_category(new.category, kind)
        async with self._db.read() as db:
            workshop_id = await destination(db, self._call, new)
        self.file = StoredFile(
            id=self.id,
            workshop_id=workshop_id,
            category=new.category,
            content_type=kind,
            size_bytes=size,
            uploaded_by_uid=self._call.uid,
            # The body may have taken hours to arrive.
            created_at=self._clock(),
            name=safe_name(self._form.file_name),
        )


async def _beginning(pieces: AsyncIterator[bytes]) -> bytes:
    """Enough bytes to detect the type, or all of a shorter file."""
    gathered = b""
    while len(gathered) < SIGNATURE_BYTES:
        piece = await anext(pieces, None)
        if piece is None:
            break
        gathered += piece
    return gathered


async def _gathered(beginning: bytes, pieces: AsyncIterator[bytes]) -> bytes:
    """The whole content. Raises TooLarge as soon as it exceeds the size of an icon."""
    gathered = bytearray(beginning)
    async for piece in pieces:
        gathered += piece
        if len(gathered) > MAX_ICON_BYTES:
            raise TooLarge(MAX_ICON_BYTES)
    return bytes(gathered)


async def _joined(beginning: bytes, pieces: AsyncIterator[bytes]) -> AsyncIterator[bytes]:
    yield beginning
    async for piece in pieces:
        yield piece


async def is_bound(db: Read, pdf_export_id: str) -> bool:
    """Whether a link shows this PDF, or a decision was made about it."""
    found = await db.value(
        """
        SELECT 1 FROM links l WHERE l.pdf_export_id = :id AND (
            l.revoked_at IS NULL
            OR EXISTS (SELECT 1 FROM decisions d WHERE d.link_id = l.id AND d.pdf_export_id IS NULL)
        )
        UNION ALL SELECT 1 FROM decisions WHERE pdf_export_id = :id LIMIT 1
        """,
        id=pdf_export_id,
    )
    return found is not None
