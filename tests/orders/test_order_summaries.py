"""The board by date: which orders are listed and counted, in which order, by the clock on the wall of the workshop."""

import asyncio
from datetime import date, datetime, timedelta
from typing import Any
from zoneinfo import ZoneInfo

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from backbench.orders import order_summaries
from backbench.orders.order_summaries import OrderSummaryFilter
from backbench.orders.stages import wall_clock
from backbench.values import times
from tests.people import App, Person
from tests.support.statements import recorded

WARSAW = ZoneInfo("Europe/Warsaw")


async def summaries(person: Person, **query: str) -> list[dict[str, Any]]:
    response = await person.browser.get(f"/api/workshops/{person.workshop}/order-summaries", params=query)
    assert response.status_code == 200, response.text
    found: list[dict[str, Any]] = response.json()["summaries"]
    return found


async def titles(person: Person, **query: str) -> list[str]:
    return [each["title"] for each in await summaries(person, **query)]


async def counts(person: Person) -> dict[str, int]:
    found: dict[str, int] = (await person.get(f"/workshops/{person.workshop}/order-counts")).json()
    return found


async def make(person: Person, title: str, status: str = "todo", **details: Any) -> dict[str, Any]:
    order = await person.order(title=title)
    if details:
        response = await person.patch(f"/orders/{order['id']}/details", details)
        assert response.status_code == 200, response.text
    if status != "todo":
        await person.patch(f"/orders/{order['id']}/status", {"status": status})
    return order


async def in_zone(person: Person, zone: str) -> None:
    path = f"/workshops/{person.workshop}/document-settings"
    response = await person.put(path, {**(await person.get(path)).json(), "timeZone": zone})
    assert response.status_code == 200


async def test_a_summary_is_the_details_without_condition_and_serial_and_what_a_ticket_shows(app: App) -> None:
    anna = await app.owner("Anna")
    item = {"description": "Ring", "condition": "bent", "serial": "A-17", "pieces": 2}
    order = await make(anna, "Resize", "in_progress", item=item, dueOn="2030-01-02", place="B3", priceLimit=10)
    stored = (await anna.get(f"/orders/{order['id']}")).json()["order"]
    assert await summaries(anna) == [
        {
            "orderId": order["id"],
            "number": 1,
            "stage": "in_progress",
            "item": {"description": "Ring", "pieces": 2},
            "dueOn": "2030-01-02",
            "place": "B3",
            "priceLimit": 10,
            "title": "Resize",
            "customerName": "",
            "status": "in_progress",
            "lastActivityAt": stored["lastActivityAt"],
            "photos": 0,
        }
    ]
    await anna.patch(f"/orders/{order['id']}/details", {"item": {"serial": "A-17"}})
    assert "item" not in (await summaries(anna))[0]


async def test_a_ready_order_says_when_the_customer_was_notified_that_it_is(app: App) -> None:
    anna = await app.owner("Anna")
    order = await make(anna, "Resize", "done")
    path = f"/orders/{order['id']}"

    async def tell(kind: str) -> str:
        at: str = (await anna.post(f"{path}/notices", {"kind": kind, "channel": "called"})).json()["at"]
        return at

    await tell("received")
    assert "notifiedAt" not in (await summaries(anna))[0]
    await tell("ready")
    reminded = await tell("reminder")
    assert (await summaries(anna))[0]["notifiedAt"] == reminded
    # Of work that goes on it is not true any more, nor is it once that is ready again.
    await anna.patch(f"{path}/status", {"status": "in_progress"})
    assert "notifiedAt" not in (await summaries(anna))[0]
    await anna.patch(f"{path}/status", {"status": "done"})
    assert "notifiedAt" not in (await summaries(anna))[0]


async def test_the_earliest_due_come_first_and_those_without_a_day_last(app: App) -> None:
    anna = await app.owner("Anna")
    await make(anna, "no day")
    await make(anna, "later", dueOn="2030-01-03")
    await make(anna, "day alone", dueOn="2030-01-02")
    await make(anna, "afternoon", dueOn="2030-01-02", dueTime="16:00")
    await make(anna, "morning", dueOn="2030-01-02", dueTime="09:00")
    await make(anna, "day alone too", dueOn="2030-01-02")
    expected = ["morning", "afternoon", "day alone", "day alone too", "later", "no day"]
    assert await titles(anna) == expected
    seen: list[str] = []
    path: str | None = f"/api/workshops/{anna.workshop}/order-summaries?limit=1"
    while path is not None:
        response = await anna.browser.get(path)
        seen += [each["title"] for each in response.json()["summaries"]]
        path = response.links.get("next", {}).get("url")
    assert seen == expected


