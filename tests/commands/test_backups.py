"""Backups: everything put aside at one moment, and back again, on either engine."""

import shutil
import stat
import tracemalloc
from collections.abc import AsyncGenerator, AsyncIterator, Callable
from pathlib import Path
from typing import Any

import msgspec
import pytest

from backbench.actions.operations.backups import back_up, restore
from backbench.domain.values import times
from backbench.domain.values.errors import Conflict, Unavailable
from backbench.domain.values.ids import new_id
from backbench.domain.workshops.orders import NewOrder
from backbench.integrations.blobs import Blobs, open_blobs
from backbench.storage.engine.database import Database, Read, Write
from backbench.storage.engine.urls import open_database
from backbench.storage.workshops import orders
from tests.people import Person, Shop
from tests.support import buckets
from tests.support.engines import new_database, new_file, opened_shop
from tests.support.stored import everything_in

BYTES = b"%PDF-1.7 " + bytes(range(256)) * 2000


@pytest.fixture
def blobs(tmp_path: Path) -> Blobs:
    """Where the files of the shop are."""
    return open_blobs(f"file://{tmp_path}/files")


@pytest.fixture
def other_blobs(tmp_path: Path) -> Blobs:
    """An empty file store."""
    return open_blobs(f"file://{tmp_path}/other-files")


@pytest.fixture
async def small_shop(new_database_url: Callable[[], str]) -> AsyncIterator[Shop]:
    """A shop of the test's own, since a backup holds all of it."""
    async with opened_shop(new_database_url()) as opened:
        yield opened


@pytest.fixture(params=["sqlite", "postgres"])
async def empty(request: pytest.FixtureRequest, tmp_path: Path) -> AsyncIterator[Database]:
    """A new database, on either engine whatever the shop's."""
    url = new_file(tmp_path) if request.param == "sqlite" else new_database(request.getfixturevalue("postgres"))
    db = open_database(url)
    yield db
    await db.close()


async def busy_owner(shop: Shop, blobs: Blobs) -> Person:
    """Somebody with one of everything, and a stored file."""
    anna = await shop.owner("Łucja")
    order = await anna.order(title='Stół "dębowy" \\ 🪚', customerName="Zoë\u2028")
    await anna.patch(f"/orders/{order['id']}/status", {"status": "done"})
    await anna.patch(f"/orders/{order['id']}", {"notes": "two\nlines"})
    lines = [{"label": "Oak", "unit": "sqm", "unitPrice": 120.25, "quantity": 2.5}]
    estimate = await anna.estimate(lineItems=lines, recipientName="Zoë", markupPercent=12.5)
    await anna.post(f"/estimates/{estimate['id']}/confirm")
    handed = {"kind": "pdf-shared", "locale": "pl", "preliminary": False, "tone": "formal", "aiDrafted": False}
    await anna.post(f"/estimates/{estimate['id']}/handoffs", handed)
    await anna.put(f"/workshops/{anna.workshop}/context", {"notes": "Only oak 🌳"})
    await anna.post("/me/api-keys", {"name": "Shop window", "scopes": ["orders:read"]})
    await keep_file(shop.db, blobs, anna)
    return anna


async def keep_file(db: Database, blobs: Blobs, owner: Person) -> str:
    """A stored file of the owner's workshop; its id."""
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


async def data_export(person: Person, shop: Shop) -> bytes:
    """The person's export from that shop, with the session it has."""
    there = Person(shop, person.email)
    there.browser.cookies = person.browser.cookies
    answer = await there.get("/me/data-export")
    assert answer.status_code == 200
    return answer.content


def names_in(folder: Path) -> set[str]:
    return {str(path.relative_to(folder)) for path in folder.rglob("*")}


async def rows_of(db: Database) -> dict[str, list[str]]:
    return {table: sorted(rows) for table, rows in (await everything_in(db)).items()}


async def test_an_export_is_the_same_on_whichever_engine_the_backup_is_restored(
    small_shop: Shop, blobs: Blobs, empty: Database, other_blobs: Blobs, tmp_path: Path
) -> None:
    anna = await busy_owner(small_shop, blobs)
    before = await data_export(anna, small_shop)
    await back_up(small_shop.db, blobs, tmp_path / "aside", times.now())
    await restore(empty, other_blobs, tmp_path / "aside")
    assert await data_export(anna, Shop(type(small_shop.app)(small_shop.app.settings, empty))) == before


async def test_every_row_and_every_byte_comes_back(
    small_shop: Shop, blobs: Blobs, empty: Database, other_blobs: Blobs, tmp_path: Path
) -> None:
    anna = await busy_owner(small_shop, blobs)
    file_id = await keep_file(small_shop.db, blobs, anna)
    before = await rows_of(small_shop.db)
    made = await back_up(small_shop.db, blobs, tmp_path / "aside", times.now())
    await restore(empty, other_blobs, tmp_path / "aside")
    assert await rows_of(empty) == before
    assert made.files.rows == 2
    assert b"".join([piece async for piece in other_blobs.read(file_id, 0, len(BYTES))]) == BYTES


