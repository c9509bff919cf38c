"""Several nodes behave as one: what a client did at one of them holds at all others, at once and exactly once.

The nodes of these tests are applications in one process, with their own connections, caches and jobs.
`test_nodes_under_load.py` has those in processes of their own.
"""

import asyncio
from collections import Counter
from collections.abc import AsyncIterator, Awaitable, Callable, Sequence

import httpx
import pytest

from backbench.app import LINK_LIMITS
from backbench.billing.plans import Plan, PlanRules
from backbench.connections import events
from backbench.hosting import administration
from backbench.jobs.plan_reminders import PlanReminders
from backbench.jobs.sweep import SweepJob
from backbench.values import times
from backbench.values.ids import new_id
from tests.people import App, Person
from tests.support import image_files
from tests.support.databases import running_nodes
from tests.support.event_streams import event_stream
from tests.support.mailbox import send_due_emails
from tests.support.providers.smtp_server import PostOffice, post_office
from tests.support.shared_links import share
from tests.support.uploads import form, post_form, upload

pytestmark = pytest.mark.both_engines

NODES = 3
WORKSHOPS = 4


class Nodes:
    """`apps` are the nodes; people are added at the first."""

    def __init__(self, apps: Sequence[App], office: PostOffice) -> None:
        self.apps = apps
        self.office = office

    async def owner(self, name: str = "Anna") -> Person:
        return await self.apps[0].owner(name)

    def everywhere(self, person: Person, address: str = "127.0.0.1") -> list[Person]:
        """The person's client at each of the nodes: the same cookies or key, and the same address."""
        return [self._at(app, person, address) for app in self.apps]

    def _at(self, app: App, person: Person, address: str) -> Person:
        same = Person(app, person.email, address)
        same.uid, same.workshop, same.bearer = person.uid, person.workshop, person.bearer
        # The same jar: assigning it to `cookies` would copy it.
        same.browser._cookies = person.browser._cookies
        return same


@pytest.fixture(scope="module")
async def nodes(new_database_url: Callable[[], str]) -> AsyncIterator[Nodes]:
    async with (
        post_office() as office,
        running_nodes(NODES, new_database_url(), smtp_url=office.url, workshops_per_account=WORKSHOPS) as running,
    ):
        yield Nodes([App(node) for node in running], office)


async def statuses(requests: Sequence[Awaitable[httpx.Response]]) -> Counter[int]:
    """Of requests that are sent at the same time."""
    return Counter(response.status_code for response in await asyncio.gather(*requests))


async def titles(person: Person) -> list[str]:
    orders = (await person.get(f"/workshops/{person.workshop}/orders")).json()["orders"]
    return [order["title"] for order in orders]


# Accounts


async def test_a_session_holds_at_all_nodes_until_it_ends_at_one(nodes: Nodes) -> None:
    first, second, third = nodes.everywhere(await nodes.owner())
    assert (await first.sign_in()).status_code == 200
    assert [(await each.get("/me")).status_code for each in (first, second, third)] == [200] * 3
    cookies = httpx.Cookies(first.browser.cookies)
    assert (await second.post("/logout")).status_code == 200
    first.browser.cookies = third.browser.cookies = cookies
    assert [(await each.get("/me")).status_code for each in (first, third)] == [401, 401]


async def test_a_revoked_key_ends_at_all_nodes_at_once(nodes: Nodes) -> None:
    anna = await nodes.owner()
    created = (await anna.post("/me/api-keys", {"name": "Shop window", "scopes": ["orders:read"]})).json()
    program = Person(anna.app, anna.email)
    program.workshop, program.bearer = anna.workshop, created["secret"]
    path = f"/workshops/{anna.workshop}/orders"
    assert [(await each.get(path)).status_code for each in nodes.everywhere(program)] == [200] * NODES
    await anna.delete(f"/me/api-keys/{created['apiKey']['id']}")
    assert [(await each.get(path)).status_code for each in nodes.everywhere(program)] == [401] * NODES


async def test_sign_in_attempts_at_all_nodes_count_together(nodes: Nodes) -> None:
    anna = await nodes.owner()
    clients = nodes.everywhere(anna, "203.0.113.1")
    found = [(await clients[number % NODES].sign_in("wrong")).status_code for number in range(12)]
    assert found == [401] * 10 + [429, 429]


