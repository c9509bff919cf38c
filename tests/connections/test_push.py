"""Push messages: what phones get, when, until when, and what the service does not connect to."""

import asyncio
import base64
import json
import sys
from collections.abc import AsyncIterator, Iterator
from typing import Any

import http_ece
import pytest
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat

from backbench.connections import push
from backbench.hosting import administration
from backbench.integrations.public_addresses import PublicRequests
from backbench.jobs.push_deliveries import PushDeliveries
from backbench.values import times
from backbench.values.ids import new_id
from tests.integrations.test_web_push import claims_of, encoded
from tests.people import PASSWORD, App, Person
from tests.support.operation_samples import BODIES
from tests.support.providers.receivers import Clock, Receiver
from tests.support.secret_log_check import remember_secrets
from tests.support.shared_links import share

PATH = "/me/push-subscriptions"
NEW = BODIES["POST /me/push-subscriptions"]
OFFICE = "https://office.example"
ANSWERS = ["question", "accepted", "declined"]


class Phone:
    """A browser that has subscribed, with keys of its own; `receiver` is its push service."""

    def __init__(self, person: Person, receiver: Receiver) -> None:
        self.person = person
        self.receiver = receiver
        self.id = ""
        self.path = f"/send/{new_id()}"
        self._key = ec.generate_private_key(ec.SECP256R1())
        self._auth = new_id()[:16].encode()

    @property
    def body(self) -> dict[str, Any]:
        point = self._key.public_key().public_bytes(Encoding.X962, PublicFormat.UncompressedPoint)
        endpoint = f"https://push.example{self.path}"
        return {"endpoint": endpoint, "p256dh": encoded(point), "auth": encoded(self._auth)}

    async def subscribe(self, kinds: list[str], **fields: Any) -> "Phone":
        """Its address is put where no browser could: tests have no push service on the internet."""
        response = await self.person.post(PATH, {**self.body, "kinds": kinds, **fields})
        assert response.status_code == 201, response.text
        self.id = response.json()["id"]
        url = self.receiver.url.replace("/hook", self.path)
        sql = "UPDATE push_subscriptions SET endpoint = :url WHERE id = :id"
        await self.person.app.db.write(lambda db: db.run(sql, url=url, id=self.id))
        return self

    @property
    def requests(self) -> list[tuple[dict[str, str], bytes]]:
        found = zip(self.receiver.paths, self.receiver.received, strict=True)
        return [(headers, body) for path, (headers, body) in found if path == self.path]

    @property
    def messages(self) -> list[dict[str, Any]]:
        """What it shows, decrypted by an implementation that is not ours."""
        return [
            json.loads(http_ece.decrypt(body, private_key=self._key, auth_secret=self._auth, version="aes128gcm"))
            for _, body in self.requests
        ]

    @property
    def shown(self) -> list[tuple[str, str]]:
        return [(each["notification"]["title"], each["notification"]["body"]) for each in self.messages]


class Sender:
    """The job of a worker, a round at a time."""

    def __init__(self, app: App, requests: PublicRequests | None = None) -> None:
        self.clock = Clock()
        sends = requests or PublicRequests(allows_loopback=True)
        self.job = PushDeliveries(app.db, sends, self.clock, OFFICE, "mailto:office@example.com")

    async def round(self) -> None:
        await self.job.read_logs()
        await self.job.send_due()
        await self.end()

    async def end(self) -> None:
        while self.job._running:
            await asyncio.wait(list(self.job._running.values()))
            await asyncio.sleep(0)

    async def close(self) -> None:
        await self.end()
        self.job._threads.shutdown()


@pytest.fixture
def service() -> Iterator[Receiver]:
    made = Receiver()
    made.status = 201
    yield made
    made.close()


@pytest.fixture
async def sender(app: App) -> AsyncIterator[Sender]:
    made = Sender(app)
    yield made
    await made.close()
    # The tests of a process share a database.
    await app.db.write(lambda db: db.run("DELETE FROM push_subscriptions"))