async def test_files_move_from_a_folder_into_a_bucket(
    small_shop: Shop, blobs: Blobs, empty: Database, tmp_path: Path
) -> None:
    anna = await small_shop.owner("Anna")
    file_id = await keep_file(small_shop.db, blobs, anna)
    await back_up(small_shop.db, blobs, tmp_path / "aside", times.now())
    with buckets.s3_service() as port, buckets.environment(port):
        bucket = open_blobs(f"s3://{buckets.NAME}/files")
        await restore(empty, bucket, tmp_path / "aside")
        assert b"".join([piece async for piece in bucket.read(file_id, 0, len(BYTES))]) == BYTES


async def test_the_manifest_counts_what_is_there(small_shop: Shop, blobs: Blobs, tmp_path: Path) -> None:
    await busy_owner(small_shop, blobs)
    made = await back_up(small_shop.db, blobs, tmp_path / "aside", times.now())
    for name, contents in made.tables.items():
        lines = (tmp_path / "aside" / "tables" / f"{name}.jsonl").read_bytes()
        assert lines.count(b"\n") == contents.rows
    assert made.tables["orders"].rows == 1
    assert made.schema == await small_shop.db.write(_schema)


async def _schema(db: Read) -> int:
    return int(await db.value("SELECT max(number) FROM migrations"))


async def test_nobody_else_may_read_a_backup(small_shop: Shop, blobs: Blobs, tmp_path: Path) -> None:
    await busy_owner(small_shop, blobs)
    await back_up(small_shop.db, blobs, tmp_path / "aside", times.now())
    for path in ((tmp_path / "aside"), *(tmp_path / "aside").rglob("*")):
        assert stat.S_IMODE(path.stat().st_mode) in (0o700, 0o600)


async def test_memory_stays_the_same_however_much_there_is(small_shop: Shop, blobs: Blobs, tmp_path: Path) -> None:
    anna = await small_shop.owner("Anna")

    async def fill(db: Write) -> None:
        for number in range(4000):
            opened = NewOrder(title=f"No. {number}").to_order(anna.workshop, new_id(), times.now())
            await orders.add(db, msgspec.structs.replace(opened, notes="n" * 5000))

    await small_shop.db.write(fill)
    tracemalloc.start()
    try:
        await back_up(small_shop.db, blobs, tmp_path / "aside", times.now())
        _, most = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
    assert (tmp_path / "aside" / "tables" / "orders.jsonl").stat().st_size > 20_000_000
    assert most < 8_000_000


async def test_a_place_that_is_taken_stays_as_it_is(small_shop: Shop, blobs: Blobs, tmp_path: Path) -> None:
    (tmp_path / "aside").mkdir()
    (tmp_path / "aside" / "letter").write_text("dear Anna")
    with pytest.raises(Conflict, match="exists already"):
        await back_up(small_shop.db, blobs, tmp_path / "aside", times.now())
    assert names_in(tmp_path) == {"aside", "aside/letter"}


async def test_a_backup_that_fails_leaves_nothing_that_looks_like_one(
    small_shop: Shop, blobs: Blobs, tmp_path: Path
) -> None:
    anna = await small_shop.owner("Anna")
    await blobs.delete(await keep_file(small_shop.db, blobs, anna))
    with pytest.raises(Conflict, match="cannot be read"):
        await back_up(small_shop.db, blobs, tmp_path / "aside", times.now())
    assert {name for name in names_in(tmp_path) if not name.startswith("files")} == set()


class _RemovesMeanwhile:
    """A file store in which a file and its record go just when their turn comes."""

    def __init__(self, db: Database) -> None:
        self._db = db

    async def read(self, blob_id: str, start: int, end: int) -> AsyncGenerator[bytes, None]:
        await self._db.write(lambda db: db.run("DELETE FROM files WHERE id = :id", id=blob_id))
        if blob_id:
            raise Unavailable("unavailable", "gone")
        yield b""

    async def write(self, blob_id: str, pieces: AsyncIterator[bytes]) -> None: ...

    async def delete(self, blob_id: str) -> None: ...

    async def close(self) -> None: ...


async def test_a_file_removed_while_the_backup_is_made_is_left_out_of_what_is_restored(
    small_shop: Shop, blobs: Blobs, empty: Database, other_blobs: Blobs, tmp_path: Path
) -> None:
    anna = await small_shop.owner("Anna")
    file_id = await keep_file(small_shop.db, blobs, anna)
    made = await back_up(small_shop.db, _RemovesMeanwhile(small_shop.db), tmp_path / "aside", times.now())
    assert made.missing == [file_id]
    await restore(empty, other_blobs, tmp_path / "aside")
    async with empty.read() as db:
        assert await db.value("SELECT count(*) FROM files") == 0


async def test_a_database_that_holds_anything_is_not_restored_into(
    small_shop: Shop, blobs: Blobs, tmp_path: Path
) -> None:
    anna = await small_shop.owner("Anna")
    await back_up(small_shop.db, blobs, tmp_path / "aside", times.now())
    await anna.order()
    before = await rows_of(small_shop.db)
    with pytest.raises(Conflict, match="not empty"):
        await restore(small_shop.db, blobs, tmp_path / "aside")
    assert await rows_of(small_shop.db) == before


