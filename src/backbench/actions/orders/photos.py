"""Photos of an order: upload, list, read, change, reorder and delete them."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

from msgspec import UNSET, structs

from backbench.actions.services import Services
from backbench.actions.stored_blobs import once, take_storage, written_blob
from backbench.domain.accounts.calls import Call
from backbench.domain.orders.order_links import OrderLinkCall
from backbench.domain.orders.photos import (
    NewPhoto,
    Photo,
    PhotoEdit,
    PhotosList,
    PhotosOrder,
    StoredPhoto,
    require_less_than_most,
    require_same,
)
from backbench.domain.sharing.links import moment_at
from backbench.domain.values.errors import NotFound
from backbench.domain.workshops.audit import Audited, Unchanged
from backbench.storage.engine.database import Database, Read, Write
from backbench.storage.orders import photos
from backbench.storage.workshops.orders import StoredOrder


async def list_all(db: Read, order: StoredOrder) -> PhotosList:
    """List the photos of an order. The first is its cover."""
    return _list_of(await photos.list_all(db, order.id))


async def get(db: Read, photo: StoredPhoto) -> Photo:
    """Read what is recorded of a photo."""
    return photo.to_response()


async def find_shared(db: Read, call: OrderLinkCall, photo_id: str) -> StoredPhoto:
    """A photo that the customer of the status link may see. Raises NotFound."""
    photo = await photos.find(db, photo_id)
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
        require_less_than_most(await photos.count(read, order.id))
    scaled = await services.photo_scaler.scale(content)
    # The body may have taken minutes to arrive.
    now = services.clock()
    photo = StoredPhoto(
        id=call.new_id(),
        workshop_id=order.workshop_id,
        order_id=order.id,
        position=0,
        kind=new.kind,
        caption=new.caption or UNSET,
        shared=new.shared,
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
    require_less_than_most(await photos.count(db, order.id))
    photo = structs.replace(prepared, position=await photos.next_position(db, order.id))
    await take_storage(db, order.workshop_id, photo.id, photo.size_bytes, photo.created_at, services.plan_rules)
    await db.add("photos", photo)
    return photo.to_response()


async def update(db: Write, photo: StoredPhoto, body: PhotoEdit) -> Photo | Unchanged[Photo]:
    """Change the kind or the caption of a photo, or whether the customer may see it; null clears the caption."""
    after = photo.edited(body)
    if after == photo:
        return Unchanged(photo.to_response())
    await db.save("photos", photo, kind=after.kind, caption=after.caption, shared=after.shared)
    return after.to_response()


async def delete(db: Write, photo: StoredPhoto) -> None:
    """Delete a photo."""
    await photos.delete(db, photo.id)


async def reorder(db: Write, order: StoredOrder, body: PhotosOrder) -> Audited[PhotosList] | Unchanged[PhotosList]:
    """Set the order of the photos of an order. The first is its cover."""
    before = await photos.list_all(db, order.id)
    require_same(before, body)
    if [photo.id for photo in before] == body.photo_ids:
        return Unchanged(_list_of(before))
    await photos.save_order(db, body.photo_ids)
    return Audited(_list_of(await photos.list_all(db, order.id)), order.workshop_id, body.photo_ids[0])


def _list_of(found: list[StoredPhoto]) -> PhotosList:
    return PhotosList([photo.to_response() for photo in found])
