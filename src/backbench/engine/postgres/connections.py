"""Connections to PostgreSQL whose COMMIT is never cancelled.

A COMMIT that takes too long waits for the synchronous standby. To cancel the wait would make the change visible on the
primary alone, and a failover would lose what clients have read meanwhile.
"""

import asyncio

import asyncpg

# How long a request waits for the result.
_RESULT_SECONDS = 30.0
# The driver would send a cancellation: never, in effect.
_NEVER_SECONDS = 1_000_000.0


class DatabaseConnection(asyncpg.Connection):
    """`committing` is the COMMIT whose result is not known yet. It goes on when those who waited for it have gone."""

    committing: asyncio.Task[str] | None = None

    async def begin(self) -> None:
        # Not stricter than READ COMMITTED: a stricter one takes its snapshot before its first lock, and knows nothing
        # of what transactions that are less strict have committed since.
        await self.execute("BEGIN ISOLATION LEVEL READ COMMITTED")

    async def commit(self) -> None:
        """Raises PostgresError where the server has rolled back, and reported it; TimeoutError after 30 seconds."""
        # In a task, since the driver cancels a statement at the server when the task that waits for it is cancelled.
        committing = asyncio.ensure_future(self.execute("COMMIT", timeout=_NEVER_SECONDS))
        self.committing = committing
        # Nobody may be left to see its error.
        committing.add_done_callback(self._end_of_commit)
        await asyncio.wait((committing,), timeout=_RESULT_SECONDS)
        if not committing.done():
            raise TimeoutError
        if committing.result() != "COMMIT":
            raise asyncpg.InFailedSQLTransactionError("A statement of the transaction had failed")

    async def roll_back(self) -> None:
        """Does nothing where no transaction is open, or while the result of its COMMIT is unknown."""
        if self.committing is None and not self.is_closed() and self.is_in_transaction():
            await self.execute("ROLLBACK")

    def _end_of_commit(self, committing: asyncio.Task[str]) -> None:
        self.committing = None
        if not committing.cancelled():
            committing.exception()
