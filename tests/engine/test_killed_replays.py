"""kill -9 between a request and its response: a retry with the same Idempotency-Key creates nothing a second time."""

import asyncio
import random
from collections.abc import Callable

import httpx
import pytest
from msgspec import Struct

from backbench.engine.urls import open_database
from tests.support import image_files
from tests.support.databases import running_app
from tests.support.server import running_server, session_headers
from tests.support.uploads import BOUNDARY, form

pytestmark = pytest.mark.both_engines

ORDERS, FILES, PDF_EXPORTS = "orders", "files", "pdfExports"


class RetryingClient(Struct):
    """Sends orders, icons and PDF exports, each with an idempotency key, until the server is gone."""

    headers: dict[str, str]
    workshop: str
    estimate: str
    # Every key that was sent, by the kind of object it creates.
    sent: dict[str, list[str]]

    def place(self, kind: str) -> str:
        owner = f"/api/estimates/{self.estimate}/pdf-exports"
        return owner if kind == PDF_EXPORTS else f"/api/workshops/{self.workshop}/{kind}"

    async def send(self, browser: httpx.AsyncClient, kind: str, key: str) -> httpx.Response:
        headers = {**self.headers, "idempotency-key": key}
        if kind == ORDERS:
            return await browser.post(self.place(kind), json={"title": key}, headers=headers)
        if kind == PDF_EXPORTS:
            return await browser.post(self.place(kind), json={"locale": "pl", "preliminary": False}, headers=headers)
        parts = {"category": "grid_tile_icon", "workshopId": self.workshop}
        body = form(*parts.items(), ("file", (f"{key}.png", image_files.png())))
        headers["content-type"] = f"multipart/form-data; boundary={BOUNDARY}"
        return await browser.post("/api/files", content=body, headers=headers)

    async def work(self, browser: httpx.AsyncClient, kind: str) -> None:
        try:
            while True:
                key = f"{kind} {len(self.sent[kind])}"
                self.sent[kind].append(key)
                assert (await self.send(browser, kind, key)).status_code == 201
        except httpx.TransportError:
            return

    async def work_until(self, url: str, kill: Callable[[], None]) -> None:
        async with browsing(url) as browser:
            hands = [asyncio.create_task(self.work(browser, kind)) for kind in (ORDERS, FILES, FILES, PDF_EXPORTS)]
            await asyncio.sleep(random.uniform(0.1, 0.4))
            kill()
            await asyncio.gather(*hands)

    async def retry_all(self, url: str) -> None:
        """Checks that each was created once, with or without a response."""
        async with browsing(url) as browser:
            for kind, keys in self.sent.items():
                for key in keys:
                    assert (await self.send(browser, kind, key)).status_code == 201
                found = (await browser.get(self.place(kind), headers=self.headers)).json()[kind]
                # A PDF export is a file of the workshop as well.
                ours = [each for each in found if kind != FILES or each["category"] == "grid_tile_icon"]
                assert len(ours) == len(keys), kind


def browsing(url: str) -> httpx.AsyncClient:
    return httpx.AsyncClient(base_url=url, timeout=60, trust_env=False, verify=False)


async def test_retries_after_a_kill_create_each_object_once(new_database_url: Callable[[], str]) -> None:
    url = new_database_url()
    async with running_app(url) as app:
        anna = await app.owner("Anna")
        await app.put_on_pro(anna.workshop)
        estimate = (await anna.estimate())["id"]
        assert (await anna.post(f"/estimates/{estimate}/confirm")).status_code == 201
    hands = RetryingClient(session_headers(anna), anna.workshop, estimate, {ORDERS: [], FILES: [], PDF_EXPORTS: []})
    for _ in range(1):
        with running_server(url) as running:
            await hands.work_until(running.url, running.kill)
    await expire_claims(url)
    with running_server(url) as running:
        await hands.retry_all(running.url)


async def expire_claims(url: str) -> None:
    """Two minutes later: until then, a retry is rejected because the first request is still in progress."""
    db = open_database(url)
    sql = "UPDATE idempotency_keys SET ends_at = '2020-01-01T00:00:00.000Z' WHERE status IS NULL"
    await db.write(lambda write: write.run(sql))
    await db.close()
