"""Calendar feeds over HTTP, read with the icalendar package."""

from datetime import UTC, date, datetime, timedelta
from typing import Any

import httpx
import icalendar
import pytest

from backbench.connections import calendars
from backbench.hosting import administration
from backbench.values import times
from backbench.values.ids import new_id
from tests.people import App, Person
from tests.support.shared_links import LINES
from tests.support.statements import recorded
from tests.support.violations import violations

NEW = {"name": "Shop", "show": "both", "names": "full"}
TITLE = "Stół, dąb; 2 szt. \\ „Orzeł” – bardzo długi tytuł, który nie mieści się w jednej linii 🪑🪑🪑🪑🪑"


async def add(person: Person, **fields: str) -> str:
    response = await person.post(f"/workshops/{person.workshop}/calendars", NEW | fields)
    assert response.status_code == 201, response.text
    url: str = response.json()["url"]
    return url


async def fetch(person: Person, url: str, **headers: str) -> httpx.Response:
    """As a calendar program: no cookie and no key."""
    client = httpx.AsyncClient(transport=httpx.ASGITransport(app=person.app.backbench))
    return await client.get(url, headers={name.replace("_", "-"): value for name, value in headers.items()})


async def events(person: Person, url: str) -> list[Any]:
    response = await fetch(person, url)
    assert response.status_code == 200
    calendar = icalendar.Calendar.from_ical(response.content)
    assert [error for component in calendar.walk() for error in component.errors] == []
    return list(calendar.walk("VEVENT"))


async def due(person: Person, day: str, time: str | None = None, **fields: Any) -> dict[str, Any]:
    order = await person.order(**{"title": TITLE, "customerName": "Ada Maria Nowak", **fields})
    details = {"dueOn": day} | ({"dueTime": time} if time else {})
    assert (await person.patch(f"/orders/{order['id']}/details", details)).status_code == 200
    return order


def today() -> date:
    return datetime.now(UTC).date()


async def test_an_order_is_an_event_of_its_whole_day(app: App) -> None:
    anna = await app.owner()
    url = await add(anna)
    day = today() + timedelta(days=3)
    order = await due(anna, day.isoformat())
    (event,) = await events(anna, url)
    assert (event.decoded("dtstart"), event.decoded("dtend")) == (day, day + timedelta(days=1))
    assert str(event["summary"]) == f"{TITLE} · Ada Maria Nowak"
    assert str(event["uid"]).startswith(order["id"])
    assert str(event["url"]).endswith(f"/orders/{order['id']}")


async def test_a_time_of_day_is_in_utc(app: App) -> None:
    anna = await app.owner()
    url = await add(anna)
    settings = (await anna.get(f"/workshops/{anna.workshop}/document-settings")).json()
    await anna.put(f"/workshops/{anna.workshop}/document-settings", settings | {"timeZone": "America/New_York"})
    day = today() + timedelta(days=2)
    await due(anna, day.isoformat(), "22:30")
    (event,) = await events(anna, url)
    begins = event.decoded("dtstart")
    assert begins.utcoffset() == timedelta(0)
    assert begins - datetime(day.year, day.month, day.day, 22, 30, tzinfo=UTC) in (
        timedelta(hours=4),
        timedelta(hours=5),
    )
    assert event.decoded("dtend") > begins


async def test_a_feed_shows_what_it_was_made_for(app: App) -> None:
    anna = await app.owner()
    await due(anna, today().isoformat())
    estimate = await anna.estimate(name="Kitchen", recipientName="Jan Kowal", lineItems=LINES)
    validity = await anna.put(f"/estimates/{estimate['id']}/document", {"validDays": 14})
    assert validity.status_code == 200, validity.text
    assert (await anna.post(f"/estimates/{estimate['id']}/confirm")).status_code == 201
    shown = {show: await events(anna, await add(anna, show=show)) for show in ("due", "estimates", "both")}
    assert [len(found) for found in shown.values()] == [1, 1, 2]
    (expires,) = shown["estimates"]
    assert expires.decoded("dtstart") == today() + timedelta(days=14)
    assert str(expires["summary"]).endswith("Kitchen · Jan Kowal")
    decision = {"revisionNumber": 1, "outcome": "accepted", "method": "phone", "name": "Jan"}
    assert (await anna.post(f"/estimates/{estimate['id']}/decisions", decision)).status_code == 201
    assert await events(anna, await add(anna, show="estimates")) == []


@pytest.mark.parametrize(
    ("names", "shown"), [("full", " · Ada Maria Nowak"), ("initials", " · A. M. N."), ("none", "")]
)
async def test_a_feed_tells_no_more_of_a_name_than_was_chosen(app: App, names: str, shown: str) -> None:
    anna = await app.owner()
    await due(anna, today().isoformat(), title="Ring")
    url = await add(anna, names=names)
    (event,) = await events(anna, url)
    assert str(event["summary"]) == f"Ring{shown}"
    assert ("Nowak" in (await fetch(anna, url)).text) == (names == "full")


