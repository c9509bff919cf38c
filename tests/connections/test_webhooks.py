"""Webhooks: what receivers get, how often, and what the service does not connect to."""

import asyncio
import json
import socket
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator
from typing import Any
from urllib.parse import urlsplit

import httpx
import pytest
from standardwebhooks import Webhook, WebhookVerificationError

from backbench.connections import webhooks
from backbench.hosting import administration
from backbench.integrations import public_requests
from backbench.integrations.public_addresses import PublicRequests, RequestFailed, require_public
from backbench.jobs import deliveries as delivering
from backbench.jobs.webhook_deliveries import WebhookDeliveries
from backbench.routes import OPERATIONS
from backbench.values import times
from backbench.values.errors import ValidationError
from backbench.values.ids import new_id
from backbench.values.limits import Limit
from backbench.workshops.audit import EVENT_TYPES
from tests.people import PASSWORD, App, Person, pointers
from tests.support.mailbox import emails_to, text_of
from tests.support.providers.receivers import Clock, Receiver
from tests.support.uploads import proposal
from tests.support.violations import all_of

NEW = {"url": "https://receiver.example/hook", "events": ["*"]}


@pytest.fixture
def receiver() -> Iterator[Receiver]:
    made = Receiver()
    yield made
    made.close()


class Sender:
    """The job of a worker, a round at a time."""

    def __init__(self, app: App) -> None:
        self.clock = Clock()
        self.job = WebhookDeliveries(app.db, PublicRequests(allows_loopback=True), self.clock, new_id)

    async def round(self) -> None:
        await self.job.read_logs()
        await self.job.send_due()
        await self.end()

    async def end(self) -> None:
        while self.job._running:
            await asyncio.wait(list(self.job._running.values()))
            await asyncio.sleep(0)


@pytest.fixture
async def sender(app: App) -> AsyncIterator[Sender]:
    # To receivers of other tests, which do not exist, each attempt waits half a second for their names.
    await app.db.write(lambda db: db.run("UPDATE webhooks SET enabled = 0"))
    made = Sender(app)
    yield made
    await made.end()
    made.job._threads.shutdown()


async def add(person: Person, url: str, *events: str) -> dict[str, Any]:
    """A webhook; its address is put where no person could: tests have no receiver on the internet."""
    response = await person.post(f"/workshops/{person.workshop}/webhooks", NEW | {"events": list(events) or ["*"]})
    assert response.status_code == 201, response.text
    added: dict[str, Any] = response.json()
    sql = "UPDATE webhooks SET url = :url WHERE id = :id"
    await person.app.db.write(lambda db: db.run(sql, url=url, id=added["webhook"]["id"]))
    return added


def types_of(receiver: Receiver) -> list[str]:
    return [json.loads(body)["type"] for _, body in receiver.received]


async def deliveries(person: Person, added: dict[str, Any]) -> list[dict[str, Any]]:
    response = await person.get(f"/webhooks/{added['webhook']['id']}/deliveries")
    found: list[dict[str, Any]] = response.json()["deliveries"]
    return found


async def fail_for_good(person: Person, receiver: Receiver, sender: Sender) -> None:
    """Several messages fail, five days after the first failure. The clock stays, so that emails are due."""
    receiver.status = 500
    await person.order()
    await sender.round()
    sql = "UPDATE webhooks SET failing_since = :since WHERE workshop_id = :id"
    since = times.later(times.now(), -webhooks.FAILING_SECONDS - 60)
    await person.app.db.write(lambda db: db.run(sql, since=since, id=person.workshop))
    for _ in range(3):
        await person.order()
        await sender.round()


async def test_a_receiver_gets_signed_messages_of_its_events(app: App, receiver: Receiver, sender: Sender) -> None:
    anna = await app.owner()
    added = await add(anna, receiver.url, "order.created", "order.moved")
    order = await anna.order()
    await anna.patch(f"/orders/{order['id']}/status", {"status": "in_progress"})
    await anna.patch(f"/workshops/{anna.workshop}", {"tagline": "By hand"})
    for _ in range(3):
        await sender.round()
    assert types_of(receiver) == ["order.created", "order.moved"]
    headers, body = receiver.received[0]
    message = Webhook(added["secret"]).verify(body, headers)
    assert message["data"] == {
        "workshopId": anna.workshop,
        "objectId": order["id"],
        "version": message["data"]["version"],
    }
    with pytest.raises(WebhookVerificationError):
        Webhook(added["secret"]).verify(body + b" ", headers)
    assert [each["status"] for each in await deliveries(anna, added)] == ["delivered"] * 2


