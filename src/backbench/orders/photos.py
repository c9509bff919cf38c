"""Photos of an order: what a member took of the thing, some of which the customer may see; which uploads are photos."""

from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from typing import Annotated, Final, Literal

from msgspec import UNSET, Meta, Struct, UnsetType, structs

from backbench.engine.database import Database, Read, Write
from backbench.engine.objects import Loaded
from backbench.engine.rows import JoinedRow, columns
from backbench.estimating import images
from backbench.estimating.stored_blobs import once, take_storage, written_blob
from backbench.http.multipart import Form
from backbench.http.requests import Request
from backbench.http.responses import IMMUTABLE, REVALIDATED, Response
from backbench.http.streaming import Content, content_or_range
from backbench.integrations.photos.protocol import MAX_PIXELS, damaged
from backbench.orders.order_links import OrderLinkCall
from backbench.orders.orders import StoredOrder
from backbench.services import Services
from backbench.sharing.links import moment_at
from backbench.values.calls import Call
from backbench.values.errors import Conflict, FieldError, NotFound, TooLarge, UnsupportedMedia, ValidationError
from backbench.values.ids import Identifier
from backbench.values.scalars import NO_CONTROL, NOT_BLANK, NOT_REVERSED, ONE_LINE
from backbench.values.shapes import edited, made_of
from backbench.values.times import Instant
from backbench.workshops.audit import Audited, Unchanged


class ClientPhoto(Struct, frozen=True, rename="camel", omit_defaults=True):
    id: str
    kind: str
    taken_at: Instant
    caption: str | UnsetType = UNSET


PhotoKind = Literal["before", "during", "after", "detail"]
Caption = Annotated[str, Meta(max_length=250, pattern=NO_CONTROL, extra=ONE_LINE), NOT_BLANK, NOT_REVERSED]
MAX_PHOTOS = 40
MAX_UPLOAD_BYTES: Final = 10 * 1024 * 1024
# The brands of HEIF files, of which HEIC is what phones of Apple make.
_HEIF_BRANDS = frozenset({b"heic", b"heix", b"hevc", b"hevx", b"heim", b"heis", b"mif1", b"msf1"})


class Photo(Struct, frozen=True, rename="camel", kw_only=True):
    """`width`, `height` and `size_bytes` are those of the stored image."""

    id: str
    order_id: str
    kind: PhotoKind
    shared: bool
    taken_at: Instant
    width: int
    height: int
    size_bytes: int
    created_at: Instant
    created_by_uid: str
    caption: str | UnsetType = UNSET


class PhotosList(Struct, frozen=True):
    photos: list[Photo]


class NewPhoto(Struct, frozen=True, rename="camel", forbid_unknown_fields=True):
    """The fields of an upload beside the file. An empty caption is none."""

    kind: PhotoKind
    caption: Caption | UnsetType = UNSET
    taken_at: Annotated[str, Meta(max_length=40, extra_json_schema={"format": "date-time"})] | UnsetType = UNSET
    shared: bool = False


class PhotoEdit(Struct, frozen=True, rename="camel", forbid_unknown_fields=True):
    """An absent member is unchanged. null or an empty text clears the caption."""

    kind: PhotoKind | UnsetType = UNSET
    caption: Caption | UnsetType | None = UNSET
    shared: bool | UnsetType = UNSET


class PhotosOrder(Struct, frozen=True, rename="camel", forbid_unknown_fields=True):
    """The ids of all photos of the order. The first is the cover."""

    photo_ids: Annotated[list[Identifier], Meta(max_length=MAX_PHOTOS)]


class StoredPhoto(Photo, frozen=True, kw_only=True):
    """The row. Its blob has the image in its first `size_bytes`, and the thumbnail after them."""

    workshop_id: str
    position: int
    thumb_bytes: int

    @property
    def file_name(self) -> str:
        return f"{self.taken_at[:10]}-{self.kind}.jpg"


def require_same(photos: list[StoredPhoto], order: PhotosOrder) -> None:
    """Raises ValidationError unless the order names each of the photos once."""
    if sorted(order.photo_ids) != sorted(photo.id for photo in photos):
        raise ValidationError(
            FieldError("/photoIds", "unknown", "Expected the ids of all photos of the order, each once")
        )