async def test_days_of_a_month_ago_to_a_year_ahead(app: App) -> None:
    anna = await app.owner()
    url = await add(anna)
    for distance in (-31, -29, 364, 368):
        await due(anna, (today() + timedelta(days=distance)).isoformat(), title=str(distance), customerName="")
    assert {str(event["summary"]) for event in await events(anna, url)} == {"-29", "364"}


async def test_a_feed_that_is_the_same_is_not_sent_again(app: App) -> None:
    anna = await app.owner()
    url = await add(anna)
    order = await due(anna, today().isoformat())
    first = await fetch(anna, url)
    assert (await fetch(anna, url, if_none_match=first.headers["etag"])).status_code == 304
    (before,) = await events(anna, url)
    await anna.patch(f"/orders/{order['id']}/details", {"dueOn": (today() + timedelta(days=9)).isoformat()})
    again = await fetch(anna, url, if_none_match=first.headers["etag"])
    assert again.status_code == 200
    (after,) = await events(anna, url)
    assert after["uid"] == before["uid"]
    assert after["sequence"] >= before["sequence"]
    assert after.decoded("last-modified") >= before.decoded("last-modified")


# What does not count as the text of an event: it says when that changed.
REVISED = ("dtstamp", "last-modified", "sequence")


@pytest.mark.both_engines
async def test_an_event_with_another_text_is_a_later_one(app: App, monkeypatch: pytest.MonkeyPatch) -> None:
    """A calendar program keeps the event that it has otherwise."""
    anna = await app.owner()
    url = await add(anna)
    order = f"/orders/{(await due(anna, today().isoformat(), '10:00'))['id']}"
    record = (await anna.post(f"/workshops/{anna.workshop}/customers", {"name": "Ada Maria Nowak"})).json()
    estimate = await anna.estimate(name="Kitchen", recipientName="Jan Kowal", lineItems=LINES)
    document = f"/estimates/{estimate['id']}"
    await anna.post(f"{document}/confirm")
    steps: list[tuple[str, str, dict[str, Any] | None]] = [
        ("PATCH", order, {"title": "Bench"}),
        ("PATCH", order, {"customerName": "Ada Nowak"}),
        ("PATCH", f"{order}/details", {"dueOn": (today() + timedelta(days=9)).isoformat()}),
        ("PATCH", f"{order}/details", {"dueTime": "11:30"}),
        ("PATCH", f"{order}/status", {"status": "done"}),
        ("PATCH", f"{order}/status", {"status": "todo"}),
        ("PATCH", f"{order}/details", {"customerId": record["id"]}),
        ("POST", f"/customers/{record['id']}/erase", {}),
        ("PATCH", document, {"name": "Kitchen in oak"}),
        ("PATCH", document, {"recipientName": "Jan Kowalski"}),
        ("PUT", f"{document}/document", {"validDays": 90}),
        ("POST", f"{document}/confirm", None),
        ("PATCH", order, {"notes": "Rings twice"}),
        ("PUT", f"/workshops/{anna.workshop}/document-settings", {"currency": "EUR", "timeZone": "America/New_York"}),
    ]
    now, changed = times.now, 0
    before = {str(event["uid"]): event for event in await events(anna, url)}
    with violations() as case:
        for number, (method, path, body) in enumerate(steps, 1):
            monkeypatch.setattr(times, "now", lambda seconds=number: times.later(now(), seconds))
            response = await anna.send(method, path, body)
            after = {str(event["uid"]): event for event in await events(anna, url)}
            with case(f"{method} {path} {body}"):
                assert response.is_success, response.text
                assert after.keys() == before.keys()
                for uid, event in after.items():
                    was = before[uid]
                    if text_of(event) != text_of(was):
                        changed += 1
                        assert event["sequence"] > was["sequence"]
                        assert all(event.decoded(name) > was.decoded(name) for name in ("dtstamp", "last-modified"))
            before = after
    assert changed == 11


def text_of(event: Any) -> dict[str, str]:
    return {name: value.to_ical().decode() for name, value in event.items() if name.lower() not in REVISED}


async def test_a_feed_that_is_compressed_is_not_sent_again_either(app: App) -> None:
    anna = await app.owner()
    url = await add(anna)
    for number in range(20):
        await due(anna, (today() + timedelta(days=number)).isoformat())
    first = await fetch(anna, url, accept_encoding="gzip")
    assert first.headers["content-encoding"] == "gzip"
    assert first.headers["content-type"] == "text/calendar; charset=utf-8"
    again = await fetch(anna, url, accept_encoding="gzip", if_none_match=first.headers["etag"])
    assert (again.status_code, again.headers["etag"]) == (304, first.headers["etag"])


async def test_lines_are_those_of_the_standard(app: App) -> None:
    anna = await app.owner()
    url = await add(anna, name=TITLE[:60])
    await due(anna, today().isoformat())
    response = await fetch(anna, url)
    assert response.headers["content-type"] == "text/calendar; charset=utf-8"
    lines = response.content.split(b"\r\n")
    assert lines[-1] == b""
    # Each is a text by itself: no character is split, and no line ends otherwise.
    assert [line for line in lines if len(line) > 75 or b"\n" in line or b"\r" in line] == []
    assert all(line.decode() is not None for line in lines)