async def subscriptions(person: Person) -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = (await person.get(PATH)).json()["subscriptions"]
    return found


async def ask(person: Person, order: dict[str, Any], text: str = "By Friday?") -> None:
    customer = person.app.anonymous()
    customer.bearer = (await person.get(f"/orders/{order['id']}/status-link")).json()["url"].partition("#")[2]
    remember_secrets(customer.bearer)
    assert (await customer.post("/client/order/questions", {"name": "Ewa", "text": text})).status_code == 201


async def order_due(person: Person, day: str, **fields: Any) -> dict[str, Any]:
    order = await person.order(title="Ring", customerName="Ewa", **fields)
    assert (await person.patch(f"/orders/{order['id']}/details", {"dueOn": day})).status_code == 200
    return order


async def set_zone(person: Person, zone: str) -> None:
    path = f"/workshops/{person.workshop}/document-settings"
    assert (await person.put(path, {"currency": "EUR", "timeZone": zone})).status_code == 200


async def test_a_phone_rings_when_the_client_accepts(app: App, service: Receiver, sender: Sender) -> None:
    """The whole way, as a phone and its push service see it."""
    anna = await app.owner()
    key = (await anna.get("/push/key")).json()["key"]
    phone = await Phone(anna, service).subscribe(ANSWERS)
    shared = await share(anna)
    assert (await shared.accept()).status_code == 201
    await sender.round()
    [(headers, body)] = phone.requests
    [message] = phone.messages
    name = (await anna.get(f"/workshops/{anna.workshop}")).json()["name"]
    assert message == {
        "web_push": 8030,
        "notification": {
            "title": "Estimate accepted",
            "lang": "en",
            "dir": "ltr",
            "body": name,
            "navigate": f"{OFFICE}/estimates/{shared.id}/send",
            "tag": f"accepted.{shared.id}",
        },
    }
    sent = {key.lower(): value for key, value in headers.items()}
    assert (sent["content-encoding"], sent["urgency"]) == ("aes128gcm", "high")
    assert 0 < int(sent["ttl"]) <= 86_400
    assert len(sent["topic"]) == 32
    claims = claims_of(sent["authorization"])
    assert claims["aud"] == service.url.removesuffix("/hook")
    assert claims["sub"] == "mailto:office@example.com"
    assert sent["authorization"].endswith(f"k={key}")
    # Nothing of it can be read on the way.
    assert not [text for text in (b"accepted", name.encode(), shared.id.encode()) if text in body]
    await sender.round()
    assert len(phone.requests) == 1


async def test_a_message_names_the_customer_and_the_work_where_the_account_allows_it(
    app: App, service: Receiver, sender: Sender
) -> None:
    anna = await app.owner()
    silent = await Phone(anna, service).subscribe(ANSWERS)
    telling = await Phone(anna, service).subscribe(ANSWERS, details=True)
    shared = await share(anna)
    await shared.client.post("/client/estimate/decline", {"name": "Jan Kowalski", "reason": "Too late"})
    await ask(anna, await anna.order(title="Ring of Ewa", customerName="Ewa"))
    await sender.round()
    await sender.round()
    name = (await anna.get(f"/workshops/{anna.workshop}")).json()["name"]
    assert sorted(silent.shown) == [("A question", name), ("Estimate declined", name)]
    assert sorted(telling.shown) == [
        ("A question", "Ewa: Ring of Ewa"),
        ("Estimate declined", "Jan Kowalski: Oak table"),
    ]
    # The length does not say which it was.
    assert len({len(body) for _, body in service.received}) == 1


async def test_messages_are_in_the_language_of_the_account(app: App, service: Receiver, sender: Sender) -> None:
    jan = await app.person("Jan", "pl")
    phone = await Phone(jan, service).subscribe(ANSWERS)
    assert (await (await share(jan)).accept()).status_code == 201
    await jan.post(f"{PATH}/{phone.id}/test")
    for _ in range(2):
        await sender.round()
    assert {title for title, _ in phone.shown} == {"Wycena przyjęta", "Backbench"}
    assert {each["notification"]["lang"] for each in phone.messages} == {"pl"}


