"""Creating and moving an order on bare SQLite: the statements of Backbench, each request in a transaction of its own.

The transaction runs on the event loop and waits for the disk there. Backbench's group commit, which waits in a thread
and lets several requests share one wait, is left out.
"""

from collections.abc import Callable
from typing import Any

import apsw
import msgspec
from msgspec import Raw, Struct

from backbench.values.ids import new_id
from benchmarks.bare_asgi_common import MEMBER, ORDER, Order, order_of

_ADD = """
    INSERT INTO orders (id, workshop_id, title, customer_name, notes, status, created_at, last_activity_at,
        status_history, title_folded, customer_folded)
    VALUES (:id, :workshop_id, :title, :customer_name, '', 'todo', :at, :at, :history, :title_folded, :customer_folded)
"""
_WORKSHOP = """
    SELECT o.workshop_id FROM orders o JOIN members m ON m.workshop_id = o.workshop_id AND m.account_id = :uid
    WHERE o.id = :order_id
"""
_MOVE = """
    UPDATE orders SET status = :status, last_activity_at = :at,
        status_history = substr(status_history, 1, length(status_history) - 1)
            || ',{"status":"' || :status || '","at":"' || :at || '"}]'
    WHERE id = :order_id
"""
_COUNTERS = "SELECT version, data_bytes FROM workshop_counters WHERE workshop_id = :workshop_id"
_NEXT = """
    UPDATE workshop_counters SET version = version + 1, last_entry_id = :id, data_bytes = data_bytes + 300
    WHERE workshop_id = :workshop_id
"""
_ENTRY = """
    INSERT INTO audit_entries
        (id, workshop_id, version, at, actor_kind, action, object_id, actor_uid, session_id, key_id)
    VALUES (:id, :workshop_id, :version, :at, 'account', :action, :object_id, :uid, :session_id, NULL)
"""
# What both writes do: in the transaction, after the session was read.
Write = Callable[["Request"], Order | None]


class NewOrder(Struct, rename="camel"):
    title: str
    customer_name: str = ""


class OrderMove(Struct):
    status: str


class Request(Struct):
    """`subject` is the id in the path."""

    subject: str
    session_id: str
    uid: str
    body: bytes
    at: str


class Writes:
    def __init__(self, connection: apsw.Connection) -> None:
        connection.pragma("synchronous", "FULL")
        connection.pragma("foreign_keys", True)
        self._execute = connection.execute
        self._new_order = msgspec.json.Decoder(NewOrder).decode
        self._move_of = msgspec.json.Decoder(OrderMove).decode

    def run(self, write: Write, request: Request) -> Order | None:
        """None where the caller is no member; then nothing is changed."""
        self._execute("BEGIN IMMEDIATE")
        try:
            order = write(request)
        except BaseException:
            self._execute("ROLLBACK")
            raise
        self._execute("COMMIT")
        return order

    def create(self, request: Request) -> Order | None:
        new = self._new_order(request.body)
        if self._execute(MEMBER, {"workshop_id": request.subject, "uid": request.uid}).fetchone() is None:
            return None
        history = f'[{{"status":"todo","at":"{request.at}"}}]'
        names = new.title, new.customer_name
        order = Order(new_id(), request.subject, *names, "", "todo", request.at, request.at, Raw(history.encode()))
        folded = {"title_folded": new.title.casefold(), "customer_folded": new.customer_name.casefold()}
        values = {"id": order.id, "workshop_id": request.subject, "at": request.at, "history": history, **folded}
        self._execute(_ADD, {**values, "title": new.title, "customer_name": new.customer_name})
        self._add_entry(request, request.subject, "order.created", order.id)
        return order

    def move(self, request: Request) -> Order | None:
        named: dict[str, Any] = {"order_id": request.subject, "uid": request.uid, "at": request.at}
        found = self._execute(_WORKSHOP, named).fetchone()
        if found is None:
            return None
        self._execute(_MOVE, {**named, "status": self._move_of(request.body).status})
        row: Any = self._execute(ORDER, named).fetchone()
        self._add_entry(request, found[0], "order.moved", request.subject)
        return order_of(row)

    def _add_entry(self, request: Request, workshop_id: str, action: str, object_id: str) -> None:
        values = {"id": new_id(), "workshop_id": workshop_id, "at": request.at, "action": action}
        counters: Any = self._execute(_COUNTERS, values).fetchone()
        self._execute(_NEXT, values)
        caller = {"uid": request.uid, "session_id": request.session_id}
        self._execute(_ENTRY, {**values, **caller, "version": counters[0] + 1, "object_id": object_id})
