"""Imports over HTTP: the upload of a file as multipart/form-data."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

from backbench.actions.authorization import member_of
from backbench.actions.imports import imports
from backbench.actions.services import Services
from backbench.domain.accounts.calls import Call
from backbench.domain.imports.imports import MAX_UPLOAD_BYTES, NewImport, StoredImport
from backbench.domain.values.errors import TooLarge
from backbench.http.multipart import Form
from backbench.http.requests import Request
from backbench.storage.engine.database import Database


@asynccontextmanager
async def receive(
    db: Database, call: Call, workshop_id: str, request: Request, services: Services
) -> AsyncIterator[StoredImport]:
    """Reads the upload and keeps its table. Raises TooLarge, UnsupportedMedia, ValidationError, Conflict."""
    # Before the body: a stranger makes the service read none.
    async with db.read() as read:
        await member_of(read, call, workshop_id)
    form = Form(request)
    content = bytearray()
    if await form.to_file():
        async for piece in form.pieces():
            content += piece
            if len(content) > MAX_UPLOAD_BYTES:
                raise TooLarge(MAX_UPLOAD_BYTES, "A file to import may have at most 10 MiB")
    new = await form.fields_as(NewImport)
    async with imports.proposed(db, call, workshop_id, new, form.file_name, bytes(content), services) as proposal:
        yield proposal