def _flip(path: Path) -> None:
    content = bytearray(path.read_bytes())
    content[len(content) // 2] ^= 1
    path.write_bytes(content)


def _cut(path: Path) -> None:
    path.write_bytes(path.read_bytes()[:-20])


def _take_away(path: Path) -> None:
    path.unlink()


def _say(path: Path, **members: Any) -> None:
    path.write_bytes(msgspec.json.encode(msgspec.json.decode(path.read_bytes()) | members))


DAMAGES: dict[str, tuple[str, Callable[[Path], None]]] = {
    "a flipped bit in a table": ("tables/orders.jsonl", _flip),
    "a table cut short": ("tables/orders.jsonl", _cut),
    "a table lost": ("tables/members.jsonl", _take_away),
    "a flipped bit in a stored file": ("files/*", _flip),
    "a stored file lost": ("files/*", _take_away),
    "a list of files cut short": ("files.jsonl", _cut),
    "a manifest cut short": ("manifest.json", _cut),
    "a manifest lost": ("manifest.json", _take_away),
    "a table nobody knows": (
        "manifest.json",
        lambda path: _say(path, tables={'orders"; DROP': {"rows": 0, "sha256": ""}}),
    ),
    "a table that is elsewhere": (
        "manifest.json",
        lambda path: _say(path, tables={"../files": {"rows": 0, "sha256": ""}}),
    ),
    "tables left out": ("manifest.json", lambda path: _say(path, tables={})),
    "a newer schema": ("manifest.json", lambda path: _say(path, schema=9999)),
    "a newer format": ("manifest.json", lambda path: _say(path, format=2, surprise=1)),
}


def do_harm(folder: Path, pattern: str, harm: Callable[[Path], None]) -> None:
    harm(next(folder.glob(pattern)))


@pytest.fixture(scope="module")
async def stays_empty(empty_database_url: Callable[[], str]) -> AsyncIterator[Database]:
    """A database that nothing gets into."""
    db = open_database(empty_database_url())
    yield db
    await db.close()


@pytest.mark.parametrize("damage", DAMAGES)
async def test_a_backup_with_a_fault_is_refused_whole(
    small_backup: Path, stays_empty: Database, other_blobs: Blobs, damage: str
) -> None:
    do_harm(small_backup, *DAMAGES[damage])
    with pytest.raises(Conflict):
        await restore(stays_empty, other_blobs, small_backup)
    await stays_empty.migrate()
    rows = await rows_of(stays_empty)
    assert {table for table, found in rows.items() if found} == {"migrations"}


@pytest.fixture(scope="module")
async def backup_made_once(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("backup")
    blobs = open_blobs(f"file://{folder}/files")
    async with opened_shop(new_file(folder)) as shop:
        await busy_owner(shop, blobs)
        await back_up(shop.db, blobs, folder / "aside", times.now())
    return folder / "aside"


@pytest.fixture
def small_backup(backup_made_once: Path, tmp_path: Path) -> Path:
    """A copy to do harm to."""
    return Path(shutil.copytree(backup_made_once, tmp_path / "copy"))


async def test_a_backup_of_an_older_schema_is_brought_up_to_date(
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
    made = await back_up(old, blobs, tmp_path / "aside", times.now())
    await old.close()
    assert made.schema == 4
    await restore(empty, other_blobs, tmp_path / "aside")
    async with empty.read() as db:
        assert await db.all(str, "SELECT name FROM accounts") == ["Anna"]
    assert await empty.migrate() == 0


async def test_a_database_past_the_schema_of_the_backup_is_refused(
    empty_database_url: Callable[[], str], empty: Database, blobs: Blobs, other_blobs: Blobs, tmp_path: Path
) -> None:
    old = open_database(empty_database_url())
    await old.migrate(4)
    await back_up(old, blobs, tmp_path / "aside", times.now())
    await old.close()
    await empty.migrate()
    with pytest.raises(Conflict, match="restore into a new database"):
        await restore(empty, other_blobs, tmp_path / "aside")


async def test_a_new_database_has_nothing_to_put_aside(
    empty_database_url: Callable[[], str], blobs: Blobs, tmp_path: Path
) -> None:
    db = open_database(empty_database_url())
    with pytest.raises(Conflict, match="nothing to back up"):
        await back_up(db, blobs, tmp_path / "aside", times.now())
    await db.close()
    assert not (tmp_path / "aside").exists()


async def test_a_backup_is_of_one_moment(small_shop: Shop, blobs: Blobs, tmp_path: Path) -> None:
    anna = await small_shop.owner("Anna")
    await keep_file(small_shop.db, blobs, anna)

    class _OrdersMeanwhile(_RemovesMeanwhile):
        async def read(self, blob_id: str, start: int, end: int) -> AsyncGenerator[bytes, None]:
            await anna.order()
            yield BYTES

    made = await back_up(small_shop.db, _OrdersMeanwhile(small_shop.db), tmp_path / "aside", times.now())
    assert made.tables["orders"].rows == 0