async def test_an_attempt_that_fails_is_repeated_as_the_standard_says(
    app: App, receiver: Receiver, sender: Sender
) -> None:
    anna = await app.owner()
    added = await add(anna, receiver.url, "order.created")
    await anna.order()
    receiver.status = 500
    await sender.round()
    for wait in webhooks.WAITS:
        sender.clock.ahead += wait * 0.79
        await sender.round()
        before = len(receiver.received)
        sender.clock.ahead += wait * 0.42
        await sender.round()
        assert len(receiver.received) == before + 1
    (delivery,) = await deliveries(anna, added)
    assert (delivery["status"], delivery["attempts"], delivery["responseStatus"]) == ("failed", 10, 500)
    assert len({headers["webhook-id"] for headers, _ in receiver.received}) == 1
    assert len({headers["webhook-timestamp"] for headers, _ in receiver.received}) == 10
    receiver.status = 200
    assert (await anna.post(f"/deliveries/{delivery['id']}/resend")).status_code == 202
    sender.clock.ahead = 0
    await sender.round()
    assert (await deliveries(anna, added))[0]["status"] == "delivered"


@pytest.mark.parametrize("status", [301, 400, 404])
async def test_only_a_success_is_one(app: App, receiver: Receiver, sender: Sender, status: int) -> None:
    anna = await app.owner()
    added = await add(anna, receiver.url, "order.created")
    await anna.order()
    receiver.status = status
    await sender.round()
    (delivery,) = await deliveries(anna, added)
    assert (delivery["status"], delivery["responseStatus"], delivery["attempts"]) == ("pending", status, 1)
    assert "nextAttemptAt" in delivery


async def test_a_receiver_that_is_gone_is_disabled_and_hears_on_when_it_is_enabled(
    app: App, receiver: Receiver, sender: Sender
) -> None:
    anna = await app.owner()
    added = await add(anna, receiver.url, "order.created")
    path = f"/webhooks/{added['webhook']['id']}"
    await anna.order()
    receiver.status = 410
    await sender.round()
    read = (await anna.get(path)).json()
    assert (read["enabled"], read["disabledReason"]) == (False, "gone")
    await anna.order(title="Not heard of")
    await sender.round()
    receiver.status = 204
    assert (await anna.patch(path, {"enabled": True})).status_code == 200
    await anna.order(title="Heard of")
    sender.clock.ahead = 10
    await sender.round()
    await sender.round()
    assert len(receiver.received) == 3
    assert "disabledReason" not in (await anna.get(path)).json()


@pytest.mark.both_engines
async def test_five_days_of_failure_disable_a_webhook(app: App, receiver: Receiver, sender: Sender) -> None:
    anna = await app.owner()
    added = await add(anna, receiver.url, "order.created")
    receiver.status = 503
    await anna.order()
    await sender.round()
    sender.clock.ahead = webhooks.FAILING_SECONDS + 60
    await anna.order()
    await sender.round()
    read = (await anna.get(f"/webhooks/{added['webhook']['id']}")).json()
    assert (read["enabled"], read["disabledReason"]) == (False, "failing")


async def test_owners_get_one_email_when_a_webhook_is_disabled(app: App, receiver: Receiver, sender: Sender) -> None:
    anna = await app.owner()
    marek = await app.member(anna)
    await add(anna, receiver.url, "order.created")
    await fail_for_good(anna, receiver, sender)
    [message] = await emails_to(app, anna.email)
    assert message["Subject"] == f"{urlsplit(receiver.url).netloc} is no longer notified"
    text = text_of(message)
    assert "/shop/connections/webhooks" in text
    assert "{" not in text
    assert "/hook\n" not in text
    assert await emails_to(app, marek.email) == []


async def test_the_email_is_not_sent_where_the_webhook_was_enabled_again(
    app: App, receiver: Receiver, sender: Sender
) -> None:
    anna = await app.owner()
    added = await add(anna, receiver.url, "order.created")
    await fail_for_good(anna, receiver, sender)
    path = f"/webhooks/{added['webhook']['id']}"
    assert (await anna.get(path)).json()["disabledReason"] == "failing"
    await anna.patch(path, {"enabled": True})
    assert await emails_to(app, anna.email) == []


