"""Live events: each change of a workshop as a server-sent event, once and in order."""

import asyncio
import contextlib
from collections.abc import AsyncIterator, Callable

import pytest

from backbench.connections import events
from backbench.connections.live_changes import STREAMS_PER_ACCOUNT, Subscription
from backbench.hosting import administration
from backbench.values import times
from backbench.values.ids import new_id
from tests.people import App, Person
from tests.support.databases import running_app
from tests.support.event_streams import EventStream, event_stream


@pytest.fixture(autouse=True)
def long_lived_streams(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(events, "LIFE_SECONDS", 1_200.0)


async def expect(stream: EventStream, name: str) -> str:
    """The id of the next event, which must have this name."""
    found, id_, _ = await stream.next_event()
    assert found == name
    return id_


async def test_each_change_is_sent_with_its_type_object_and_actor(app: App) -> None:
    anna = await app.owner("Anna")
    marek = await app.member(anna)
    async with event_stream(anna) as stream:
        assert (stream.status, stream.headers[b"content-type"]) == (200, b"text/event-stream")
        await expect(stream, "hello")
        order = await marek.order()
        name, id_, data = await stream.next_event()
        assert (name, data["type"], data["objectId"], data["actorUid"]) == (
            "change",
            "order.created",
            order["id"],
            marek.uid,
        )
        found = (await anna.get(f"/workshops/{anna.workshop}/changes")).json()
        assert found["cursor"] == id_
        await anna.patch(f"/orders/{order['id']}/status", {"status": "done"})
        await anna.delete(f"/orders/{order['id']}")
        assert await stream.next_change() == ("order.moved", order["id"])
        assert await stream.next_change() == ("order.deleted", order["id"])


@pytest.mark.both_engines
async def test_changes_of_another_process_are_sent(app: App, second_app: App) -> None:
    anna = await app.owner("Anna")
    async with event_stream(anna) as stream:
        await expect(stream, "hello")
        second = Person(second_app, anna.email)
        second.workshop, second.browser.cookies = anna.workshop, anna.browser.cookies
        order = await second.order()
        assert await stream.next_change() == ("order.created", order["id"])
        await second_app.put_on_pro(anna.workshop)
        assert await stream.next_change() == ("plan.changed", anna.workshop)


@pytest.fixture
async def second_app(app: App) -> AsyncIterator[App]:
    """Another worker on the same database."""
    async with running_app(app.backbench.settings.database_url) as opened:
        yield opened


@pytest.mark.parametrize("by_header", [True, False])
async def test_a_stream_continues_after_the_last_event(app: App, by_header: bool) -> None:
    anna = await app.owner("Anna")
    async with event_stream(anna) as stream:
        last = await expect(stream, "hello")
    made = [(await anna.order())["id"] for _ in range(3)]
    headers = {"Last_Event_ID": last} if by_header else {}
    async with event_stream(anna, "" if by_header else f"since={last}", **headers) as stream:
        assert await expect(stream, "hello") == last
        assert [await stream.next_change() for _ in made] == [("order.created", id_) for id_ in made]


async def test_more_changes_than_are_read_at_once_all_arrive(app: App, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("backbench.connections.events.AT_ONCE", 2)
    anna = await app.owner("Anna")
    async with event_stream(anna) as stream:
        last = await expect(stream, "hello")
    made = [(await anna.order())["id"] for _ in range(5)]
    async with event_stream(anna, f"since={last}") as stream:
        await expect(stream, "hello")
        assert [await stream.next_change() for _ in made] == [("order.created", id_) for id_ in made]


async def test_a_cursor_that_cannot_be_continued_resets(app: App) -> None:
    anna, eve = await app.owner("Anna"), await app.owner("Eve")
    other = (await eve.get(f"/workshops/{eve.workshop}/changes")).json()["cursor"]
    async with event_stream(anna, f"since={other}") as stream:
        start = await expect(stream, "hello")
        assert await expect(stream, "reset") == start
        await anna.order()
        assert (await stream.next_change())[0] == "order.created"
    async with event_stream(anna, "since=nothing") as stream:
        assert stream.status == 400


async def test_a_quiet_stream_has_heartbeats(app: App, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(events, "HEARTBEAT_SECONDS", 0.01)
    anna = await app.owner("Anna")
    async with event_stream(anna) as stream:
        await expect(stream, "hello")
        await expect(stream, "heartbeat")


async def woken_at_once(_: Subscription, __: float) -> None:
    """In place of `Subscription.wait`: the workshop has always changed."""
    await asyncio.sleep(0)


async def test_a_busy_workshop_silences_no_heartbeats(app: App, monkeypatch: pytest.MonkeyPatch) -> None:
    """A key for orders is woken by every change, also where it may read none of them."""
    monkeypatch.setattr(Subscription, "wait", woken_at_once)
    monkeypatch.setattr(events, "HEARTBEAT_SECONDS", 0.01)
    anna = await app.owner("Anna")
    async with event_stream(await anna.integrator("orders:read")) as stream:
        await expect(stream, "hello")
        for _ in range(3):
            await anna.estimate()
            await expect(stream, "heartbeat")


async def test_a_stream_with_events_has_no_heartbeats_before_they_are_due(
    app: App, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(Subscription, "wait", woken_at_once)
    anna = await app.owner("Anna")
    async with event_stream(await anna.integrator("orders:read")) as stream:
        await expect(stream, "hello")
        for _ in range(3):
            await anna.estimate()
            order = await anna.order()
            assert await stream.next_change() == ("order.created", order["id"])


@pytest.mark.parametrize("ending", ["sign out", "removal", "suspension", "revocation"])
async def test_a_stream_ends_when_its_access_ends(app: App, ending: str, monkeypatch: pytest.MonkeyPatch) -> None:
    anna = await app.owner("Anna")
    marek = await app.member(anna)
    reader = await marek.integrator("orders:read") if ending == "revocation" else marek
    reader.workshop = anna.workshop
    async with event_stream(reader) as stream:
        await expect(stream, "hello")
        match ending:
            case "sign out":
                await marek.post("/logout")
            case "removal":
                await anna.delete(f"/workshops/{anna.workshop}/members/{marek.uid}")
            case "suspension":
                await app.db.write(lambda db: administration.suspend(db, marek.email, times.now(), new_id))
            case "revocation":
                (key,) = (await marek.get("/me/api-keys")).json()["apiKeys"]
                await marek.delete(f"/me/api-keys/{key['id']}")
        await anna.order()
        await expect(stream, "gone")
        await expect(stream, "end")


async def test_strangers_get_no_stream(app: App) -> None:
    anna, eve = await app.owner("Anna"), await app.owner("Eve")
    eve.workshop = anna.workshop
    for person, status in ((eve, 403), (app.anonymous(), 401)):
        person.workshop = anna.workshop
        async with event_stream(person) as stream:
            assert stream.status == status
        assert (await person.send("HEAD", f"/workshops/{anna.workshop}/events")).status_code == status
    assert (await anna.send("HEAD", f"/workshops/{anna.workshop}/events")).status_code == 200


async def test_a_key_for_orders_gets_the_events_of_orders_alone(app: App) -> None:
    anna = await app.owner("Anna")
    async with event_stream(await anna.integrator("orders:read")) as stream:
        await expect(stream, "hello")
        await anna.estimate()
        order = await anna.order()
        assert await stream.next_change() == ("order.created", order["id"])


async def test_an_account_has_at_most_ten_streams(app: App) -> None:
    anna, eve = await app.owner("Anna"), await app.owner("Eve")
    async with contextlib.AsyncExitStack() as stack:
        for _ in range(STREAMS_PER_ACCOUNT):
            opened = await stack.enter_async_context(event_stream(anna))
            assert opened.status == 200
        async with event_stream(anna) as stream:
            assert (stream.status, stream.headers[b"retry-after"]) == (429, b"60")
        async with event_stream(eve) as stream:
            assert stream.status == 200
        opened.disconnect()
        await expect(opened, "hello")
        await expect(opened, "end")
        async with event_stream(anna) as stream:
            assert stream.status == 200


async def test_streams_end_before_the_server_stops(new_database_url: Callable[[], str]) -> None:
    async with running_app(new_database_url()) as own:
        anna = await own.owner("Anna")
        async with event_stream(anna) as stream:
            await expect(stream, "hello")
            own.backbench.live_changes.end_streams()
            await expect(stream, "end")


async def test_a_stream_ends_by_itself(app: App, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(events, "LIFE_SECONDS", 0.01)
    monkeypatch.setattr(events, "HEARTBEAT_SECONDS", 0.02)
    anna = await app.owner("Anna")
    async with event_stream(anna) as stream:
        await expect(stream, "hello")
        name, _, _ = await stream.next_event()
        while name == "heartbeat":
            name, _, _ = await stream.next_event()
        assert name == "end"


@pytest.mark.both_engines
async def test_parallel_changes_arrive_once_and_in_order(app: App) -> None:
    anna = await app.owner("Anna")
    async with event_stream(anna) as stream:
        await expect(stream, "hello")
        made = await asyncio.gather(*[anna.order() for _ in range(30)])
        ids = [int((await stream.next_event())[1].split(".")[1]) for _ in made]
        assert ids == list(range(2, 32))
