"""Connections to PostgreSQL that send statements together, and do not cancel a COMMIT."""

import contextlib
from collections.abc import AsyncIterator, Sequence
from typing import Any

import asyncpg

from backbench.storage.engine.servers.messages import binding, execution

_BEGIN = "BEGIN ISOLATION LEVEL READ COMMITTED"
_COMMIT = "COMMIT"
_ROLLBACK = "ROLLBACK"
# Runs what was sent before it, and nothing else.
_NOTHING = "SELECT"
_NAMES = {_BEGIN: "begin", _COMMIT: "commit", _ROLLBACK: "rollback"}


class DatabaseConnection(asyncpg.Connection):
    """Statements are sent with the next one that the driver runs, in one round trip: the driver adds the Sync that ends
    them. What it depends on of the driver beyond its documentation is in tests/storage/engine/servers/test_driver.py.

    A COMMIT that takes too long waits for the synchronous standby. To cancel the wait would make the change visible
    on the primary alone, and a failover would lose what clients have read meanwhile.
    """

    # Whether a COMMIT was sent whose result is not known yet.
    is_committing = False

    def __init__(self, protocol: Any, transport: Any, *others: Any) -> None:
        super().__init__(protocol, transport, *others)
        self._messages = transport
        self._prepared: dict[str, Any] = {}
        # How the messages of statements that were sent before begin, by their text.
        self.bindings: dict[str, bytes] = {}
        # The message that begins a transaction, to be sent with its first statement. Empty until it is prepared.
        self.begin = b""

    async def prepare_transactions(self) -> bytes:
        """`begin`. A COMMIT is prepared as well: a connection that is lost meanwhile had not committed."""
        await self._statement(_COMMIT)
        self.begin = execution(await self.binding(_BEGIN, 0), ())
        return self.begin

    async def binding(self, sql: str, parameters: int) -> bytes:
        """Raises TypeError for a statement with columns: its rows would be read as those of the next one."""
        statement = await self._statement(sql)
        if statement.get_attributes():
            raise TypeError(f"a statement that is sent with another one has no columns: {sql}")
        self.bindings[sql] = binding(statement.get_name(), parameters)
        return self.bindings[sql]

    @contextlib.asynccontextmanager
    async def transaction_block(self) -> AsyncIterator[None]:
        """A transaction whose statements are run on this connection itself."""
        await self.execute(_BEGIN)
        try:
            yield
        except Exception:
            if not self.is_closed():
                await self.roll_back()
            raise
        await self.commit()

    def send(self, messages: Sequence[bytes]) -> None:
        """Sends them before the messages of a statement, which must be run immediately afterwards."""
        self._messages.write(b"".join(messages))

    async def run_sent(self, messages: Sequence[bytes]) -> None:
        nothing = await self._statement(_NOTHING)
        self.send(messages)
        await nothing.fetch()

    async def commit(self, messages: Sequence[bytes] = ()) -> None:
        """Raises PostgresError where the server has rolled back, and reported it."""
        commit = await self._statement(_COMMIT)
        self.is_committing = True
        if messages:
            self.send(messages)
        try:
            await commit.fetch()
        except asyncpg.PostgresError:
            # It is over. Other errors end the wait for it.
            self.is_committing = False
            raise
        self.is_committing = False
        if commit.get_statusmsg() != _COMMIT:
            raise asyncpg.InFailedSQLTransactionError("A statement of the transaction had failed")

    async def roll_back(self) -> None:
        """With a Sync, so that statements are undone as well that were sent and have not been run."""
        await (await self._statement(_ROLLBACK)).fetch()

    async def _statement(self, sql: str) -> Any:
        """The prepared statement, which lives as long as the connection."""
        statement = self._prepared.get(sql)
        if statement is None:
            statement = self._prepared[sql] = await self.prepare(sql, name=_NAMES.get(sql))
        return statement

    def _cancel_current_command(self, waiter: Any, *others: Any) -> None:
        """Called by the driver after a time-out, and when the task that waits for a result is cancelled."""
        if not self.is_committing:
            super()._cancel_current_command(waiter, *others)  # type: ignore[misc] # its stubs have no private members
        elif not waiter.done():
            waiter.set_result(None)
