"""Backups: a consistent snapshot, and its restore on either engine."""

import contextlib
import os
import shutil
import stat
import tracemalloc
from collections.abc import AsyncGenerator, AsyncIterator, Callable
from pathlib import Path
from typing import Any, cast

import msgspec
import pytest

from backbench.engine.database import Database, Read, Work, Write
from backbench.engine.urls import open_database
from backbench.hosting.backups import back_up, find_lost_files, lost_files, restore
from backbench.integrations.blobs import BlobMissing, Blobs, FolderBlobs, open_blobs
from backbench.orders import orders
from backbench.orders.orders import NewOrder
from backbench.values import times
from backbench.values.errors import Conflict, Unavailable
from backbench.values.ids import new_id
from tests.people import App, Person
from tests.support.database_dump import dump_of
from tests.support.databases import new_database, new_file, running_app
from tests.support.providers import s3_server
from tests.support.violations import violations

BYTES = b"%PDF-1.7 " + bytes(range(256)) * 2000


@pytest.fixture
def blobs(tmp_path: Path) -> Blobs:
    """The file store of the app."""
    return open_blobs(f"file://{tmp_path}/files")


@pytest.fixture
def other_blobs(tmp_path: Path) -> Blobs:
    """An empty file store."""
    return open_blobs(f"file://{tmp_path}/other-files")


@pytest.fixture
async def own_app(new_database_url: Callable[[], str]) -> AsyncIterator[App]:
    """With a database of its own, because a backup holds all of it."""
    async with running_app(new_database_url()) as opened:
        yield opened


@pytest.fixture(params=["sqlite", "postgres"])
async def empty(request: pytest.FixtureRequest, tmp_path: Path) -> AsyncIterator[Database]:
    """A new database on either engine, independent of the app's."""
    url = new_file(tmp_path) if request.param == "sqlite" else new_database(request.getfixturevalue("postgres"))
    db = open_database(url)
    yield db
    await db.close()


async def owner_with_data(app: App, blobs: Blobs) -> Person:
    """An owner with one resource of each kind, and a stored file."""
    anna = await app.owner("Łucja")
    order = await anna.order(title='Stół "dębowy" \\ 🪚', customerName="Zoë\u2028")
    await anna.post(f"/workshops/{anna.workshop}/orders", {"title": "Shelf"}, idempotency_key="stored")
    await anna.patch(f"/orders/{order['id']}/status", {"status": "done"})
    await anna.patch(f"/orders/{order['id']}", {"notes": "two\nlines"})
    lines = [{"label": "Oak", "unit": "sqm", "unitPrice": 120.25, "quantity": 2.5}]
    estimate = await anna.estimate(lineItems=lines, recipientName="Zoë", markupPercent=12.5)
    await anna.post(f"/estimates/{estimate['id']}/confirm")
    handed = {"kind": "pdf-shared", "locale": "pl", "preliminary": False, "tone": "formal", "aiDrafted": False}
    await anna.post(f"/estimates/{estimate['id']}/handoffs", handed)
    await anna.put(f"/workshops/{anna.workshop}/context", {"notes": "Only oak 🌳"})
    await anna.post("/me/api-keys", {"name": "Shop window", "scopes": ["orders:read"]})
    await store_file(app.db, blobs, anna)
    return anna