def require_less_than_most(number: int) -> None:
    """Raises Conflict `plan_limit` where the order has as many photos as it can."""
    if number >= MAX_PHOTOS:
        detail = f"An order can have at most {MAX_PHOTOS} photos"
        raise Conflict("plan_limit", detail, limit=MAX_PHOTOS, current=number)


def require_photo(content: bytes) -> None:
    """Judges an upload by its beginning, before anything is decoded.

    Raises UnsupportedMedia for another type, TooLarge for too many pixels, ValidationError without a readable header.
    """
    if content[4:8] == b"ftyp" and content[8:12] in _HEIF_BRANDS:
        raise UnsupportedMedia("This is a HEIC photo. Send it as JPEG: phones do where the page asks for JPEG")
    is_webp = content[:4] == b"RIFF" and content[8:12] == b"WEBP"
    if not (is_webp or content.startswith((images.PNG_SIGNATURE, images.JPEG_SIGNATURE))):
        raise UnsupportedMedia("The content is not a JPEG, PNG or WebP image")
    size = images.claimed_size(content)
    if size is None:
        raise damaged("The photo has no size")
    if size.width * size.height > MAX_PIXELS:
        raise TooLarge(MAX_PIXELS, "A photo may have at most 50 megapixels")


# Statements


COLUMNS = columns(StoredPhoto)
_IN_ORDER = "ORDER BY position, id"
# The photo of a path.
PHOTO = Loaded(StoredPhoto, "photo", "photos p", key="photo_id")


async def find(db: Read, photo_id: str) -> StoredPhoto:
    """Raises NotFound."""
    photo = await db.one(StoredPhoto, f"SELECT {COLUMNS} FROM photos WHERE id = :id", id=photo_id)
    if photo is None:
        raise NotFound
    return photo


async def list_stored(db: Read, order_id: str) -> list[StoredPhoto]:
    """The photos of the order, the cover first: a limit keeps them few."""
    sql = f"SELECT {COLUMNS} FROM photos WHERE order_id = :order_id {_IN_ORDER}"
    return await db.all(StoredPhoto, sql, order_id=order_id)


async def list_shared(db: Read, order_id: str) -> list[StoredPhoto]:
    """Those that the customer may see."""
    sql = f"SELECT {COLUMNS} FROM photos WHERE order_id = :order_id AND shared = 1 {_IN_ORDER}"
    return await db.all(StoredPhoto, sql, order_id=order_id)


async def count(db: Read, order_id: str) -> int:
    return int(await db.value("SELECT count(*) FROM photos WHERE order_id = :order_id", order_id=order_id))


async def next_position(db: Read, order_id: str) -> int:
    sql = "SELECT coalesce(max(position), 0) + 1 FROM photos WHERE order_id = :order_id"
    return int(await db.value(sql, order_id=order_id))


async def save_order(db: Write, photo_ids: Sequence[str]) -> None:
    for position, photo_id in enumerate(photo_ids, 1):
        await db.run("UPDATE photos SET position = :position WHERE id = :id", id=photo_id, position=position)


async def delete_row(db: Write, photo_id: str) -> None:
    """Raises NotFound, where another request has deleted it meanwhile."""
    if not await db.run("DELETE FROM photos WHERE id = :id", id=photo_id):
        raise NotFound


class NumberedPhoto(JoinedRow, frozen=True):
    """A photo, and the number of its order."""

    photo: StoredPhoto
    number: int


async def list_after(db: Read, workshop_id: str, after_id: str, limit: int) -> list[NumberedPhoto]:
    """The next photos of the workshop by id."""
    sql = f"""
        SELECT {columns(StoredPhoto, "p")}, d.number FROM photos p JOIN order_details d ON d.order_id = p.order_id
        WHERE p.workshop_id = :workshop_id AND p.id > :after ORDER BY p.id LIMIT :limit
    """
    return await db.all(NumberedPhoto, sql, workshop_id=workshop_id, after=after_id, limit=limit)


# Verbs


async def list_all(db: Read, order: StoredOrder) -> PhotosList:
    """List the photos of an order. The first is its cover."""
    return _list_of(await list_stored(db, order.id))


async def get(db: Read, photo: StoredPhoto) -> Photo:
    """Read what is recorded of a photo."""
    return made_of(Photo, photo)


async def find_shared(db: Read, call: OrderLinkCall, photo_id: str) -> StoredPhoto:
    """A photo that the customer of the status link may see. Raises NotFound."""
    photo = await find(db, photo_id)
    if photo.order_id != call.caller.order.order_id or not photo.shared:
        raise NotFound
    return photo