async def test_a_phone_stays_quiet_about_what_was_not_chosen(app: App, service: Receiver, sender: Sender) -> None:
    anna = await app.owner()
    marek = await app.member(anna)
    accepted = await Phone(anna, service).subscribe(["accepted"])
    questions = await Phone(marek, service).subscribe(["question"])
    nothing = await Phone(marek, service).subscribe([])
    shared = await share(anna)
    await shared.client.post("/client/estimate/comments", {"name": "Jan", "text": "In ash?"})
    await shared.accept()
    await anna.patch(f"/workshops/{anna.workshop}", {"tagline": "By hand"})
    for _ in range(3):
        await sender.round()
    assert [title for title, _ in accepted.shown] == ["Estimate accepted"]
    assert [title for title, _ in questions.shown] == ["A question"]
    assert nothing.shown == []


async def test_nobody_hears_of_what_they_did_themselves(app: App, service: Receiver, sender: Sender) -> None:
    anna = await app.owner()
    marek = await app.member(anna)
    own, other = await Phone(anna, service).subscribe(ANSWERS), await Phone(marek, service).subscribe(ANSWERS)
    shared = await share(anna)
    body = {"revisionNumber": 1, "outcome": "accepted", "method": "phone", "name": "Jan"}
    assert (await anna.post(f"/estimates/{shared.id}/decisions", body)).status_code == 201
    # An answer of a member is no question.
    await anna.post(f"/links/{shared.link['id']}/comments", {"text": "Ash costs the same."})
    await sender.round()
    assert (own.shown, [title for title, _ in other.shown]) == ([], ["Estimate accepted"])


@pytest.mark.both_engines
async def test_what_was_settled_meanwhile_is_not_sent(app: App, service: Receiver, sender: Sender) -> None:
    anna = await app.owner()
    marek = await app.member(anna)
    phone, other = await Phone(anna, service).subscribe(ANSWERS), await Phone(marek, service).subscribe(ANSWERS)
    answered, seen = await anna.order(title="Ring"), await anna.order(title="Chain")
    for order in (answered, seen):
        await ask(anna, order)
    await sender.job.read_logs()
    await anna.post(f"/orders/{answered['id']}/questions", {"text": "Yes."})
    items = (await anna.get(f"/workshops/{anna.workshop}/inbox")).json()["items"]
    await anna.post(f"/workshops/{anna.workshop}/inbox/read", {"ids": [item["id"] for item in items]})
    for _ in range(3):
        await sender.round()
    # The other one has not read what waits.
    assert (phone.shown, len(other.shown)) == ([], 1)


async def test_questions_that_come_together_are_one_message(app: App, service: Receiver, sender: Sender) -> None:
    anna = await app.owner()
    phone = await Phone(anna, service).subscribe(ANSWERS)
    order = await anna.order()
    await ask(anna, order, "By Friday?")
    await ask(anna, order, "Or on Saturday?")
    for _ in range(3):
        await sender.round()
    assert len(phone.shown) == 1
    await ask(anna, order, "Hello?")
    await sender.round()
    assert len(phone.shown) == 2
    # The phone shows the last one, whether it was off or not.
    topics = {headers.get("topic") or headers.get("Topic") for headers, _ in phone.requests}
    tags = {each["notification"]["tag"] for each in phone.messages}
    assert (len(topics), len(tags)) == (1, 1)


