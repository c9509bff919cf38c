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
    """Loads the page of the web app and the modules it names, each over a new connection, again and again."""

    def __init__(self, url: str) -> None:
        self._url = url
        self.versions: set[str] = set()
        self.missing: list[str] = []

    async def load(self) -> None:
        while True:
            page = await self._get("/")
            paths = re.findall(r'(?:href|src)="(/app/[^"]+\.(?:js|css))"', page)
            assert paths
            self.versions |= {path.split("/")[2] for path in paths}
            for path in paths[:4]:
                await self._get(path)
            await asyncio.sleep(_PAUSE_SECONDS)

    async def _get(self, path: str) -> str:
        async with httpx.AsyncClient(base_url=self._url, timeout=90, trust_env=False, verify=False) as client:
            response = await client.get(path)
        if response.status_code != 200:
            self.missing.append(f"{response.status_code} {path}")
        return response.text
