"""SQLite handle: its one cursor, and the number of rows that a statement changed."""

import asyncio
from pathlib import Path

import apsw
import pytest

from backbench.engine.database import Write
from backbench.engine.sqlite import SQLite

ADD = "INSERT INTO jars (jar, number) VALUES (:jar, :number)"


@pytest.fixture
async def db(tmp_path: Path) -> SQLite:
    db = SQLite(tmp_path / "shelf.db")
    await db.write(lambda handle: handle.run("CREATE TABLE jars (jar TEXT PRIMARY KEY, number BIGINT NOT NULL)"))
    await db.write(lambda handle: handle.run(ADD, number=1, jar="a"))
    return db


async def test_a_read_of_which_a_row_is_left_ends_with_its_iteration(db: SQLite, tmp_path: Path) -> None:
    await db.write(lambda handle: handle.run(ADD, number=2, jar="b"))
    async with db.read() as read:
        assert await read.value("SELECT jar FROM jars ORDER BY jar") == "a"
    await asyncio.sleep(0)
    other = apsw.Connection(str(tmp_path / "shelf.db"))
    # The write-ahead log cannot be truncated while it is being read.
    assert other.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchone() == (0, 0, 0)
    other.close()
    await db.close()


async def test_values_are_bound_by_name_in_any_order(db: SQLite) -> None:
    async with db.read() as read:
        sql = "SELECT :b || :a || :b || 'at :c' AS text WHERE :c = 1"
        assert await read.value(sql, a="a", b="b", c=1) == "babat :c"
        with pytest.raises(KeyError):
            await read.value(sql, a="a", c=1)
    await db.close()


async def test_the_number_of_changed_rows_is_that_of_the_statement(db: SQLite) -> None:
    async def work(handle: Write) -> list[int]:
        return [
            await handle.run("UPDATE jars SET number = 3"),
            await handle.run("UPDATE jars SET number = 4 WHERE jar = :jar", jar="none"),
            await handle.run("CREATE TABLE lids (lid TEXT)"),
            await handle.run("WITH n AS (SELECT 'b' AS jar) INSERT INTO jars (jar, number) SELECT jar, 5 FROM n"),
            await handle.run("SELECT 1"),
        ]

    assert await db.write(work) == [1, 0, 0, 1, 0]
    await db.close()


async def test_a_text_is_read_as_its_bytes(db: SQLite) -> None:
    text = 'Stół "\\x41" 🪑'
    await db.write(lambda handle: handle.run(ADD, number=2, jar=text))
    async with db.read() as read:
        assert await read.utf8("SELECT jar FROM jars WHERE number = :number", number=2) == text.encode()
        assert await read.utf8("SELECT jar FROM jars WHERE number = :number", number=9) is None
    await db.close()