async def test_what_waits_comes_in_one_message_each_morning(app: App, service: Receiver, sender: Sender) -> None:
    anna = await app.owner()
    await set_zone(anna, "Pacific/Auckland")
    now = times.now()
    morning = push.next_morning(now, "Pacific/Auckland")
    day = times.local_date(morning, "Pacific/Auckland").isoformat()
    phone = await Phone(anna, service).subscribe(["due_today", "overdue"], details=True)
    # Subscribing is no morning.
    await order_due(anna, day)
    await order_due(anna, day, notes="another")
    await sender.round()
    assert phone.shown == []
    for seconds, expected in ((-30, 0), (30, 1), (3600, 1)):
        sender.clock.ahead = times.seconds_between(now, times.later(morning, seconds))
        await sender.round()
        await sender.round()
        assert len(phone.shown) == expected, seconds
    assert phone.shown == [("What waits today", "Due today: 2")]
    assert phone.messages[0]["notification"]["navigate"] == f"{OFFICE}/"
    assert phone.requests[0][0]["urgency"] == "low"
    # Both are late on the next morning; on the one after nothing is new.
    for days in (1, 2):
        sender.clock.ahead = times.seconds_between(now, times.later(morning, days * 86_400 + 30))
        await sender.round()
        await sender.round()
    assert phone.shown[1:] == [("What waits today", "Late: 2")]


async def test_a_morning_with_one_matter_leads_to_it(app: App, service: Receiver, sender: Sender) -> None:
    anna = await app.owner()
    await set_zone(anna, "Europe/Warsaw")
    now = times.now()
    morning = push.next_morning(now, "Europe/Warsaw")
    phone = await Phone(anna, service).subscribe(["due_today"])
    order = await order_due(anna, times.local_date(morning, "Europe/Warsaw").isoformat())
    await sender.round()
    sender.clock.ahead = times.seconds_between(now, morning) + 1
    await sender.round()
    [message] = phone.messages
    assert message["notification"]["title"] == "Due today"
    assert message["notification"]["navigate"] == f"{OFFICE}/orders/{order['id']}"


def test_a_morning_is_at_eight_of_the_workshop() -> None:
    zone = "Europe/Warsaw"
    assert push.next_morning("2026-03-28T07:30:00.000Z", zone) == "2026-03-29T06:00:00.000Z"
    assert push.next_morning("2026-03-29T06:00:00.000Z", zone) == "2026-03-30T06:00:00.000Z"
    assert push.next_morning("2026-11-23T06:59:59.999Z", zone) == "2026-11-23T07:00:00.000Z"
    assert push.morning_before("2026-03-29T06:00:00.000Z", zone) == "2026-03-28T07:00:00.000Z"


async def _sign_out(anna: Person, _: Person) -> None:
    assert (await anna.post("/logout")).status_code == 200


async def _sign_in_again(anna: Person, _: Person) -> None:
    assert (await anna.sign_in()).status_code == 200


async def _end_from_elsewhere(anna: Person, other: Person) -> None:
    found = (await anna.get("/me/sessions")).json()["sessions"]
    current = next(each["id"] for each in found if each["current"])
    assert (await other.delete(f"/me/sessions/{current}")).status_code == 204


async def _change_password(_: Person, other: Person) -> None:
    body = {"currentPassword": PASSWORD, "newPassword": "a plane and two saws"}
    assert (await other.put("/me/password", body)).status_code == 204


async def _delete_account(_: Person, other: Person) -> None:
    assert (await other.delete("/me", {"password": PASSWORD})).status_code == 204


async def _suspend(anna: Person, _: Person) -> None:
    await anna.app.db.write(lambda db: administration.suspend(db, anna.email, times.now(), new_id))


@pytest.mark.parametrize(
    "end", [_sign_out, _sign_in_again, _end_from_elsewhere, _change_password, _delete_account, _suspend]
)
async def test_a_subscription_ends_with_its_session(app: App, service: Receiver, sender: Sender, end: Any) -> None:
    anna = await app.owner()
    elsewhere = app.anonymous()
    elsewhere.email = anna.email
    assert (await elsewhere.sign_in()).status_code == 200
    phone = await Phone(anna, service).subscribe(ANSWERS)
    assert (await anna.post(f"{PATH}/{phone.id}/test")).status_code == 202
    await end(anna, elsewhere)
    await sender.round()
    assert service.received == []
    async with app.db.read() as db:
        assert await db.value("SELECT count(*) FROM push_subscriptions WHERE id = :id", id=phone.id) == 0
        assert await db.value("SELECT count(*) FROM push_messages WHERE subscription_id = :id", id=phone.id) == 0


