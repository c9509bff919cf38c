"""A lost connection to PostgreSQL: what was not committed is repeated, and a lost commit is reported as unknown."""

import asyncio
from collections.abc import AsyncIterator
from typing import Any

import httpx
import pytest

from backbench.engine.database import Read, Write
from backbench.engine.postgres import cluster
from backbench.engine.postgres.database import Postgres
from backbench.values.errors import DatabaseUnavailable
from tests.people import Person
from tests.support.cluster.cutting_proxy import CuttingProxy, cutting_proxy
from tests.support.databases import migrated_database, new_database, running_app

Behind = tuple[Person, CuttingProxy]
# Parts of messages.
_BEGIN, _COMMIT = b"BEGIN ISOLATION", b"COMMIT\0"


@pytest.fixture
async def behind(postgres: Any) -> AsyncIterator[Behind]:
    """Anna, whose server reaches its database through the proxy."""
    async with (
        cutting_proxy(new_database(postgres, migrated_database(postgres))) as (proxy, url),
        running_app(url) as app,
    ):
        yield await app.owner("Anna"), proxy


async def post(anna: Person, title: str, key: str | None = None) -> httpx.Response:
    headers = {} if key is None else {"idempotency_key": key}
    return await anna.post(f"/workshops/{anna.workshop}/orders", {"title": title}, **headers)


async def titles(anna: Person) -> list[str]:
    listed = (await anna.get(f"/workshops/{anna.workshop}/orders")).json()["orders"]
    return [order["title"] for order in listed]


async def test_a_read_whose_connection_is_lost_is_repeated(behind: Behind) -> None:
    anna, proxy = behind
    order = await anna.order()
    proxy.cut_at = [b""]
    assert (await anna.get(f"/orders/{order['id']}")).status_code == 200
    assert proxy.cut_at == []


async def test_a_connection_whose_end_is_announced_is_replaced(behind: Behind) -> None:
    anna, proxy = behind
    await titles(anna)
    proxy.announce_end()
    # Until it has arrived, and the connection is still open.
    await asyncio.sleep(0.05)
    assert (await post(anna, "Oak table")).status_code == 201
    assert await titles(anna) == ["Oak table"]


async def test_a_write_whose_connection_is_lost_before_its_commit_is_made_once(behind: Behind) -> None:
    anna, proxy = behind
    for number, cut_at in enumerate(([_BEGIN], [_BEGIN, b""], [_BEGIN, b"", b"", b"", b""])):
        proxy.cut_at = cut_at
        assert (await post(anna, "Oak bench", f"key-{number}")).status_code == 201
        assert proxy.cut_at == []
    assert await titles(anna) == ["Oak bench"] * 3


@pytest.mark.parametrize("is_made", [False, True])
async def test_a_lost_commit_is_unknown_and_its_idempotency_key_resolves_it(behind: Behind, is_made: bool) -> None:
    anna, proxy = behind
    proxy.cut_at, proxy.is_answered = [_COMMIT], is_made
    answer = await post(anna, "Oak bench", "key-1")
    assert (answer.status_code, answer.json()["code"], answer.headers["retry-after"]) == (503, "unavailable", "5")
    assert "made completely or not at all" in answer.json()["detail"]
    assert "Idempotency-Key" in answer.json()["detail"]
    proxy.is_answered = False
    assert await titles(anna) == ["Oak bench"] * is_made
    assert (await post(anna, "Oak bench", "key-1")).status_code == 201
    assert await titles(anna) == ["Oak bench"]


@pytest.mark.parametrize("is_made", [False, True])
async def test_a_lost_write_of_one_statement_is_unknown(behind: Behind, is_made: bool) -> None:
    anna, proxy = behind
    # Its arguments; that it is to run; the end of what commits.
    proxy.cut_at, proxy.is_answered = [b"Oak bench", b"", b""] if is_made else [b"Oak bench"], is_made
    answer = await post(anna, "Oak bench")
    assert (answer.status_code, answer.json()["code"]) == (503, "unavailable")
    assert "made completely or not at all" in answer.json()["detail"]
    proxy.is_answered = False
    assert await titles(anna) == ["Oak bench"] * is_made


async def test_a_create_takes_two_round_trips_and_a_move_four(behind: Behind) -> None:
    """Credentials with the role; all that it writes. BEGIN; credentials with the order; all that it writes; COMMIT."""
    anna, proxy = behind
    order = await anna.order()
    path = f"/orders/{order['id']}/status"
    # Prepares the statements of a move.
    await anna.patch(path, {"status": "in_progress"})
    before = proxy.round_trips
    assert (await post(anna, "Oak bench")).status_code == 201
    assert proxy.round_trips - before == 2
    assert (await anna.patch(path, {"status": "done"})).status_code == 200
    assert proxy.round_trips - before == 2 + 4


