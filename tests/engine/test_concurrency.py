"""Concurrent writes: no write is lost to another, on either engine."""

import asyncio
import json
import subprocess
import sys
from collections import Counter
from pathlib import Path
from typing import Any

import httpx
import pytest

from backbench.engine.database import Write
from backbench.engine.sqlite import SQLite
from backbench.engine.urls import open_database
from tests.people import App, Person
from tests.support.counted_data import assert_counted
from tests.support.databases import new_file

pytestmark = pytest.mark.both_engines

STATUSES = ("todo", "in_progress", "done")


async def stored(person: Person, order_id: str) -> dict[str, Any]:
    answer = await person.get(f"/orders/{order_id}")
    assert answer.status_code == 200, answer.text
    order: dict[str, Any] = answer.json()["order"]
    return order


def statuses(answers: list[httpx.Response]) -> Counter[int]:
    return Counter(answer.status_code for answer in answers)


async def moved(person: Person, path: str, status: str) -> httpx.Response:
    """Moves the order, repeated while the response is 503: on a busy machine the last of a hundred may time out."""
    async with asyncio.timeout(60):
        while (answer := await person.patch(path, {"status": status})).status_code == 503:
            assert "retry-after" in answer.headers
    return answer


async def test_a_hundred_concurrent_moves_each_add_a_history_entry(app: App) -> None:
    anna = await app.owner("Anna")
    order = await anna.order()
    wanted = [STATUSES[number % 3] for number in range(100)]
    path = f"/orders/{order['id']}/status"
    answers = await asyncio.gather(*(moved(anna, path, status) for status in wanted))
    assert statuses(answers) == {200: 100}
    found = await stored(anna, order["id"])
    history = [entry["status"] for entry in found["statusHistory"]]
    assert history[0] == "todo"
    assert Counter(history[1:]) == Counter(wanted)
    assert (found["status"], found["lastActivityAt"]) == (history[-1], found["statusHistory"][-1]["at"])
    moments = [entry["at"] for entry in found["statusHistory"]]
    assert moments == sorted(moments)
    # Each response has the order as its own move left it: every length of history once.
    assert sorted(len(answer.json()["statusHistory"]) for answer in answers) == list(range(2, 102))


async def test_concurrent_edits_of_different_fields_all_survive(app: App) -> None:
    anna = await app.owner("Anna")
    order = await anna.order()
    path = f"/orders/{order['id']}"
    for turn in range(10):
        edits = [{"title": f"T{turn}"}, {"customerName": f"C{turn}"}, {"notes": f"N{turn}"}]
        answers = await asyncio.gather(*(anna.patch(path, edit) for edit in edits))
        assert statuses(list(answers)) == {200: 3}
        found = await stored(anna, order["id"])
        assert (found["title"], found["customerName"], found["notes"]) == (f"T{turn}", f"C{turn}", f"N{turn}")


async def test_concurrent_edits_and_moves_do_not_undo_each_other(app: App) -> None:
    anna = await app.owner("Anna")
    order = await anna.order()
    path = f"/orders/{order['id']}"
    moves = [anna.patch(f"{path}/status", {"status": STATUSES[number % 3]}) for number in range(20)]
    edits = [anna.patch(path, {"notes": f"Note {number}"}) for number in range(20)]
    answers = await asyncio.gather(*moves, *edits)
    assert statuses(answers) == {200: 40}
    found = await stored(anna, order["id"])
    assert len(found["statusHistory"]) == 21
    assert found["notes"].startswith("Note ")


async def test_concurrent_confirmations_number_revisions_without_gap_or_duplicate(app: App) -> None:
    anna = await app.owner("Anna")
    await app.put_on_pro(anna.workshop)
    estimate = await anna.estimate()
    answers = await asyncio.gather(*(anna.post(f"/estimates/{estimate['id']}/confirm") for _ in range(20)))
    assert statuses(answers) == {201: 20}
    numbers = sorted(answer.json()["revision"]["revisionNumber"] for answer in answers)
    assert numbers == list(range(1, 21))