async def test_a_session_that_expired_is_not_sent_to(app: App, service: Receiver, sender: Sender) -> None:
    """Before the next sweep deletes it."""
    anna = await app.owner()
    phone = await Phone(anna, service).subscribe(ANSWERS)
    await ask(anna, await anna.order())
    await sender.job.read_logs()
    sql = "UPDATE sessions SET idle_until = :now WHERE account_id = :uid"
    await app.db.write(lambda db: db.run(sql, now=times.now(), uid=anna.uid))
    await sender.round()
    assert phone.requests == []


async def test_a_member_who_left_the_workshop_hears_nothing_of_it(app: App, service: Receiver, sender: Sender) -> None:
    anna = await app.owner()
    marek = await app.member(anna)
    phone = await Phone(marek, service).subscribe(ANSWERS)
    order = await anna.order()
    await ask(anna, order)
    await sender.job.read_logs()
    assert (await anna.delete(f"/workshops/{anna.workshop}/members/{marek.uid}")).status_code == 204
    await ask(anna, order, "Hello?")
    for _ in range(2):
        await sender.round()
    assert phone.requests == []
    # Of other workshops it hears on.
    assert [each["id"] for each in await subscriptions(marek)] == [phone.id]


async def test_a_workshop_that_is_joined_later_is_heard_of(app: App, service: Receiver, sender: Sender) -> None:
    anna, marek = await app.owner(), await app.person("Marek")
    phone = await Phone(marek, service).subscribe(ANSWERS)
    order = await anna.order()
    await ask(anna, order, "Before")
    await app.db.write(
        lambda db: administration.add_member(db, anna.workshop, marek.email, "member", times.now(), new_id)
    )
    await sender.round()
    assert phone.shown == []
    await ask(anna, order, "After")
    await sender.round()
    assert len(phone.shown) == 1


@pytest.mark.parametrize("status", [404, 410])
async def test_a_push_service_ends_a_subscription(app: App, service: Receiver, sender: Sender, status: int) -> None:
    anna = await app.owner()
    phone = await Phone(anna, service).subscribe(ANSWERS)
    service.status = status
    await anna.post(f"{PATH}/{phone.id}/test")
    await sender.round()
    assert await subscriptions(anna) == []


@pytest.mark.parametrize("status", [429, 500, 503])
async def test_a_message_that_may_pass_later_is_repeated_six_times(
    app: App, service: Receiver, sender: Sender, status: int
) -> None:
    anna = await app.owner()
    phone = await Phone(anna, service).subscribe(ANSWERS)
    service.status = status
    await anna.post(f"{PATH}/{phone.id}/test")
    await sender.round()
    for wait in push.WAITS:
        before = len(phone.requests)
        sender.clock.ahead += wait * 0.79
        await sender.round()
        assert len(phone.requests) == before
        sender.clock.ahead += wait * 0.42
        await sender.round()
        assert len(phone.requests) == before + 1
    lives = [int({name.lower(): value for name, value in headers.items()}["ttl"]) for headers, _ in phone.requests]
    assert lives == sorted(lives, reverse=True)
    sender.clock.ahead = 86_400 - 60
    await sender.round()
    assert (len(phone.requests), len(await subscriptions(anna))) == (6, 1)


