"""Inbox over HTTP: what waits for a person, until when, for whom."""

from typing import Any

import pytest

from backbench.values import times
from backbench.values.times import Instant
from backbench.workshops import inbox as stored_inbox
from tests.people import App, Person
from tests.support.shared_links import LINES, share
from tests.support.statements import recorded

DAY = 24 * 3600
HANDOFF = {"kind": "pdf-shared", "locale": "pl", "preliminary": False, "tone": "formal", "aiDrafted": False}


async def inbox(person: Person, query: str = "") -> dict[str, Any]:
    response = await person.get(f"/workshops/{person.workshop}/inbox{query}")
    assert response.status_code == 200, response.text
    found: dict[str, Any] = response.json()
    return found


async def items(person: Person) -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = (await inbox(person))["items"]
    return found


async def kinds(person: Person) -> list[str]:
    return sorted(item["kind"] for item in await items(person))


async def dismiss(person: Person, item: dict[str, Any]) -> int:
    return (await person.delete(f"/workshops/{person.workshop}/inbox/{item['id']}")).status_code


async def read(person: Person, *ids: str) -> int:
    return (await person.post(f"/workshops/{person.workshop}/inbox/read", {"ids": ids})).status_code


async def confirmed(person: Person, **fields: Any) -> dict[str, Any]:
    estimate = await person.estimate(**{"name": "Oak table", "recipientName": "Jan", "lineItems": LINES, **fields})
    assert (await person.post(f"/estimates/{estimate['id']}/confirm")).status_code == 201
    return estimate


async def order_with(person: Person, **details: Any) -> dict[str, Any]:
    order = await person.order(title="Ring", customerName="Ewa")
    assert (await person.patch(f"/orders/{order['id']}/details", details)).status_code == 200
    return order


def pass_days(monkeypatch: pytest.MonkeyPatch, days: float) -> None:
    """From now on requests come so much later."""
    later = times.later(times.now(), days * DAY)
    monkeypatch.setattr(times, "now", lambda: later)


def set_time(monkeypatch: pytest.MonkeyPatch, now: Instant) -> None:
    monkeypatch.setattr(times, "now", lambda: now)


async def set_zone(person: Person, **settings: Any) -> None:
    path = f"/workshops/{person.workshop}/document-settings"
    assert (await person.put(path, {"currency": "EUR", **settings})).status_code == 200


async def test_a_confirmed_estimate_is_unsent_until_it_is_handed_off_or_shared(app: App) -> None:
    anna = await app.owner()
    assert await inbox(anna) == {"items": [], "unread": 0}
    await anna.estimate(name="Draft")
    first, second = await confirmed(anna), await confirmed(anna, recipientName="")
    [latest, earlier] = await items(anna)
    revision = (await anna.get(f"/estimates/{first['id']}/revisions/1")).json()
    assert earlier == {
        "id": f"unsent.{first['id']}.1",
        "kind": "unsent",
        "at": revision["createdAt"],
        "read": False,
        "title": "Oak table",
        "name": "Jan",
        "estimateId": first["id"],
    }
    assert "name" not in latest
    assert (await anna.post(f"/estimates/{first['id']}/handoffs", HANDOFF)).status_code == 201
    assert [item["estimateId"] for item in await items(anna)] == [second["id"]]
    link = (await anna.post(f"/estimates/{second['id']}/links", {"locale": "en"})).json()["link"]
    assert await items(anna) == []
    # Nobody can see it any more.
    assert (await anna.delete(f"/links/{link['id']}")).status_code == 204
    assert await kinds(anna) == ["unsent"]


async def test_a_changed_estimate_waits_until_it_is_as_its_revision_again(app: App) -> None:
    anna = await app.owner()
    path = f"/estimates/{(await confirmed(anna))['id']}"
    await anna.post(f"{path}/handoffs", HANDOFF)
    changed = (await anna.patch(path, {"markupPercent": 5})).json()
    [item] = await items(anna)
    assert (item["kind"], item["at"]) == ("changed", changed["updatedAt"])
    await anna.patch(path, {"markupPercent": 0})
    assert await items(anna) == []
    await anna.patch(path, {"markupPercent": 5})
    await anna.post(f"{path}/confirm")
    assert await kinds(anna) == ["unsent"]