# Writes


async def test_a_key_sent_to_all_nodes_at_once_makes_one_order(nodes: Nodes) -> None:
    anna = await nodes.owner()
    path = f"/workshops/{anna.workshop}/orders"
    sent = [each.post(path, {"title": "Bench"}, idempotency_key="one") for each in nodes.everywhere(anna)]
    answers = await asyncio.gather(*sent)
    assert {answer.status_code for answer in answers} == {201}
    assert len({answer.content for answer in answers}) == 1
    assert [answer.headers.get("idempotency-replayed") for answer in answers].count(None) == 1
    assert await titles(anna) == ["Bench"]


async def test_one_of_the_writes_with_the_same_etag_succeeds(nodes: Nodes) -> None:
    anna = await nodes.owner()
    path = f"/orders/{(await anna.order())['id']}"
    clients = nodes.everywhere(anna)
    tags = {(await each.get(path)).headers["etag"] for each in clients}
    assert len(tags) == 1
    [tag] = tags
    edits = [each.patch(path, {"title": f"Edit {number}"}, if_match=tag) for number, each in enumerate(clients)]
    assert await statuses(edits) == {200: 1, 412: NODES - 1}


async def test_one_of_the_decisions_on_a_link_is_made(nodes: Nodes) -> None:
    shared = await share(await nodes.owner())
    body = await shared.acceptance()
    clients = nodes.everywhere(shared.client, "198.51.100.7")
    decisions = [
        each.post("/client/estimate/accept", body) if number else each.post("/client/estimate/decline", {})
        for number, each in enumerate(clients)
    ]
    assert await statuses(decisions) == {201: 1, 409: NODES - 1}
    assert len((await shared.owner.get(f"{shared.path}/decisions")).json()["decisions"]) == 1


async def test_a_quota_is_not_exceeded_by_writes_at_all_nodes(nodes: Nodes) -> None:
    anna = await nodes.owner()
    made = [each.post("/workshops", {"name": "Oak"}) for each in nodes.everywhere(anna) for _ in range(3)]
    # The first was made with the account.
    assert await statuses(made) == {201: WORKSHOPS - 1, 409: 3 * NODES - WORKSHOPS + 1}


async def test_reads_with_a_link_are_limited_within_ten_for_each_further_node(nodes: Nodes) -> None:
    shared = await share(await nodes.owner())
    clients = nodes.everywhere(shared.client)
    found: list[int] = []
    for number in range(160):
        each = clients[number % NODES]
        found.append((await each.get("/client/estimate")).status_code)
        # Counted after the response.
        await asyncio.gather(*each.app.backbench.router._deferred)
    allowed = found.count(200)
    assert LINK_LIMITS.reads <= allowed <= LINK_LIMITS.reads + 10 * (NODES - 1)
    assert set(found[allowed:]) <= {200, 429}


# Reads


async def test_pages_of_a_list_come_from_any_node(nodes: Nodes) -> None:
    clients = nodes.everywhere(await nodes.owner())
    for number in range(6):
        await clients[number % NODES].order(title=f"Order {number}")
    path: str | None = f"/workshops/{clients[0].workshop}/orders?limit=2"
    found: list[str] = []
    for each in clients:
        assert path is not None
        page = await each.get(path)
        found += [order["title"] for order in page.json()["orders"]]
        path = page.links["next"]["url"].partition("/api")[2] if "next" in page.links else None
    assert found == [f"Order {number}" for number in reversed(range(6))]
    assert path is None