async def test_a_restored_database_has_the_shelf_and_printed_codes_open_the_same_order(
    own_app: App, blobs: Blobs, empty: Database, other_blobs: Blobs, tmp_path: Path
) -> None:
    anna = await own_app.owner("Anna")
    first, order = await anna.order(title="Clock"), await anna.order(title="Ring")
    item = {"description": "Ring", "condition": "claw bent", "serial": "A-17", "pieces": 2}
    facts = {
        "item": item,
        "dueOn": "2030-12-04",
        "dueTime": "16:00",
        "priceLimit": 150.5,
        "place": "B3",
        "phone": "601",
    }
    await anna.patch(f"/orders/{order['id']}/details", {**facts, "waitingFor": "parts", "assignedTo": anna.uid})
    await anna.put(f"/orders/{order['id']}/signature", {"strokes": [[[1, 2.5], [3, 4]]], "name": "Ewa"})
    await anna.post(f"/orders/{order['id']}/questions", {"text": "Friday."})
    await anna.post(f"/orders/{order['id']}/notices", {"kind": "received", "channel": "called"})
    await anna.post(f"/orders/{first['id']}/status-link/renew")
    await anna.delete(f"/orders/{(await anna.order())['id']}")
    sides = ("details", "signature", "questions", "notices", "status-link")
    paths = [f"/orders/{each['id']}/{side}" for each in (first, order) for side in sides]
    paths += [f"/workshops/{anna.workshop}/order-summaries", f"/workshops/{anna.workshop}/order-counts"]
    before = [(await anna.get(path)).json() for path in paths]
    codes = [before[paths.index(f"/orders/{each['id']}/status-link")]["url"] for each in (first, order)]

    await back_up(own_app.db, blobs, tmp_path / "backup", times.now())
    await restore(empty, other_blobs, tmp_path / "backup", new_id)
    restored = App(type(own_app.backbench)(own_app.backbench.settings, empty))
    same = Person(restored, anna.email)
    same.browser.cookies = anna.browser.cookies
    assert [(await same.get(path)).json() for path in paths] == before
    for code, title in zip(codes, ("Clock", "Ring"), strict=True):
        customer = restored.anonymous()
        customer.bearer = code.partition("#")[2]
        assert (await customer.get("/client/order")).json()["title"] == title
    # The number of the order that was deleted is not given again.
    made = (await same.post(f"/workshops/{anna.workshop}/orders", {"title": "Lamp"})).json()
    assert (await same.get(f"/orders/{made['id']}/details")).json()["number"] == 4


async def store_file(db: Database, blobs: Blobs, owner: Person) -> str:
    """Stores a file of the owner's workshop; returns its id."""
    file_id = new_id()

    async def pieces() -> AsyncIterator[bytes]:
        yield BYTES

    async def record(handle: Write) -> None:
        await handle.run(
            """
            INSERT INTO files (id, workshop_id, category, content_type, size_bytes, uploaded_by_uid, created_at)
            VALUES (:id, :workshop_id, 'estimate_pdf', 'application/pdf', :size, :uid, :now)
            """,
            id=file_id,
            workshop_id=owner.workshop,
            size=len(BYTES),
            uid=owner.uid,
            now=times.now(),
        )

    await blobs.write(file_id, pieces())
    await db.write(record)
    return file_id


async def data_export(person: Person, app: App) -> bytes:
    """The person's data export from that app, with its present session."""
    same = Person(app, person.email)
    same.browser.cookies = person.browser.cookies
    answer = await same.get("/me/data-export")
    assert answer.status_code == 200
    return answer.content


def names_in(folder: Path) -> set[str]:
    return {str(path.relative_to(folder)) for path in folder.rglob("*")}


async def rows_of(db: Database) -> dict[str, list[str]]:
    """Every row, without what names the database history, which is another one after a restore."""
    dump = await dump_of(db)
    counters = [row.split("|") for row in dump["workshop_counters"]]
    # After the workshop and its version; the dump is without the bytes, which the sweep corrects at any time.
    histories = 2
    dump["workshop_counters"] = ["|".join(row[:histories] + row[histories + 1 :]) for row in counters]
    return {table: sorted(rows) for table, rows in dump.items()}


async def test_a_data_export_is_the_same_after_a_restore_on_either_engine(
    own_app: App, blobs: Blobs, empty: Database, other_blobs: Blobs, tmp_path: Path
) -> None:
    anna = await owner_with_data(own_app, blobs)
    before = await data_export(anna, own_app)
    await back_up(own_app.db, blobs, tmp_path / "backup", times.now())
    await restore(empty, other_blobs, tmp_path / "backup", new_id)
    assert await data_export(anna, App(type(own_app.backbench)(own_app.backbench.settings, empty))) == before


