"""Orders as a bare ASGI application on SQLite: the statements and Structs that they need, no framework."""

import os
from collections.abc import Mapping
from typing import Any

import apsw
import msgspec

from backbench.orders.orders import LIST_AS_JSON
from backbench.values import times
from benchmarks.bare_asgi_common import (
    MEMBER,
    ORDER,
    SESSION,
    Message,
    Receive,
    Send,
    body_of,
    respond,
    secret_hash,
    unblock_signals,
)
from benchmarks.bare_asgi_writes import Request, Write, Writes

# More than a list of the benchmark holds.
_LARGEST = 10_000_000
_encode = msgspec.json.Encoder().encode


class BareApplication:
    def __init__(self, path: str) -> None:
        connection = apsw.Connection(path)
        # The settings of engine/sqlite_files.py.
        connection.set_busy_timeout(10_000)
        connection.pragma("cache_size", -16 * 1024)
        connection.config(apsw.SQLITE_DBCONFIG_ENABLE_QPSG, 1)
        self._execute = connection.execute
        self._writes = Writes(connection)

    async def __call__(self, scope: Message, receive: Receive, send: Send) -> None:
        if scope["type"] == "lifespan":
            await _lifespan(receive, send)
        elif scope["path"] == "/":
            await respond(send, 200, b"{}")
        elif scope["method"] == "GET":
            await respond(send, *self._read(scope))
        elif scope["method"] == "POST":
            await respond(send, *self._written(self._writes.create, 201, scope, (await receive())["body"]))
        else:
            await respond(send, *self._written(self._writes.move, 200, scope, (await receive())["body"]))

    def _read(self, scope: Mapping[str, Any]) -> tuple[int, bytes]:
        # One transaction for the statements: locking and unlocking the file costs more than a statement.
        self._execute("BEGIN")
        try:
            session = self._session(scope, times.now())
            if session is None:
                return 401, b""
            _, _, _, subject, *rest = scope["path"].split("/")
            return self._listed(subject, session[1]) if rest else self._one(subject, session[1])
        finally:
            self._execute("COMMIT")

    def _session(self, scope: Mapping[str, Any], now: str) -> Any:
        return self._execute(SESSION, {"secret_hash": secret_hash(scope), "now": now}).fetchone()

    def _is_member(self, workshop_id: str, uid: str) -> bool:
        return self._execute(MEMBER, {"workshop_id": workshop_id, "uid": uid}).fetchone() is not None

    def _one(self, order_id: str, uid: str) -> tuple[int, bytes]:
        row = self._execute(ORDER, {"order_id": order_id}).fetchone()
        if row is None:
            return 404, b""
        return (200, body_of(row)) if self._is_member(row[1], uid) else (403, b"")

    def _listed(self, workshop_id: str, uid: str) -> tuple[int, bytes]:
        if not self._is_member(workshop_id, uid):
            return 403, b""
        listed: Any = self._execute(LIST_AS_JSON, {"workshop_id": workshop_id, "largest": _LARGEST}).fetchone()
        return 200, b'{"orders":[%s]}' % listed[0].encode()

    def _written(self, write: Write, status: int, scope: Mapping[str, Any], body: bytes) -> tuple[int, bytes]:
        now = times.now()
        session = self._session(scope, now)
        if session is None:
            return 401, b""
        order = self._writes.run(write, Request(scope["path"].split("/")[3], session[0], session[1], body, now))
        return (403, b"") if order is None else (status, _encode(order))


async def _lifespan(receive: Receive, send: Send) -> None:
    for stage in ("startup", "shutdown"):
        await receive()
        await send({"type": f"lifespan.{stage}.complete"})


def application() -> BareApplication:
    unblock_signals()
    return BareApplication(os.environ["BARE_ASGI_DATABASE"])
