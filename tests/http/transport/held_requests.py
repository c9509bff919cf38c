"""Requests that hold back the end of their body, so that a test can act while the server waits for it."""

import asyncio
import contextlib
from collections.abc import AsyncIterator

import httpx
import msgspec

from tests.people import Person


class HeldRequest:
    """A request of which everything but the last byte of the body has arrived, until `finish`."""

    def __init__(self) -> None:
        self.is_held = asyncio.Event()
        self._may_end = asyncio.Event()
        self.response: asyncio.Task[httpx.Response]

    async def pieces(self, body: bytes) -> AsyncIterator[bytes]:
        yield body[:-1]
        self.is_held.set()
        await self._may_end.wait()
        yield body[-1:]

    async def finish(self) -> httpx.Response:
        self._may_end.set()
        async with asyncio.timeout(60):
            return await self.response


@contextlib.asynccontextmanager
async def held(person: Person, method: str, path: str, body: object, **headers: str) -> AsyncIterator[HeldRequest]:
    """Sends the request and enters the block once the application waits for the last byte."""
    request = HeldRequest()
    content = body if isinstance(body, bytes) else msgspec.json.encode(body)
    sent = person._headers(method, body) | {name.replace("_", "-"): value for name, value in headers.items()}
    sending = person.browser.request(method, f"/api{path}", content=request.pieces(content), headers=sent)
    request.response = asyncio.create_task(sending)
    async with asyncio.timeout(60):
        await request.is_held.wait()
    try:
        yield request
    finally:
        await request.finish()