@pytest.mark.both_engines
async def test_a_restore_brings_back_every_row_and_file(
    own_app: App, blobs: Blobs, empty: Database, other_blobs: Blobs, tmp_path: Path
) -> None:
    anna = await owner_with_data(own_app, blobs)
    file_id = await store_file(own_app.db, blobs, anna)
    before = await rows_of(own_app.db)
    made = await back_up(own_app.db, blobs, tmp_path / "backup", times.now())
    await restore(empty, other_blobs, tmp_path / "backup", new_id)
    assert await rows_of(empty) == before
    assert made.files.rows == 2
    assert b"".join([piece async for piece in other_blobs.read(file_id, 0, len(BYTES))]) == BYTES


async def test_a_cursor_from_before_a_restore_resets(
    own_app: App, blobs: Blobs, empty: Database, other_blobs: Blobs, tmp_path: Path
) -> None:
    anna = await own_app.owner("Anna")
    path = f"/workshops/{anna.workshop}/changes"
    since = (await anna.get(path)).json()["cursor"]
    await back_up(own_app.db, blobs, tmp_path / "backup", times.now())
    await restore(empty, other_blobs, tmp_path / "backup", new_id)
    same = Person(App(type(own_app.backbench)(own_app.backbench.settings, empty)), anna.email)
    same.browser.cookies = anna.browser.cookies
    found = (await same.get(f"{path}?since={since}")).json()
    assert found["reset"] is True
    assert (await same.get(f"{path}?since={found['cursor']}")).json()["reset"] is False


async def test_files_from_a_folder_are_restored_into_a_bucket(
    own_app: App, blobs: Blobs, empty: Database, tmp_path: Path
) -> None:
    anna = await own_app.owner("Anna")
    file_id = await store_file(own_app.db, blobs, anna)
    await back_up(own_app.db, blobs, tmp_path / "backup", times.now())
    with s3_server.running_s3_server() as port, s3_server.environment(port):
        bucket = open_blobs(f"s3://{s3_server.BUCKET}/files")
        await restore(empty, bucket, tmp_path / "backup", new_id)
        assert b"".join([piece async for piece in bucket.read(file_id, 0, len(BYTES))]) == BYTES


async def test_the_manifest_counts_rows(own_app: App, blobs: Blobs, tmp_path: Path) -> None:
    await owner_with_data(own_app, blobs)
    made = await back_up(own_app.db, blobs, tmp_path / "backup", times.now())
    for name, contents in made.tables.items():
        lines = (tmp_path / "backup" / "tables" / f"{name}.jsonl").read_bytes()
        assert lines.count(b"\n") == contents.rows
    assert made.tables["orders"].rows == 2
    assert made.schema == await own_app.db.write(_schema)


async def _schema(db: Read) -> int:
    return int(await db.value("SELECT max(number) FROM migrations"))


async def test_only_its_owner_can_read_a_backup(own_app: App, blobs: Blobs, tmp_path: Path) -> None:
    await owner_with_data(own_app, blobs)
    await back_up(own_app.db, blobs, tmp_path / "backup", times.now())
    for path in ((tmp_path / "backup"), *(tmp_path / "backup").rglob("*")):
        assert stat.S_IMODE(path.stat().st_mode) in (0o700, 0o600)


async def test_memory_does_not_grow_with_the_database(own_app: App, blobs: Blobs, tmp_path: Path) -> None:
    anna = await own_app.owner("Anna")

    async def fill(db: Write) -> None:
        for number in range(4000):
            opened = NewOrder(title=f"No. {number}").to_order(anna.workshop, new_id(), times.now())
            await orders.add(db, msgspec.structs.replace(opened, notes="n" * 5000))

    await own_app.db.write(fill)
    tracemalloc.start()
    try:
        await back_up(own_app.db, blobs, tmp_path / "backup", times.now())
        _, peak = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
    assert (tmp_path / "backup" / "tables" / "orders.jsonl").stat().st_size > 20_000_000
    assert peak < 8_000_000


