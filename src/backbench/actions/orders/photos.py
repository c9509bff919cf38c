"""Photos of an order: upload, list, read, change, reorder and delete them."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

from msgspec import UNSET, structs

from backbench.actions.authorization import require_member, require_role
from backbench.actions.orders.order_details import authorize
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
from backbench.storage.workshops import orders


async def list_all(db: Read, call: Call, order_id: str) -> PhotosList:
    """List the photos of an order. The first is its cover."""
    await authorize(db, call, order_id)
    return _list_of(await photos.list_all(db, order_id))


async def get(db: Read, call: Call, photo_id: str) -> Photo:
    """Read what is recorded of a photo."""
    return (await find_for(db, call, photo_id)).to_response()


async def find_for(db: Read, call: Call, photo_id: str) -> StoredPhoto:
    """The photo. Raises NotFound, and Forbidden when it is another workshop's."""
    photo = await photos.find(db, photo_id)
    await require_member(db, call, photo.workshop_id)
    return photo


async def find_shared(db: Read, call: OrderLinkCall, photo_id: str) -> StoredPhoto:
    """A photo that the customer of the status link may see. Raises NotFound."""
    photo = await photos.find(db, photo_id)
    if photo.order_id != call.caller.order.order_id or not photo.shared:
        raise NotFound
    return photo


@asynccontextmanager
async def written(
    db: Database, call: Call, order_id: str, new: NewPhoto, content: bytes, services: Services
) -> AsyncIterator[StoredPhoto]:
    """Decodes an upload and writes its blob, for the block whose transaction records it.

    Raises ValidationError, NotFound, Forbidden, Conflict.
    """
    taken_at = None if new.taken_at is UNSET else moment_at(new.taken_at, "/takenAt")
    async with db.read() as read:
        workshop_id = await _find_workshop(read, call, order_id)
        # Judged before a photo is decoded, and again in its transaction.
        require_less_than_most(await photos.count(read, order_id))
    scaled = await services.photo_scaler.scale(content)
    # The body may have taken minutes to arrive.
    now = services.clock()
    photo = StoredPhoto(
        id=call.new_id(),
        workshop_id=workshop_id,
        order_id=order_id,
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


async def upload(db: Write, call: Call, order_id: str, prepared: StoredPhoto, services: Services) -> Audited[Photo]:
    """Upload a photo of an order (JPEG, PNG or WebP) as multipart/form-data.

    It is turned upright, scaled down to at most 2,048 pixels a side and written anew without any metadata.
    """
    # Locks the order: no other upload counts its photos meanwhile.
    workshop_id = await _lock_order(db, call, order_id)
    require_less_than_most(await photos.count(db, order_id))
    photo = structs.replace(prepared, position=await photos.next_position(db, order_id))
    await take_storage(db, workshop_id, photo.id, photo.size_bytes, photo.created_at, services.plan_rules)
    await photos.add(db, photo)
    return _audited(photo)


async def update(db: Write, call: Call, photo_id: str, body: PhotoEdit) -> Audited[Photo] | Unchanged[Photo]:
    """Change the kind or the caption of a photo, or whether the customer may see it; null clears the caption."""
    before = await _lock_for(db, call, photo_id)
    after = before.edited(body)
    if after == before:
        return Unchanged(before.to_response())
    await photos.save_edit(db, after)
    return _audited(after)


async def delete(db: Write, call: Call, photo_id: str) -> StoredPhoto:
    """Delete a photo."""
    photo = await _lock_for(db, call, photo_id)
    await photos.delete(db, photo_id)
    return photo


async def reorder(
    db: Write, call: Call, order_id: str, body: PhotosOrder
) -> Audited[PhotosList] | Unchanged[PhotosList]:
    """Set the order of the photos of an order. The first is its cover."""
    workshop_id = await _lock_order(db, call, order_id)
    before = await photos.list_all(db, order_id)
    require_same(before, body)
    if [photo.id for photo in before] == body.photo_ids:
        return Unchanged(_list_of(before))
    await photos.save_order(db, body.photo_ids)
    return Audited(_list_of(await photos.list_all(db, order_id)), workshop_id, body.photo_ids[0])


async def _lock_for(db: Write, call: Call, photo_id: str) -> StoredPhoto:
    """The photo, locked until the end of the transaction. Raises NotFound, Forbidden."""
    await find_for(db, call, photo_id)
    return await photos.find(db.locking(), photo_id)


async def _find_workshop(db: Read, call: Call, order_id: str) -> str:
    """The id of the order's workshop. Raises NotFound, Forbidden."""
    order, role = await orders.find(db, order_id, call.uid)
    require_role(call, order.workshop_id, role)
    return order.workshop_id


async def _lock_order(db: Write, call: Call, order_id: str) -> str:
    """The same; the order is locked until the end of the transaction."""
    order, role = await orders.lock(db, order_id, call.uid)
    require_role(call, order.workshop_id, role)
    return order.workshop_id


def _audited(photo: StoredPhoto) -> Audited[Photo]:
    return Audited(photo.to_response(), photo.workshop_id, photo.id)


def _list_of(found: list[StoredPhoto]) -> PhotosList:
    return PhotosList([photo.to_response() for photo in found])
