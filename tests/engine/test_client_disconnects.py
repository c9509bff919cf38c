"""A client that disconnects during a write: the write takes effect completely or not at all."""

import asyncio
import json
import random
from collections.abc import AsyncIterator, Callable
from functools import partial

import pytest

from backbench.engine.database import Database, Write
from backbench.engine.urls import open_database
from tests.support.databases import running_app
from tests.support.server import Server, running_server, session_headers

pytestmark = pytest.mark.both_engines


@pytest.fixture
async def db(new_database_url: Callable[[], str]) -> AsyncIterator[Database]:
    opened = open_database(new_database_url())
    await opened.write(lambda handle: handle.run("CREATE TABLE heads (name TEXT PRIMARY KEY)"))
    await opened.write(lambda handle: handle.run("CREATE TABLE tails (name TEXT PRIMARY KEY)"))
    yield opened
    await opened.close()


async def write_both(db: Write, name: str) -> str:
    await db.run("INSERT INTO heads (name) VALUES (:name)", name=name)
    await db.run("INSERT INTO tails (name) VALUES (:name)", name=name)
    return name


async def test_a_cancelled_write_takes_effect_completely_or_not_at_all(db: Database) -> None:
    async def write_with_timeout(number: int) -> str:
        async with asyncio.timeout(random.uniform(0.0, 0.02)):
            return await db.write(partial(write_both, name=str(number)))

    writes = (write_with_timeout(number) for number in range(300))
    answers = await asyncio.gather(*writes, return_exceptions=True)
    acknowledged = {answer for answer in answers if isinstance(answer, str)}
    assert {type(answer) for answer in answers} <= {str, TimeoutError}
    # The engine still works.
    assert await db.write(partial(write_both, name="last")) == "last"
    async with db.snapshot() as read:
        heads = set(await read.all(str, "SELECT name FROM heads"))
        assert heads == set(await read.all(str, "SELECT name FROM tails"))
    assert acknowledged | {"last"} <= heads


async def test_requests_cut_off_at_any_byte_leave_whole_orders_or_none(new_database_url: Callable[[], str]) -> None:
    url = new_database_url()
    async with running_app(url) as app:
        anna = await app.owner("Anna")
        path = f"/api/workshops/{anna.workshop}/orders"
        with running_server(url) as running:
            sent = [await cut_off(running, path, session_headers(anna), f"Order {number}") for number in range(40)]
            await asyncio.sleep(0.3)
            answer = await anna.get(path.removeprefix("/api"))
        titles = [order["title"] for order in answer.json()["orders"]]
        assert len(titles) == len(set(titles))
        assert set(titles) <= {title for title, whole in sent if whole}
        assert await anna.order()


async def cut_off(running: Server, path: str, headers: dict[str, str], title: str) -> tuple[str, bool]:
    """Sends a request up to some byte and disconnects. Returns whether all of it was sent."""
    body = json.dumps({"title": title}).encode()
    fields = headers | {"host": "x", "content-type": "application/json", "content-length": str(len(body))}
    head = "".join(f"{name}: {value}\r\n" for name, value in fields.items())
    request = f"POST {path} HTTP/1.1\r\n{head}\r\n".encode() + body
    length = random.choice([len(request), len(request), random.randrange(len(request))])
    _, writer = await asyncio.open_connection("127.0.0.1", running.port)
    writer.write(request[:length])
    await writer.drain()
    await asyncio.sleep(random.uniform(0.0, 0.01))
    writer.transport.abort()
    return title, length == len(request)
