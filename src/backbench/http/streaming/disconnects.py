"""Client disconnects: work for a response ends as soon as nobody waits for it."""

import asyncio
from collections.abc import AsyncGenerator, AsyncIterator, Awaitable
from contextlib import aclosing, asynccontextmanager
from typing import TypeVar

from backbench.http.requests import ClientDisconnected, Request

T = TypeVar("T")


async def while_connected(request: Request, pieces: AsyncGenerator[bytes, None]) -> AsyncGenerator[bytes, None]:
    """The pieces, as long as the client is there. Closes their generator in any case.

    A client that disconnects cancels the work on the next piece. Before the first piece that raises
    ClientDisconnected; after it the response has begun, and nothing is left to tell anybody.
    """
    has_begun = False
    async with aclosing(pieces), _disconnect(request) as disconnected:
        while True:
            try:
                piece = await _unless(disconnected, anext(pieces, None))
            except ClientDisconnected:
                if has_begun:
                    return
                raise
            if piece is None:
                return
            has_begun = True
            yield piece


@asynccontextmanager
async def _disconnect(request: Request) -> AsyncIterator[asyncio.Task[None]]:
    """A task that ends when the client disconnects."""
    disconnected = asyncio.create_task(request.disconnected())
    try:
        yield disconnected
    finally:
        disconnected.cancel()


async def _unless(disconnected: asyncio.Task[None], work: Awaitable[T]) -> T:
    """The result of `work`. Cancels it and raises ClientDisconnected where the client disconnects first."""
    task = asyncio.ensure_future(work)
    try:
        if disconnected.done():
            raise ClientDisconnected
        await asyncio.wait({task, disconnected}, return_when=asyncio.FIRST_COMPLETED)
        if not task.done():
            raise ClientDisconnected
        return task.result()
    finally:
        if not task.done():
            task.cancel()
            await asyncio.wait({task})