async def test_an_existing_folder_is_not_overwritten(own_app: App, blobs: Blobs, tmp_path: Path) -> None:
    (tmp_path / "backup").mkdir()
    (tmp_path / "backup" / "file").write_text("content")
    with pytest.raises(Conflict, match="exists already"):
        await back_up(own_app.db, blobs, tmp_path / "backup", times.now())
    assert names_in(tmp_path) == {"backup", "backup/file"}


async def test_a_failed_backup_leaves_no_folder(own_app: App, blobs: Blobs, tmp_path: Path) -> None:
    anna = await own_app.owner("Anna")
    await store_file(own_app.db, blobs, anna)
    with pytest.raises(Conflict, match="cannot be read: the store is down"):
        await back_up(own_app.db, _UnavailableBlobs(own_app.db), tmp_path / "backup", times.now())
    assert {name for name in names_in(tmp_path) if not name.startswith("files")} == set()


async def test_a_lost_file_does_not_stop_the_backup_and_is_named(
    own_app: App, blobs: Blobs, empty: Database, other_blobs: Blobs, tmp_path: Path
) -> None:
    anna = await own_app.owner("Anna")
    kept, lost, shortened = [await store_file(own_app.db, blobs, anna) for _ in range(3)]
    await blobs.delete(lost)
    _truncate(tmp_path / "files" / shortened[-2:] / shortened)
    made = await back_up(own_app.db, blobs, tmp_path / "backup", times.now())
    assert (made.files.rows, made.missing) == (1, [lost, shortened])
    named = await lost_files(own_app.db, made.missing)
    assert [(file.id, file.workshop) for file in named] == [(each, "Anna") for each in (lost, shortened)]
    assert await find_lost_files(own_app.db, blobs) == named
    await restore(empty, other_blobs, tmp_path / "backup", new_id)
    assert await find_lost_files(empty, other_blobs) == []
    async with empty.read() as db:
        assert await db.all(str, "SELECT id FROM files") == [kept]


class _DeletesDuringBackup:
    """A file store in which each file and its record are deleted when the backup reads it."""

    def __init__(self, db: Database) -> None:
        self._db = db

    async def read(self, blob_id: str, start: int, end: int) -> AsyncGenerator[bytes, None]:
        await self._db.write(lambda db: db.run("DELETE FROM files WHERE id = :id", id=blob_id))
        if blob_id:
            raise BlobMissing
        yield b""

    async def size(self, blob_id: str) -> int | None: ...

    async def write(self, blob_id: str, pieces: AsyncIterator[bytes]) -> None: ...

    async def delete(self, blob_id: str) -> None: ...

    async def close(self) -> None: ...


class _UnavailableBlobs(_DeletesDuringBackup):
    async def read(self, blob_id: str, start: int, end: int) -> AsyncGenerator[bytes, None]:
        if blob_id:
            raise Unavailable("unavailable", "the store is down")
        yield b""


@pytest.mark.both_engines
async def test_a_file_deleted_during_the_backup_is_not_restored(
    own_app: App, blobs: Blobs, empty: Database, other_blobs: Blobs, tmp_path: Path
) -> None:
    anna = await own_app.owner("Anna")
    file_id = await store_file(own_app.db, blobs, anna)
    made = await back_up(own_app.db, _DeletesDuringBackup(own_app.db), tmp_path / "backup", times.now())
    assert made.missing == [file_id]
    assert await lost_files(own_app.db, made.missing) == []
    await restore(empty, other_blobs, tmp_path / "backup", new_id)
    async with empty.read() as db:
        assert await db.value("SELECT count(*) FROM files") == 0


class _FullDisk(FolderBlobs):
    """A folder that is full before the end of any blob."""

    async def write(self, blob_id: str, chunks: AsyncIterator[bytes]) -> None:
        async def some() -> AsyncIterator[bytes]:
            yield await anext(chunks)
            raise Unavailable("unavailable", "the disk is full")

        await super().write(blob_id, some())


