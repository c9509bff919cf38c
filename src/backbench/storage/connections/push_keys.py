"""The key pair of push messages in the database: one for all nodes."""

from backbench.domain.connections.push import VapidKey
from backbench.domain.values.errors import NotFound
from backbench.storage.engine.database import Read, Write

_KEY = "SELECT private_key, public_key FROM push_keys WHERE id = 'vapid'"


async def lookup(db: Read) -> VapidKey | None:
    """None before the first browser asked for it."""
    return await db.one(VapidKey, _KEY)


async def find(db: Read) -> VapidKey:
    """Raises NotFound."""
    key = await lookup(db)
    if key is None:
        raise NotFound
    return key


async def add(db: Write, new: VapidKey) -> VapidKey:
    """The key that is stored: another one where another node was first."""
    sql = (
        "INSERT INTO push_keys (id, private_key, public_key) VALUES ('vapid', :private, :public) ON CONFLICT DO NOTHING"
    )
    await db.run(sql, private=new.private_key, public=new.public_key)
    return await lookup(db) or new
