"""Boot: what the app shows first, in one response and one state of the database."""

from typing import Any

import pytest

from tests.people import App, Person


async def boot(person: Person, query: str = "") -> dict[str, Any]:
    response = await person.get(f"/boot{query}")
    assert response.status_code == 200, response.text
    assert response.headers["cache-control"] == "private, no-store"
    assert "etag" not in response.headers
    found: dict[str, Any] = response.json()
    return found


async def test_it_is_what_the_single_operations_say(app: App) -> None:
    anna = await app.owner("Anna")
    for number in range(25):
        order = await anna.order(title=f"order {number}")
        await anna.patch(f"/orders/{order['id']}/details", {"dueOn": f"2026-12-{25 - number:02}"})
    estimate = await anna.estimate()
    await anna.post(f"/estimates/{estimate['id']}/confirm")
    workshop = f"/workshops/{anna.workshop}"
    assert await boot(anna) == {
        "uid": anna.uid,
        "profile": (await anna.get("/me")).json(),
        "workshops": (await anna.get("/workshops")).json()["workshops"],
        "workshopId": anna.workshop,
        "cursor": (await anna.get(f"{workshop}/changes")).json()["cursor"],
        "summaries": (await anna.get(f"{workshop}/order-summaries?limit=20")).json()["summaries"],
        "counts": (await anna.get(f"{workshop}/order-counts")).json(),
        "unread": (await anna.get(f"{workshop}/inbox")).json()["unread"],
    }


@pytest.mark.both_engines
async def test_the_cursor_is_that_of_the_board(app: App) -> None:
    anna = await app.owner("Anna")
    await anna.order()
    since = (await boot(anna))["cursor"]
    order = await anna.order(title="Later")
    found = (await anna.get(f"/workshops/{anna.workshop}/changes?since={since}&include=orderSummaries")).json()
    assert [each["id"] for each in found["orders"]] == [order["id"]]
    assert [each["orderId"] for each in found["orderSummaries"]] == [order["id"]]


async def test_another_workshop_of_the_account_can_be_asked_for(app: App) -> None:
    anna, ewa = await app.owner("Anna"), await app.owner("Ewa")
    other = (await anna.post("/workshops", {"name": "Oak & Ash"})).json()["id"]
    found = await boot(anna, f"?workshopId={other}")
    assert (found["workshopId"], found["summaries"]) == (other, [])
    assert (await boot(anna))["workshopId"] == anna.workshop
    for unknown in (ewa.workshop, "nothing"):
        assert (await anna.get(f"/boot?workshopId={unknown}")).status_code == 404


async def test_an_account_without_a_workshop_has_itself(app: App) -> None:
    anna = await app.owner("Anna")
    await anna.delete(f"/workshops/{anna.workshop}")
    assert await boot(anna) == {"uid": anna.uid, "profile": (await anna.get("/me")).json(), "workshops": []}


async def test_it_is_for_sessions(app: App) -> None:
    anna = await app.owner("Anna")
    program = await anna.integrator("orders:read", "estimates:read")
    assert (await program.get("/boot")).status_code == 401
    assert (await app.anonymous().get("/boot")).status_code == 401