async def test_a_failed_restore_leaves_the_files_of_another_database_in_their_store(
    own_app: App, blobs: Blobs, empty: Database, other_blobs: Blobs, tmp_path: Path
) -> None:
    """With PostgreSQL the guide restores into a new database, and keeps the file store."""
    anna = await own_app.owner("Anna")
    file_id = await store_file(own_app.db, blobs, anna)
    await back_up(own_app.db, blobs, tmp_path / "backup", times.now())
    with pytest.raises(Unavailable, match="full"):
        await restore(empty, _FullDisk(tmp_path / "files"), tmp_path / "backup", new_id)
    assert await find_lost_files(own_app.db, blobs) == []
    # A killed one has no time to delete what it was writing.
    (tmp_path / "files" / file_id[-2:] / f"{file_id}.part").write_bytes(BYTES[:100])
    await restore(empty, blobs, tmp_path / "backup", new_id)
    assert await find_lost_files(empty, blobs) == []
    assert names_in(tmp_path / "files" / file_id[-2:]) == {file_id}


class _Killed(Exception):
    pass


class _KilledAfter:
    """The database of a restore that is killed after `changes` transactions and migrations."""

    def __init__(self, db: Database, changes: int) -> None:
        self._db = db
        self._left = changes

    def __getattr__(self, name: str) -> Any:
        return getattr(self._db, name)

    async def write(self, work: Work[Any]) -> Any:
        self._count()
        return await self._db.write(work)

    async def migrate(self, to: int | None = None) -> int:
        self._count()
        return await self._db.migrate(to)

    def _count(self) -> None:
        if self._left == 0:
            raise _Killed
        self._left -= 1


async def _rows_with_a_lost_file(db: Write) -> None:
    """An account, its workshop and the record of a file, in the columns that all schemas from 14 have."""
    account, workshop, now = new_id(), new_id(), times.now()
    await db.run(
        """
        INSERT INTO accounts (id, email, email_key, name, locale, status, created_at)
        VALUES (:id, 'anna@example.com', 'anna@example.com', 'Anna', 'pl', 'active', :now)
        """,
        id=account,
        now=now,
    )
    await db.run(
        """
        INSERT INTO workshops (
            id, name, tagline, logo, crafter_name, crafter_avatar_seed, background, title_font, plan, is_default,
            storage_used_bytes, document_settings, created_at
        ) VALUES (:id, 'Oak', '', '', '', '', '', '', 'free', 1, 9, '{}', :now)
        """,
        id=workshop,
        now=now,
    )
    counters = "INSERT INTO workshop_counters (workshop_id, data_bytes, history) VALUES (:id, 0, 'before')"
    await db.run(counters, id=workshop)
    await db.run(
        """
        INSERT INTO files (id, workshop_id, category, content_type, size_bytes, uploaded_by_uid, created_at)
        VALUES (:id, :workshop, 'grid_tile_icon', 'image/png', 9, :owner, :now)
        """,
        id=new_id(),
        workshop=workshop,
        owner=account,
        now=now,
    )


@pytest.mark.both_engines
@pytest.mark.parametrize("schema", [31, None])
async def test_a_killed_restore_is_complete_or_can_be_repeated(
    empty_database_url: Callable[[], str], blobs: Blobs, other_blobs: Blobs, tmp_path: Path, schema: int | None
) -> None:
    """After each of its transactions. An upgrade that is left over is the one of any start."""
    async with _opened(empty_database_url()) as old:
        await old.migrate(schema)
        await old.write(_rows_with_a_lost_file)
        made = await back_up(old, blobs, tmp_path / "backup", times.now())
    assert len(made.missing) == 1
    with violations() as case:
        for changes in range(4):
            async with _opened(empty_database_url()) as db:
                with case(f"killed after {changes}"):
                    killed = cast(Database, _KilledAfter(db, changes))
                    with contextlib.suppress(_Killed):
                        await restore(killed, other_blobs, tmp_path / "backup", new_id)
                    with contextlib.suppress(Conflict):
                        await restore(db, other_blobs, tmp_path / "backup", new_id)
                    await db.migrate()
                    assert await find_lost_files(db, other_blobs) == []
                    assert await db.write(lambda write: write.value("SELECT storage_used_bytes FROM workshops")) == 0
                    history = await db.write(lambda write: write.value("SELECT history FROM workshop_counters"))
                    assert history != "before"