async def test_what_was_sent_is_unanswered_after_seven_days(app: App, monkeypatch: pytest.MonkeyPatch) -> None:
    anna = await app.owner()
    await set_zone(anna, validDays=0)
    path = f"/estimates/{(await confirmed(anna))['id']}"
    sent = (await anna.post(f"{path}/handoffs", HANDOFF)).json()["createdAt"]
    set_time(monkeypatch, times.later(sent, 7 * DAY - 1))
    assert await items(anna) == []
    set_time(monkeypatch, times.later(sent, 7 * DAY))
    [item] = await items(anna)
    assert (item["kind"], item["at"]) == ("unanswered", times.later(sent, 7 * DAY))
    # Nothing goes because it is old.
    set_time(monkeypatch, times.later(sent, 14 * DAY))
    assert await items(anna) == [item]
    await anna.post(f"{path}/handoffs", HANDOFF)
    assert await items(anna) == []
    set_time(monkeypatch, times.later(sent, 21 * DAY))
    [again] = await items(anna)
    assert (again["kind"], again["id"] != item["id"]) == ("unanswered", True)


async def test_an_estimate_expires_in_three_days_of_the_workshop(app: App, monkeypatch: pytest.MonkeyPatch) -> None:
    anna = await app.owner()
    await set_zone(anna, validDays=10, timeZone="Pacific/Auckland")
    set_time(monkeypatch, "2026-11-23T12:00:00.000Z")
    path = f"/estimates/{(await confirmed(anna))['id']}"
    await anna.post(f"{path}/handoffs", HANDOFF)
    # It is the 24th there; the last day is 4 December, which begins and ends eleven hours before it does here.
    for now, expected in (
        ("2026-11-30T10:59:59.000Z", []),
        ("2026-11-30T11:00:00.000Z", ["expiring"]),
        ("2026-12-04T10:59:59.000Z", ["expiring", "unanswered"]),
        ("2026-12-04T11:00:00.000Z", ["unanswered"]),
    ):
        set_time(monkeypatch, now)
        assert await kinds(anna) == expected, now


async def test_a_decision_waits_until_an_order_is_made_of_it_or_it_is_voided(app: App) -> None:
    anna = await app.owner()
    accepted, declined = await share(anna), await share(anna)
    await accepted.accept()
    await declined.client.post("/client/estimate/decline", {"reason": "Next year."})
    [second, first] = await items(anna)
    assert (first["kind"], first["name"], first["estimateId"]) == ("accepted", "Jan Kowalski", accepted.id)
    assert (second["kind"], second["text"], second["title"]) == ("declined", "Next year.", "Oak table")
    [decision] = (await anna.get(f"{declined.path}/decisions")).json()["decisions"]
    assert second["id"] == f"declined.{decision['id']}"
    await anna.post(f"/decisions/{decision['id']}/void", {"reason": "By mistake"})
    assert await items(anna) == [first]
    await anna.post(f"{accepted.path}/orders", {})
    assert await items(anna) == []


async def test_decided_estimates_are_in_no_reminder(app: App, monkeypatch: pytest.MonkeyPatch) -> None:
    anna = await app.owner()
    accepted, declined, unsent = await confirmed(anna), await confirmed(anna), await confirmed(anna)
    for estimate in (accepted, declined):
        await anna.post(f"/estimates/{estimate['id']}/handoffs", HANDOFF)
    for estimate, outcome in ((accepted, "accepted"), (declined, "declined"), (unsent, "accepted")):
        body = {"outcome": outcome, "method": "phone", "revisionNumber": 1, "name": "Jan"}
        assert (await anna.post(f"/estimates/{estimate['id']}/decisions", body)).status_code == 201
        await anna.patch(f"/estimates/{estimate['id']}", {"markupPercent": 5})
    pass_days(monkeypatch, 29)
    assert await kinds(anna) == ["accepted", "accepted", "declined"]
    # What was declined is revised.
    await anna.post(f"/estimates/{declined['id']}/confirm")
    assert await kinds(anna) == ["accepted", "accepted", "declined", "unsent"]


async def test_a_question_about_an_estimate_waits_for_an_answer(app: App) -> None:
    anna = await app.owner()
    shared = await share(anna)
    for text in ("Which oak?", "And when?"):
        await shared.client.post("/client/estimate/comments", {"name": "Jan", "text": text})
    [item] = await items(anna)
    assert (item["kind"], item["name"], item["text"]) == ("question", "Jan", "And when?")
    assert (item["estimateId"], item["title"]) == (shared.id, "Oak table")
    await anna.post(f"/links/{shared.link['id']}/comments", {"text": "Soon."})
    assert await items(anna) == []


