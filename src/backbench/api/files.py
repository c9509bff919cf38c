"""Files over HTTP: upload as multipart/form-data, checked while it arrives, and download."""

from collections.abc import AsyncIterator, Callable

from backbench.actions.completion import Complete, complete_without_audit
from backbench.actions.estimating import files
from backbench.domain.accounts.sessions import Caller
from backbench.domain.billing.plans import PlanRules
from backbench.domain.estimating.file_types import (
    SIGNATURE_BYTES,
    PdfCheck,
    content_type_of,
    require_category,
    require_icon,
)
from backbench.domain.estimating.files import (
    MAX_ICON_BYTES,
    ContentType,
    FileRecord,
    NewFile,
    StorageQuota,
    StoredFile,
    safe_name,
)
from backbench.domain.values.errors import TooLarge
from backbench.domain.values.ids import NewId
from backbench.domain.values.times import Instant
from backbench.http.concurrency import ConcurrencyLimit
from backbench.http.multipart import Form
from backbench.http.ranges import file_or_range
from backbench.http.requests import Request
from backbench.http.responses import Response
from backbench.integrations.blobs import Blobs
from backbench.storage.engine.database import Database, Read


async def upload(
    db: Database,
    request: Request,
    caller: Caller,
    blobs: Blobs,
    uploads: ConcurrencyLimit,
    clock: Callable[[], Instant],
    new_id: NewId,
    plan_rules: PlanRules,
    complete: Complete = complete_without_audit,
) -> FileRecord:
    """Upload an icon (PNG, JPEG, WebP) or a PDF as multipart/form-data.

    The fields are `category`, `workshopId` or `estimateId`, and `file`. The type of the file is detected from its
    content. Nothing is stored unless all fields are valid, the caller is a member and the plan's storage suffices.
    """
    form = Form(request)
    async with uploads.slot(caller.uid):
        if not await form.to_file():
            await form.fields_as(NewFile)
        async with db.read() as read:
            quota = await files.storage_left_at_most(read, caller, clock(), plan_rules)
        incoming = _IncomingFile(db, caller, form, quota, new_id(), clock)
        return await files.upload(db, blobs, caller, incoming, clock, complete, plan_rules)


async def download(db: Read, caller: Caller, file_id: str, request: Request, blobs: Blobs) -> Response:
    """Download a file, or one range of it with a Range header."""
    return file_or_range(request, blobs, await files.find_readable_for(db, caller, file_id))


class _IncomingFile:
    """A file being uploaded. `file` is set once every byte and every field of the form has been checked."""

    def __init__(
        self, db: Database, caller: Caller, form: Form, quota: StorageQuota, id_: str, clock: Callable[[], Instant]
    ) -> None:
        self.id = id_
        self.file: StoredFile
        self._db = db
        self._caller = caller
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
            workshop_id = await files.destination(db, self._caller, new)
        self.file = StoredFile(
            id=self.id,
            workshop_id=workshop_id,
            category=new.category,
            content_type=kind,
            size_bytes=size,
            uploaded_by_uid=self._caller.uid,
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