@pytest.mark.parametrize("status", [301, 400, 403, 413])
async def test_a_message_that_is_refused_is_not_repeated(
    app: App, service: Receiver, sender: Sender, status: int
) -> None:
    anna = await app.owner()
    phone = await Phone(anna, service).subscribe(ANSWERS)
    service.status = status
    await anna.post(f"{PATH}/{phone.id}/test")
    await sender.round()
    sender.clock.ahead = 3600
    await sender.round()
    assert (len(phone.requests), len(await subscriptions(anna))) == (1, 1)


async def test_what_nobody_could_get_for_a_day_is_not_sent(app: App, service: Receiver, sender: Sender) -> None:
    anna = await app.owner()
    phone = await Phone(anna, service).subscribe(ANSWERS)
    await ask(anna, await anna.order())
    await sender.job.read_logs()
    sender.clock.ahead = push.LIFE_SECONDS + 1
    await sender.round()
    assert phone.requests == []


async def test_several_workers_deliver_each_message_once(app: App, service: Receiver, sender: Sender) -> None:
    anna = await app.owner()
    phone = await Phone(anna, service).subscribe(ANSWERS)
    others = [Sender(app) for _ in range(3)]
    orders = [await anna.order(title=str(number)) for number in range(12)]
    for order in orders:
        await ask(anna, order)
    async with asyncio.timeout(60):
        while len(phone.requests) < 12:
            await asyncio.gather(*(each.job.read_logs() for each in (sender, *others)))
            await asyncio.gather(*(each.job.send_due() for each in (sender, *others)))
            await asyncio.sleep(0.01)
    for each in others:
        await each.close()
    await sender.round()
    tags = [each["notification"]["tag"] for each in phone.messages]
    assert sorted(tags) == sorted(f"question.{order['id']}" for order in orders)


async def test_a_push_service_that_hangs_delays_no_other(app: App, service: Receiver, sender: Sender) -> None:
    """There are more phones at the slow service than requests at once."""
    hanging = Receiver()
    try:
        hanging.goes_on.clear()
        for _ in range(2):
            person = await app.person()
            for _ in range(push.MAX_SUBSCRIPTIONS):
                slow = await Phone(person, hanging).subscribe(ANSWERS)
                await person.post(f"{PATH}/{slow.id}/test")
        anna = await app.owner()
        phone = await Phone(anna, service).subscribe(ANSWERS)
        await anna.post(f"{PATH}/{phone.id}/test")
        async with asyncio.timeout(60):
            while not phone.requests:
                await sender.job.send_due()
                await asyncio.sleep(0.01)
        assert len(hanging.received) <= 8
    finally:
        hanging.close()


async def test_no_connection_is_made_to_what_an_address_resolves_to_here(app: App, service: Receiver) -> None:
    """The second check: of every address, when the connection is made."""
    anna = await app.owner()
    careful = Sender(app, PublicRequests())
    phone = await Phone(anna, service).subscribe(ANSWERS)
    await anna.post(f"{PATH}/{phone.id}/test")
    await careful.round()
    await careful.close()
    assert service.received == []
    async with app.db.read() as db:
        sql = "SELECT attempts FROM push_messages WHERE subscription_id = :id"
        assert await db.value(sql, id=phone.id) == 1
    await app.db.write(lambda db: db.run("DELETE FROM push_subscriptions"))


@pytest.mark.parametrize(
    "endpoint",
    ["http://push.example/send/a", "https://localhost/", "https://127.0.0.1/", "https://10.0.0.1/", "https://[::1]/"],
)
async def test_an_address_that_is_not_public_is_refused(app: App, endpoint: str) -> None:
    anna = await app.owner()
    response = await anna.post(PATH, NEW | {"endpoint": endpoint})
    assert response.status_code == 400
    assert [error["pointer"] for error in response.json()["errors"]] == ["/endpoint"]


@pytest.mark.parametrize(
    ("field", "value"),
    [
        ("p256dh", "B" * 86),
        ("p256dh", base64.urlsafe_b64encode(b"\x04" + bytes(64)).decode()),
        ("auth", "short"),
        ("kinds", ["birthday"]),
    ],
)
async def test_what_no_browser_would_send_is_refused(app: App, field: str, value: Any) -> None:
    anna = await app.owner()
    response = await anna.post(PATH, NEW | {field: value})
    assert response.status_code == 400
    assert response.json()["errors"][0]["pointer"].startswith(f"/{field}")


