"""GET one order as a bare ASGI application on SQLite: three statements, one Struct, no framework."""

import os

import apsw

from backbench.domain.values import times
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


class BareApplication:
    def __init__(self, path: str) -> None:
        connection = apsw.Connection(path)
        # The settings of storage/engine/sqlite_files.py.
        connection.set_busy_timeout(10_000)
        connection.pragma("cache_size", -16 * 1024)
        connection.config(apsw.SQLITE_DBCONFIG_ENABLE_QPSG, 1)
        self._execute = connection.execute

    async def __call__(self, scope: Message, receive: Receive, send: Send) -> None:
        if scope["type"] == "lifespan":
            await _lifespan(receive, send)
        elif scope["path"] == "/":
            await respond(send, 200, b"{}")
        else:
            await self._order(scope, send)

    async def _order(self, scope: Message, send: Send) -> None:
        parameters = {"secret_hash": secret_hash(scope), "now": times.now()}
        # One transaction for the three statements: locking and unlocking the file costs more than a statement.
        self._execute("BEGIN")
        try:
            status, body = self._read(parameters, order_id(scope))
        finally:
            self._execute("COMMIT")
        await respond(send, status, body)

    def _read(self, parameters: dict[str, str], order: str) -> tuple[int, bytes]:
        session = self._execute(SESSION, parameters).fetchone()
        if session is None:
            return 401, b""
        row = self._execute(ORDER, {"order_id": order}).fetchone()
        if row is None:
            return 404, b""
        member = self._execute(MEMBER, {"workshop_id": row[1], "uid": session[1]}).fetchone()
        return (403, b"") if member is None else (200, body_of(row))


async def _lifespan(receive: Receive, send: Send) -> None:
    for stage in ("startup", "shutdown"):
        await receive()
        await send({"type": f"lifespan.{stage}.complete"})


def application() -> BareApplication:
    unblock_signals()
    return BareApplication(os.environ["BARE_ASGI_DATABASE"])
