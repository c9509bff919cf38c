"""Photos in backups, and lost ones."""

from collections.abc import AsyncIterator, Callable
from pathlib import Path

import pytest

from backbench.engine.database import Database
from backbench.engine.urls import open_database
from backbench.hosting.backups import back_up, find_lost_files, restore
from backbench.integrations.blobs import open_blobs
from backbench.orders import photos
from backbench.values import times
from backbench.values.ids import new_id
from tests.people import App
from tests.support.databases import new_database, new_file, running_app
from tests.support.uploads import photo


@pytest.fixture
async def own_app(new_database_url: Callable[[], str]) -> AsyncIterator[App]:
    """With a database of its own, because a backup holds all of it."""
    async with running_app(new_database_url()) as opened:
        yield opened


@pytest.fixture(params=["sqlite", "postgres"])
async def empty(request: pytest.FixtureRequest, tmp_path: Path) -> AsyncIterator[Database]:
    url = new_file(tmp_path) if request.param == "sqlite" else new_database(request.getfixturevalue("postgres"))
    db = open_database(url)
    yield db
    await db.close()


async def test_photos_are_restored_and_lost_ones_are_named(own_app: App, empty: Database, tmp_path: Path) -> None:
    anna = await own_app.owner("Łucja")
    order = await anna.order()
    kept, lost = await photo(anna, order["id"]), await photo(anna, order["id"])
    content = (await anna.get(f"/photos/{kept['id']}/thumb")).content
    blobs, restored = own_app.backbench.blobs, open_blobs(f"file://{tmp_path}/restored")
    assert await find_lost_files(own_app.db, blobs) == []
    await blobs.delete(lost["id"])
    [named] = await find_lost_files(own_app.db, blobs)
    assert (named.id, named.name) == (lost["id"], "photo of order 1")
    made = await back_up(own_app.db, blobs, tmp_path / "backup", times.now())
    assert made.missing == [lost["id"]]
    await restore(empty, restored, tmp_path / "backup", new_id)
    async with empty.read() as db:
        [found] = await photos.list_stored(db, order["id"])
        used = await db.value("SELECT storage_used_bytes FROM workshops WHERE id = :id", id=anna.workshop)
    assert found.id == kept["id"]
    assert used == kept["sizeBytes"]
    start, end = found.size_bytes, found.size_bytes + found.thumb_bytes
    assert b"".join([piece async for piece in restored.read(kept["id"], start, end)]) == content
    assert await find_lost_files(empty, restored) == []
