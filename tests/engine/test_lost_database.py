"""An unavailable database: 503 with Retry-After, and recovery without a restart when it is available again."""

import asyncio
import contextlib
import shutil
from collections.abc import AsyncIterator, Iterator
from pathlib import Path

import apsw
import httpx
import pytest

from backbench.engine import sqlite
from backbench.engine.database import Write
from backbench.engine.postgres import cluster as postgres_cluster
from backbench.engine.postgres import cluster as servers_cluster
from backbench.engine.postgres import hosts
from backbench.engine.postgres.database import Postgres
from backbench.engine.sqlite import SQLite
from backbench.values.errors import Unavailable
from tests.engine.faulty_vfs import FaultyDisk
from tests.people import App, Person
from tests.support.cluster.postgres_cluster import WITHOUT_TLS, Cluster, cluster
from tests.support.databases import running_app
from tests.support.providers.servers import stream_server

SQLITE_FILES = ("app.db", "app.db-wal", "app.db-shm")


@pytest.fixture(autouse=True)
def no_wait(monkeypatch: pytest.MonkeyPatch) -> None:
    """These outages last longer than requests wait."""
    monkeypatch.setattr(postgres_cluster, "_SECONDS", 0.0)


@pytest.fixture
def wait(no_wait: None, monkeypatch: pytest.MonkeyPatch) -> None:
    """The server stays in service, and only connections are lost."""
    monkeypatch.setattr(postgres_cluster, "_SECONDS", 10.0)


@pytest.fixture
async def on_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> AsyncIterator[App]:
    """An app whose file is `tmp_path/place/app.db`; each read checks that it is still there."""
    monkeypatch.setattr(sqlite, "_FILE_CHECK_SECONDS", 0.0)
    async with running_app(f"sqlite:///{tmp_path}/place/app.db") as app:
        yield app


@pytest.fixture
async def on_server(breakable: Cluster, request: pytest.FixtureRequest) -> AsyncIterator[App]:
    async with running_app(breakable.new_database(request.node.name)) as app:
        yield app


def assert_unavailable(answer: httpx.Response) -> None:
    assert answer.status_code == 503, answer.text
    assert answer.json()["code"] == "unavailable"
    assert int(answer.headers["retry-after"]) > 0


async def ready(person: Person) -> int:
    answer = await person.browser.get("/readyz")
    assert (answer.status_code == 503) == ("retry-after" in answer.headers)
    return answer.status_code


async def assert_out_of_service(anna: Person, order_id: str) -> None:
    assert_unavailable(await anna.post(f"/workshops/{anna.workshop}/orders", {"title": "Lost?"}))
    assert_unavailable(await anna.get(f"/orders/{order_id}"))
    assert_unavailable(await anna.patch(f"/orders/{order_id}/status", {"status": "done"}))
    assert await ready(anna) == 503
    assert (await anna.browser.get("/healthz")).status_code == 200


async def assert_in_service(anna: Person, order_id: str) -> None:
    """What was there is there, what was rejected is not, and writes work."""
    assert await ready(anna) == 200
    found = (await anna.get(f"/orders/{order_id}")).json()["order"]
    assert (found["status"], len(found["statusHistory"])) == ("todo", 1)
    listed = (await anna.get(f"/workshops/{anna.workshop}/orders")).json()["orders"]
    assert "Lost?" not in [order["title"] for order in listed]
    assert (await anna.order())["title"] == "Oak table"


# SQLite


@contextlib.contextmanager
def moved_away(here: Path, there: Path) -> Iterator[None]:
    here.rename(there)
    yield
    # Nothing was put in its place, which the way back would have to overwrite.
    assert not here.exists()
    there.rename(here)


@pytest.mark.parametrize("moved", ["place/app.db", "place"], ids=["the file", "the folder"])
async def test_a_file_that_is_moved_away_and_back_is_found_again(on_file: App, tmp_path: Path, moved: str) -> None:
    anna = await on_file.owner("Anna")
    order = await anna.order()
    for _ in range(2):
        with moved_away(tmp_path / moved, tmp_path / "elsewhere"):
            await assert_out_of_service(anna, order["id"])
            with pytest.raises(Unavailable):
                await all_titles(on_file)
        await assert_in_service(anna, order["id"])


async def all_titles(app: App) -> list[str]:
    """Read like an export: on a connection of its own."""
    async with app.db.snapshot() as db:
        return await db.all(str, "SELECT title FROM orders")