async def test_a_first_confirmation_takes_six_round_trips(behind: Behind) -> None:
    """BEGIN; credentials with all that it needs; the number of the year; estimate; revision with its entry; COMMIT."""
    anna, proxy = behind
    first, second, third = [(await anna.estimate())["id"] for _ in range(3)]
    # Prepares the statements. The second takes the next number of the year, as the first did.
    for prepared in (first, second):
        assert (await anna.post(f"/estimates/{prepared}/confirm")).status_code == 201
    before = proxy.round_trips
    assert (await anna.post(f"/estimates/{third}/confirm")).status_code == 201
    assert proxy.round_trips - before == 6


async def test_requests_wait_for_a_restarting_server_with_few_attempts_to_connect(behind: Behind) -> None:
    anna, proxy = behind
    order = await anna.order()
    await asyncio.gather(*(anna.get(f"/orders/{order['id']}") for _ in range(10)))
    before = proxy.connections
    proxy.refused = 6
    proxy.cut_all()
    reads = [anna.get(f"/orders/{order['id']}") for _ in range(20)]
    answers = await asyncio.gather(*reads, *(post(anna, "Oak bench") for _ in range(10)))
    assert [answer.status_code for answer in answers] == [200] * 20 + [201] * 10
    # Of reads and of writes one attempt at a time; afterwards the pool of ten.
    assert proxy.connections - before <= 6 + 2 + 10 + 2
    assert await titles(anna) == ["Oak bench"] * 10 + [order["title"]]


async def test_after_the_longest_wait_requests_are_unavailable_and_later_not(
    behind: Behind, monkeypatch: pytest.MonkeyPatch
) -> None:
    anna, proxy = behind
    order = await anna.order()
    monkeypatch.setattr(cluster, "_SECONDS", 0.05)
    proxy.refused = 1_000_000
    proxy.cut_all()
    answers = await asyncio.gather(anna.get(f"/orders/{order['id']}"), post(anna, "Lost?"))
    assert [(answer.status_code, answer.headers["retry-after"]) for answer in answers] == [(503, "5")] * 2
    proxy.refused = 0
    assert (await anna.get(f"/orders/{order['id']}")).status_code == 200
    assert (await post(anna, "Oak bench")).status_code == 201
    assert await titles(anna) == ["Oak bench", order["title"]]


async def test_no_more_requests_wait_than_memory_is_meant_for(behind: Behind, monkeypatch: pytest.MonkeyPatch) -> None:
    anna, proxy = behind
    order = await anna.order()
    monkeypatch.setattr(cluster, "_MOST_WAITING", 3)
    proxy.refused = 1_000_000
    proxy.cut_all()
    reads = [asyncio.create_task(anna.get(f"/orders/{order['id']}")) for _ in range(8)]
    while sum(read.done() for read in reads) < 5:  # noqa: ASYNC110
        await asyncio.sleep(0.001)
    proxy.refused = 0
    assert sorted([(await read).status_code for read in reads]) == [200] * 3 + [503] * 5


async def test_an_error_of_the_statement_itself_is_not_repeated(behind: Behind) -> None:
    anna, proxy = behind
    before, tries = proxy.connections, 0

    async def work(db: Write) -> None:
        nonlocal tries
        tries += 1
        await db.run("INSERT INTO nothing VALUES (1)")

    app_db = anna.app.db
    with pytest.raises(Exception, match="nothing"):
        await app_db.write(work)
    assert (tries, proxy.connections) == (1, before)


async def test_readiness_does_not_wait(behind: Behind) -> None:
    anna, proxy = behind
    proxy.refused = 1_000_000
    proxy.cut_all()
    assert (await anna.browser.get("/readyz")).status_code == 503
    proxy.refused = 0


async def test_a_database_that_was_never_reached_is_not_waited_for(postgres: Any) -> None:
    async with cutting_proxy(new_database(postgres)) as (proxy, url):
        proxy.refused = 1_000_000
        db = Postgres(url)
        with pytest.raises(DatabaseUnavailable):
            async with db.read():
                pass
        assert proxy.connections == 1
        await db.close()


async def test_a_handle_cannot_be_used_after_its_end(behind: Behind) -> None:
    app = behind[0].app
    handles: list[Read] = []

    async def work(db: Write) -> None:
        handles.extend([db, db.locking()])

    async with app.db.read() as read:
        handles.append(read)
    async with app.db.snapshot() as snapshot:
        handles.append(snapshot)
    await app.db.write(work)
    for handle in handles:
        with pytest.raises(RuntimeError, match="after its end"):
            await handle.value("SELECT 1")