async def test_a_replay_sends_again_what_happened_since(app: App, receiver: Receiver, sender: Sender) -> None:
    """Also what a webhook did not hear of while it was disabled, and no message twice that still waits."""
    anna = await app.owner()
    added = await add(anna, receiver.url, "order.created")
    path = f"/webhooks/{added['webhook']['id']}"
    await anna.order(title="Before")
    await sender.round()
    await asyncio.sleep(0.002)
    since = times.now()
    receiver.status = 500
    await anna.order(title="Failed")
    await sender.round()
    await anna.patch(path, {"enabled": False})
    await anna.order(title="Not heard of")
    receiver.status = 204
    receiver.received.clear()
    assert (await anna.post(f"{path}/replay", {"since": since})).status_code == 202
    assert (await anna.get(path)).json()["enabled"] is True
    for _ in range(3):
        await sender.round()
    assert len({headers["webhook-id"] for headers, _ in receiver.received}) == len(receiver.received) == 2
    assert [each["status"] for each in await deliveries(anna, added)] == ["delivered"] * 3
    for wrong in ("yesterday", "2026-11-20T08:00:00"):
        response = await anna.post(f"{path}/replay", {"since": wrong})
        assert response.json()["errors"][0]["pointer"] == "/since"


async def test_a_replay_leaves_out_nothing_that_was_not_heard_of_yet(
    app: App, receiver: Receiver, sender: Sender
) -> None:
    anna = await app.owner()
    added = await add(anna, receiver.url, "order.created")
    await anna.order()
    await asyncio.sleep(0.002)
    await anna.post(f"/webhooks/{added['webhook']['id']}/replay", {"since": times.now()})
    await sender.round()
    assert types_of(receiver) == ["order.created"]


async def test_one_that_hangs_delays_no_other(app: App, receiver: Receiver, sender: Sender) -> None:
    anna = await app.owner()
    hanging = Receiver()
    try:
        hanging.goes_on.clear()
        await add(anna, hanging.url, "order.created")
        await add(anna, receiver.url, "order.created")
        for _ in range(3):
            await anna.order()
        await sender.job.read_logs()
        async with asyncio.timeout(60):
            while len(receiver.received) < 3:
                await sender.job.send_due()
                await asyncio.sleep(0.01)
        assert len(hanging.received) <= 1
    finally:
        hanging.close()


