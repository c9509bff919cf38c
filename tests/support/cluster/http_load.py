"""HTTP load on one workshop, and a journal of the acknowledged changes: each response of 2xx is a promise."""

import asyncio
import random
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any

import httpx
from msgspec import Struct, field

HANDS = 8
STATUSES = ("todo", "in_progress", "done")


class ExpectedOrder(Struct):
    """The expected state of an order; `title_in_doubt` and `move_in_doubt` were sent and got no response."""

    title: str
    moves: list[str] = field(default_factory=list)
    title_in_doubt: str | None = None
    move_in_doubt: str | None = None

    def check(self, found: dict[str, Any]) -> None:
        assert found["title"] in (self.title, self.title_in_doubt)
        moves = [entry["status"] for entry in found["statusHistory"]][1:]
        assert moves in (self.moves, [*self.moves, self.move_in_doubt])


class Journal(Struct):
    """All acknowledged changes of one workshop."""

    orders: dict[str, ExpectedOrder] = field(default_factory=dict)
    titles_in_doubt: set[str] = field(default_factory=set)
    revisions: int = 0
    revisions_in_doubt: int = 0
    answers: int = 0

    def check(self, found: list[dict[str, Any]], numbers: list[int]) -> None:
        """Checks that every acknowledged change is there, and that everything there is consistent."""
        by_id = {order["id"]: order for order in found}
        for order_id, promised in self.orders.items():
            assert order_id in by_id, f"lost: {promised}"
            promised.check(by_id[order_id])
        for order in found:
            _assert_consistent(order)
            assert order["id"] in self.orders or order["title"] in self.titles_in_doubt
        assert sorted(numbers) == list(range(1, len(numbers) + 1))
        assert self.revisions <= len(numbers) <= self.revisions + self.revisions_in_doubt


def _assert_consistent(order: dict[str, Any]) -> None:
    last = order["statusHistory"][-1]
    assert (order["status"], order["lastActivityAt"]) == (last["status"], last["at"])
    assert order["statusHistory"][0] == {"status": "todo", "at": order["createdAt"]}


class NoResponse(Exception):
    """The server is gone, or cannot write: it is open whether the change took effect."""


class Workshop:
    """Eight clients that create, edit, move and confirm, each on its own orders, as fast as they get responses."""

    def __init__(self, headers: dict[str, str], workshop_id: str, estimate_id: str) -> None:
        self.journal = Journal()
        self._headers = headers
        self._orders = f"/api/workshops/{workshop_id}/orders"
        self._estimate = f"/api/estimates/{estimate_id}"
        self._number = 0
        self._acknowledged = asyncio.Condition()

    @asynccontextmanager
    async def at_work(self, url: str) -> AsyncIterator[None]:
        """Works inside the block. A client that gets no response starts with a new order."""
        hands = [asyncio.create_task(self._work(url)) for _ in range(HANDS)]
        try:
            yield
        finally:
            for hand in hands:
                hand.cancel()
            ended = await asyncio.gather(*hands, return_exceptions=True)
        for end in ended:
            if isinstance(end, Exception):
                raise end

    async def answers(self, more: int) -> None:
        """Waits until that many more changes have been acknowledged."""
        wanted = self.journal.answers + more
        async with self._acknowledged:
            await asyncio.wait_for(self._acknowledged.wait_for(lambda: self.journal.answers >= wanted), 120)

    async def check(self, url: str) -> None:
        async with self._browser(url) as browser:
            found = (await browser.get(self._orders)).raise_for_status().json()["orders"]
            revisions = (await browser.get(f"{self._estimate}/revisions")).raise_for_status().json()["revisions"]
        self.journal.check(found, [revision["revisionNumber"] for revision in revisions])

    def _browser(self, url: str) -> httpx.AsyncClient:
        return httpx.AsyncClient(base_url=url, headers=self._headers, timeout=60, trust_env=False, verify=False)

    async def _work(self, url: str) -> None:
        async with self._browser(url) as browser:
            while True:
                try:
                    await self._work_on_an_order(browser)
                    await self._confirm(browser)
                except NoResponse:
                    await asyncio.sleep(0.02)

    async def _work_on_an_order(self, browser: httpx.AsyncClient) -> None:
        self._number += 1
        title = f"Order {self._number}"
        self.journal.titles_in_doubt.add(title)
        order = await self._send(browser, "POST", self._orders, {"title": title})
        self.journal.titles_in_doubt.remove(title)
        promised = self.journal.orders[order["id"]] = ExpectedOrder(title)
        path = f"/api/orders/{order['id']}"
        for turn in range(random.randint(1, 4)):
            promised.title_in_doubt = f"{title}, edit {turn}"
            await self._send(browser, "PATCH", path, {"title": promised.title_in_doubt})
            promised.title, promised.title_in_doubt = promised.title_in_doubt, None
            promised.move_in_doubt = random.choice(STATUSES)
            await self._send(browser, "PATCH", f"{path}/status", {"status": promised.move_in_doubt})
            promised.moves.append(promised.move_in_doubt)
            promised.move_in_doubt = None

    async def _confirm(self, browser: httpx.AsyncClient) -> None:
        self.journal.revisions_in_doubt += 1
        await self._send(browser, "POST", f"{self._estimate}/confirm", None)
        self.journal.revisions_in_doubt -= 1
        self.journal.revisions += 1

    async def _send(self, browser: httpx.AsyncClient, method: str, path: str, body: Any) -> Any:
        try:
            answer = await browser.request(method, path, json=body)
        except httpx.TransportError as error:
            raise NoResponse from error
        if answer.status_code == 503:
            assert answer.json()["code"] == "unavailable"
            assert int(answer.headers["retry-after"]) > 0
            raise NoResponse
        assert answer.is_success, answer.text
        async with self._acknowledged:
            self.journal.answers += 1
            self._acknowledged.notify_all()
        return answer.json()
