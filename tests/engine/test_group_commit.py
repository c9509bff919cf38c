"""Group commit on SQLite: each write takes effect completely or not at all."""

import asyncio
import tempfile
import threading
from functools import partial
from pathlib import Path
from typing import Literal

import apsw
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from msgspec import Struct

from backbench.engine import sqlite_queue
from backbench.engine.database import Write
from backbench.engine.sqlite import SQLite
from backbench.values.errors import Conflict

Shelf = dict[str, int]


class Step(Struct, frozen=True):
    """`put` sets a jar, `fill` adds to every jar, `take` removes one, `new` fails where the jar is there."""

    verb: Literal["put", "fill", "take", "new"]
    jar: str
    number: int


class Transaction(Struct, frozen=True):
    """One transaction: its steps, and whether it raises an error after them."""

    steps: tuple[Step, ...]
    fails: bool


class ModelError(Exception):
    """Raised by the model where the engine raises an error."""


steps = st.builds(Step, st.sampled_from(["put", "fill", "take", "new"]), st.sampled_from("abcd"), st.integers(0, 9))
transactions = st.builds(Transaction, st.lists(steps, max_size=4).map(tuple), st.booleans())
# Bursts of writes that come at once; some are larger than the largest group.
bursts = st.lists(st.lists(transactions, max_size=12) | st.lists(transactions, min_size=70, max_size=80), max_size=3)

_STATEMENTS = {
    "put": """
        INSERT INTO jars (jar, number) VALUES (:jar, :number)
        ON CONFLICT (jar) DO UPDATE SET number = excluded.number
    """,
    "fill": "UPDATE jars SET number = number + :number",
    "take": "DELETE FROM jars WHERE jar = :jar",
    "new": "INSERT INTO jars (jar, number) VALUES (:jar, :number)",
}
_VALUES = {"put": ("jar", "number"), "fill": ("number",), "take": ("jar",), "new": ("jar", "number")}


async def write(db: SQLite, wanted: Transaction) -> int:
    """The sum of all jars afterwards, as the transaction itself saw it."""

    async def work(handle: Write) -> int:
        for step in wanted.steps:
            values = {name: getattr(step, name) for name in _VALUES[step.verb]}
            await handle.run(_STATEMENTS[step.verb], **values)
        if wanted.fails:
            raise Conflict("refused", "After having written")
        return int(await handle.value("SELECT coalesce(sum(number), 0) FROM jars"))

    return await db.write(work)


def apply_to_model(shelf: Shelf, wanted: Transaction) -> int:
    """The same on a dictionary, which is unchanged when the transaction fails."""
    after = dict(shelf)
    for step in wanted.steps:
        if step.verb == "new" and step.jar in after:
            raise ModelError
        if step.verb in ("put", "new"):
            after[step.jar] = step.number
        elif step.verb == "fill":
            after = {jar: number + step.number for jar, number in after.items()}
        else:
            after.pop(step.jar, None)
    if wanted.fails:
        raise ModelError
    shelf.clear()
    shelf.update(after)
    return sum(after.values())


def expected(shelf: Shelf, burst: list[Transaction]) -> list[int | None]:
    """The result of each transaction of the burst, run in sequence; None for an error."""
    answers: list[int | None] = []
    for wanted in burst:
        try:
            answers.append(apply_to_model(shelf, wanted))
        except ModelError:
            answers.append(None)
    return answers


async def run(all_bursts: list[list[Transaction]]) -> None:
    with tempfile.TemporaryDirectory() as folder:
        db = SQLite(Path(folder) / "shelf.db")
        await db.write(lambda handle: handle.run("CREATE TABLE jars (jar TEXT PRIMARY KEY, number BIGINT NOT NULL)"))
        shelf: Shelf = {}
        for burst in all_bursts:
            answers = await asyncio.gather(*(write(db, wanted) for wanted in burst), return_exceptions=True)
            results = [None if isinstance(answer, Exception) else answer for answer in answers]
            assert results == expected(shelf, burst)
            async with db.snapshot() as read:
                names = await read.all(str, "SELECT jar FROM jars ORDER BY jar")
                numbers = await read.all(int, "SELECT number FROM jars ORDER BY jar")
            assert dict(zip(names, numbers, strict=True)) == shelf
        await db.close()


