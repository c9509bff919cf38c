"""Sweep job: an error of one sweep ends neither the job nor the shutdown."""

import asyncio
import contextlib
from collections.abc import Callable
from typing import Any, cast

import pytest
import structlog

from backbench.engine.database import Database, Work, Write
from backbench.http import idempotency
from backbench.http.idempotency import Store
from backbench.jobs import sweep
from backbench.jobs.sweep import SweepJob
from backbench.values import times
from backbench.values.errors import Unavailable
from backbench.values.times import Instant
from tests.people import App, Person

pytestmark = pytest.mark.both_engines


class FailingClock:
    """Raises `error` at the first sweep, and is correct afterwards."""

    def __init__(self, error: Exception) -> None:
        self.error: Exception | None = error
        self.worked = asyncio.Event()

    def __call__(self) -> Instant:
        error, self.error = self.error, None
        if error is not None:
            raise error
        self.worked.set()
        return times.now()


def sweep_job(app: App, clock: Callable[[], Instant]) -> SweepJob:
    return SweepJob(app.db, app.backbench.blobs, clock, interval=0.001)


@pytest.mark.parametrize(
    ("error", "event", "level"),
    [
        (RuntimeError("unexpected"), "sweep failed", "error"),
        (Unavailable("unavailable", "The database is down"), "sweep postponed", "warning"),
    ],
)
async def test_a_failed_sweep_is_logged_and_followed_by_the_next(
    app: App, error: Exception, event: str, level: str
) -> None:
    clock = FailingClock(error)
    job = sweep_job(app, clock)
    with structlog.testing.capture_logs() as lines:
        job.start()
        async with asyncio.timeout(60):
            await clock.worked.wait()
        await job.stop()

    assert [(line["event"], line["log_level"]) for line in lines] == [(event, level)]
    assert bool(lines[0].get("exc_info")) == (event == "sweep failed")


class FailingOnce:
    """A database that fails one of its transactions, counted from 0."""

    def __init__(self, db: Database, failing: int | None) -> None:
        self._db = db
        self._failing = failing
        self.begun = 0

    def __getattr__(self, name: str) -> Any:
        return getattr(self._db, name)

    async def write(self, work: Work[Any]) -> Any:
        self.begun += 1
        if self.begun - 1 == self._failing:
            raise Unavailable("unavailable", "The statement took too long")
        return await self._db.write(work)


async def test_a_step_that_fails_ends_no_other(app: App) -> None:
    """Each in turn: an expired session must go, though every sweep fails to delete what webhooks have delivered."""

    async def transactions(failing: int | None) -> int:
        db = FailingOnce(app.db, failing)
        job = SweepJob(cast(Database, db), app.backbench.blobs, times.now, blob_days=1)
        with pytest.raises(Unavailable) if failing is not None else contextlib.nullcontext():
            await job.sweep()
        return db.begun

    await transactions(None)
    usual = await transactions(None)
    # One step has two: it keeps blobs, and then deletes others.
    attempted = [await transactions(failing) for failing in range(usual)]
    assert sorted(attempted) == [usual - 1] + [usual] * (usual - 1)


async def test_stopping_after_a_failed_sweep_raises_nothing(app: App) -> None:
    called = asyncio.Event()

    def broken() -> Instant:
        called.set()
        raise RuntimeError("unexpected")

    job = sweep_job(app, broken)
    with structlog.testing.capture_logs() as lines:
        job.start()
        async with asyncio.timeout(60):
            await called.wait()
        await job.stop()

    assert lines[0]["event"] == "sweep failed"


async def test_stopping_a_job_that_was_not_started_does_nothing(app: App) -> None:
    with structlog.testing.capture_logs() as lines:
        await sweep_job(app, times.now).stop()
    assert lines == []


async def test_expired_responses_are_deleted_in_batches(app: App, monkeypatch: pytest.MonkeyPatch) -> None:
    """Two weeks of stored responses may be many, and on SQLite other writes wait for each transaction."""
    monkeypatch.setattr(sweep, "_KEY_BATCH", 4)
    anna = await app.owner("Anna")
    for number in range(10):
        await anna.post(f"/workshops/{anna.workshop}/orders", {"title": "Chair"}, idempotency_key=str(number))
    delete_expired = idempotency.delete_expired
    deleted: list[int] = []

    async def count(db: Write, store: Store, now: Instant, limit: int) -> int:
        deleted.append(await delete_expired(db, store, now, limit))
        return deleted[-1]

    monkeypatch.setattr(idempotency, "delete_expired", count)
    now, days = times.now(), 14 * 86_400
    await sweep_job(app, lambda: times.later(now, days - 60)).sweep()
    assert await stored_responses(anna) == 10
    await sweep_job(app, lambda: times.later(now, days + 60)).sweep()
    assert await stored_responses(anna) == 0
    assert max(deleted) == 4


async def stored_responses(person: Person) -> int:
    async with person.app.db.read() as db:
        sql = "SELECT count(*) FROM idempotency_keys WHERE account_id = :uid"
        return int(await db.value(sql, uid=person.uid))
