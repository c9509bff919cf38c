"""Clients of several nodes that only read: a follower of event streams, and a browser that loads the web app."""

import asyncio
import re

import httpx

from tests.support.cluster.load import Workplace

_PAUSE_SECONDS = 0.05


class Follower:
    """Reads the events of a workshop from the proxy, and continues with its last cursor after each end of a stream.

    `versions` are those of the changes, in the order in which they came; `failures` are responses that were no stream.
    """

    def __init__(self, url: str, place: Workplace) -> None:
        self._url = f"{url}/api/workshops/{place.workshop}/events"
        self._headers = place.headers
        self._cursor = ""
        self._changed = asyncio.Condition()
        self.versions: list[int] = []
        self.failures: list[int] = []
        self.streams = 0

    async def follow(self) -> None:
        async with httpx.AsyncClient(timeout=90, trust_env=False, verify=False) as client:
            while True:
                await self._stream(client)

    async def until(self, version: int) -> None:
        """Waits until it has the change of that version."""
        async with self._changed, asyncio.timeout(60):
            await self._changed.wait_for(lambda: bool(self.versions) and self.versions[-1] >= version)

    async def _stream(self, client: httpx.AsyncClient) -> None:
        headers = self._headers | ({"last-event-id": self._cursor} if self._cursor else {})
        async with client.stream("GET", self._url, headers=headers) as response:
            if response.status_code != 200:
                self.failures.append(response.status_code)
                await asyncio.sleep(_PAUSE_SECONDS)
                return
            self.streams += 1
            cursor = ""
            async for line in response.aiter_lines():
                name, _, value = line.partition(": ")
                if name == "id":
                    cursor = value
                elif name == "event":
                    assert value in ("hello", "change"), value
                    if value == "change":
                        async with self._changed:
                            self.versions.append(int(cursor.split(".")[1]))
                            self._changed.notify_all()
                    self._cursor = cursor


class AppLoads:
    """Loads the page of the web app and modules that it names, each over a new connection, again and again.

    `missing` are those that a reload did not help: the last node that had a version may stop between page and modules.
    """

    def __init__(self, url: str) -> None:
        self._url = url
        self.versions: set[str] = set()
        self.reloads = 0
        self.missing: list[str] = []

    async def load(self) -> None:
        while True:
            if await self._missing_of_page():
                self.reloads += 1
                self.missing += await self._missing_of_page()
            await asyncio.sleep(_PAUSE_SECONDS)

    async def _missing_of_page(self) -> list[str]:
        _, page = await self._get("/")
        paths = re.findall(r'(?:href|src)="(/app/[^"]+\.(?:js|css))"', page)
        assert paths, page
        self.versions |= {path.split("/")[2] for path in paths}
        return [path for path in paths[:4] if (await self._get(path))[0] != 200]

    async def _get(self, path: str) -> tuple[int, str]:
        async with httpx.AsyncClient(base_url=self._url, timeout=90, trust_env=False, verify=False) as client:
            response = await client.get(path)
        return response.status_code, response.text
