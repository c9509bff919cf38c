"""Load on a cluster, and a journal of it: acknowledged writes, failed requests and responses to compare with replays.

Each writer repeats a write that failed, with the same Idempotency-Key, until it is acknowledged. So a write that was
made although its response was lost has to be there once.
"""

import asyncio
import itertools
import random
import time
from collections.abc import AsyncIterator, Callable, Sequence
from contextlib import asynccontextmanager
from typing import Any
from uuid import uuid4

import httpx
from msgspec import Struct, field

from tests.support.cluster.http_load import STATUSES, ExpectedOrder

# Longer than any deadline of the service or of a proxy: a request that takes this long has no deadline.
REQUEST_SECONDS = 90.0
# Writers do not wait as long as Retry-After says, so that the length of an outage shows.
_PAUSE_SECONDS = 0.05
_REPLAYS = 20


class Workplace(Struct):
    """What a writer changes, and its credentials."""

    headers: dict[str, str]
    workshop: str
    estimate: str


class SentWrite(Struct):
    """A request that can be repeated."""

    method: str
    path: str
    body: Any
    key: str | None


class Failure(Struct):
    """A request without an acknowledgment: a status, or "no response". It is open whether the write was made."""

    at: float
    what: str
    seconds: float
    sent: SentWrite


class Journal(Struct):
    """Times are those of `time.monotonic`."""

    # The first word of its idempotency keys.
    name: str = field(default_factory=lambda: uuid4().hex[:8])
    orders: dict[str, ExpectedOrder] = field(default_factory=dict)
    # Keys of orders whose creation is not acknowledged.
    unknown_orders: set[str] = field(default_factory=set)
    acknowledged: list[float] = field(default_factory=list)
    failures: list[Failure] = field(default_factory=list)
    confirmed: int = 0
    unknown_confirmations: int = 0
    longest_seconds: float = 0.0
    replayable: list[tuple[Workplace, SentWrite, int, bytes]] = field(default_factory=list)

    def longest_pause(self, since: float) -> float:
        """The longest time without an acknowledged write that began or ended after `since`."""
        times = [*self.acknowledged, time.monotonic()]
        return max((later - at for at, later in itertools.pairwise(times) if later > since), default=0.0)

    def first_after(self, since: float) -> float:
        """When the first write after `since` was acknowledged."""
        return next(at for at in self.acknowledged if at > since)

    def failed_since(self, since: float) -> list[Failure]:
        return [failure for failure in self.failures if failure.at > since]


