"""A synchronous standby that does not respond: what only the primary has is not acknowledged."""

import asyncio
import contextlib
from collections.abc import AsyncIterator, Iterator

import pytest

from backbench.engine.postgres import pool
from tests.people import App
from tests.support.cluster.replication import ReplicatedDatabase
from tests.support.databases import running_app

_WAITING = "FROM pg_stat_activity WHERE wait_event = 'SyncRep'"


@pytest.fixture
async def app(replicated: ReplicatedDatabase) -> AsyncIterator[App]:
    name = f"waiting_{replicated.primary.run('SELECT count(*) FROM pg_database')}"
    async with running_app(replicated.new_database(name)) as running:
        yield running


@contextlib.contextmanager
def short_waits() -> Iterator[None]:
    """A request waits for the result of its commit for a tenth of a second, not for 30 seconds."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(pool, "_RESULT_SECONDS", 0.1)
        yield


async def test_a_replay_waits_for_the_standby(app: App, replicated: ReplicatedDatabase) -> None:
    """Otherwise it would acknowledge a change that a failover loses: the first request was not acknowledged."""
    anna = await app.owner("Anna")
    path = f"/workshops/{anna.workshop}/orders"
    await asyncio.to_thread(replicated.standby.suspend)
    try:
        first = asyncio.create_task(anna.post(path, {"title": "Oak table"}, idempotency_key="a key"))
        await asyncio.to_thread(replicated.wait_for, f"SELECT count(*) {_WAITING}")
        # The primary alone has the change from now on.
        await asyncio.to_thread(replicated.primary.run, f"SELECT pg_cancel_backend(pid) {_WAITING}")
        await first
        with short_waits():
            replay = await anna.post(path, {"title": "Oak table"}, idempotency_key="a key")
        assert replay.status_code == 503, replay.text
    finally:
        await asyncio.to_thread(replicated.standby.resume)
    replay = await anna.post(path, {"title": "Oak table"}, idempotency_key="a key")
    assert (replay.status_code, replay.headers["idempotency-replayed"]) == (201, "true")


async def test_a_change_whose_commit_waits_for_the_standby_is_not_visible(
    app: App, replicated: ReplicatedDatabase
) -> None:
    """Otherwise a client that reads to find out whether it was made would be misled, if a failover loses it."""
    anna = await app.owner("Anna")
    path = f"/workshops/{anna.workshop}/orders"
    await asyncio.to_thread(replicated.standby.suspend)
    try:
        with short_waits():
            answer = await anna.post(path, {"title": "Oak table"})
        assert answer.status_code == 503, answer.text
        assert (await anna.get(path)).json()["orders"] == []
    finally:
        await asyncio.to_thread(replicated.standby.resume)