async def test_a_page_of_the_board_is_one_statement(app: App) -> None:
    anna = await app.owner("Anna")
    for number in range(3):
        await make(anna, f"order {number}")
    clock = wall_clock(times.now(), "Europe/Warsaw")
    query = OrderSummaryFilter(limit=2)
    with recorded() as statements:
        async with app.db.read() as db:
            page = await order_summaries.of_workshop(anna.workshop, query, clock).page(db, query)
    assert (len(page.items), len(statements)) == (2, 1)


async def test_filters_select_what_they_name(app: App) -> None:
    anna = await app.owner("Anna")
    await make(anna, "plain")
    await make(anna, "there", place="B3", assignedTo=anna.uid)
    await make(anna, "waits", waitingFor="parts")
    await make(anna, "works", "in_progress")
    await make(anna, "ready", "done")
    gone = await make(anna, "gone", "done")
    await anna.post(f"/orders/{gone['id']}/collected", {})
    assert await titles(anna, place="B3") == await titles(anna, assignedTo=anna.uid) == ["there"]
    assert await titles(anna, place="B") == []
    assert await titles(anna, status="done") == ["ready", "gone"]
    assert await titles(anna, collected="true") == await titles(anna, stage="collected") == ["gone"]
    assert await titles(anna, collected="false") == ["plain", "there", "waits", "works", "ready"]
    assert await titles(anna, stage="received") == ["plain", "there"]
    for stage, title in (("waiting", "waits"), ("in_progress", "works"), ("ready", "ready")):
        assert await titles(anna, stage=stage) == [title]
    assert await counts(anna) == {"open": 4, "overdue": 0, "today": 0, "week": 0, "waiting": 1, "ready": 1}


@pytest.mark.both_engines
async def test_a_search_finds_texts_numbers_and_phones(app: App) -> None:
    anna = await app.owner("Anna")
    await make(anna, "Ring", phone="+48 600-100 200", item={"description": "Złoty pierścionek"})
    await make(anna, "Clock 1")
    assert await titles(anna, q="ZŁOTY") == ["Ring"]
    # The first order has this number, the second one it in its title.
    assert await titles(anna, q="1") == ["Ring", "Clock 1"]
    assert await titles(anna, q="600 100") == await titles(anna, q="+48 600") == ["Ring"]
    assert await titles(anna, q="600100200") == ["Ring"]
    assert await titles(anna, q="%") == []


async def test_the_agreed_price_is_the_accepted_revision_else_the_latest(app: App) -> None:
    anna = await app.owner("Anna")
    line = {"label": "Claw", "unit": "piece", "unitPrice": 100, "quantity": 1}
    estimate = await anna.estimate(lineItems=[line], markupPercent=0, discountPercent=0)
    await anna.post(f"/estimates/{estimate['id']}/orders", {"title": "Ring"})
    assert "agreed" not in (await summaries(anna))[0]
    await anna.post(f"/estimates/{estimate['id']}/confirm")
    await anna.post(f"/estimates/{estimate['id']}/line-items", line)
    await anna.post(f"/estimates/{estimate['id']}/confirm")
    latest = {"estimateId": estimate["id"], "revisionNumber": 2, "currency": "EUR", "total": 200, "accepted": False}
    assert (await summaries(anna))[0]["agreed"] == latest
    decided = {"revisionNumber": 1, "outcome": "accepted", "method": "phone", "name": "Ewa"}
    assert (await anna.post(f"/estimates/{estimate['id']}/decisions", decided)).status_code == 201
    accepted = {**latest, "revisionNumber": 1, "total": 100, "accepted": True}
    assert (await summaries(anna))[0]["agreed"] == accepted


async def test_strangers_read_no_board(app: App) -> None:
    anna, eve = await app.owner("Anna"), await app.owner("Eve")
    for name in ("order-summaries", "order-counts"):
        assert (await eve.get(f"/workshops/{anna.workshop}/{name}")).status_code == 403


