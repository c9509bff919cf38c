"""Deliveries of webhooks at size: some receivers hang among a thousand, and workers that are killed."""

import asyncio
import json
import random
import statistics
import time
from collections import Counter
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager, suppress
from pathlib import Path
from typing import Any

import httpx
import pytest
from msgspec.structs import replace

from backbench.connections import webhooks
from backbench.connections.webhooks import StoredWebhook, new_secret
from backbench.integrations.public_addresses import PublicRequests
from backbench.jobs.webhook_deliveries import WebhookDeliveries
from backbench.values import times
from backbench.values.ids import new_id
from tests.people import App
from tests.support.databases import new_file, running_app
from tests.support.providers.servers import stream_server
from tests.support.server import running_server, session_headers

WORKSHOPS, EACH, HANGING = 50, 20, 10
# Of orders, each with twenty messages.
PAUSE_SECONDS = 1.0
KILLS = 30


class Receiver:
    """Keeps when it got which message at which path, and never responds to the paths that hang."""

    def __init__(self) -> None:
        self.received: list[tuple[float, str, dict[str, Any], str]] = []
        self.hanging: set[str] = set()
        self._arrived = asyncio.Event()

    @asynccontextmanager
    async def listening(self) -> AsyncIterator[str]:
        async with stream_server(self._serve) as port:
            yield f"http://127.0.0.1:{port}"

    async def _serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        head = (await reader.readuntil(b"\r\n\r\n")).decode()
        headers = dict(line.lower().split(": ", 1) for line in head.splitlines()[1:] if line)
        body = json.loads(await reader.readexactly(int(headers["content-length"])))
        path = head.split()[1]
        if path in self.hanging:
            # Until the sender gives up, or the test ends.
            await reader.read()
            return
        self.received.append((time.monotonic(), path, body, headers["webhook-id"]))
        self._arrived.set()
        writer.write(b"HTTP/1.1 204 No Content\r\ncontent-length: 0\r\n\r\n")
        await writer.drain()

    async def until(self, is_done: Callable[[], bool]) -> None:
        async with asyncio.timeout(300):
            while not is_done():
                self._arrived.clear()
                await self._arrived.wait()

    @property
    def objects(self) -> Counter[str]:
        """How often a message about each object came."""
        return Counter(body["data"]["objectId"] for _, _, body, _ in self.received)


async def add_webhooks(app: App, workshop_id: str, urls: list[str]) -> None:
    new = StoredWebhook(
        "", workshop_id, "", ["order.created"], None, True, None, new_secret(), None, None, 0, None, times.now(), None
    )
    for url in urls:
        await app.db.write(lambda db, url=url: webhooks.add_row(db, replace(new, id=new_id(), url=url)))  # type: ignore[misc]


@pytest.mark.prove
async def test_ten_that_hang_delay_none_of_a_thousand(tmp_path: Path) -> None:
    """Prints the figures for benchmarks/PROOFS.md."""
    receiver = Receiver()
    async with receiver.listening() as url, running_app(new_file(tmp_path)) as app:
        # More of a workshop than the API allows: fewer accounts have to sign in.
        owners = [await app.owner(f"Owner{number}") for number in range(WORKSHOPS)]
        for number, owner in enumerate(owners):
            await add_webhooks(app, owner.workshop, [f"{url}/{number}/{each}" for each in range(EACH)])
        receiver.hanging = {f"/{number}/0" for number in range(HANGING)}
        job = WebhookDeliveries(app.db, PublicRequests(allows_loopback=True), times.now, new_id)
        job.start()
        used = time.process_time()
        created: dict[str, float] = {}
        for owner in owners:
            order = await owner.order()
            created[order["id"]] = time.monotonic()
            await asyncio.sleep(PAUSE_SECONDS)
        expected = WORKSHOPS * EACH - HANGING
        await receiver.until(lambda: len(receiver.received) >= expected)
        used = time.process_time() - used
        await job.stop()
    delays = sorted(at - created[body["data"]["objectId"]] for at, _, body, _ in receiver.received)
    cuts = statistics.quantiles(delays, n=100)
    print(  # noqa: T201
        f"{WORKSHOPS * EACH} webhooks, {HANGING} hang: {len(delays)} messages in {WORKSHOPS * PAUSE_SECONDS:.0f} s, "
        f"p50 {cuts[49]:.2f} s, p95 {cuts[94]:.2f} s, longest {delays[-1]:.2f} s, "
        f"{used / len(delays) * 1000:.1f} ms of processor time each, with the receiver"
    )
    assert len(delays) == expected


@pytest.mark.prove
async def test_killed_workers_lose_no_message(tmp_path: Path) -> None:
    """Every acknowledged order is heard of at least once. Prints the figures for benchmarks/PROOFS.md."""
    database, receiver = new_file(tmp_path), Receiver()
    async with receiver.listening() as url:
        async with running_app(database) as app:
            anna = await app.owner("Anna")
            await app.put_on_pro(anna.workshop)
            await add_webhooks(app, anna.workshop, [f"{url}/hook"])
            headers, path = session_headers(anna), f"/api/workshops/{anna.workshop}/orders"
        acknowledged: list[str] = []
        for _ in range(KILLS):
            with running_server(database, BACKBENCH_WEBHOOK_LOOPBACK="on") as server:
                orders = asyncio.create_task(create_orders(server.url + path, headers, acknowledged))
                await asyncio.sleep(random.uniform(0.3, 2.0))
                server.kill()
                await orders
        with running_server(database, BACKBENCH_WEBHOOK_LOOPBACK="on"):
            # What a killed worker had claimed is sent after its lease.
            await receiver.until(lambda: set(acknowledged) <= receiver.objects.keys())
    again = sum(count - 1 for count in receiver.objects.values())
    print(f"{KILLS} kills: {len(acknowledged)} acknowledged orders, none unheard of, {again} heard of again")  # noqa: T201
    assert len(acknowledged) > KILLS


async def create_orders(url: str, headers: dict[str, str], acknowledged: list[str]) -> None:
    """One after another until the server is gone."""
    async with httpx.AsyncClient(headers=headers, trust_env=False, timeout=60) as client:
        with suppress(httpx.TransportError):
            while True:
                response = await client.post(url, json={"title": "Oak table"})
                acknowledged.append(response.raise_for_status().json()["id"])
                await asyncio.sleep(0.02)