@settings(max_examples=12, deadline=None, database=None)
@given(bursts)
def test_a_group_has_the_effect_of_its_successful_writes_in_sequence(all_bursts: list[list[Transaction]]) -> None:
    asyncio.run(run(all_bursts))


@pytest.mark.prove
@settings(max_examples=1000, deadline=None, database=None)
@given(bursts)
def test_any_group_has_the_effect_of_its_successful_writes_in_sequence(all_bursts: list[list[Transaction]]) -> None:
    asyncio.run(run(all_bursts))


@pytest.fixture
def commits(monkeypatch: pytest.MonkeyPatch) -> list[None]:
    """Grows by one entry with each commit."""
    counted: list[None] = []

    def count() -> bool:
        counted.append(None)
        return False

    monkeypatch.setattr(apsw, "connection_hooks", [lambda connection: connection.set_commit_hook(count)])
    return counted


async def test_many_writes_share_one_commit(tmp_path: Path, commits: list[None]) -> None:
    db = SQLite(tmp_path / "shelf.db", clock=lambda: 0.0)
    await db.write(lambda handle: handle.run("CREATE TABLE jars (jar TEXT PRIMARY KEY, number BIGINT NOT NULL)"))
    assert commits
    commits.clear()
    await asyncio.gather(*(write(db, Transaction((Step("put", str(number), 1),), fails=False)) for number in range(60)))
    assert len(commits) == 1
    await db.close()


@pytest.mark.parametrize("last_fails", [False, True])
async def test_a_group_ends_after_five_milliseconds(tmp_path: Path, commits: list[None], last_fails: bool) -> None:
    """Ten writes of 3 ms each, by a clock that they set: two fit a group, and others run between the groups."""
    now = 0.0
    db = SQLite(tmp_path / "shelf.db", clock=lambda: now)
    await db.write(lambda handle: handle.run("CREATE TABLE jars (number BIGINT NOT NULL)"))
    commits.clear()

    async def slow(handle: Write, number: int) -> int:
        nonlocal now
        now += 0.003
        await handle.run("INSERT INTO jars (number) VALUES (:number)", number=number)
        if last_fails and number == 9:
            raise Conflict("refused", "After having written")
        return number

    writes = [db.write(partial(slow, number=number)) for number in range(10)]
    results = await asyncio.gather(*writes, return_exceptions=True)
    async with db.read() as read:
        assert await read.all(int, "SELECT number FROM jars ORDER BY rowid") == results[: 9 if last_fails else 10]
    assert len(commits) == 5
    assert results[:9] == list(range(9))
    await db.close()


