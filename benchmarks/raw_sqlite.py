"""GET one order as a bare ASGI callable on SQLite: three statements, one Struct, no framework."""

import os

import apsw

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


class Raw:
    def __init__(self, path: str) -> None:
        connection = apsw.Connection(path)
        # The settings of storage/engine/sqlite_files.py, so that the engine is the same on both sides.
        connection.set_busy_timeout(10_000)
        connection.pragma("cache_size", -16 * 1024)
        connection.config(apsw.SQLITE_DBCONFIG_ENABLE_QPSG, 1)
        self._execute = connection.execute

    async def __call__(self, scope: Message, receive: Receive, send: Send) -> None:
        if scope["type"] == "lifespan":
            await _live(receive, send)
        elif scope["path"] == "/":
            await answer(send, 200, b"{}")
        else:
            await self._show(scope, send)

    async def _show(self, scope: Message, send: Send) -> None:
        known = {"secret_hash": secret_hash(scope), "now": times.now()}
        # One transaction for the three: taking and leaving the file's locks costs more than a statement.
        self._execute("BEGIN")
        try:
            status, body = self._found(known, order_id(scope))
        finally:
            self._execute("COMMIT")
        await answer(send, status, body)

    def _found(self, known: dict[str, str], order: str) -> tuple[int, bytes]:
        session = self._execute(SESSION, known).fetchone()
        if session is None:
            return 401, b""
        row = self._execute(ORDER, {"order_id": order}).fetchone()
        if row is None:
            return 404, b""
        member = self._execute(MEMBER, {"workshop_id": row[1], "uid": session[1]}).fetchone()
        return (403, b"") if member is None else (200, body_of(row))


async def _live(receive: Receive, send: Send) -> None:
    for stage in ("startup", "shutdown"):
        await receive()
        await send({"type": f"lifespan.{stage}.complete"})


def served() -> Raw:
    heed_signals()
    return Raw(os.environ["RAW_DATABASE"])