@asynccontextmanager
async def written(
    db: Database, call: Call, order: StoredOrder, new: NewPhoto, content: bytes, services: Services
) -> AsyncIterator[StoredPhoto]:
    """Decodes an upload and writes its blob, for the block whose transaction records it.

    Raises ValidationError, Conflict.
    """
    taken_at = None if new.taken_at is UNSET else moment_at(new.taken_at, "/takenAt")
    async with db.read() as read:
        # Judged before a photo is decoded, and again in its transaction.
        require_less_than_most(await count(read, order.id))
    scaled = await services.photo_scaler.scale(content)
    # The body may have taken minutes to arrive.
    now = services.clock()
    photo = made_of(
        StoredPhoto,
        new,
        id=call.new_id(),
        workshop_id=order.workshop_id,
        order_id=order.id,
        position=0,
        caption=new.caption or UNSET,
        taken_at=taken_at or now,
        width=scaled.width,
        height=scaled.height,
        size_bytes=len(scaled.image),
        thumb_bytes=len(scaled.thumb),
        created_at=now,
        created_by_uid=call.uid,
    )
    async with written_blob(db, services.blobs, photo.id, once(scaled.image + scaled.thumb), now):
        yield photo


async def upload(db: Write, order: StoredOrder, prepared: StoredPhoto, services: Services) -> Photo:
    """Upload a photo of an order (JPEG, PNG or WebP) as multipart/form-data.

    It is turned upright, scaled down to at most 2,048 pixels a side and written anew without any metadata.
    """
    # The order is locked: no other upload counts its photos meanwhile.
    require_less_than_most(await count(db, order.id))
    photo = structs.replace(prepared, position=await next_position(db, order.id))
    await take_storage(db, order.workshop_id, photo.id, photo.size_bytes, photo.created_at, services.plan_rules)
    await db.add("photos", photo)
    return made_of(Photo, photo)


async def update(db: Write, photo: StoredPhoto, body: PhotoEdit) -> Photo | Unchanged[Photo]:
    """Change the kind or the caption of a photo, or whether the customer may see it; null clears the caption."""
    after = edited(photo, body)
    if after.caption == "":
        after = structs.replace(after, caption=UNSET)
    if after == photo:
        return Unchanged(made_of(Photo, photo))
    await db.save("photos", photo, kind=after.kind, caption=after.caption, shared=after.shared)
    return made_of(Photo, after)


async def delete(db: Write, photo: StoredPhoto) -> None:
    """Delete a photo."""
    await delete_row(db, photo.id)


async def reorder(db: Write, order: StoredOrder, body: PhotosOrder) -> Audited[PhotosList] | Unchanged[PhotosList]:
    """Set the order of the photos of an order. The first is its cover."""
    before = await list_stored(db, order.id)
    require_same(before, body)
    if [photo.id for photo in before] == body.photo_ids:
        return Unchanged(_list_of(before))
    await save_order(db, body.photo_ids)
    return Audited(_list_of(await list_stored(db, order.id)), order.workshop_id, body.photo_ids[0])


def _list_of(found: list[StoredPhoto]) -> PhotosList:
    return PhotosList([made_of(Photo, photo) for photo in found])


# Over HTTP


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
    async with written(db, call, order, new, bytes(content), services) as photo:
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
    return _image(request, services, await find_shared(db, call, photo_id), REVALIDATED)


async def client_thumb(db: Read, call: OrderLinkCall, photo_id: str, request: Request, services: Services) -> Response:
    """Download the thumbnail of a photo that the customer may see."""
    return _thumb(request, services, await find_shared(db, call, photo_id), REVALIDATED)


def _image(request: Request, services: Services, photo: StoredPhoto, cache_control: bytes) -> Response:
    content = Content(photo.id, photo.id, 0, photo.size_bytes, b"image/jpeg", photo.file_name, cache_control)
    return content_or_range(request, services.blobs, content, inline=True)


def _thumb(request: Request, services: Services, photo: StoredPhoto, cache_control: bytes) -> Response:
    start, tag = photo.size_bytes, f"{photo.id}-thumb"
    content = Content(tag, photo.id, start, photo.thumb_bytes, b"image/jpeg", photo.file_name, cache_control)
    return content_or_range(request, services.blobs, content, inline=True)