class Load:
    """Writers that create, edit, move and confirm, each on its own orders, as fast as they get responses.

    `url` is called for each attempt: the address of a proxy, or of a node that the writer chooses.
    """

    def __init__(self, workplaces: list[Workplace], url: Callable[[], str], writers: int = 8) -> None:
        self.journal = Journal()
        self.workplaces = workplaces
        self._url = url
        self._writers = writers
        self._numbers = itertools.count(1)
        self._changed = asyncio.Condition()

    @asynccontextmanager
    async def at_work(self) -> AsyncIterator[None]:
        """Works inside the block. What is in progress at its end remains unknown."""
        async with asyncio.TaskGroup() as group:
            places = itertools.islice(itertools.cycle(self.workplaces), self._writers)
            writers = [group.create_task(self._work(place)) for place in places]
            try:
                yield
            finally:
                for writer in writers:
                    writer.cancel()

    async def acknowledgments(self, more: int) -> None:
        """Waits until that many more writes have been acknowledged."""
        await self._wait_for(self.journal.acknowledged, more)

    async def failures(self, more: int) -> None:
        """Waits until that many more requests have failed."""
        await self._wait_for(self.journal.failures, more)

    async def _wait_for(self, noted: Sequence[object], more: int) -> None:
        wanted = len(noted) + more
        async with self._changed, asyncio.timeout(120):
            await self._changed.wait_for(lambda: len(noted) >= wanted)

    async def check_replays(self) -> int:
        """Repeats writes with their Idempotency-Keys: each gets the response that it got before. Returns how many."""
        repeated, self.journal.replayable = self.journal.replayable, []
        async with _client() as client:
            for place, sent, status, body in repeated:
                answer = await self._request(client, place, sent)
                assert (answer.status_code, answer.content) == (status, body), sent
                assert answer.headers["idempotency-replayed"] == "true"
        return len(repeated)

    async def _work(self, place: Workplace) -> None:
        async with _client() as client:
            while True:
                await self._work_on_an_order(client, place)
                self.journal.unknown_confirmations += 1
                confirmation = SentWrite("POST", f"/api/estimates/{place.estimate}/confirm", None, self._key())
                await self._send(client, place, confirmation)
                self.journal.unknown_confirmations -= 1
                self.journal.confirmed += 1

    async def _work_on_an_order(self, client: httpx.AsyncClient, place: Workplace) -> None:
        key = self._key()
        self.journal.unknown_orders.add(key)
        # The key is in the order as well: two orders with the same key are one that was made twice.
        creation = SentWrite(
            "POST", f"/api/workshops/{place.workshop}/orders", {"title": key, "customerName": key}, key
        )
        order_id = (await self._send(client, place, creation))["id"]
        self.journal.unknown_orders.remove(key)
        expected = self.journal.orders[order_id] = ExpectedOrder(key)
        path = f"/api/orders/{order_id}"
        for turn in range(random.randint(1, 4)):
            expected.title_in_doubt = f"{key}, edit {turn}"
            await self._send(client, place, SentWrite("PATCH", path, {"title": expected.title_in_doubt}, None))
            expected.title, expected.title_in_doubt = expected.title_in_doubt, None
            expected.move_in_doubt = random.choice(STATUSES)
            move = SentWrite("PATCH", f"{path}/status", {"status": expected.move_in_doubt}, self._key())
            await self._send(client, place, move)
            expected.moves.append(expected.move_in_doubt)
            expected.move_in_doubt = None

    def _key(self) -> str:
        return f"{self.journal.name} {next(self._numbers)}"

    async def _send(self, client: httpx.AsyncClient, place: Workplace, sent: SentWrite) -> Any:
        """Repeats the request until it is acknowledged."""
        while True:
            began = time.monotonic()
            try:
                answer = await self._request(client, place, sent)
            except httpx.TransportError as error:
                what = f"no response: {type(error).__name__}"
            else:
                if answer.is_success:
                    await self._note(place, sent, answer, began)
                    return answer.json()
                what = _expected_failure(answer)
            now = time.monotonic()
            self.journal.failures.append(Failure(now, what, now - began, sent))
            await self._notify()
            await asyncio.sleep(_PAUSE_SECONDS)

    async def _request(self, client: httpx.AsyncClient, place: Workplace, sent: SentWrite) -> httpx.Response:
        headers = place.headers if sent.key is None else {**place.headers, "idempotency-key": sent.key}
        return await client.request(sent.method, self._url() + sent.path, json=sent.body, headers=headers)

    async def _note(self, place: Workplace, sent: SentWrite, answer: httpx.Response, began: float) -> None:
        journal, now = self.journal, time.monotonic()
        journal.longest_seconds = max(journal.longest_seconds, now - began)
        journal.acknowledged.append(now)
        if sent.key is not None:
            # The latest ones, which a failover would lose first.
            journal.replayable = [
                *journal.replayable[1 - _REPLAYS :],
                (place, sent, answer.status_code, answer.content),
            ]
        await self._notify()

    async def _notify(self) -> None:
        async with self._changed:
            self._changed.notify_all()


def _client() -> httpx.AsyncClient:
    return httpx.AsyncClient(timeout=REQUEST_SECONDS, trust_env=False, verify=False)


def _expected_failure(answer: httpx.Response) -> str:
    """What an outage may look like. Everything else is an error of the service."""
    status, is_json = answer.status_code, "json" in answer.headers.get("content-type", "")
    if not is_json:
        # A proxy without a node that works.
        assert status in (502, 503, 504), (status, answer.headers, answer.text)
        return f"{status} by the proxy"
    code = answer.json()["code"]
    # A first attempt may still be in progress on another node.
    assert (status, code) in ((503, "unavailable"), (409, "in_progress")), answer.text
    assert status == 409 or int(answer.headers["retry-after"]) > 0
    return f"{status} {code}: {answer.json()['detail']}"
