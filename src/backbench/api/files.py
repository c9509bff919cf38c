"""Files over HTTP: bytes in, checked while they arrive, and bytes out."""

from collections.abc import AsyncIterator

from backbench.actions.authorization import require_member
from backbench.actions.estimating import files
from backbench.actions.workshops.audit import note
from backbench.domain.accounts.sessions import Caller
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
from backbench.domain.values.errors import DomainError, TooLarge
from backbench.domain.values.ids import NewId
from backbench.domain.values.times import Instant
from backbench.http.concurrency import ConcurrencyLimit
from backbench.http.multipart import Form
from backbench.http.ranges import sent
from backbench.http.requests import Request
from backbench.http.responses import Response
from backbench.integrations.blobs import Blobs
from backbench.storage.engine.database import Database, Read, Write
from backbench.storage.operations.idempotency import KeepAnswer, store_nothing


async def upload(
    db: Database,
    request: Request,
    caller: Caller,
    blobs: Blobs,
    uploads: ConcurrencyLimit,
    now: Instant,
    new_id: NewId,
    store_response: KeepAnswer = store_nothing,
) -> FileRecord:
    """Keeps an icon or a PDF, which is told by its content.

    The fields are category, workshopId or estimateId, and file. Nothing is kept unless all of it is right, its
    sender belongs to the workshop and the plan has room for it.
    """
    form = Form(request)
    async with uploads.turn(caller.uid):
        return await _received(db, form, caller, blobs, now, new_id, store_response)


async def _received(
    db: Database, form: Form, caller: Caller, blobs: Blobs, now: Instant, new_id: NewId, store_response: KeepAnswer
) -> FileRecord:
    try:
        if not await form.to_file():
            await form.fields_as(NewFile)
        async with db.read() as read:
            room = await files.storage_left_at_most(read, caller, now)
        arrival = _Arrival(db, caller, form, room, new_id(), now)

        async def record(write: Write) -> FileRecord:
            file = arrival.arrived
            await require_member(write, caller, file.workshop_id)
            await files.add(write, file, now)
            await note(write, caller, file.workshop_id, "files.upload", file.id, now, new_id)
            shown = file.to_response()
            await store_response(write, shown)
            return shown

        return await files.keep(db, blobs, arrival.id, arrival.checked(), record, now)
    except DomainError:
        await form.drain()
        raise


async def download(db: Read, caller: Caller, file_id: str, request: Request, blobs: Blobs) -> Response:
    """The bytes as they were sent, as a download; one range of them where a Range header asks for it."""
    return sent(request, blobs, await files.find_for(db, caller, file_id))


class _Arrival:
    """A file on its way in. `arrived` is set once every byte of it and every field beside it is right."""

    def __init__(self, db: Database, caller: Caller, form: Form, room: StorageQuota, id_: str, now: Instant) -> None:
        self.id = id_
        self.arrived: StoredFile
        self._db = db
        self._caller = caller
        self._form = form
        self._room = room
        self._now = now

    async def checked(self) -> AsyncIterator[bytes]:
        """What is to be kept, piece by piece. The last piece comes out before all is known to be right, and what
        is not is a refusal: who keeps the pieces keeps them whole or not at all."""
        pieces = self._form.pieces()
        beginning = await _beginning(pieces)
        kind = content_type_of(beginning)
        if kind == "application/pdf":
            check = PdfCheck()
            async for piece in _joined(beginning, pieces):
                check.feed(piece)
                self._room.require(check.size)
                yield piece
            check.require_complete()
            await self._arrive(kind, check.size)
        else:
            content = await _gathered(beginning, pieces)
            require_icon(kind, content)
            await self._arrive(kind, len(content))
            yield content

    async def _arrive(self, kind: ContentType, size: int) -> None:
        new = await self._form.fields_as(NewFile)
        require_category(new.category, kind)
        async with self._db.read() as db:
            workshop_id = await files.destination(db, self._caller, new)
        self.arrived = StoredFile(
            id=self.id,
            workshop_id=workshop_id,
            category=new.category,
            content_type=kind,
            size_bytes=size,
            uploaded_by_uid=self._caller.uid,
            created_at=self._now,
            name=safe_name(self._form.file_name),
        )


async def _beginning(pieces: AsyncIterator[bytes]) -> bytes:
    """Enough to tell what it is, or all there is."""
    gathered = b""
    while len(gathered) < SIGNATURE_BYTES:
        piece = await anext(pieces, None)
        if piece is None:
            break
        gathered += piece
    return gathered


async def _gathered(beginning: bytes, pieces: AsyncIterator[bytes]) -> bytes:
    """Raises TooLarge as soon as it is more than an icon may be."""
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
