"""GET one order as a bare ASGI application on PostgreSQL: three statements through asyncpg's pool, no framework."""

import os
from typing import Any

import asyncpg

from backbench.values import times
from benchmarks.bare_asgi_common import (
    MEMBER,
    ORDER,
    SESSION,
    Message,
    Receive,
    Send,
    body_of,
    order_id,
    respond,
    secret_hash,
    unblock_signals,
)

_SESSION = SESSION.replace(":secret_hash", "$1").replace(":now", "$2")
_ORDER = ORDER.replace(":order_id", "$1")
_MEMBER = MEMBER.replace(":workshop_id", "$1").replace(":uid", "$2")
# As in storage/engine/postgres.py.
_POOL = 10


async def _no_reset(_connection: object) -> None: ...


class BareApplication:
    def __init__(self, url: str) -> None:
        self._url = url
        self._pool: Any = None

    async def __call__(self, scope: Message, receive: Receive, send: Send) -> None:
        if scope["type"] == "lifespan":
            await self._lifespan(receive, send)
        elif scope["path"] == "/":
            await respond(send, 200, b"{}")
        else:
            await self._order(scope, send)

    async def _order(self, scope: Message, send: Send) -> None:
        async with self._pool.acquire() as connection:
            session = await connection.fetchrow(_SESSION, secret_hash(scope), times.now())
            if session is None:
                return await respond(send, 401)
            row = await connection.fetchrow(_ORDER, order_id(scope))
            if row is None:
                return await respond(send, 404)
            member = await connection.fetchrow(_MEMBER, row[1], session[1])
        if member is None:
            return await respond(send, 403)
        return await respond(send, 200, body_of(row))

    async def _lifespan(self, receive: Receive, send: Send) -> None:
        await receive()
        self._pool = await asyncpg.create_pool(self._url, min_size=0, max_size=_POOL, reset=_no_reset)
        await send({"type": "lifespan.startup.complete"})
        await receive()
        await self._pool.close()
        await send({"type": "lifespan.shutdown.complete"})


def application() -> BareApplication:
    unblock_signals()
    return BareApplication(os.environ["BARE_ASGI_DATABASE"])