async def test_a_backup_that_replaces_the_file_is_served_from_then_on(on_file: App, tmp_path: Path) -> None:
    anna = await on_file.owner("Anna")
    kept = await anna.order()
    await on_file.db.write(lambda db: db.value("SELECT 1"))
    with contextlib.closing(apsw.Connection(str(tmp_path / "place" / "app.db"))) as file:
        file.execute("VACUUM INTO ?", (str(tmp_path / "backup.db"),))
    later = await anna.order()
    for name in SQLITE_FILES:
        (tmp_path / "place" / name).unlink()
    (tmp_path / "backup.db").rename(tmp_path / "place" / "app.db")
    assert (await anna.get(f"/orders/{later['id']}")).status_code == 404
    await assert_in_service(anna, kept["id"])


async def test_a_corrupted_file_is_unavailable_and_recovers(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The disk returns wrong content for a while, as with a failing controller."""
    db = SQLite(tmp_path / "app.db")
    await db.write(lambda handle: handle.run("CREATE TABLE kept (number BIGINT)"))
    await db.close()
    shutil.copy(tmp_path / "app.db", tmp_path / "whole.db")
    (tmp_path / "app.db").write_bytes(b"\0nonsense" * 1000)
    db = SQLite(tmp_path / "app.db")
    with pytest.raises(Unavailable):
        await db.ready()
    with pytest.raises(Unavailable):
        await db.write(lambda handle: handle.run("INSERT INTO kept (number) VALUES (1)"))
    shutil.copy(tmp_path / "whole.db", tmp_path / "app.db")
    await db.ready()
    assert await db.write(lambda handle: handle.run("INSERT INTO kept (number) VALUES (1)")) == 1
    await db.close()


async def test_an_unreadable_file_is_unavailable_and_recovers(tmp_path: Path) -> None:
    disk = FaultyDisk("unreadable")
    db = SQLite(tmp_path / "app.db", vfs=disk.name)
    for sql in ("CREATE TABLE kept (number BIGINT)", "INSERT INTO kept (number) VALUES (7)"):
        await db.write(lambda handle, sql=sql: handle.run(sql))  # type: ignore[misc] # a default binds it
    disk.is_unreadable = True
    with pytest.raises(Unavailable):
        async with db.read() as read:
            await read.value("SELECT number FROM kept")
    with pytest.raises(Unavailable):
        await db.ready()
    disk.is_unreadable = False
    await db.ready()
    async with db.read() as read:
        assert await read.value("SELECT number FROM kept") == 7
    await db.close()
    disk.unregister()


async def test_a_readiness_check_does_not_disturb_a_commit_in_progress(tmp_path: Path) -> None:
    disk = FaultyDisk("slow")
    db = SQLite(tmp_path / "app.db", vfs=disk.name)
    await db.write(lambda handle: handle.run("CREATE TABLE kept (number BIGINT)"))
    disk.is_syncing.clear()
    disk.may_sync.clear()
    writing = asyncio.create_task(db.write(lambda handle: handle.run("INSERT INTO kept (number) VALUES (1)")))
    await asyncio.to_thread(disk.is_syncing.wait, 60)
    with moved_away(tmp_path / "app.db", tmp_path / "elsewhere.db"), pytest.raises(Unavailable):
        await db.ready()
    await db.ready()
    disk.may_sync.set()
    assert await writing == 1
    async with db.read() as read:
        assert await read.value("SELECT count(*) FROM kept") == 1
    await db.close()
    disk.unregister()


# PostgreSQL


async def test_a_restarted_server_is_used_again(on_server: App, breakable: Cluster) -> None:
    anna = await on_server.owner("Anna")
    order = await anna.order()
    breakable.stop()
    try:
        await assert_out_of_service(anna, order["id"])
    finally:
        breakable.start()
    await assert_in_service(anna, order["id"])


@pytest.mark.usefixtures("wait")
async def test_ended_connections_are_replaced(on_server: App, breakable: Cluster) -> None:
    """Also for a request that comes before this process has received the end of any."""
    anna = await on_server.owner("Anna")
    order = await anna.order()
    for _ in range(3):
        async with on_server.db.read() as one, on_server.db.read() as another:
            assert await one.value("SELECT 1") == await another.value("SELECT 1")
        # Waits for their end, and nothing else runs in this process meanwhile.
        ended = (
            "SELECT count(pg_terminate_backend(pid, 60000)) FROM pg_stat_activity WHERE application_name <> 'psql' AND"
        )
        assert int(breakable.run(f"{ended} datname IS NOT NULL")) > 1
        await assert_in_service(anna, order["id"])


async def test_a_write_on_an_ended_connection_is_unavailable_and_undone(on_server: App, breakable: Cluster) -> None:
    await on_server.db.write(lambda db: db.run("CREATE TABLE kept (number BIGINT)"))

    async def work(db: Write) -> None:
        await db.run("INSERT INTO kept (number) VALUES (1)")
        number = await db.value("SELECT pg_backend_pid()")
        breakable.run(f"SELECT pg_terminate_backend({number}, 60000)")
        await db.run("INSERT INTO kept (number) VALUES (2)")

    with pytest.raises(Unavailable):
        await on_server.db.write(work)
    async with on_server.db.read() as db:
        assert await db.value("SELECT count(*) FROM kept") == 0


async def test_a_server_that_becomes_read_only_serves_reads_and_then_writes_again(
    on_server: App, breakable: Cluster
) -> None:
    anna = await on_server.owner("Anna")
    order = await anna.order()
    path = f"/orders/{order['id']}/status"
    name = breakable.run("SELECT datname FROM pg_stat_activity WHERE datname LIKE '%read_only%' LIMIT 1")
    breakable.run(f'ALTER DATABASE "{name}" SET default_transaction_read_only = on')
    breakable.run(f"SELECT pg_terminate_backend(pid, 60000) FROM pg_stat_activity WHERE datname = '{name}'")
    assert_unavailable(await anna.patch(path, {"status": "done"}))
    # It waits for another connection, since the ones in the pool have ended.
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(postgres_cluster, "_SECONDS", 10.0)
        assert (await anna.get(f"/orders/{order['id']}")).status_code == 200
    breakable.run(f'ALTER DATABASE "{name}" RESET default_transaction_read_only')
    # Connections made in the meantime remain read-only; each is dropped after one error.
    await anna.patch(path, {"status": "done"})
    assert (await anna.patch(path, {"status": "done"})).status_code == 200


# Several hosts


async def test_a_promoted_standby_is_used_and_the_old_primary_refused() -> None:
    with cluster() as first:
        second = first.standby(first.folder.parent / "second")
        second.start()
        first.run("ALTER SYSTEM SET synchronous_standby_names = '*'")
        first.run("SELECT pg_reload_conf()")
        first.run("CREATE ROLE office LOGIN")
        first.run("CREATE DATABASE shop OWNER office")
        # The standby is named first: it accepts connections, but it is not the primary.
        url = f"postgresql://office@{second.host},{first.host}/shop?{WITHOUT_TLS}"
        async with running_app(url) as app:
            anna = await app.owner("Anna")
            order = await anna.order()
            first.kill()
            await assert_out_of_service(anna, order["id"])
            second.promote()
            second.run("ALTER SYSTEM RESET synchronous_standby_names")
            second.run("SELECT pg_reload_conf()")
            try:
                await assert_in_service(anna, order["id"])
            finally:
                first.start()
            # Both are primaries now, and what the old one accepts would be lost.
            assert (
                await server_at_start(f"postgresql://office@{first.host},{second.host}/shop?{WITHOUT_TLS}")
                == second.port
            )
            second.kill()
            await assert_out_of_service(anna, order["id"])
            refused = await anna.post(f"/workshops/{anna.workshop}/orders", {"title": "Lost?"})
            assert "its timeline is 1, and the newest is 2" in refused.json()["detail"]
            second.start()
            await assert_in_service(anna, order["id"])
            second.kill()


async def server_at_start(url: str) -> int:
    db = Postgres(url)
    async with db.read() as read:
        port: int = await read.value("SELECT inet_server_port()")
    await db.close()
    return port


async def test_a_host_that_does_not_respond_is_skipped(breakable: Cluster, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(servers_cluster, "_CONNECT_SECONDS", 2.0)
    monkeypatch.setattr(hosts, "_ASK_AGAIN_SECONDS", 3600.0)
    held: list[asyncio.StreamWriter] = []

    async def accept(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        held.append(writer)
        await reader.read()

    breakable.new_database("beside_silence")
    async with (
        stream_server(accept) as port,
        running_app(f"postgresql://postgres@127.0.0.1:{port},{breakable.host}/beside_silence?{WITHOUT_TLS}") as app,
    ):
        anna = await app.owner("Anna")
        order = await anna.order()
        await assert_in_service(anna, order["id"])
        async with app.db.read() as one, app.db.read() as another:
            assert await one.value("SELECT 1") == await another.value("SELECT 1")
        # Only the first connection has asked it, and waited for an answer.
        assert len(held) == 1
