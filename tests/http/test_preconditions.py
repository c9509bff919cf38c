"""If-Match beside other writes: rules and preconditions are judged by what is committed when they are."""

import asyncio
import contextlib
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator
from typing import Any

import httpx
import pytest

from backbench.accounts.sessions import LockedLookup
from backbench.billing.plans import Plan
from backbench.engine.database import Write
from backbench.engine.postgres.handles import TransactionHandle
from backbench.hosting import administration
from backbench.http.reads import PreconditionedWrite, Preconditions
from backbench.values import times
from backbench.values.ids import new_id
from tests.people import App, Person
from tests.support.databases import migrated_database, new_database, running_app
from tests.support.uploads import icon

pytestmark = pytest.mark.both_engines

Rival = Callable[[], Awaitable[Any]]


@pytest.fixture(scope="module")
async def on_postgres(postgres: Any) -> AsyncIterator[App]:
    """On SQLite nothing can happen within a transaction of another request."""
    async with running_app(new_database(postgres, migrated_database(postgres))) as app:
        yield app


@contextlib.contextmanager
def before_its_lock(name: str, rival: Rival) -> Iterator[None]:
    """Runs `rival` to its end once a request has begun its transaction, and is about to take the lock `name`."""
    lock = TransactionHandle.lock
    waiting = [rival]

    async def run_rival_and_lock(self: TransactionHandle, taken: str) -> None:
        if taken.startswith(name) and waiting:
            await waiting.pop()()
        await lock(self, taken)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(TransactionHandle, "lock", run_rival_and_lock)
        yield
    assert not waiting


@contextlib.contextmanager
def before_the_estimate_is_locked(rival: Rival) -> Iterator[None]:
    """Runs `rival` to its end once a request has begun its transaction, and is about to lock the row of an estimate."""
    lock = LockedLookup.active
    waiting = [rival]

    async def run_rival_and_lock(self: LockedLookup, *arguments: Any) -> Any:
        if waiting:
            await waiting.pop()()
        return await lock(self, *arguments)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(LockedLookup, "active", run_rival_and_lock)
        yield
    assert not waiting


async def tag_of(person: Person, path: str) -> str:
    return str((await person.get(path)).headers["etag"])


async def two_owners(app: App) -> tuple[Person, Person, str]:
    anna, bob = await app.owner("Anna"), await app.person("Bob")
    workshop = anna.workshop
    await app.db.write(lambda db: administration.add_member(db, workshop, bob.email, "owner", times.now(), new_id))
    return anna, bob, f"/workshops/{workshop}"


async def leave(person: Person, workshop: str, **headers: str) -> httpx.Response:
    return await person.delete(f"{workshop}/members/{person.uid}", **headers)


async def step_down(person: Person, workshop: str, **headers: str) -> httpx.Response:
    return await person.patch(f"{workshop}/members/{person.uid}", {"role": "member"}, **headers)


@pytest.mark.parametrize("go", [leave, step_down])
async def test_the_last_two_owners_cannot_both_go(
    on_postgres: App, go: Callable[..., Awaitable[httpx.Response]]
) -> None:
    anna, bob, workshop = await two_owners(on_postgres)
    tag = await tag_of(anna, workshop)
    with before_its_lock("members", lambda: go(bob, workshop)):
        response = await go(anna, workshop, if_match=tag)
    assert (response.status_code, response.json()["code"]) == (409, "last_owner")
    members = (await anna.get(workshop)).json()["members"]
    assert "owner" in [member["role"] for member in members]


def showing(file_id: str) -> dict[str, Any]:
    button = {"iconFileId": file_id, "emoji": "🪚", "label": "Sawing", "unit": "hour", "unitPrice": 80}
    return {"buttons": [button]}


async def test_a_grid_never_shows_an_icon_that_is_deleted_meanwhile(on_postgres: App) -> None:
    anna = await on_postgres.owner("Anna")
    file = (await icon(anna))["id"]
    grid = (await anna.post(f"/workshops/{anna.workshop}/grids", {"name": "Carpentry"})).json()["id"]
    tag = await tag_of(anna, f"/grids/{grid}")
    with before_its_lock("icons", lambda: anna.delete(f"/files/{file}")):
        response = await anna.patch(f"/grids/{grid}", showing(file), if_match=tag)
    assert (response.status_code, response.json()["code"]) == (400, "validation_error")


