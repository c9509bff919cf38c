"""Transactions on PostgreSQL: BEGIN goes with the first statement, and statements that are sent go with the next one.

So a write takes as many round trips as it has statements with a result, and one for its COMMIT with all that was sent
before it. Writers of a workshop wait for each other from its audit entry to the COMMIT. In one message, that time does
not depend on the network, nor on what else the event loop has to do.
"""

from typing import Any

from backbench.storage.engine.database import Read, Value
from backbench.storage.engine.parameters import positional
from backbench.storage.engine.servers.connections import DatabaseConnection
from backbench.storage.engine.servers.handles import LockingHandle, PostgresHandle
from backbench.storage.engine.servers.messages import execution

_LOCK = "SELECT pg_advisory_xact_lock(hashtextextended($1, 0))"
# The state of an error by which a statement has the transaction run again, with `can_recheck` False.
RECHECK = "BB001"


class TransactionHandle(PostgresHandle):
    """Read and Write. `can_recheck`: see `Write`."""

    skip_locked = "FOR UPDATE SKIP LOCKED"
    has_functions = True

    def __init__(self, connection: DatabaseConnection, begin: bytes, *, can_recheck: bool) -> None:
        super().__init__(connection)
        self.can_recheck = can_recheck
        # Messages that have not been sent. While BEGIN is the first of them, there is no transaction at the server.
        self._unsent = [begin]
        self._is_open = False

    async def run(self, sql: str, /, **values: Value) -> int:
        text, names = positional(sql)
        if not names and self._unsent:
            # The driver sends statements without values in another way, which cannot follow messages without a Sync.
            await self._run_unsent()
        tag: str = await self._ready().execute(text, *[values[name] for name in names])
        count = tag.rpartition(" ")[2]
        return int(count) if count.isdigit() else 0

    async def send(self, sql: str, /, **values: Value) -> None:
        text, names = positional(sql)
        beginning = self._connection.bindings.get(text) or await self._connection.binding(text, len(names))
        self._unsent.append(execution(beginning, [values[name] for name in names]))

    async def lock(self, name: str, /) -> None:
        await self._ready().execute(_LOCK, name)

    def locking(self) -> Read:
        return LockingHandle(self)

    async def commit(self) -> None:
        if not self._is_open and len(self._unsent) == 1:
            return
        try:
            await self._connection.commit(self._taken())
        finally:
            # A statement before the COMMIT can fail: the transaction is then still to be rolled back.
            self._is_open = not self._connection.is_closed() and self._connection.is_in_transaction()

    async def roll_back(self) -> None:
        if self._is_open and not self._connection.is_closed() and not self._connection.is_committing:
            await self._connection.roll_back()

    def _ready(self) -> Any:
        if self._unsent:
            self._connection.send(self._taken())
        return self._connection

    async def _run_unsent(self) -> None:
        await self._connection.run_sent(self._taken())

    def _taken(self) -> list[bytes]:
        unsent, self._unsent = self._unsent, []
        self._is_open = True
        return unsent