async def test_an_unexpected_error_in_one_group_does_not_block_others(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    db = SQLite(tmp_path / "shelf.db")
    await db.write(lambda handle: handle.run("CREATE TABLE jars (jar TEXT PRIMARY KEY, number BIGINT NOT NULL)"))
    rightly = sqlite_queue.run_in_group

    def wrongly(*_: object) -> None:
        monkeypatch.setattr("backbench.engine.sqlite.run_in_group", rightly)
        raise ZeroDivisionError

    monkeypatch.setattr("backbench.engine.sqlite.run_in_group", wrongly)
    many = (write(db, Transaction((Step("put", str(number), 1),), fails=False)) for number in range(100))
    async with asyncio.timeout(60):
        answers = await asyncio.gather(*many, return_exceptions=True)
    failed = [answer for answer in answers if isinstance(answer, ZeroDivisionError)]
    assert 0 < len(failed) < 100
    async with db.read() as read:
        assert await read.value("SELECT count(*) FROM jars") == 100 - len(failed)
    await db.close()


async def test_a_transaction_that_awaits_something_else_is_rolled_back(tmp_path: Path) -> None:
    db = SQLite(tmp_path / "shelf.db")
    await db.write(lambda handle: handle.run("CREATE TABLE jars (jar TEXT PRIMARY KEY, number BIGINT NOT NULL)"))

    async def waits(handle: Write) -> None:
        await handle.run("INSERT INTO jars (jar, number) VALUES ('mine', 1)")
        await asyncio.sleep(0.01)

    neighbour = Transaction((Step("put", "theirs", 1),), fails=False)
    refused, kept = await asyncio.gather(db.write(waits), write(db, neighbour), return_exceptions=True)
    assert isinstance(refused, RuntimeError)
    assert "awaited something other than its database" in str(refused)
    assert kept == 1
    async with db.read() as read:
        assert await read.all(str, "SELECT jar FROM jars") == ["theirs"]
    await db.close()


async def test_a_write_that_succeeds_in_a_later_group_is_not_reported_as_failed(tmp_path: Path) -> None:
    """Its group runs twice, because another write fails after writing; the second time, no time is left for it."""
    now = 0.0
    runs = {"slow": 0, "late": 0, "failing": 0}
    db = SQLite(tmp_path / "shelf.db", clock=lambda: now)
    await db.write(lambda handle: handle.run("CREATE TABLE jars (jar TEXT PRIMARY KEY)"))

    async def slow(_: Write) -> None:
        nonlocal now
        runs["slow"] += 1
        now += 0.006 if runs["slow"] == 2 else 0.0

    async def late(handle: Write) -> str:
        runs["late"] += 1
        if runs["late"] == 1:
            raise Conflict("taken", "Before having written")
        await handle.run("INSERT INTO jars (jar) VALUES ('late')")
        return "stored"

    async def failing(handle: Write) -> None:
        runs["failing"] += 1
        await handle.run("INSERT INTO jars (jar) VALUES ('failing')")
        if runs["failing"] == 1:
            raise Conflict("refused", "After having written")

    results = await asyncio.gather(db.write(slow), db.write(late), db.write(failing), return_exceptions=True)
    assert runs == {"slow": 2, "late": 2, "failing": 2}
    assert list(results) == [None, "stored", None]
    await db.close()


async def test_an_error_right_after_a_change_whose_row_was_read_undoes_it(tmp_path: Path) -> None:
    """SQLite counts the changes of such a statement once it has ended."""
    db = SQLite(tmp_path / "shelf.db")
    await db.write(lambda handle: handle.run("CREATE TABLE jars (jar TEXT PRIMARY KEY)"))
    await db.write(lambda handle: handle.run("INSERT INTO jars (jar) VALUES ('plum')"))

    async def failing(handle: Write) -> None:
        assert await handle.value("UPDATE jars SET jar = 'fig' RETURNING jar") == "fig"
        raise Conflict("refused", "After having written")

    with pytest.raises(Conflict):
        await db.write(failing)
    async with db.read() as read:
        assert await read.all(str, "SELECT jar FROM jars") == ["plum"]
    await db.close()


async def test_reads_go_on_during_a_long_write_and_other_writes_wait(tmp_path: Path) -> None:
    began, may_end = threading.Event(), threading.Event()

    async def long_write(db: Write, *, fails: bool = False) -> None:
        await db.run("INSERT INTO jars (jar, number) VALUES ('long', 1)")
        began.set()
        # On the event loop it would wait for a read that cannot run.
        assert may_end.wait(60)
        if fails:
            raise Conflict("fails", "It fails after a change")

    db = SQLite(tmp_path / "shelf.db")
    await db.write(lambda handle: handle.run("CREATE TABLE jars (jar TEXT PRIMARY KEY, number BIGINT NOT NULL)"))
    for fails in (True, False):
        began.clear()
        may_end.clear()
        long = asyncio.create_task(db.write(partial(long_write, fails=fails), is_long=True))
        assert await asyncio.to_thread(began.wait, 60)
        other = asyncio.create_task(write(db, Transaction((Step("put", "other", int(fails)),), False)))
        async with db.read() as read:
            assert await read.value("SELECT count(*) FROM jars WHERE jar = 'long'") == 0
        assert not other.done()
        may_end.set()
        if fails:
            with pytest.raises(Conflict):
                await long
        else:
            await long
        await other
        async with db.read() as read:
            assert await read.value("SELECT count(*) FROM jars WHERE jar = 'long'") == int(not fails)
    await db.close()
