"""A synchronous standby that does not respond: what only the primary has is neither acknowledged nor replayed."""

import asyncio

import pytest

from backbench.storage.engine import postgres
from tests.support.cluster.replication import ReplicatedDatabase
from tests.support.databases import running_app


@pytest.mark.xfail(reason="a commit's wait for the standby is cancelled at its deadline")
async def test_a_change_that_only_the_primary_has_is_not_acknowledged_by_a_replay(
    replicated: ReplicatedDatabase, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The commit waits for the standby until its deadline. If that wait were cancelled, the change would be visible."""
    url = replicated.new_database("waiting")
    async with running_app(url) as app:
        anna = await app.owner("Anna")
        path = f"/workshops/{anna.workshop}/orders"
        monkeypatch.setattr(postgres, "_STATEMENT_SECONDS", 1.0)
        # The connections of the pool still have the longer time.
        app.db._pool.expire()  # type: ignore[attr-defined]
        await asyncio.to_thread(replicated.standby.suspend)
        try:
            for _ in range(2):
                answer = await anna.post(path, {"title": "Oak table"}, idempotency_key="a key")
                assert answer.status_code == 503, answer.text
            assert (await anna.get(path)).json()["orders"] == []
        finally:
            await asyncio.to_thread(replicated.standby.resume)
        monkeypatch.undo()
        answer = await anna.post(path, {"title": "Oak table"}, idempotency_key="a key")
        assert answer.status_code == 201
        assert len((await anna.get(path)).json()["orders"]) == 1