async def test_an_icon_is_not_deleted_once_a_grid_shows_it(on_postgres: App) -> None:
    anna = await on_postgres.owner("Anna")
    file = (await icon(anna))["id"]
    grid = (await anna.post(f"/workshops/{anna.workshop}/grids", {"name": "Carpentry"})).json()["id"]
    with before_its_lock("icons", lambda: anna.patch(f"/grids/{grid}", showing(file))):
        response = await anna.delete(f"/files/{file}", if_match=await tag_of(anna, f"/files/{file}"))
    assert (response.status_code, response.json()["code"]) == (409, "icon_in_use")


async def test_a_workshop_is_not_deleted_once_it_is_paid_for(on_postgres: App) -> None:
    anna = await on_postgres.owner("Anna")
    path = f"/workshops/{anna.workshop}"
    paid = Plan("pro", None, "subscription")

    async def pay() -> None:
        await on_postgres.db.write(lambda db: administration.set_plan(db, anna.workshop, paid, times.now(), new_id))

    tag = await tag_of(anna, path)
    with before_its_lock("plan", pay):
        response = await anna.delete(path, if_match=tag)
    assert (response.status_code, response.json()["code"]) == (409, "subscription_running")


async def test_an_estimate_confirmed_meanwhile_is_deleted_with_its_revision(on_postgres: App) -> None:
    anna = await on_postgres.owner("Anna")
    path = f"/estimates/{(await anna.estimate())['id']}"
    tag = await tag_of(anna, path)
    with before_the_estimate_is_locked(lambda: anna.post(f"{path}/confirm")):
        assert (await anna.delete(path, if_match=tag)).status_code == 204
    assert (await anna.get(path)).status_code == 404


async def test_the_same_member_changed_meanwhile_is_412(on_postgres: App) -> None:
    """The precondition is evaluated under the lock of the rule, not before it."""
    anna, bob, workshop = await two_owners(on_postgres)
    tag = await tag_of(anna, workshop)
    with before_its_lock("members", lambda: step_down(bob, workshop)):
        response = await anna.patch(f"{workshop}/members/{bob.uid}", {"role": "owner"}, if_match=tag)
    assert response.status_code == 412


async def test_a_plain_write_waits_for_the_change_under_if_match(on_postgres: App) -> None:
    """Between evaluating the precondition and the change nobody else changes the row."""
    anna = await on_postgres.owner("Anna")
    path = f"/orders/{(await anna.order())['id']}"
    matches = Preconditions._matches
    plain: list[asyncio.Task[httpx.Response]] = []

    async def and_then_another_writes(self: Preconditions, *arguments: Any) -> bool:
        result = await matches(self, *arguments)
        plain.append(asyncio.create_task(anna.patch(path, {"notes": "second"})))
        async with asyncio.timeout(60):
            while not plain[0].done() and not await waiting_for_locks(on_postgres):  # noqa: ASYNC110 - it sends no event
                await asyncio.sleep(0.001)
        return result

    tag = await tag_of(anna, path)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(Preconditions, "_matches", and_then_another_writes)
        first = await anna.patch(path, {"notes": "first"}, if_match=tag)
        second = await plain[0]
    assert (first.status_code, second.status_code) == (200, 200)
    assert (await anna.get(path)).json()["order"]["notes"] == "second"


async def waiting_for_locks(app: App) -> int:
    sql = "SELECT count(*) FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'"
    async with app.db.read() as db:
        return int(await db.value(sql))


async def test_changes_of_different_objects_under_if_match_do_not_conflict(app: App) -> None:
    anna = await app.owner("Anna")
    paths = [f"/orders/{(await anna.order())['id']}" for _ in range(16)]
    tags = [await tag_of(anna, path) for path in paths]
    stale = ['"x"' if number % 4 == 0 else tag for number, tag in enumerate(tags)]
    responses = await asyncio.gather(
        *(anna.patch(path, {"notes": "x"}, if_match=tag) for path, tag in zip(paths, stale, strict=True))
    )
    assert [response.status_code for response in responses] == [412, 200, 200, 200] * 4


async def test_a_rule_is_judged_before_if_match(app: App) -> None:
    """What is rejected without If-Match is rejected for the same reason with it."""
    anna = await app.owner("Anna")
    response = await leave(anna, f"/workshops/{anna.workshop}", if_match='"x"')
    assert (response.status_code, response.json()["code"]) == (409, "last_owner")


async def _never(_db: Write) -> None:
    raise AssertionError


async def test_a_write_under_a_precondition_has_all_of_a_write(app: App) -> None:
    """Actions get either, so what is missing would be an internal error with If-Match alone."""

    async def missing(db: Write) -> set[str]:
        members = {name for type_ in Write.__mro__ for name in vars(type_) if not name.startswith("_")}
        return {name for name in members if not hasattr(PreconditionedWrite(db, _never), name)}

    assert await app.db.write(missing) == set()
