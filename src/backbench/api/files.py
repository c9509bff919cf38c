"""Files over HTTP: upload as multipart/form-data, checked while it arrives, and download."""

from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager

from msgspec import structs

from backbench.actions.estimating import files
from backbench.actions.services import Services
from backbench.actions.stored_blobs import written_blob
from backbench.domain.accounts.calls import Call
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
    NewFile,
    StorageQuota,
    StoredFile,
    safe_name,
)
from backbench.domain.values.errors import TooLarge
from backbench.domain.values.times import Instant
from backbench.http.multipart import Form
from backbench.http.requests import Request
from backbench.http.responses import Response
from backbench.http.streaming.ranges import file_or_range
from backbench.storage.engine.database import Database, Read


@asynccontextmanager
async def receive(db: Database, call: Call, request: Request, services: Services) -> AsyncIterator[StoredFile]:
    """Checks an upload while it arrives, and writes its blob. Raises TooLarge, UnsupportedMedia, ValidationError."""
    form = Form(request)
    if not await form.to_file():
        await form.fields_as(NewFile)
    async with db.read() as read:
        quota = await files.storage_left_at_most(read, structs.replace(call, now=services.clock()), services)
    incoming = _IncomingFile(db, call, form, quota, services.clock)
    async with written_blob(db, services.blobs, incoming.id, incoming.pieces(), call.now):
        yield incoming.file


async def download(db: Read, call: Call, file: StoredFile, request: Request, services: Services) -> Response:
    """Download a file, or one range of it with a Range header."""
    await files.require_readable_file(db, call, file)
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
            workshop_id = await files.destination(db, self._call, new)
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
