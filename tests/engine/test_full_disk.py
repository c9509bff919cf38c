"""A full disk: reads work, writes get 503 until there is room again, and no restart is needed."""

import asyncio
import contextlib
import resource
import sys
from collections.abc import AsyncIterator, Iterator
from pathlib import Path

import httpx
import pytest

from backbench.engine.database import Write
from backbench.engine.sqlite import SQLite
from backbench.values.errors import Unavailable
from tests.engine.faulty_vfs import FaultyDisk
from tests.people import App, Person, ids
from tests.support.cluster.postgres_cluster import Cluster
from tests.support.databases import new_file, running_app
from tests.support.server import Server, running_server, session_headers

_DISK_FULL = """
    CREATE FUNCTION no_room() RETURNS trigger LANGUAGE plpgsql
    AS $$ BEGIN RAISE EXCEPTION 'No space left on device' USING ERRCODE = 'disk_full'; END $$
"""


@pytest.fixture
def disk(request: pytest.FixtureRequest) -> Iterator[FaultyDisk]:
    disk = FaultyDisk(f"faulty-{request.node.name}")
    yield disk
    disk.unregister()


@pytest.fixture
async def app(tmp_path: Path, disk: FaultyDisk, monkeypatch: pytest.MonkeyPatch) -> AsyncIterator[App]:
    """An app whose database is on that disk."""
    db = SQLite(tmp_path / "app.db", vfs=disk.name)
    monkeypatch.setattr("backbench.app.open_database", lambda _: db)
    async with running_app(new_file(tmp_path)) as opened:
        yield opened


def assert_unavailable(answer: httpx.Response) -> None:
    assert answer.status_code == 503, answer.text
    assert answer.json()["code"] == "unavailable"
    assert int(answer.headers["retry-after"]) > 0


async def orders(person: Person) -> list[str]:
    answer = await person.get(f"/workshops/{person.workshop}/orders")
    assert answer.status_code == 200, answer.text
    return ids(answer.json()["orders"])


async def assert_writes_rejected_and_reads_served(anna: Person, order_id: str) -> None:
    before = await orders(anna)
    assert_unavailable(await anna.post(f"/workshops/{anna.workshop}/orders", {"title": "x" * 250}))
    assert_unavailable(await anna.patch(f"/orders/{order_id}", {"notes": "n" * 5000}))
    assert_unavailable(await anna.patch(f"/orders/{order_id}/status", {"status": "done"}))
    assert await orders(anna) == before
    order = (await anna.get(f"/orders/{order_id}")).json()["order"]
    assert (order["notes"], order["status"], len(order["statusHistory"])) == ("", "todo", 1)


@pytest.mark.parametrize("failure", ["is_full", "is_broken"])
async def test_a_full_or_broken_disk_rejects_writes_and_serves_reads(app: App, disk: FaultyDisk, failure: str) -> None:
    anna = await app.owner("Anna")
    order = await anna.order()
    for _ in range(3):
        setattr(disk, failure, True)
        await assert_writes_rejected_and_reads_served(anna, order["id"])
        setattr(disk, failure, False)
        assert (await anna.order())["id"] in await orders(anna)


async def test_a_full_disk_is_named_in_the_error(app: App, disk: FaultyDisk) -> None:
    anna = await app.owner("Anna")
    disk.is_full = True
    answer = await anna.post(f"/workshops/{anna.workshop}/orders", {"title": "x" * 250})
    assert answer.json()["detail"] == "The disk is full; reading still works"


def log_size(folder: Path) -> int:
    [log] = folder.glob("*.db-wal")
    return log.stat().st_size


@contextlib.contextmanager
def no_file_larger_than(size: int, running: Server) -> Iterator[None]:
    assert sys.platform == "linux"
    [worker] = running.workers()
    soft, hard = resource.prlimit(worker, resource.RLIMIT_FSIZE)
    resource.prlimit(worker, resource.RLIMIT_FSIZE, (size, hard))
    yield
    # Of the same worker: a new one would have no limit.
    resource.prlimit(worker, resource.RLIMIT_FSIZE, (soft, hard))


async def test_a_write_too_large_for_the_disk_acknowledges_no_other(app: App, disk: FaultyDisk) -> None:
    """More than SQLite caches, so that the disk is full in the middle of the group and not at its end."""
    anna = await app.owner("Anna")

    async def fill(db: Write) -> None:
        await db.run("CREATE TABLE filled (words BLOB NOT NULL)")
        for _ in range(40):
            await db.run("INSERT INTO filled (words) VALUES (zeroblob(600000))")

    path = f"/workshops/{anna.workshop}/orders"
    disk.is_full = True
    refused = await asyncio.gather(anna.post(path, {"title": "A" * 250}), app.db.write(fill), return_exceptions=True)
    assert isinstance(refused[1], Unavailable)
    assert isinstance(refused[0], httpx.Response)
    assert_unavailable(refused[0])
    assert await orders(anna) == []
    disk.is_full = False
    await app.db.write(fill)
    assert [await anna.order()] == (await anna.get(path)).json()["orders"]


@pytest.mark.skipif(sys.platform != "linux", reason="only Linux limits the files of another process")
async def test_a_server_at_its_file_size_limit_recovers_when_it_is_raised(tmp_path: Path) -> None:
    """The operating system itself rejects the write."""
    url = new_file(tmp_path)
    async with running_app(url) as setting_up:
        anna = await setting_up.owner("Anna")
    client = httpx.AsyncClient(headers=session_headers(anna), trust_env=False, verify=False, timeout=60)
    with running_server(url) as running:
        async with client as browser:
            path = f"{running.url}/api/workshops/{anna.workshop}/orders"
            assert (await browser.post(path, json={"title": "First"})).status_code == 201
            with no_file_larger_than(log_size(tmp_path), running):
                for _ in range(3):
                    assert_unavailable(await browser.post(path, json={"title": "x" * 250}))
                    assert len((await browser.get(path)).json()["orders"]) == 1
            assert (await browser.post(path, json={"title": "Second"})).status_code == 201
    async with running_app(url) as reopened, reopened.db.read() as db:
        assert await db.value("PRAGMA integrity_check") == "ok"
        assert await db.all(str, "SELECT title FROM orders ORDER BY created_at") == ["First", "Second"]


async def test_a_full_disk_under_postgresql_rejects_writes_and_serves_reads(breakable: Cluster) -> None:
    url = breakable.new_database("crowded")
    async with running_app(url) as full:
        anna = await full.owner("Anna")
        order = await anna.order()
        breakable.run(_DISK_FULL, "crowded")
        breakable.run("CREATE TRIGGER crowded BEFORE INSERT OR UPDATE ON orders EXECUTE FUNCTION no_room()", "crowded")
        await assert_writes_rejected_and_reads_served(anna, order["id"])
        breakable.run("DROP TRIGGER crowded ON orders", "crowded")
        assert (await anna.order())["id"] in await orders(anna)
