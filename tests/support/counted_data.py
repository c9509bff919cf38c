"""What a workshop holds and what is counted for it."""

from backbench.engine.database import Read
from backbench.workshops import counters
from tests.people import App


async def surplus(db: Read, workshop_id: str) -> int:
    """How many bytes the counter of the workshop is above what it holds; negative where it is below."""
    return await counters.data_bytes(db, workshop_id) - await counters.actual_bytes(db, workshop_id)


async def held(app: App, workshop_id: str) -> int:
    """The bytes of data that the workshop holds, exactly."""
    async with app.db.read() as db:
        return await counters.actual_bytes(db, workshop_id)


async def assert_counted(app: App, workshop_id: str) -> None:
    """Nothing that the workshop holds is missing in its counter."""
    async with app.db.read() as db:
        assert await surplus(db, workshop_id) >= 0