async def test_those_that_hang_leave_half_of_the_requests_to_others(
    app: App, receiver: Receiver, sender: Sender, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Webhooks that had no response before, and would take every place."""
    monkeypatch.setattr(delivering, "_AT_ONCE", 4)
    anna = await app.owner()
    unreachable = [await add(anna, "http://127.0.0.1:1/", "order.created") for _ in range(4)]
    own = {each["webhook"]["id"] for each in unreachable}
    await anna.order()
    # Messages of other tests may take the places of a round.
    while not own <= sender.job._silent:
        await sender.round()
    hanging = Receiver()
    try:
        hanging.goes_on.clear()
        for each in unreachable:
            await anna.post(f"/webhooks/{each['webhook']['id']}/test")
        sql = "UPDATE webhooks SET url = :url WHERE workshop_id = :id"
        await app.db.write(lambda db: db.run(sql, url=hanging.url, id=anna.workshop))
        await sender.job.send_due()
        await add(anna, receiver.url, "order.created")
        await anna.order()
        await sender.job.read_logs()
        async with asyncio.timeout(60):
            while not receiver.received:
                await sender.job.send_due()
                assert len(own & sender.job._running.keys()) <= 2
                await asyncio.sleep(0.01)
    finally:
        hanging.close()


@pytest.mark.both_engines
async def test_nothing_is_lost_or_sent_twice_by_several_workers(app: App, receiver: Receiver, sender: Sender) -> None:
    anna = await app.owner()
    await add(anna, receiver.url, "order.created")
    others = [Sender(app) for _ in range(3)]
    for number in range(12):
        await anna.order(title=str(number))
    async with asyncio.timeout(60):
        while len(receiver.received) < 12:
            await asyncio.gather(*(each.job.read_logs() for each in (sender, *others)))
            await asyncio.gather(*(each.job.send_due() for each in (sender, *others)))
            await asyncio.sleep(0.01)
    for each in others:
        await each.end()
        each.job._threads.shutdown()
    await sender.round()
    ids = [headers["webhook-id"] for headers, _ in receiver.received]
    assert (len(ids), len(set(ids))) == (12, 12)


async def test_both_secrets_sign_for_a_day_after_a_rotation(app: App, receiver: Receiver, sender: Sender) -> None:
    anna = await app.owner()
    added = await add(anna, receiver.url, "order.created")
    path = f"/webhooks/{added['webhook']['id']}"
    newer = (await anna.post(f"{path}/rotate")).json()["secret"]
    await anna.post(f"{path}/test")
    await sender.round()
    headers, body = receiver.received[-1]
    assert [Webhook(secret).verify(body, headers)["type"] for secret in (added["secret"], newer)] == [webhooks.TEST] * 2
    sql = "UPDATE webhooks SET old_until = :now WHERE id = :id"
    await app.db.write(lambda db: db.run(sql, now=times.now(), id=added["webhook"]["id"]))
    await anna.post(f"{path}/test")
    await sender.round()
    headers, body = receiver.received[-1]
    with pytest.raises(WebhookVerificationError):
        Webhook(added["secret"]).verify(body, headers)
    Webhook(newer).verify(body, headers)


async def test_secrets_and_webhooks_are_for_owners(app: App) -> None:
    anna = await app.owner()
    marek = await app.member(anna)
    added = await add(anna, "https://receiver.example/hook")
    path, workshop = f"/webhooks/{added['webhook']['id']}", f"/workshops/{anna.workshop}/webhooks"
    assert added["secret"] not in (await anna.get(workshop)).text + (await anna.get(path)).text
    refused = [
        (await marek.get(workshop)).status_code,
        (await marek.post(workshop, NEW)).status_code,
        (await marek.get(path)).status_code,
        (await marek.delete(path)).status_code,
        (await marek.post(f"{path}/rotate")).status_code,
        (await marek.get(f"{path}/deliveries")).status_code,
    ]
    assert refused == [403] * 6
    for _ in range(9):
        await add(anna, "https://receiver.example/hook")
    full = await anna.post(workshop, NEW)
    assert (full.status_code, full.json()["code"]) == (409, "plan_limit")
    assert (await anna.delete(path)).status_code == 204
    assert (await anna.get(path)).status_code == 404


@all_of(
    "url",
    [
        "http://receiver.example/", "https://localhost/", "https://127.0.0.1/", "https://127.1/", "https://2130706433/",
        "https://0x7f000001/", "https://[::1]/", "https://10.0.0.1/", "https://192.168.1.1/", "https://169.254.169.254/",
        "https://[fe80::1]/", "https://[::ffff:127.0.0.1]/", "https://[64:ff9b::7f00:1]/", "https://100.64.0.1/",
        "https://user:secret@receiver.example/", "https://0.0.0.0/", "https://[2002:7f00:1::]/", "https://224.0.0.1/",
    ],
)  # fmt: skip
async def test_an_address_that_is_not_public_is_refused(app: App, url: str) -> None:
    anna = await app.owner()
    response = await anna.post(f"/workshops/{anna.workshop}/webhooks", NEW | {"url": url})
    assert response.status_code == 400
    assert response.json()["errors"][0]["pointer"] == "/url"


def test_the_setting_for_tests_allows_this_machine_and_http_and_nothing_else(
    receiver: Receiver, monkeypatch: pytest.MonkeyPatch
) -> None:
    for url in ("http://127.0.0.1:9/", "http://localhost/", "https://[::1]/", "http://receiver.example/"):
        require_public(url, "/url", allows_loopback=True)
    for host in ("10.0.0.1", "192.168.1.1", "169.254.169.254", "[fe80::1]", "0.0.0.0", "user:secret@receiver.example"):
        with pytest.raises(ValidationError):
            require_public(f"http://{host}/", "/url", allows_loopback=True)
    TestDns(monkeypatch, ["10.0.0.1", "127.0.0.1"])
    with pytest.raises(RequestFailed, match="public internet"):
        PublicRequests(allows_loopback=True).post(f"http://receiver.test:{receiver.port}/hook", b"{}", {})
    assert receiver.received == []


@pytest.mark.parametrize("host", ["localhost", "127.1", "0x7f.1", "2130706433", "[::1]", "[::ffff:127.0.0.1]"])
def test_no_connection_is_made_to_what_a_name_resolves_to_here(receiver: Receiver, host: str) -> None:
    """The second check: of every address, when the connection is made."""
    url = receiver.url.replace("127.0.0.1", host)
    with pytest.raises(RequestFailed, match="public internet"):
        PublicRequests().post(url, b"{}", {})
    assert receiver.received == []
    assert PublicRequests(allows_loopback=True).post(receiver.url, b"{}", {}) == 204


class TestDns:
    """Answers for names of the domain `test` in place of the system's resolver, one list of addresses after another."""

    __test__ = False

    def __init__(self, monkeypatch: pytest.MonkeyPatch, *answers: list[str]) -> None:
        self.answers = list(answers)
        self._resolve = socket.getaddrinfo
        monkeypatch.setattr(socket, "getaddrinfo", self._answer)

    def _answer(self, host: Any, port: Any, *rest: Any, **options: Any) -> list[Any]:
        if not str(host).endswith(".test"):
            return self._resolve(host, port, *rest, **options)
        addresses = self.answers.pop(0) if len(self.answers) > 1 else self.answers[0]
        return [found for each in addresses for found in self._resolve(each, port, *rest, **options)]


@pytest.mark.parametrize(
    "addresses",
    [["127.0.0.1"], ["10.0.0.7"], ["169.254.169.254"], ["fd00::7"], ["::ffff:127.0.0.1"], ["198.41.0.4", "127.0.0.1"]],
)
def test_a_name_with_a_private_address_is_not_connected_to(
    receiver: Receiver, monkeypatch: pytest.MonkeyPatch, addresses: list[str]
) -> None:
    """One such address among public ones is enough."""
    TestDns(monkeypatch, addresses)
    with pytest.raises(RequestFailed, match="public internet"):
        PublicRequests().post(f"http://receiver.test:{receiver.port}/hook", b"{}", {})
    assert receiver.received == []


def test_a_name_that_means_something_else_a_moment_later_is_connected_to_as_checked(
    receiver: Receiver, monkeypatch: pytest.MonkeyPatch
) -> None:
    """127.0.0.2 is in the place of a public address, which tests cannot have."""
    checked = Receiver("127.0.0.2", receiver.port)
    try:
        monkeypatch.setattr(public_requests, "is_allowed", lambda address, **_: str(address) == "127.0.0.2")
        dns = TestDns(monkeypatch, ["127.0.0.2"], ["127.0.0.1"])
        assert PublicRequests().post(f"http://receiver.test:{receiver.port}/hook", b"{}", {}) == 204
        assert (len(checked.received), len(receiver.received), dns.answers) == (1, 0, [["127.0.0.1"]])
        assert checked.received[0][0]["Host"] == f"receiver.test:{receiver.port}"
        with pytest.raises(RequestFailed, match="public internet"):
            PublicRequests().post(f"http://receiver.test:{receiver.port}/hook", b"{}", {})
        assert len(receiver.received) == 0
    finally:
        checked.close()


async def version(person: Person) -> int:
    sql = "SELECT version FROM workshop_counters WHERE workshop_id = :id"
    async with person.app.db.read() as db:
        return int(await db.value(sql, id=person.workshop))


async def rows_of(app: App, added: dict[str, Any]) -> list[str]:
    sql = "SELECT status FROM webhook_deliveries WHERE webhook_id = :id"
    async with app.db.read() as db:
        return await db.all(str, sql, id=added["webhook"]["id"])


async def test_events_that_do_not_exist_are_refused(app: App) -> None:
    anna = await app.owner()
    added = await add(anna, "https://receiver.example/hook")
    path = f"/webhooks/{added['webhook']['id']}"
    wrong = {"events": ["order.created", "order.exploded"]}
    for response in (
        await anna.post(f"/workshops/{anna.workshop}/webhooks", NEW | wrong),
        await anna.patch(path, wrong),
        await anna.patch(path, {"events": ["*", "webhook.test"]}),
    ):
        assert pointers(response) == ["/events/1"]
    every = [*EVENT_TYPES, "*"]
    assert (await anna.patch(path, {"events": every})).json()["events"] == every


def test_each_event_of_an_operation_is_an_event_type() -> None:
    events = {operation.event for operation in OPERATIONS if operation.event is not None}
    assert events - set(EVENT_TYPES) == set()


async def test_a_change_that_changes_nothing_has_no_version(app: App) -> None:
    anna = await app.owner()
    added = await add(anna, "https://receiver.example/hook")
    path = f"/webhooks/{added['webhook']['id']}"
    before = await version(anna)
    for body in ({}, {"events": ["*"]}, {"enabled": True}, {"description": ""}):
        assert (await anna.patch(path, body)).status_code == 200
    assert await version(anna) == before
    assert (await anna.patch(path, {"description": "Ours"})).status_code == 200
    assert await version(anna) == before + 1


async def test_one_test_waits_at_a_time_and_none_for_a_disabled_webhook(app: App) -> None:
    anna = await app.owner()
    added = await add(anna, "https://receiver.example/hook")
    path = f"/webhooks/{added['webhook']['id']}"
    for _ in range(3):
        assert (await anna.post(f"{path}/test")).status_code == 202
    assert await rows_of(app, added) == ["pending"]
    await anna.patch(path, {"enabled": False})
    (delivery,) = await deliveries(anna, added)
    for refused in (await anna.post(f"{path}/test"), await anna.post(f"/deliveries/{delivery['id']}/resend")):
        assert (refused.status_code, refused.json()["code"]) == (409, "not_active")
    assert await rows_of(app, added) == ["pending"]


async def test_tests_and_resends_are_limited(
    app: App, receiver: Receiver, sender: Sender, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(webhooks, "_TESTS", Limit(2, 3600))
    monkeypatch.setattr(webhooks, "_RESENDS", Limit(2, 3600))
    anna = await app.owner()
    added = await add(anna, receiver.url, "order.created")
    path = f"/webhooks/{added['webhook']['id']}"
    for expected in (202, 202, 429):
        response = await anna.post(f"{path}/test")
        assert response.status_code == expected
        await sender.round()
    assert int(response.headers["retry-after"]) > 0
    (delivery, _) = await deliveries(anna, added)
    statuses = [(await anna.post(f"/deliveries/{delivery['id']}/resend")).status_code for _ in range(3)]
    assert statuses == [202, 202, 429]


async def test_the_log_is_read_as_messages_are_sent(
    app: App, receiver: Receiver, sender: Sender, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Rows of a webhook are bounded, however much an import changes; all of it arrives once."""
    monkeypatch.setattr(webhooks, "MOST_WAITING", 20)
    monkeypatch.setattr(webhooks, "MOST_WAITING", 20)
    monkeypatch.setattr(webhooks, "MOST_LISTED", 5)
    anna = await app.owner()
    added = await add(anna, receiver.url, "customer.created")
    lines = [f"Customer {number},c{number}@example.com" for number in range(60)]
    asked = await proposal(anna, "\n".join(["Name,Email", *lines]))
    assert (await anna.post(f"/imports/{asked['id']}/run")).status_code == 200
    for _ in range(4):
        await sender.job.read_logs()
    assert len(await rows_of(app, added)) == 20
    async with asyncio.timeout(60):
        while len(receiver.received) < 60:
            await sender.round()
            rows = await rows_of(app, added)
            assert rows.count("pending") <= 20
            assert len(rows) <= 20 + 20 + 5
    await sender.round()
    ids = [headers["webhook-id"] for headers, _ in receiver.received]
    assert (len(ids), len(set(ids))) == (60, 60)


async def test_a_replay_has_all_that_was_asked_for_after_the_moment(app: App) -> None:
    """A request that began earlier may have a later version."""
    anna = await app.owner()
    added = await add(anna, "https://receiver.example/hook")
    order = await anna.order()
    since = times.now()
    await anna.patch(f"/orders/{order['id']}/status", {"status": "in_progress"})
    moved = await version(anna)
    await anna.patch(f"/orders/{order['id']}/status", {"status": "done"})
    sql = "UPDATE audit_entries SET at = :at WHERE workshop_id = :id AND version = :version"
    await app.db.write(lambda db: db.run(sql, at=times.later(since, -1), id=anna.workshop, version=moved + 1))
    await anna.post(f"/webhooks/{added['webhook']['id']}/replay", {"since": since})
    read = "SELECT read_version FROM webhooks WHERE id = :id"
    async with app.db.read() as db:
        assert await db.value(read, id=added["webhook"]["id"]) <= moved - 1


LEAVING: dict[str, Callable[[App, Person, Person], Awaitable[Any]]] = {
    "removed": lambda _, anna, bob: anna.delete(f"/workshops/{anna.workshop}/members/{bob.uid}"),
    "leaves": lambda _, anna, bob: bob.delete(f"/workshops/{anna.workshop}/members/{bob.uid}"),
    "becomes a member": lambda _, anna, bob: anna.patch(
        f"/workshops/{anna.workshop}/members/{bob.uid}", {"role": "member"}
    ),
    "deletes the account": lambda _, __, bob: bob.send("DELETE", "/me", {"password": PASSWORD}),
    "suspended by the host": lambda app, _, bob: app.db.write(
        lambda db: administration.suspend(db, bob.email, times.now(), new_id)
    ),
    "removed by the host": lambda app, anna, bob: app.db.write(
        lambda db: administration.remove_member(db, anna.workshop, bob.email, times.now(), new_id)
    ),
    "made a member by the host": lambda app, anna, bob: app.db.write(
        lambda db: administration.add_member(db, anna.workshop, bob.email, "member", times.now(), new_id)
    ),
}


@pytest.mark.both_engines
@pytest.mark.parametrize("way", LEAVING)
async def test_a_webhook_ends_with_the_ownership_of_its_maker(app: App, way: str) -> None:
    anna = await app.owner("Anna")
    bob = await app.member(anna, "Bob")
    await anna.patch(f"/workshops/{anna.workshop}/members/{bob.uid}", {"role": "owner"})
    response = await bob.post(f"/workshops/{anna.workshop}/webhooks", NEW | {"url": "https://bob.example/secret"})
    of_bob, of_anna = response.json(), await add(anna, "https://receiver.example/hook")
    left = await LEAVING[way](app, anna, bob)
    assert not isinstance(left, httpx.Response) or left.status_code < 300, left.text
    path = f"/webhooks/{of_bob['webhook']['id']}"
    read = (await anna.get(path)).json()
    assert (read["enabled"], read["disabledReason"]) == (False, "owner_left")
    assert (await anna.get(f"/webhooks/{of_anna['webhook']['id']}")).json()["enabled"] is True
    [message] = [each for each in await emails_to(app, anna.email) if "bob.example" in each["Subject"]]
    assert message["Subject"] == "bob.example is no longer notified"
    assert "no owner any more" in " ".join(text_of(message).split())
    # Who enables it answers for it.
    assert (await anna.patch(path, {"enabled": True})).json()["enabled"] is True
    sql = "SELECT created_by FROM webhooks WHERE id = :id"
    async with app.db.read() as db:
        assert await db.value(sql, id=of_bob["webhook"]["id"]) == anna.uid


async def test_the_sweep_looks_up_who_made_a_webhook_of_a_version_before(app: App) -> None:
    anna = await app.owner("Anna")
    added = await add(anna, "https://receiver.example/hook")
    sql = "UPDATE webhooks SET created_by = NULL WHERE workshop_id = :id"
    await app.db.write(lambda db: db.run(sql, id=anna.workshop))
    while await app.db.write(lambda db: webhooks.add_missing_makers(db, 10)) == 10:
        pass
    async with app.db.read() as db:
        assert (await webhooks.find(db, added["webhook"]["id"])).created_by == anna.uid


async def test_webhooks_of_one_account_leave_requests_to_others(app: App, receiver: Receiver, sender: Sender) -> None:
    """However many receivers it has, and in however many workshops."""
    anna, bea = await app.owner("Anna"), await app.owner("Bea")
    second = (await anna.post("/workshops", {"name": "Second", "crafterName": "Anna"})).json()["id"]
    hanging = Receiver()
    try:
        hanging.goes_on.clear()
        for _ in range(4):
            await add(anna, hanging.url, "order.created")
        await anna.order()
        anna.workshop = second
        for _ in range(4):
            await add(anna, hanging.url, "order.created")
        await anna.order()
        await sender.job.read_logs()
        await sender.job.send_due()
        await add(bea, receiver.url, "order.created")
        await bea.order()
        await sender.job.read_logs()
        async with asyncio.timeout(60):
            while not receiver.received:
                await sender.job.send_due()
                assert sender.job._of_owner[anna.uid] == 4
                await asyncio.sleep(0.01)
        assert len(hanging.received) <= 4
    finally:
        hanging.close()