async def test_a_stream_has_the_changes_of_all_nodes_and_continues_at_another(
    nodes: Nodes, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(events, "LIFE_SECONDS", 1_200.0)
    first, second, third = nodes.everywhere(await nodes.owner())
    async with event_stream(first) as stream:
        await stream.next_event()
        orders = [(await each.order())["id"] for each in (first, second, third)]
        seen = [await stream.next_event() for _ in orders]
    assert [data["objectId"] for _, _, data in seen] == orders
    missed = (await second.order())["id"]
    async with event_stream(third, last_event_id=seen[-1][1]) as stream:
        await stream.next_event()
        assert await stream.next_change() == ("order.created", missed)
    changed = await second.get(f"/workshops/{first.workshop}/changes?since={seen[0][1]}")
    assert {order["id"] for order in changed.json()["orders"]} == {*orders[1:], missed}


async def test_a_stream_ends_when_its_session_ends_at_another_node(
    nodes: Nodes, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(events, "LIFE_SECONDS", 1_200.0)
    anna = await nodes.owner()
    marek = await nodes.apps[0].member(anna)
    _, second, third = nodes.everywhere(anna)
    async with event_stream(marek) as stream:
        await stream.next_event()
        assert (await third.delete(f"/workshops/{anna.workshop}/members/{marek.uid}")).status_code == 204
        await second.order()
        assert (await stream.next_event())[0] == "gone"


# Files


async def test_a_file_is_read_resumed_and_deleted_at_other_nodes(nodes: Nodes) -> None:
    first, second, third = nodes.everywhere(await nodes.owner())
    content = image_files.png()
    body = form(("category", "grid_tile_icon"), ("workshopId", first.workshop), ("file", ("icon.png", content)))
    stored = await post_form(first, body, idempotency_key="icon")
    repeated = await post_form(second, body, idempotency_key="icon")
    assert (stored.status_code, repeated.status_code, repeated.content) == (201, 201, stored.content)
    path = f"/files/{stored.json()['id']}"
    begun = await second.get(path, range="bytes=0-9")
    rest = await third.get(path, range="bytes=10-", if_range=begun.headers["etag"])
    assert (begun.status_code, rest.status_code) == (206, 206)
    assert begun.content + rest.content == content
    assert (await third.delete(path)).status_code == 204
    assert [(await each.get(path)).status_code for each in (first, second)] == [404, 404]


async def test_an_export_has_the_writes_of_all_nodes(nodes: Nodes) -> None:
    clients = nodes.everywhere(await nodes.owner())
    for number, each in enumerate(clients):
        await each.order(title=f"Order {number}")
    for each in clients:
        [workshop] = (await each.get("/me/data-export")).json()["workshops"]
        assert sorted(order["title"] for order in workshop["orders"]) == ["Order 0", "Order 1", "Order 2"]


# Jobs


async def test_each_email_is_sent_once_by_the_workers_of_all_nodes(nodes: Nodes) -> None:
    anna = await nodes.owner()
    wanted = [f"friend-{number}-{anna.uid}@example.com" for number in range(12)]
    invitations = f"/workshops/{anna.workshop}/invitations"
    for number, email in enumerate(wanted):
        each = nodes.everywhere(anna)[number % NODES]
        assert (await each.post(invitations, {"email": email, "role": "member"})).status_code == 201
    await asyncio.gather(*(send_due_emails(app.backbench) for app in nodes.apps))
    sent = Counter(str(email["To"]) for email in nodes.office.emails)
    assert [sent[email] for email in wanted] == [1] * len(wanted)


async def test_sweeps_at_all_nodes_do_their_work_once(nodes: Nodes) -> None:
    anna = await nodes.owner()
    record = (await upload(anna, image_files.png())).json()
    await anna.delete(f"/files/{record['id']}")
    plan = Plan("pro", times.later(times.now(), 4 * 86_400), "grant")
    await anna.app.db.write(lambda db: administration.set_plan(db, anna.workshop, plan, times.now(), new_id))
    await asyncio.gather(*(sweep_in_two_days(app).sweep() for app in nodes.apps))
    await asyncio.gather(*(send_due_emails(app.backbench) for app in nodes.apps))
    assert len(nodes.office.to(anna.email)) == 1
    async with anna.app.db.read() as db:
        assert await db.value("SELECT count(*) FROM stray_bytes WHERE id = :id", id=record["id"]) == 0


def sweep_in_two_days(app: App) -> SweepJob:
    """For which the bytes of deleted files are due, and the reminder of a plan that ends in four days."""
    reminders = PlanReminders(app.db, PlanRules(), times.now, new_id)
    return SweepJob(app.db, app.backbench.blobs, lambda: times.later(times.now(), 2 * 86_400), reminders=reminders)
