"""Changes and events over killed servers: none missed, none twice, for clients that continue where they were."""

import asyncio
import contextlib
import json
from collections.abc import AsyncIterator, Callable, Iterator
from pathlib import Path
from typing import Any

import httpx
import pytest

from tests.support.databases import new_file, running_app
from tests.support.server import Server, free_port, running_server, session_headers


class Clients:
    """Four clients that create orders, one that reads `changes`, and one that reads `events`."""

    def __init__(self, port: int, headers: dict[str, str], workshop: str) -> None:
        self.created = 0
        self.changed: list[str] = []
        self.events: list[tuple[int, str]] = []
        self.is_ended = False
        self._url = f"http://127.0.0.1:{port}/api/workshops/{workshop}"
        self._headers = headers

    async def has_created(self, count: int, running: list[asyncio.Task[None]]) -> None:
        await _until(lambda: self.created >= count, running)

    async def has_read(self, count: int, running: list[asyncio.Task[None]]) -> None:
        await _until(lambda: len(self.events) >= count <= len(self.changed), running)

    def _client(self) -> httpx.AsyncClient:
        return httpx.AsyncClient(headers=self._headers, timeout=60, trust_env=False, verify=False)

    async def create(self) -> None:
        """Until `is_ended`: a request that is broken off may be carried out after all was counted."""
        async with self._client() as client:
            while not self.is_ended:
                with contextlib.suppress(httpx.TransportError):
                    response = await client.post(f"{self._url}/orders", json={"title": "Bench"})
                    self.created += response.status_code == 201
                await asyncio.sleep(0)

    async def cursor(self) -> str:
        async with self._client() as client:
            return str((await client.get(f"{self._url}/changes")).json()["cursor"])

    async def read_changes(self, since: str) -> None:
        async with self._client() as client:
            while True:
                with contextlib.suppress(httpx.TransportError):
                    response = await client.get(f"{self._url}/changes", params={"since": since, "limit": 100})
                    if response.status_code == 200:
                        found = response.json()
                        assert not found["reset"]
                        self.changed += [order["id"] for order in found["orders"]]
                        since = found["cursor"]
                await asyncio.sleep(0.02)

    async def read_events(self, since: str) -> None:
        async with self._client() as client:
            while True:
                with contextlib.suppress(httpx.TransportError):
                    request = client.stream("GET", f"{self._url}/events", headers={"last-event-id": since})
                    async with request as response:
                        async for event in _events(response):
                            assert event["event"] in ("hello", "change")
                            since = event["id"]
                            if event["event"] == "change":
                                self.events.append((int(since.split(".")[1]), event["data"]))
                await asyncio.sleep(0.02)


async def _until(condition: Callable[[], bool], running: list[asyncio.Task[None]]) -> None:
    """Raises the error of a task that has ended."""
    async with asyncio.timeout(600):
        while not condition():
            for task in running:
                if task.done():
                    task.result()
            await asyncio.sleep(0.02)


async def _events(response: httpx.Response) -> AsyncIterator[dict[str, Any]]:
    """The complete events: one that is cut off by a kill is sent again after the last complete one."""
    if response.status_code != 200:
        return
    fields: dict[str, str] = {}
    async for line in response.aiter_lines():
        name, colon, value = line.partition(": ")
        if colon and name:
            fields[name] = value
        elif not line and fields:
            yield fields
            fields = {}


@contextlib.contextmanager
def restarted(url: str, port: int, workers: int) -> Iterator[Server]:
    with running_server(url, port=port, workers=workers, BACKBENCH_DEFAULT_PLAN="pro") as server:
        yield server
        server.kill()


async def create_and_read(url: str, changes: int, kills: int, workers: int) -> None:
    async with running_app(url) as app:
        anna = await app.owner("Anna")
        before = len(await versions(app.db, anna.workshop))
    port = free_port()
    clients = Clients(port, session_headers(anna), anna.workshop)
    running: list[asyncio.Task[None]] = []
    expected: list[int] = []
    for round_ in range(1, kills + 2):
        # In a thread, so that the clients see the server go and come back.
        with contextlib.ExitStack() as stack:
            await asyncio.to_thread(stack.enter_context, restarted(url, port, workers))
            if not running:
                since = await clients.cursor()
                work = (*[clients.create() for _ in range(4)], clients.read_changes(since), clients.read_events(since))
                running = [asyncio.create_task(each) for each in work]
            await clients.has_created(changes * round_ // (kills + 1), running)
            if round_ > kills:
                clients.is_ended = True
                await asyncio.wait(running[:4])
                async with running_app(url) as app:
                    expected = (await versions(app.db, anna.workshop))[before:]
                await clients.has_read(len(expected), running[4:])
    for reading in running[4:]:
        reading.cancel()
    await asyncio.wait(running)
    assert [version for version, _ in clients.events] == expected
    assert sorted(clients.changed) == sorted(set(clients.changed))
    assert len(clients.changed) == len(expected) >= changes
    objects = [json.loads(data)["objectId"] for _, data in clients.events]
    assert sorted(objects) == sorted(clients.changed)


async def versions(db: Any, workshop: str) -> list[int]:
    async with db.read() as read:
        sql = "SELECT version FROM audit_entries WHERE workshop_id = :workshop ORDER BY version"
        found: list[int] = await read.all(int, sql, workshop=workshop)
        return found


async def test_changes_and_events_continue_over_a_killed_server(tmp_path: Path) -> None:
    await create_and_read(new_file(tmp_path), changes=60, kills=1, workers=1)


@pytest.mark.prove
@pytest.mark.parametrize("workers", [1, 2])
async def test_thousands_of_changes_over_killed_servers_arrive_once(
    new_database_url: Callable[[], str], workers: int
) -> None:
    await create_and_read(new_database_url(), changes=2_500, kills=10, workers=workers)