async def test_a_feed_ends(app: App) -> None:
    """With its deletion, and when its maker leaves. A wrong address is not found either."""
    anna = await app.owner()
    marek, ewa = await app.member(anna), await app.member(anna, "Ewa")
    mine, left, other = await add(anna), await add(marek), await add(ewa)
    listed = (await anna.get(f"/workshops/{anna.workshop}/calendars")).json()["calendars"]
    assert sorted(listed[0]) == ["createdAt", "id", "name", "names", "show"]
    assert (await marek.delete(f"/calendars/{listed[0]['id']}")).status_code == 404
    assert (await fetch(anna, mine)).status_code == 200
    assert (await anna.delete(f"/calendars/{listed[0]['id']}")).status_code == 204
    assert (await anna.delete(f"/workshops/{anna.workshop}/members/{marek.uid}")).status_code == 204
    assert [(await fetch(anna, url)).status_code for url in (mine, left)] == [404, 404]
    assert (await fetch(anna, other)).status_code == 200
    wrong = mine[:-5] + ("a" if mine[-5] != "a" else "b") + ".ics"
    assert [(await fetch(anna, url)).status_code for url in (wrong, mine.removesuffix(".ics"))] == [404, 404]


async def test_an_account_has_at_most_twenty_feeds_in_a_workshop(app: App) -> None:
    anna = await app.owner()
    for _ in range(20):
        await add(anna)
    response = await anna.post(f"/workshops/{anna.workshop}/calendars", NEW)
    assert (response.status_code, response.json()["code"]) == (409, "plan_limit")


@pytest.mark.both_engines
async def test_a_suspended_account_has_no_feed(app: App) -> None:
    anna = await app.owner()
    url = await add(anna)
    await app.db.write(lambda db: administration.suspend(db, anna.email, times.now(), new_id))
    assert (await fetch(anna, url)).status_code == 404
    await app.db.write(lambda db: administration.activate(db, anna.email, times.now(), new_id))
    assert (await fetch(anna, url)).status_code == 200


async def test_a_feed_has_a_limit_of_events_and_those_that_are_due_first(
    app: App, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(calendars, "MOST_EVENTS", 2)
    anna = await app.owner()
    url = await add(anna)
    orders = [await due(anna, (today() + timedelta(days=after)).isoformat()) for after in (3, 1, 2)]
    found = [str(event["uid"]).partition("@")[0] for event in await events(anna, url)]
    assert [uid.startswith(orders[at]["id"]) for uid, at in zip(found, (1, 2), strict=True)] == [True, True]


async def test_a_feed_that_has_not_changed_is_not_made(app: App) -> None:
    anna = await app.owner()
    url = await add(anna)
    order = await due(anna, today().isoformat())
    tag = (await fetch(anna, url)).headers["etag"]
    with recorded() as statements:
        assert (await fetch(anna, url, if_none_match=tag)).status_code == 304
    assert not any("order_details" in sql or "revisions" in sql for sql in statements), statements
    await anna.patch(f"/orders/{order['id']}", {"title": "Chair"})
    assert (await fetch(anna, url, if_none_match=tag)).status_code == 200


async def test_a_feed_can_be_read_sixty_times_an_hour(app: App) -> None:
    anna = await app.owner()
    url, other = await add(anna), await add(anna)
    statuses = [(await fetch(anna, url)).status_code for _ in range(61)]
    assert statuses == [200] * 60 + [429]
    assert (await fetch(anna, other)).status_code == 200


async def test_owners_see_and_end_every_feed_of_the_workshop(app: App) -> None:
    anna = await app.owner("Anna")
    marek, ola = await app.member(anna, "Marek"), await app.member(anna, "Ola")
    path = f"/workshops/{anna.workshop}/calendars"
    new = {"show": "due", "names": "full"}
    made = {
        person: (await person.post(path, {"name": name, **new})).json()
        for person, name in ((anna, "Own"), (marek, "Phone of Marek"), (ola, "Phone of Ola"))
    }
    listed = (await anna.get(path)).json()["calendars"]
    assert [(each["name"], each.get("by")) for each in listed] == [
        ("Own", None),
        ("Phone of Marek", "Marek"),
        ("Phone of Ola", "Ola"),
    ]
    assert [each["name"] for each in (await marek.get(path)).json()["calendars"]] == ["Phone of Marek"]
    of_ola = made[ola]["calendar"]["id"]
    stranger = await app.owner("Eve")
    for person in (marek, stranger):
        assert (await person.delete(f"/calendars/{of_ola}")).status_code == 404
    assert (await anna.delete(f"/calendars/{of_ola}")).status_code == 204
    assert (await fetch(anna, made[ola]["url"])).status_code == 404