async def test_a_question_about_an_order_waits_for_an_answer(app: App) -> None:
    anna = await app.owner()
    order = await anna.order(title="Ring")
    url = (await anna.get(f"/orders/{order['id']}/status-link")).json()["url"]
    customer = app.anonymous()
    customer.bearer = url.partition("#")[2]
    await customer.post("/client/order/questions", {"name": "Ewa", "text": "By Friday?"})
    [item] = await items(anna)
    assert (item["kind"], item["orderId"], item["title"], item["text"]) == (
        "question",
        order["id"],
        "Ring",
        "By Friday?",
    )
    assert "estimateId" not in item
    await anna.post(f"/orders/{order['id']}/questions", {"text": "Yes."})
    assert await items(anna) == []


async def test_orders_are_due_by_the_clock_of_the_workshop(app: App, monkeypatch: pytest.MonkeyPatch) -> None:
    anna = await app.owner()
    await set_zone(anna, timeZone="Europe/Warsaw")
    set_time(monkeypatch, "2026-12-01T12:00:00.000Z")
    timed = await order_with(anna, dueOn="2026-12-04", dueTime="16:00")
    day = await order_with(anna, dueOn="2026-12-04")
    done = await order_with(anna, dueOn="2026-12-04")
    await anna.patch(f"/orders/{done['id']}/status", {"status": "done"})
    start = "2026-12-03T23:00:00.000Z"
    for now, expected in (
        ("2026-12-03T22:59:59.000Z", {}),
        (start, {timed["id"]: ("due_today", start), day["id"]: ("due_today", start)}),
        (
            "2026-12-04T15:00:00.000Z",
            {timed["id"]: ("overdue", "2026-12-04T15:00:00.000Z"), day["id"]: ("due_today", start)},
        ),
        (
            "2026-12-05T08:00:00.000Z",
            {
                timed["id"]: ("overdue", "2026-12-04T15:00:00.000Z"),
                day["id"]: ("overdue", "2026-12-04T23:00:00.000Z"),
            },
        ),
    ):
        set_time(monkeypatch, now)
        assert {item["orderId"]: (item["kind"], item["at"]) for item in await items(anna)} == expected, now
        counts = (await anna.get(f"/workshops/{anna.workshop}/order-counts")).json()
        listed = await kinds(anna)
        assert (listed.count("overdue"), listed.count("due_today")) == (counts["overdue"], counts["today"]), now


async def test_what_is_ready_for_two_weeks_is_uncollected(app: App, monkeypatch: pytest.MonkeyPatch) -> None:
    anna = await app.owner()
    order = await anna.order(title="Ring", customerName="Ewa")
    await anna.patch(f"/orders/{order['id']}/status", {"status": "done"})
    ready = (await anna.get(f"/orders/{order['id']}/details")).json()["readyAt"]
    set_time(monkeypatch, times.later(ready, 14 * DAY - 1))
    assert await items(anna) == []
    set_time(monkeypatch, times.later(ready, 14 * DAY))
    [item] = await items(anna)
    assert (item["kind"], item["at"], item["name"]) == ("uncollected", times.later(ready, 14 * DAY), "Ewa")
    await anna.post(f"/orders/{order['id']}/collected", {})
    assert await items(anna) == []


async def test_an_estimate_above_the_limit_of_its_order_waits(app: App) -> None:
    anna = await app.owner()
    estimate = await anna.estimate(lineItems=LINES)
    total = (await anna.get(f"/estimates/{estimate['id']}/totals")).json()["total"]
    order = await order_with(anna, estimateId=estimate["id"], priceLimit=total)
    assert await items(anna) == []
    changed = (await anna.patch(f"/estimates/{estimate['id']}", {"markupPercent": 10})).json()
    [item] = await items(anna)
    assert (item["kind"], item["at"]) == ("over_limit", changed["updatedAt"])
    assert (item["orderId"], item["estimateId"], item["name"]) == (order["id"], estimate["id"], "Ewa")
    assert await dismiss(anna, item) == 204
    assert await items(anna) == []
    await anna.patch(f"/estimates/{estimate['id']}", {"markupPercent": 12})
    assert [each["id"] for each in await items(anna)] == [item["id"]]
    await anna.patch(f"/orders/{order['id']}/details", {"priceLimit": total * 2})
    assert await items(anna) == []


async def test_items_are_read_by_each_account(app: App) -> None:
    anna = await app.owner()
    marek = await app.member(anna)
    for _ in range(3):
        await confirmed(anna)
    ids = [item["id"] for item in await items(anna)]
    assert await read(anna, ids[0], "unsent.of another workshop") == 204
    assert await read(anna, ids[2]) == 204
    assert [item["read"] for item in await items(anna)] == [True, False, True]
    assert await inbox(anna, "?limit=1") == {"items": [(await items(anna))[0]], "unread": 1}
    assert (await inbox(marek))["unread"] == 3
    assert [item["id"] for item in await items(marek)] == ids


