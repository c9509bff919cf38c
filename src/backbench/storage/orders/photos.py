"""Photos of orders in the database. Deleting a row frees its storage and orphans its blob (0070_photos.sql)."""

from collections.abc import Sequence

from backbench.domain.orders.photos import StoredPhoto
from backbench.domain.values.errors import NotFound
from backbench.storage.engine.database import Read, Write
from backbench.storage.engine.objects import Loaded
from backbench.storage.engine.rows import JoinedRow, columns

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


async def list_all(db: Read, order_id: str) -> list[StoredPhoto]:
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


async def delete(db: Write, photo_id: str) -> None:
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
