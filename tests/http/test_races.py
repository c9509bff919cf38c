"""Objects that go away while they are read: an ordinary response, never an unhandled error."""

import asyncio
from collections.abc import Awaitable, Callable
from typing import Any

import pytest

from backbench.engine.postgres.handles import LockingHandle, TransactionHandle
from backbench.engine.sqlite_queue import SQLiteHandle
from backbench.estimating import document_settings
from backbench.http import idempotency
from backbench.routes import OPERATIONS
from backbench.workshops import members
from tests.people import PASSWORD, App
from tests.support import operation_samples
from tests.support.violations import violations

pytestmark = pytest.mark.both_engines


def followed_by(call: Callable[..., Awaitable[Any]], rival: Callable[[], Awaitable[Any]]) -> Callable[..., Any]:
    """`call`, and `rival` to its end before `call` returns, once."""
    waiting = [rival]

    async def both(*arguments: Any, **named: Any) -> Any:
        result = await call(*arguments, **named)
        if waiting:
            await waiting.pop()()
        return result

    return both


async def test_a_list_of_workshops_omits_one_that_the_caller_has_just_left(
    app: App, monkeypatch: pytest.MonkeyPatch
) -> None:
    anna, marek = await app.owner("Anna"), await app.owner("Marek")
    own = marek.workshop
    await app.db.write(lambda db: members.add(db, anna.workshop, marek.uid, "member", "2026-01-01T00:00:00.000Z"))

    async def remove() -> None:
        await app.db.write(lambda db: members.delete(db, anna.workshop, marek.uid))

    async def after_removal(*arguments: Any) -> Any:
        await remove()
        return await listed(*arguments)

    listed = members.list_by_workshop
    monkeypatch.setattr(members, "list_by_workshop", after_removal)
    response = await marek.get("/workshops")
    assert response.status_code == 200
    assert [workshop["id"] for workshop in response.json()["workshops"]] == [own]


async def test_a_message_about_an_estimate_that_goes_away_is_404(app: App, monkeypatch: pytest.MonkeyPatch) -> None:
    anna = await app.owner("Anna")
    path = f"/estimates/{(await anna.estimate())['id']}"
    assert (await anna.post(f"{path}/confirm")).status_code == 201
    deleting = followed_by(document_settings.find, lambda: anna.delete(path))
    monkeypatch.setattr(document_settings, "find", deleting)
    body = {"locale": "en", "tone": "friendly", "preliminary": False}
    response = await anna.post(f"{path}/message-draft", body)
    assert response.status_code in (200, 404)


async def test_a_key_that_is_released_while_it_is_looked_up_can_be_sent_again(
    app: App, monkeypatch: pytest.MonkeyPatch
) -> None:
    anna = await app.owner("Anna")
    path, body = f"/workshops/{anna.workshop}/orders", {"title": "Chair"}
    assert (await anna.post(path, body, idempotency_key="k")).status_code == 201

    async def gone(*_: Any) -> None:
        return None

    with monkeypatch.context() as patch:
        patch.setattr(idempotency, "lookup", gone)
        response = await anna.post(path, body, idempotency_key="k")
    assert (response.status_code, response.json()["code"]) == (409, "in_progress")


async def test_of_two_parallel_deletions_one_succeeds(app: App) -> None:
    anna = await app.owner("Anna")
    for _ in range(5):
        grid = (await anna.post(f"/workshops/{anna.workshop}/grids", {"name": "Carpentry"})).json()
        for path in (f"/orders/{(await anna.order())['id']}", f"/grids/{grid['id']}"):
            responses = await asyncio.gather(*(anna.delete(path) for _ in range(4)))
            assert sorted(response.status_code for response in responses) == [204, 404, 404, 404]


async def test_of_parallel_changes_of_order_details_every_one_is_kept(app: App) -> None:
    anna = await app.owner("Anna")
    sent = {
        "phone": "600 100 200",
        "place": "Shelf 3",
        "dueOn": "2026-12-04",
        "item": {"description": "Ring"},
        "waitingFor": "customer",
        "assignedTo": anna.uid,
    }
    path = f"/orders/{(await anna.order())['id']}/details"
    responses = await asyncio.gather(*(anna.patch(path, {name: value}) for name, value in sent.items()))
    assert [response.status_code for response in responses] == [200] * len(sent)
    stored = (await anna.get(path)).json()
    assert {name: stored.get(name) for name in sent} == sent


async def test_of_parallel_collections_of_an_order_one_counts(app: App) -> None:
    anna = await app.owner("Anna")
    path = f"/orders/{(await anna.order())['id']}"
    assert (await anna.patch(f"{path}/status", {"status": "done"})).status_code == 200
    responses = await asyncio.gather(*(anna.post(f"{path}/collected", {}) for _ in range(6)))
    assert {response.status_code for response in responses} == {200}
    assert len({response.json()["collectedAt"] for response in responses}) == 1
    entries = (await anna.get(f"/workshops/{anna.workshop}/audit")).json()["entries"]
    assert [entry["action"] for entry in entries].count("order.collected") == 1


async def test_an_account_that_is_deleted_while_it_creates_a_workshop_leaves_none_behind(app: App) -> None:
    async def orphans() -> int:
        async with app.db.read() as db:
            sql = (
                "SELECT count(*) FROM workshops w WHERE NOT EXISTS (SELECT 1 FROM members m WHERE m.workshop_id = w.id)"
            )
            return int(await db.value(sql))

    before = await orphans()
    for _ in range(5):
        anna = await app.owner()
        await asyncio.gather(
            anna.delete("/me", {"password": PASSWORD}), *(anna.post("/workshops", {"name": "Late"}) for _ in range(3))
        )
    assert await orphans() == before


async def test_a_stranger_takes_no_lock_of_others(app: App, monkeypatch: pytest.MonkeyPatch) -> None:
    """Who knows an id would wait behind its owner, each time with one of few connections."""
    anna, eve = await app.owner("Anna"), await app.owner("Eve")
    taken: list[str] = []
    handle = SQLiteHandle if app.engine == "sqlite" else TransactionHandle
    lock = handle.lock

    async def recorded(db: Any, name: str, /) -> None:
        taken.append(name)
        await lock(db, name)

    locked = LockingHandle.one

    async def recorded_row(db: LockingHandle, type_: Any, sql: str, /, **values: Any) -> Any:
        row = await locked(db, type_, sql, **values)
        if row is not None:
            taken.append(" ".join(sql.split()))
        return row

    monkeypatch.setattr(handle, "lock", recorded)
    monkeypatch.setattr(LockingHandle, "one", recorded_row)
    with violations() as case:
        for operation in OPERATIONS:
            if operation.is_safe or not operation.path_names or not operation.access.takes_session:
                continue
            with case(operation_samples.line(operation)):
                path = await operation_samples.create_path_for(operation, anna)
                taken.clear()
                response = await eve.send(operation.method, path, operation_samples.body_for(operation))
                assert response.status_code in (403, 404), response.text
                assert [name for name in taken if eve.uid not in name] == []