@pytest.mark.both_engines
async def test_fifty_orders_made_at_once_have_numbers_without_gap_or_duplicate(app: App) -> None:
    anna = await app.owner("Anna")
    await asyncio.gather(*[anna.order(title=f"order {number}") for number in range(50)])
    assert sorted(each["number"] for each in await summaries(anna)) == list(range(1, 51))


async def test_the_number_of_a_deleted_order_is_never_given_again(app: App) -> None:
    anna = await app.owner("Anna")
    for _ in range(2):
        last = await anna.order()
    await anna.delete(f"/orders/{last['id']}")
    again = await anna.order()
    assert (await anna.get(f"/orders/{again['id']}/details")).json()["number"] == 3


# --- The calendar, against a model that knows no SQL

MOMENTS = [
    # Midnight, and the changes of the clock in both directions.
    "2026-12-04T22:59:59.999Z", "2026-12-04T23:00:00.000Z", "2026-03-29T00:59:00.000Z", "2026-03-29T01:00:00.000Z",
    "2026-10-25T00:30:00.000Z", "2026-10-25T01:30:00.000Z", "2026-10-24T22:00:00.000Z", "2026-12-31T23:30:00.000Z",
]  # fmt: skip


def expected_due(now: str, day: date | None, time: str | None, status: str) -> str | None:
    """By the wall clock: the date and the minute that it shows."""
    shown = datetime.fromisoformat(now).astimezone(WARSAW).replace(tzinfo=None)
    if status == "done":
        return None
    if day is None:
        return "none"
    if day < shown.date() or (day == shown.date() and time is not None and time <= shown.strftime("%H:%M")):
        return "overdue"
    away = (day - shown.date()) // timedelta(1)
    return "today" if away == 0 else "week" if away <= 7 else "later"


@pytest.mark.parametrize("now", MOMENTS)
async def test_every_open_order_has_exactly_one_due_as_the_wall_clock_says(app: App, now: str) -> None:
    anna = await app.owner("Anna")
    await in_zone(anna, "Europe/Warsaw")
    shown = datetime.fromisoformat(now).astimezone(WARSAW).date()
    rows: list[tuple[date | None, str | None, str]] = [(None, None, "todo")]
    for away in (-8, -1, 0, 1, 7, 8):
        times_of_day = (None, "00:00", "02:30", "23:59")
        rows += [(shown + timedelta(away), time, "in_progress") for time in times_of_day]
    rows += [(shown, "00:00", "done"), (shown - timedelta(1), None, "done")]
    for number, (day, time, status) in enumerate(rows):
        facts = {} if day is None else {"dueOn": day.isoformat()} | ({} if time is None else {"dueTime": time})
        await make(anna, str(number), status, **facts)
    clock = wall_clock(now, "Europe/Warsaw")
    found: dict[str, list[str]] = {}
    async with app.db.read() as db:
        for due in ("overdue", "today", "week", "later", "none"):
            query = OrderSummaryFilter(due=due)
            page = await order_summaries.of_workshop(anna.workshop, query, clock).page(db, query)
            for row in page.items:
                found.setdefault(row.order.title, []).append(due)
        counted = await order_summaries.count_stored(db, anna.workshop, clock)
    wanted = {str(number): expected_due(now, *row) for number, row in enumerate(rows)}
    assert found == {title: [due] for title, due in wanted.items() if due is not None}
    numbers = {due: list(wanted.values()).count(due) for due in ("overdue", "today", "week")}
    assert {due: getattr(counted, due) for due in numbers} == numbers
    assert counted.open == len(rows) - 2


@settings(max_examples=200, suppress_health_check=[HealthCheck.too_slow])
@given(second=st.integers(1_577_836_800, 2_051_222_400), zone=st.sampled_from(["Europe/Warsaw", "UTC"]))
def test_the_wall_clock_shows_what_the_zone_says(second: int, zone: str) -> None:
    instant = times.from_nanoseconds(second * 10**9)
    clock = wall_clock(instant, zone)
    local = datetime.fromisoformat(instant).astimezone(ZoneInfo(zone))
    assert (clock.today, clock.time) == (local.date(), f"{local.hour:02d}:{local.minute:02d}")
    assert (clock.week_ends - clock.today).days == 7
