"""Connections to PostgreSQL that do not cancel a COMMIT."""

from typing import Any

import asyncpg


class DatabaseConnection(asyncpg.Connection):
    """A COMMIT that takes too long waits for the synchronous standby. To cancel the wait would make the change visible
    on the primary alone, and a failover would lose what clients have read meanwhile."""

    @property
    def is_committing(self) -> bool:
        """Whether the last statement of the transaction was sent. The driver forgets the transaction before it."""
        in_block = self._top_xact is not None  # type: ignore[attr-defined] # its stubs have no private members
        return not in_block and self.is_in_transaction()

    def _cancel_current_command(self, waiter: Any, *others: Any) -> None:
        """Called by the driver after a time-out, and when the task that waits for a result is cancelled."""
        if not self.is_committing:
            super()._cancel_current_command(waiter, *others)  # type: ignore[misc] # as above
        elif not waiter.done():
            waiter.set_result(None)