async def test_marking_as_read_gives_the_workshop_no_version(app: App) -> None:
    anna = await app.owner()
    await confirmed(anna)
    before = (await anna.get(f"/workshops/{anna.workshop}/changes")).json()["cursor"]
    assert await read(anna, (await items(anna))[0]["id"]) == 204
    assert (await anna.get(f"/workshops/{anna.workshop}/changes")).json()["cursor"] == before


async def test_a_dismissed_item_is_done_for_everybody_until_something_new_happens(app: App) -> None:
    anna = await app.owner()
    marek = await app.member(anna)
    shared = await share(anna)
    await shared.client.post("/client/estimate/comments", {"name": "Jan", "text": "Which oak?"})
    [item] = await items(anna)
    await read(anna, item["id"])
    assert await dismiss(marek, item) == 204
    assert await inbox(anna) == await inbox(marek) == {"items": [], "unread": 0}
    entries = (await anna.get(f"/workshops/{anna.workshop}/audit")).json()["entries"]
    assert (entries[0]["action"], entries[0]["objectId"], entries[0]["actorUid"]) == (
        "inbox.dismissed",
        item["id"],
        marek.uid,
    )
    # A repetition changes nothing.
    assert await dismiss(anna, item) == 204
    assert (await anna.get(f"/workshops/{anna.workshop}/audit")).json()["entries"] == entries
    await shared.client.post("/client/estimate/comments", {"name": "Jan", "text": "From here?"})
    [new] = await items(anna)
    assert (new["text"], new["read"], new["id"] != item["id"]) == ("From here?", False, True)
    assert await dismiss(anna, item) == 404
    assert await dismiss(anna, {"id": "question.of another workshop"}) == 404


async def test_a_change_after_a_dismissal_brings_the_item_back(app: App) -> None:
    anna = await app.owner()
    estimate = await confirmed(anna)
    await anna.patch(f"/estimates/{estimate['id']}", {"markupPercent": 5})
    [item] = await items(anna)
    await dismiss(anna, item)
    assert await items(anna) == []
    await anna.patch(f"/estimates/{estimate['id']}", {"markupPercent": 6})
    assert [each["id"] for each in await items(anna)] == [item["id"]]


async def test_a_member_who_leaves_takes_along_what_was_read(app: App) -> None:
    anna = await app.owner()
    marek = await app.member(anna)
    await confirmed(anna)
    await read(marek, (await items(marek))[0]["id"])
    assert (await anna.delete(f"/workshops/{anna.workshop}/members/{marek.uid}")).status_code == 204
    async with app.db.read() as db:
        sql = "SELECT count(*) FROM inbox_reads WHERE account_id = :uid"
        assert await db.value(sql, uid=marek.uid) == 0


async def test_a_key_needs_both_scopes(app: App) -> None:
    anna = await app.owner()
    await confirmed(anna)
    program = await anna.integrator("orders:read", "estimates:read")
    assert await kinds(program) == ["unsent"]
    for half in (await anna.integrator("orders:read"), await anna.integrator("estimates:read")):
        assert (await half.get(f"/workshops/{anna.workshop}/inbox")).status_code == 403


async def test_the_number_of_statements_does_not_follow_that_of_items(app: App) -> None:
    anna = await app.owner()
    await items(anna)
    with recorded() as before:
        await items(anna)
    for _ in range(3):
        await confirmed(anna)
        await order_with(anna, dueOn="2020-01-01")
    with recorded() as after:
        assert len(await items(anna)) == 6
    assert after == before


async def test_of_each_source_the_newest_facts_are_looked_at(app: App, monkeypatch: pytest.MonkeyPatch) -> None:
    anna = await app.owner()
    monkeypatch.setattr(stored_inbox, "MOST_FACTS", 2)
    for day in (1, 3, 2):
        await order_with(anna, dueOn=f"2026-01-0{day}")
    for name in ("a", "b", "c"):
        await confirmed(anna, name=name)
    found = await items(anna)
    # Overdue since the day after.
    assert sorted(item["at"][:10] for item in found if item["kind"] == "overdue") == ["2026-01-03", "2026-01-04"]
    assert sorted(item["title"] for item in found if item["kind"] == "unsent") == ["b", "c"]
