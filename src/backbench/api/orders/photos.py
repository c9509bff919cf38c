"""Photos over HTTP: upload as multipart/form-data, and the stored images."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

from backbench.actions.orders import photos
from backbench.actions.services import Services
from backbench.domain.accounts.calls import Call
from backbench.domain.orders.order_links import OrderLinkCall
from backbench.domain.orders.photos import MAX_UPLOAD_BYTES, NewPhoto, StoredPhoto, require_photo
from backbench.domain.values.errors import TooLarge
from backbench.http.multipart import Form
from backbench.http.requests import Request
from backbench.http.responses import IMMUTABLE, REVALIDATED, Response
from backbench.http.streaming.ranges import Content, content_or_range
from backbench.storage.engine.database import Database, Read
from backbench.storage.workshops.orders import StoredOrder


@asynccontextmanager
async def receive(
    db: Database, call: Call, order: StoredOrder, request: Request, services: Services
) -> AsyncIterator[StoredPhoto]:
    """Reads the upload and writes its blob. Raises TooLarge, UnsupportedMedia, ValidationError, Conflict."""
    form = Form(request)
    content = bytearray()
    if await form.to_file():
        async for piece in form.pieces():
            content += piece
            if len(content) > MAX_UPLOAD_BYTES:
                raise TooLarge(MAX_UPLOAD_BYTES, "A photo may have at most 10 MiB")
        require_photo(bytes(content))
    new = await form.fields_as(NewPhoto)
    async with photos.written(db, call, order, new, bytes(content), services) as photo:
        yield photo


async def image(db: Read, photo: StoredPhoto, request: Request, services: Services) -> Response:
    """Download a photo as JPEG, at most 2,048 pixels a side."""
    return _image(request, services, photo, IMMUTABLE)


async def thumb(db: Read, photo: StoredPhoto, request: Request, services: Services) -> Response:
    """Download the thumbnail of a photo as JPEG, at most 320 pixels a side."""
    return _thumb(request, services, photo, IMMUTABLE)


async def client_image(db: Read, call: OrderLinkCall, photo_id: str, request: Request, services: Services) -> Response:
    """Download a photo that the customer may see."""
    # Revalidated: from the moment at which it is no longer shared, the customer does not get it.
    return _image(request, services, await photos.find_shared(db, call, photo_id), REVALIDATED)


async def client_thumb(db: Read, call: OrderLinkCall, photo_id: str, request: Request, services: Services) -> Response:
    """Download the thumbnail of a photo that the customer may see."""
    return _thumb(request, services, await photos.find_shared(db, call, photo_id), REVALIDATED)


def _image(request: Request, services: Services, photo: StoredPhoto, cache_control: bytes) -> Response:
    content = Content(photo.id, photo.id, 0, photo.size_bytes, b"image/jpeg", photo.file_name, cache_control)
    return content_or_range(request, services.blobs, content, inline=True)


def _thumb(request: Request, services: Services, photo: StoredPhoto, cache_control: bytes) -> Response:
    start, tag = photo.size_bytes, f"{photo.id}-thumb"
    content = Content(tag, photo.id, start, photo.thumb_bytes, b"image/jpeg", photo.file_name, cache_control)
    return content_or_range(request, services.blobs, content, inline=True)
