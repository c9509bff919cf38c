"""Sweep job, every ten minutes: deletes expired rows and orphaned blobs, queues reminders, completes earlier rows, and
recounts the data of workshops, and empties the log of the database.

Every worker of every node runs one. Sweeps may run at the same time, since every deletion is idempotent.
"""

from collections.abc import Callable
from functools import partial

from backbench.accounts import accounts, rate_limits, sessions, sign_in, tokens
from backbench.connections import push, webhooks
from backbench.customers import merges
from backbench.engine.database import Database, Write
from backbench.estimating import stored_blobs, summaries
from backbench.http import idempotency
from backbench.imports import imports
from backbench.integrations.blobs import Blobs
from backbench.jobs.plan_reminders import PlanReminders
from backbench.jobs.repeated import Repeated
from backbench.mail import outbox
from backbench.orders import balances, payments
from backbench.values.times import Instant, later
from backbench.workshops import counters, team

_INTERVAL_SECONDS = 600.0
_BLOB_RETRY_SECONDS = 900
_BLOB_BATCH = 100
# Rows of one transaction: on SQLite other writes wait for it.
_KEY_BATCH = 500
_FIGURES_BATCH = 50
_DELETE_EXPIRED = (
    sessions.delete_expired,
    sign_in.delete_expired,
    rate_limits.delete_expired,
    tokens.delete_expired,
    team.delete_expired,
    outbox.delete_expired,
    accounts.delete_expired,
    merges.delete_expired,
    webhooks.delete_expired_deliveries,
    imports.delete_expired,
    push.delete_expired,
)


class SweepJob:
    """Sweeps at an interval from `start` to `stop`."""

    def __init__(
        self,
        db: Database,
        blobs: Blobs,
        clock: Callable[[], Instant],
        interval: float = _INTERVAL_SECONDS,
        reminders: PlanReminders | None = None,
        blob_days: int = 0,
    ) -> None:
        """`interval` in seconds. `blob_days`: for how long the bytes of deleted files are kept."""
        self._db = db
        self._blobs = blobs
        self._clock = clock
        self._reminders = reminders
        self._blob_seconds = blob_days * 86_400
        self._repeated = Repeated("sweep", self.sweep, interval)

    def start(self) -> None:
        self._repeated.start()

    async def stop(self) -> None:
        """Cancels a running sweep; the next one continues it."""
        await self._repeated.stop()

    async def sweep(self) -> None:
        """Deletes what is due now, queues reminders, computes missing figures and counts data. Raises Unavailable."""
        now = self._clock()
        await self._db.write(lambda write: _delete_expired_rows(write, now))
        while await self._db.write(lambda write: idempotency.delete_expired(write, now, _KEY_BATCH)) == _KEY_BATCH:
            pass
        await self._db.write(idempotency.recount_stored)
        if self._reminders is not None:
            await self._reminders.queue_due()
        if self._blob_seconds:
            # Until then the database can be restored to a moment at which the files were there.
            await self._db.write(lambda write: stored_blobs.keep(write, later(now, self._blob_seconds)))
        await delete_orphaned_blobs(self._db, self._blobs, now)
        while await self._db.write(lambda write: summaries.add_figures(write, _FIGURES_BATCH)) == _FIGURES_BATCH:
            pass
        for complete in (
            summaries.add_missing,
            summaries.copy_missing,
            balances.add_missing,
            webhooks.add_missing_makers,
            payments.add_missing_numbers,
        ):
            while await self._db.write(partial(complete, most=_FIGURES_BATCH)) == _FIGURES_BATCH:
                pass
        await recount_data(self._db)
        await self._db.truncate_log()


async def recount_data(db: Database) -> None:
    """Counts the data of every workshop that has changed since it was counted last."""
    after = ""
    async with db.snapshot() as read:
        while recount := await counters.recount_outdated(read, after):
            await db.write(partial(counters.save_recount, recount=recount))
            after = recount.workshop_id


async def _delete_expired_rows(db: Write, now: Instant) -> None:
    for delete in _DELETE_EXPIRED:
        await delete(db, now)


async def delete_orphaned_blobs(db: Database, blobs: Blobs, now: Instant) -> int:
    """Returns the number of deleted blobs. A blob that cannot be deleted is claimed again 15 minutes later."""
    retry_at = later(now, _BLOB_RETRY_SECONDS)
    deleted = 0
    while due := await db.write(lambda write: stored_blobs.claim_due(write, now, retry_at, _BLOB_BATCH)):
        for blob_id in due:
            await blobs.delete(blob_id)
        await _delete_claimed(db, due)
        deleted += len(due)
    return deleted


async def _delete_claimed(db: Database, blob_ids: list[str]) -> None:
    await db.write(lambda write: stored_blobs.delete(write, blob_ids))