async def test_the_same_endpoint_changes_what_it_hears_of(app: App) -> None:
    anna = await app.owner()
    body = NEW | {"endpoint": f"https://push.example/{new_id()}"}
    first = (await anna.post(PATH, body)).json()
    second = (await anna.post(PATH, body | {"kinds": ["overdue", "overdue"], "details": True})).json()
    assert second == {
        "id": first["id"],
        "kinds": ["overdue"],
        "details": True,
        "service": "push.example",
        "userAgent": first["userAgent"],
        "current": True,
        "createdAt": first["createdAt"],
    }
    listed = await anna.get(PATH)
    assert listed.json() == {"subscriptions": [second]}
    assert not [secret for secret in (body["endpoint"], body["auth"], body["p256dh"]) if secret in listed.text]
    # A browser gets the messages of who has subscribed in it last.
    marek = await app.person("Marek")
    assert (await marek.post(PATH, body)).status_code == 201
    assert await subscriptions(anna) == []


async def test_an_account_has_twenty_subscriptions(app: App) -> None:
    anna = await app.owner()
    bodies = [NEW | {"endpoint": f"https://push.example/{new_id()}"} for _ in range(21)]
    assert [(await anna.post(PATH, body)).status_code for body in bodies] == [201] * 20 + [409]
    assert (await anna.post(PATH, bodies[0])).status_code == 201
    [first, *_] = await subscriptions(anna)
    stranger = await app.owner()
    assert (await stranger.delete(f"{PATH}/{first['id']}")).status_code == 404
    assert (await anna.delete(f"{PATH}/{first['id']}")).status_code == 204
    assert (await anna.post(PATH, bodies[20])).status_code == 201


async def test_every_node_has_the_same_key(app: App) -> None:
    anna, marek = await app.owner(), await app.owner("Marek")
    await app.db.write(lambda db: db.run("DELETE FROM push_keys"))
    responses = await asyncio.gather(*(person.get("/push/key") for person in (anna, marek) * 4))
    [key] = {response.json()["key"] for response in responses}
    assert (await anna.get("/push/key")).json() == {"key": key}
    assert len(key) == 87


_reached: list[Any] | None = None


def _note_connection(event: str, arguments: tuple[Any, ...]) -> None:
    if _reached is not None and event in ("socket.connect", "socket.getaddrinfo"):
        target = arguments[1] if event == "socket.connect" else arguments[:2]
        # A socket in the file system is that of the database.
        if isinstance(target, tuple):
            _reached.append(target)


async def test_an_installation_without_subscribers_connects_to_nothing(
    app: App, service: Receiver, sender: Sender
) -> None:
    """Python reports each connection and each name that is resolved, whichever library asks."""
    global _reached
    sys.addaudithook(_note_connection)
    anna = await app.owner()
    worker = Sender(app)
    try:
        _reached = []
        worker.job.start()
        shared = await share(anna)
        await shared.accept()
        await ask(anna, await anna.order())
        await app.backbench.sweep_job.sweep()
        for ahead in (0.0, 86_400.0, 172_800.0):
            sender.clock.ahead = ahead
            await sender.round()
        assert _reached == []
        async with app.db.read() as db:
            assert await db.value("SELECT count(*) FROM push_messages") == 0
        sender.clock.ahead = 0.0
        # With one it does.
        phone = await Phone(anna, service).subscribe(ANSWERS)
        await anna.post(f"{PATH}/{phone.id}/test")
        async with asyncio.timeout(60):
            while not phone.requests:
                await worker.end()
                await asyncio.sleep(0.01)
        assert ("127.0.0.1", service.port) in _reached
    finally:
        _reached = None
        await worker.job.stop()
