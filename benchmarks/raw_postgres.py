"""GET one order as a bare ASGI callable on PostgreSQL: three statements through asyncpg's pool, no framework."""

import os
from typing import Any

import asyncpg

from backbench.domain.values import times
from benchmarks.raw_answers import (
    MEMBER,
    ORDER,
    SESSION,
    Message,
    Receive,
    Send,
    answer,
    body_of,
    heed_signals,
    order_id,
    secret_hash,
)

_SESSION = SESSION.replace(":secret_hash", "$1").replace(":now", "$2")
_ORDER = ORDER.replace(":order_id", "$1")
_MEMBER = MEMBER.replace(":workshop_id", "$1").replace(":uid", "$2")
# The pool of storage/engine/postgres.py, so that both sides wait for as many connections.
_POOL = 10


async def _leave_as_is(_connection: object) -> None: ...


class Raw:
    def __init__(self, url: str) -> None:
        self._url = url
        self._pool: Any = None

    async def __call__(self, scope: Message, receive: Receive, send: Send) -> None:
        if scope["type"] == "lifespan":
            await self._live(receive, send)
        elif scope["path"] == "/":
            await answer(send, 200, b"{}")
        else:
            await self._show(scope, send)

    async def _show(self, scope: Message, send: Send) -> None:
        async with self._pool.acquire() as connection:
            session = await connection.fetchrow(_SESSION, secret_hash(scope), times.now())
            if session is None:
                return await answer(send, 401)
            row = await connection.fetchrow(_ORDER, order_id(scope))
            if row is None:
                return await answer(send, 404)
            member = await connection.fetchrow(_MEMBER, row[1], session[1])
        if member is None:
            return await answer(send, 403)
        return await answer(send, 200, body_of(row))

    async def _live(self, receive: Receive, send: Send) -> None:
        await receive()
        self._pool = await asyncpg.create_pool(self._url, min_size=0, max_size=_POOL, reset=_leave_as_is)
        await send({"type": "lifespan.startup.complete"})
        await receive()
        await self._pool.close()
        await send({"type": "lifespan.shutdown.complete"})


def served() -> Raw:
    heed_signals()
    return Raw(os.environ["RAW_DATABASE"])
