"""Limits of data exports and archives: at once, per hour, and for as long as a client is there."""

import asyncio
from collections.abc import AsyncGenerator, Callable
from typing import Any

import pytest

from backbench.exports import exports
from backbench.settings import Settings
from tests.people import App
from tests.support.asgi_requests import AsgiRequest
from tests.support.databases import running_app
from tests.support.held_pieces import responses_while_held

EXPORT = "/me/data-export"


DATA_EXPORT = [(exports, "data_export")]


async def test_one_export_at_a_time_runs_for_an_account(app: App) -> None:
    anna = await app.owner("Anna")
    requests = [*[anna.get(EXPORT) for _ in range(30)], anna.get("/me")]
    *exported, other = await responses_while_held(DATA_EXPORT, requests, answered=30)
    assert other.status_code == 200
    statuses = [response.status_code for response in exported]
    assert sorted(statuses) == [200, *[503] * 29]
    refused = exported[statuses.index(503)]
    assert refused.headers["retry-after"] == "10"
    assert refused.json()["detail"] == "Too many requests of this account are queued"
    assert (await anna.get(EXPORT)).status_code == 200


async def test_two_exports_at_a_time_run_in_a_worker(app: App) -> None:
    requests = [(await app.owner()).get(EXPORT) for _ in range(3)]
    responses = await responses_while_held(DATA_EXPORT, requests, answered=1)
    assert sorted(response.status_code for response in responses) == [200, 200, 503]


async def test_exports_that_are_read_slowly_keep_no_other_account_waiting(
    app: App, monkeypatch: pytest.MonkeyPatch
) -> None:
    people = [await app.owner() for _ in range(2)]
    sending, is_read = asyncio.Semaphore(0), asyncio.Event()

    async def read_slowly(*_: Any) -> AsyncGenerator[bytes, None]:
        yield b"{"
        sending.release()
        await is_read.wait()
        yield b"}"

    with monkeypatch.context() as patched:
        patched.setattr(exports, "data_export", read_slowly)
        exporting = [asyncio.create_task(person.get(EXPORT)) for person in people]
        for _ in people:
            await asyncio.wait_for(sending.acquire(), 60)
    assert (await people[0].get(EXPORT)).status_code == 503
    assert (await (await app.owner()).get(EXPORT)).status_code == 200
    is_read.set()
    assert [response.status_code for response in await asyncio.gather(*exporting)] == [200, 200]


async def test_an_account_exports_five_times_an_hour(new_database_url: Callable[[], str]) -> None:
    async with running_app(new_database_url(), export_limit=Settings().export_limit) as app:
        anna = await app.owner("Anna")
        responses = [await anna.get(EXPORT) for _ in range(6)]
        assert [response.status_code for response in responses] == [*[200] * 5, 429]
        assert int(responses[5].headers["retry-after"]) > 3000
        assert (await (await app.owner()).get(EXPORT)).status_code == 200


async def test_exports_without_their_clients_end_at_once(app: App, monkeypatch: pytest.MonkeyPatch) -> None:
    """Sixty that would never end; each is disconnected from, and other requests are served meanwhile."""
    people = [await app.owner() for _ in range(2)]
    closed = 0

    async def endless(*_: Any) -> AsyncGenerator[bytes, None]:
        nonlocal closed
        begun.set()
        try:
            await asyncio.Event().wait()
            yield b""
        finally:
            closed += 1

    monkeypatch.setattr(exports, "export_pieces", endless)
    for number in range(60):
        begun = asyncio.Event()
        request = AsgiRequest(people[number % 2], f"/api{EXPORT}")
        exporting = asyncio.create_task(request.run())
        await asyncio.wait_for(begun.wait(), 60)
        assert (await people[0].get("/me")).status_code == 200
        request.disconnect.set()
        await exporting
        assert request.status == 400
    assert closed == 60
    monkeypatch.undo()
    assert (await people[0].get(EXPORT)).status_code == 200


async def test_an_export_ends_where_its_client_stops_reading(app: App, monkeypatch: pytest.MonkeyPatch) -> None:
    anna = await app.owner("Anna")
    request = AsgiRequest(anna, f"/api{EXPORT}")

    async def never_ending(*_: Any) -> AsyncGenerator[bytes, None]:
        while True:
            yield b"x"
            request.disconnect.set()

    monkeypatch.setattr(exports, "data_export", never_ending)
    await request.run()
    assert request.status == 200
    monkeypatch.undo()
    assert (await anna.get(EXPORT)).status_code == 200


async def test_an_export_takes_no_connection_of_the_pool(postgres: Any) -> None:
    from backbench.engine.postgres.database import Postgres
    from tests.support.databases import new_database

    db = Postgres(new_database(postgres), largest_pool=1)
    async with db.snapshot() as long_read, db.read() as read:
        assert await long_read.value("SELECT 1") == await read.value("SELECT 1")
    await db.close()
