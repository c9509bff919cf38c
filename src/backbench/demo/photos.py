"""Photos in the demo: pictures of the things that its orders are about, added as a member would."""

from msgspec import structs

from backbench.demo.log import Log
from backbench.demo.pictures import drawn
from backbench.demo.workshop import DemoPhoto, instant
from backbench.engine.database import Database
from backbench.orders import photos
from backbench.orders.orders import ORDER
from backbench.services import Services
from backbench.values.calls import Call


async def add_photo(db: Database, call: Call, order_id: str, planned: DemoPhoto, services: Services, log: Log) -> None:
    """Raises Unavailable."""
    at = instant(planned.at, call.now)
    new = structs.replace(planned.body, taken_at=at)
    async with db.read() as read:
        order = await ORDER.find(read, call, order_id)
    async with photos.written(db, call, order, new, drawn(planned.picture), services) as photo:
        await db.write(lambda write: photos.upload(write, order, photo, services))
    log.record(call.caller, "photo.created", photo.id, at)
