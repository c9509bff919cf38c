"""Sweep job, every ten minutes: deletes expired rows and orphaned blobs, queues reminders, completes earlier rows, and
recounts the data of workshops, and empties the log of the database.

Every worker of every node runs one. Sweeps may run at the same time, since every deletion is idempotent.
"""

import asyncio
from collections.abc import Awaitable, Callable, Iterator
from functools import partial

from backbench.accounts import accounts, rate_limits, sessions, sign_in, tokens
from backbench.connections import push, webhooks
from backbench.customers import merges
from backbench.engine.database import Database, Work, Write
from backbench.estimating import stored_blobs, summaries
from backbench.http import idempotency
from backbench.imports import imports
from backbench.integrations.blobs import Blobs
from backbench.jobs.plan_reminders import PlanReminders
from backbench.jobs.repeated import Repeated
from backbench.logs import log
from backbench.mail import outbox
from backbench.orders import balances, payments
from backbench.values.errors import Unavailable
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
# What earlier versions did not store.
_COMPLETE = (
    summaries.add_figures,
    summaries.add_missing,
    summaries.copy_missing,
    balances.add_missing,
    webhooks.add_missing_makers,
    payments.add_missing_numbers,
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
        """Takes every step: what makes one fail, again and again perhaps, must not end those after it.

        Raises what was unexpected, or else Unavailable.
        """
        errors: list[Exception] = []
        for step in self._steps(self._clock()):
            try:
                await step()
            except Exception as error:  # noqa: BLE001 - raised after the other steps
                errors.append(error)
        unexpected = [error for error in errors if not isinstance(error, Unavailable)]
        if len(unexpected) > 1:
            raise ExceptionGroup("several steps failed", unexpected)
        if errors:
            raise (unexpected or errors)[0]

    def _steps(self, now: Instant) -> Iterator[Callable[[], Awaitable[object]]]:
        """Deletes what is due now, queues reminders, computes missing figures and counts data."""
        db = self._db
        for delete in _DELETE_EXPIRED:
            yield partial(db.write, partial(_delete_until, delete=delete, now=now))
        for store in idempotency.STORES:
            delete_keys = partial(idempotency.delete_expired, store=store, now=now, limit=_KEY_BATCH)
            yield partial(_in_batches, db, delete_keys, _KEY_BATCH)
        yield partial(db.write, idempotency.recount_stored)
        if self._reminders is not None:
            yield self._reminders.queue_due
        yield partial(delete_orphaned_blobs, db, self._blobs, now, self._blob_seconds)
        for complete in _COMPLETE:
            yield partial(_in_batches, db, partial(complete, most=_FIGURES_BATCH), _FIGURES_BATCH)
        yield partial(recount_data, db)
        yield db.truncate_log


async def _delete_until(db: Write, delete: Callable[[Write, Instant], Awaitable[object]], now: Instant) -> None:
    await delete(db, now)


async def _in_batches(db: Database, work: Work[int], batch: int) -> None:
    """Runs `work` in one transaction after the other, until one finds less than a batch to do."""
    while await db.write(work) == batch:
        pass


async def recount_data(db: Database) -> None:
    """Counts the data of every workshop that has changed since it was counted last."""
    after = ""
    async with db.snapshot() as read:
        while recount := await counters.recount_outdated(read, after):
            await db.write(partial(counters.save_recount, recount=recount))
            after = recount.workshop_id


async def delete_orphaned_blobs(db: Database, blobs: Blobs, now: Instant, keep_seconds: int = 0) -> int:
    """Returns the number of deleted blobs. A blob that cannot be deleted is claimed again 15 minutes later.

    `keep_seconds`: for how long the blobs of deleted files are kept, so that the database can be restored to a moment
    at which the files were there.
    """
    if keep_seconds:
        await db.write(lambda write: stored_blobs.keep(write, later(now, keep_seconds)))
    claim = partial(
        stored_blobs.claim_due,
        now=now,
        again_at=later(now, _BLOB_RETRY_SECONDS),
        limit=_BLOB_BATCH,
        are_kept=keep_seconds > 0,
    )
    total = 0
    while due := await db.write(claim):
        # Together: a bucket takes a request for each.
        reasons = await asyncio.gather(*(_delete_blob(blobs, blob_id) for blob_id in due))
        failed = {blob_id: reason for blob_id, reason in zip(due, reasons, strict=True) if reason is not None}
        deleted = [blob_id for blob_id in due if blob_id not in failed]
        await db.write(partial(stored_blobs.delete, ids=deleted))
        total += len(deleted)
        for blob_id, reason in list(failed.items())[:1]:
            log.warning("blobs not deleted", number=len(failed), first=blob_id, reason=reason)
        if not deleted:
            # The store is unavailable. The next sweep claims others first: these are due later.
            break
    return total


async def _delete_blob(blobs: Blobs, blob_id: str) -> str | None:
    """Why it could not be deleted, or None."""
    try:
        await blobs.delete(blob_id)
    except Unavailable as error:
        return error.detail
    return None