async def test_concurrent_confirmations_stop_at_the_limit_of_the_plan(free_app: App) -> None:
    anna = await free_app.owner("Anna")
    estimate = await anna.estimate()
    answers = await asyncio.gather(*(anna.post(f"/estimates/{estimate['id']}/confirm") for _ in range(12)))
    assert statuses(answers) == {201: 3, 409: 9}
    revisions = (await anna.get(f"/estimates/{estimate['id']}/revisions")).json()["revisions"]
    assert [revision["revisionNumber"] for revision in revisions] == [3, 2, 1]


async def test_one_of_twenty_edits_of_the_same_version_succeeds(app: App) -> None:
    anna = await app.owner("Anna")
    order = await anna.order()
    path = f"/orders/{order['id']}"
    for turn in range(3):
        tag = (await anna.get(path)).headers["etag"]
        notes = [f"Note {turn}-{number}" for number in range(20)]
        answers = await asyncio.gather(*(anna.patch(path, {"notes": text}, if_match=tag) for text in notes))
        assert statuses(answers) == {200: 1, 412: 19}
        [accepted] = [answer.json() for answer in answers if answer.status_code == 200]
        assert await stored(anna, order["id"]) == accepted


async def counted_by_process(url: str, who: str) -> list[str]:
    """The names that a separate process wrote and got acknowledged."""
    command = (sys.executable, "-m", "tests.engine.counting_process", url, who)
    process = await asyncio.create_subprocess_exec(*command, stdout=subprocess.PIPE)
    output, _ = await process.communicate()
    assert process.returncode == 0
    names: list[str] = json.loads(output)
    return names


async def test_processes_that_share_one_file_lose_no_writes(tmp_path: Path) -> None:
    url = new_file(tmp_path)
    db = open_database(url)
    await db.write(lambda handle: handle.run("CREATE TABLE tallies (name TEXT PRIMARY KEY, number BIGINT NOT NULL)"))
    await db.write(lambda handle: handle.run("INSERT INTO tallies (name, number) VALUES ('all', 0)"))
    answers = await asyncio.gather(*(counted_by_process(url, who) for who in "abcd"))
    async with db.read() as read:
        names = await read.all(str, "SELECT name FROM tallies WHERE name <> 'all'")
        assert sorted(names) == sorted(name for answered in answers for name in answered)
        assert await read.value("SELECT number FROM tallies WHERE name = 'all'") == len(names)
    await db.close()


async def test_a_read_sees_every_acknowledged_write(tmp_path: Path) -> None:
    """Two engines on one file represent two workers."""
    here, there = SQLite(tmp_path / "app.db"), SQLite(tmp_path / "app.db")
    await here.write(lambda handle: handle.run("CREATE TABLE seen (number BIGINT NOT NULL)"))

    async def add(handle: Write) -> int:
        return await handle.run("INSERT INTO seen (number) VALUES (1)")

    async def look_while(reader: SQLite) -> None:
        for _ in range(50):
            async with reader.read() as read:
                await read.value("SELECT count(*) FROM seen")
            await asyncio.sleep(0)

    for number in range(1, 60):
        writer, reader = (here, there) if number % 2 else (there, here)
        looking = asyncio.create_task(look_while(reader))
        await writer.write(add)
        for engine in (here, there):
            async with engine.read() as read:
                assert await read.value("SELECT count(*) FROM seen") == number
        await looking
    await here.close()
    await there.close()


async def test_a_write_locks_the_counters_of_its_workshop_last(app: App) -> None:
    """Other writers of the workshop do not wait for the statements before. SQLite has one writer at a time."""
    if app.db.engine == "sqlite":
        pytest.skip("one writer at a time")
    anna = await app.owner("Anna")
    order = await anna.order()

    async def edit(db: Write) -> None:
        await db.run("UPDATE orders SET notes = 'oiled' WHERE id = :id", id=order["id"])
        # Within the transaction: this one would wait for it.
        assert (await anna.post(f"/workshops/{anna.workshop}/orders", {"title": "Chair"})).status_code == 201

    async with asyncio.timeout(60):
        await app.db.write(edit)
    await assert_counted(app, anna.workshop)