@contextlib.asynccontextmanager
async def _opened(url: str) -> AsyncIterator[Database]:
    db = open_database(url)
    try:
        yield db
    finally:
        await db.close()


@pytest.mark.both_engines
async def test_a_database_that_is_not_empty_is_not_restored_into(own_app: App, blobs: Blobs, tmp_path: Path) -> None:
    anna = await own_app.owner("Anna")
    await back_up(own_app.db, blobs, tmp_path / "backup", times.now())
    await anna.order()
    before = await rows_of(own_app.db)
    with pytest.raises(Conflict, match="not empty"):
        await restore(own_app.db, blobs, tmp_path / "backup", new_id)
    assert await rows_of(own_app.db) == before


def _flip_bit(path: Path) -> None:
    content = bytearray(path.read_bytes())
    content[len(content) // 2] ^= 1
    path.write_bytes(content)


def _truncate(path: Path) -> None:
    path.write_bytes(path.read_bytes()[:-20])


def _delete(path: Path) -> None:
    path.unlink()


def _set_members(path: Path, **members: Any) -> None:
    path.write_bytes(msgspec.json.encode(msgspec.json.decode(path.read_bytes()) | members))


DAMAGE: dict[str, tuple[str, Callable[[Path], None]]] = {
    "a flipped bit in a table": ("tables/orders.jsonl", _flip_bit),
    "a truncated table": ("tables/orders.jsonl", _truncate),
    "a missing table": ("tables/members.jsonl", _delete),
    "a flipped bit in a stored file": ("files/*", _flip_bit),
    "a missing stored file": ("files/*", _delete),
    "a truncated list of files": ("files.jsonl", _truncate),
    "a truncated manifest": ("manifest.json", _truncate),
    "a missing manifest": ("manifest.json", _delete),
    "an unknown table": (
        "manifest.json",
        lambda path: _set_members(path, tables={'orders"; DROP': {"rows": 0, "sha256": ""}}),
    ),
    "a table outside of the folder": (
        "manifest.json",
        lambda path: _set_members(path, tables={"../files": {"rows": 0, "sha256": ""}}),
    ),
    "a manifest without tables": ("manifest.json", lambda path: _set_members(path, tables={})),
    "a newer schema": ("manifest.json", lambda path: _set_members(path, schema=9999)),
    "a newer format": ("manifest.json", lambda path: _set_members(path, format=2, surprise=1)),
}


def damage_file(folder: Path, pattern: str, damage: Callable[[Path], None]) -> None:
    damage(next(folder.glob(pattern)))


@pytest.fixture(scope="module")
async def stays_empty(empty_database_url: Callable[[], str]) -> AsyncIterator[Database]:
    """A database that every test leaves empty."""
    db = open_database(empty_database_url())
    yield db
    await db.close()


@pytest.mark.parametrize("damage", DAMAGE)
async def test_a_damaged_backup_is_rejected_completely(
    small_backup: Path, stays_empty: Database, other_blobs: Blobs, damage: str
) -> None:
    damage_file(small_backup, *DAMAGE[damage])
    with pytest.raises(Conflict):
        await restore(stays_empty, other_blobs, small_backup, new_id)
    await stays_empty.migrate()
    rows = await rows_of(stays_empty)
    # Migrations make the key of an installation.
    assert {table for table, found in rows.items() if found} == {"migrations", "server_keys"}


@pytest.fixture(scope="module")
async def backup_made_once(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("backup")
    blobs = open_blobs(f"file://{folder}/files")
    async with running_app(new_file(folder)) as app:
        await owner_with_data(app, blobs)
        await back_up(app.db, blobs, folder / "backup", times.now())
    return folder / "backup"


@pytest.fixture
def small_backup(backup_made_once: Path, tmp_path: Path) -> Path:
    """A copy to damage."""
    return Path(shutil.copytree(backup_made_once, tmp_path / "copy"))


@pytest.mark.both_engines
async def test_a_backup_of_an_older_schema_is_migrated(
    empty_database_url: Callable[[], str], empty: Database, blobs: Blobs, other_blobs: Blobs, tmp_path: Path
) -> None:
    old = open_database(empty_database_url())
    await old.migrate(4)
    await old.write(
        lambda db: db.run(
            """
            INSERT INTO accounts (id, email, email_key, name, locale, status, created_at)
            VALUES (:id, 'anna@example.com', 'anna@example.com', 'Anna', 'pl', 'active', :now)
            """,
            id=new_id(),
            now=times.now(),
        )
    )
    made = await back_up(old, blobs, tmp_path / "backup", times.now())
    await old.close()
    assert made.schema == 4
    await restore(empty, other_blobs, tmp_path / "backup", new_id)
    async with empty.read() as db:
        assert await db.all(str, "SELECT name FROM accounts") == ["Anna"]
    assert await empty.migrate() == 0


async def test_a_database_with_a_newer_schema_than_the_backup_is_rejected(
    empty_database_url: Callable[[], str], empty: Database, blobs: Blobs, other_blobs: Blobs, tmp_path: Path
) -> None:
    old = open_database(empty_database_url())
    await old.migrate(4)
    await back_up(old, blobs, tmp_path / "backup", times.now())
    await old.close()
    await empty.migrate()
    with pytest.raises(Conflict, match="restore into a new database"):
        await restore(empty, other_blobs, tmp_path / "backup", new_id)


async def test_a_database_without_a_schema_is_not_backed_up(
    empty_database_url: Callable[[], str], blobs: Blobs, tmp_path: Path
) -> None:
    db = open_database(empty_database_url())
    with pytest.raises(Conflict, match="nothing to back up"):
        await back_up(db, blobs, tmp_path / "backup", times.now())
    await db.close()
    assert not (tmp_path / "backup").exists()


@pytest.mark.both_engines
async def test_a_backup_is_a_consistent_snapshot(own_app: App, blobs: Blobs, tmp_path: Path) -> None:
    anna = await own_app.owner("Anna")
    await store_file(own_app.db, blobs, anna)

    class _CreatesOrderDuringBackup(_DeletesDuringBackup):
        async def read(self, blob_id: str, start: int, end: int) -> AsyncGenerator[bytes, None]:
            await anna.order()
            yield BYTES

    made = await back_up(own_app.db, _CreatesOrderDuringBackup(own_app.db), tmp_path / "backup", times.now())
    assert made.tables["orders"].rows == 0


@pytest.mark.parametrize("what", ["file", "folder", "manifest", "pipe"])
async def test_a_restore_follows_no_link_out_of_the_backup(
    own_app: App, blobs: Blobs, empty: Database, other_blobs: Blobs, tmp_path: Path, what: str
) -> None:
    anna = await own_app.owner("Anna")
    file_id = await store_file(own_app.db, blobs, anna)
    backup = tmp_path / "backup"
    await back_up(own_app.db, blobs, backup, times.now())
    moved = {"file": backup / "files" / file_id, "folder": backup / "files", "manifest": backup / "manifest.json"}
    if what == "pipe":
        (backup / "files.jsonl").unlink()
        os.mkfifo(backup / "files.jsonl")
    else:
        # The same bytes, so that the checksum matches.
        moved[what].rename(tmp_path / "outside")
        moved[what].symlink_to(tmp_path / "outside")
    with pytest.raises(Conflict):
        await restore(empty, other_blobs, backup, new_id)
    assert names_in(tmp_path / "other-files") == set()
