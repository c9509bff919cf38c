"""Shared by the bare ASGI applications: SQL of reads, the JSON of an order, and minimal HTTP."""

import hashlib
import signal
from collections.abc import Awaitable, Callable, Mapping, Sequence
from typing import Any

import msgspec
from msgspec import Raw, Struct

Message = Mapping[str, Any]
Receive = Callable[[], Awaitable[Message]]
Send = Callable[[Message], Awaitable[None]]

SESSION = """
    SELECT s.id, s.account_id, s.last_seen_at FROM sessions s JOIN accounts a ON a.id = s.account_id
    WHERE s.secret_hash = :secret_hash AND s.idle_until > :now AND s.ends_at > :now AND a.status = 'active'
"""
ORDER = """
    SELECT id, workshop_id, title, customer_name, notes, status, created_at, last_activity_at, status_history
    FROM orders WHERE id = :order_id
"""
MEMBER = "SELECT role FROM members WHERE workshop_id = :workshop_id AND account_id = :uid"
_PREFIX = "/api/orders/"


class Order(Struct, rename="camel"):
    id: str
    workshop_id: str
    title: str
    customer_name: str
    notes: str
    status: str
    created_at: str
    last_activity_at: str
    status_history: Raw


class OrderResponse(Struct):
    order: Order


_encode = msgspec.json.Encoder().encode


def unblock_signals() -> None:
    """`serving.run` forks its workers with SIGINT and SIGTERM blocked."""
    signal.pthread_sigmask(signal.SIG_UNBLOCK, {signal.SIGINT, signal.SIGTERM})


def secret_hash(scope: Mapping[str, Any]) -> str:
    """SHA-256 of the session cookie."""
    cookie = next(value for name, value in scope["headers"] if name == b"cookie")
    return hashlib.sha256(cookie.partition(b"session=")[2].partition(b";")[0]).hexdigest()


def order_id(scope: Mapping[str, Any]) -> str:
    path: str = scope["path"]
    return path.removeprefix(_PREFIX)


def order_of(row: Sequence[Any]) -> Order:
    columns = [*row[:-1], Raw(row[-1])]
    return Order(*columns)


def body_of(row: Sequence[Any]) -> bytes:
    return _encode(OrderResponse(order_of(row)))


async def respond(send: Send, status: int, body: bytes = b"") -> None:
    headers = [(b"content-type", b"application/json"), (b"content-length", b"%d" % len(body))]
    await send({"type": "http.response.start", "status": status, "headers": headers})
    await send({"type": "http.response.body", "body": body})
