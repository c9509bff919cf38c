"""Order details over HTTP: what is written, what follows from the status, and what others learn of it."""

from typing import Any

import pytest

from backbench.values import times
from tests.people import App, Person
from tests.support.violations import all_of

EVERYTHING: dict[str, Any] = {
    "phone": "+48 600 100 200",
    "item": {
        "description": "Ring with a garnet",
        "condition": "One claw bent\nhallmark 585",
        "serial": "A-17",
        "pieces": 2,
    },
    "dueOn": "2026-12-04",
    "dueTime": "16:00",
    "priceLimit": 150.5,
    "place": "drawer B3",
    "waitingFor": "parts",
    "waitingUntil": "2026-12-01",
    "outcome": "repaired",
}


async def details(person: Person, order: dict[str, Any]) -> dict[str, Any]:
    response = await person.get(f"/orders/{order['id']}/details")
    assert response.status_code == 200, response.text
    found: dict[str, Any] = response.json()
    return found


async def edit(person: Person, order: dict[str, Any], **members: Any) -> dict[str, Any]:
    response = await person.patch(f"/orders/{order['id']}/details", members)
    assert response.status_code == 200, response.text
    found: dict[str, Any] = response.json()
    return found


async def move(person: Person, order: dict[str, Any], status: str) -> dict[str, Any]:
    response = await person.patch(f"/orders/{order['id']}/status", {"status": status})
    assert response.status_code == 200, response.text
    moved: dict[str, Any] = response.json()
    return moved


async def version(person: Person) -> str:
    found = (await person.get(f"/workshops/{person.workshop}/changes")).json()
    return str(found["cursor"])


async def changes(person: Person, since: str, **query: Any) -> dict[str, Any]:
    asked = "".join(f"&{name}={value}" for name, value in query.items())
    found: dict[str, Any] = (await person.get(f"/workshops/{person.workshop}/changes?since={since}{asked}")).json()
    return found


async def test_a_new_order_has_its_number_and_stage_alone(app: App) -> None:
    anna = await app.owner("Anna")
    first, second = await anna.order(), await anna.order()
    assert await details(anna, first) == {"orderId": first["id"], "number": 1, "stage": "received"}
    assert (await details(anna, second))["number"] == 2
    elsewhere = await app.owner("Eve")
    assert (await details(elsewhere, await elsewhere.order()))["number"] == 1


async def test_everything_that_was_written_is_read_again(app: App) -> None:
    anna = await app.owner("Anna")
    order, estimate = await anna.order(), await anna.estimate()
    sent = {**EVERYTHING, "assignedTo": anna.uid, "estimateId": estimate["id"]}
    written = await edit(anna, order, **sent)
    assert written == {"orderId": order["id"], "number": 1, "stage": "waiting", **sent}
    assert await details(anna, order) == written


@pytest.mark.both_engines
async def test_null_clears_each_member(app: App) -> None:
    anna = await app.owner("Anna")
    order, estimate = await anna.order(), await anna.estimate()
    sent = {**EVERYTHING, "assignedTo": anna.uid, "estimateId": estimate["id"]}
    await edit(anna, order, **sent)
    cleared = await edit(anna, order, **dict.fromkeys([*sent, "customerId"]))
    assert cleared == {"orderId": order["id"], "number": 1, "stage": "received"}


async def test_a_member_that_is_not_sent_stays(app: App) -> None:
    anna = await app.owner("Anna")
    order = await anna.order()
    before = await edit(anna, order, **EVERYTHING)
    assert await edit(anna, order, place="C1") == {**before, "place": "C1"}


async def test_an_item_is_replaced_as_a_whole_and_an_empty_one_is_none(app: App) -> None:
    anna = await app.owner("Anna")
    order = await anna.order()
    await edit(anna, order, item=EVERYTHING["item"])
    assert (await edit(anna, order, item={"pieces": 3}))["item"] == {"pieces": 3}
    assert "item" not in await edit(anna, order, item={})


async def test_clearing_the_day_clears_the_time_and_a_time_needs_a_day(app: App) -> None:
    anna = await app.owner("Anna")
    order = await anna.order()
    for body in ({"dueTime": "16:00"}, {"dueOn": None, "dueTime": "16:00"}):
        response = await anna.patch(f"/orders/{order['id']}/details", body)
        assert (response.status_code, response.json()["errors"][0]["pointer"]) == (400, "/dueTime")
    await edit(anna, order, dueOn="2026-12-04", dueTime="16:00")
    found = await edit(anna, order, dueOn=None)
    assert ("dueOn" in found, "dueTime" in found) == (False, False)


@all_of(
    ("body", "pointer"),
    [
        ({"phone": " "}, "/phone"),
        ({"phone": "1" * 41}, "/phone"),
        ({"place": "x" * 51}, "/place"),
        ({"place": ""}, "/place"),
        ({"item": {"description": "\n"}}, "/item/description"),
        ({"item": {"condition": "x" * 2001}}, "/item/condition"),
        ({"item": {"serial": "one\ntwo"}}, "/item/serial"),
        ({"item": {"pieces": 0}}, "/item/pieces"),
        ({"item": {"pieces": 100}}, "/item/pieces"),
        ({"item": {"colour": "red"}}, "/item/colour"),
        ({"dueOn": "2026-02-29"}, "/dueOn"),
        ({"dueOn": "20261204"}, "/dueOn"),
        ({"dueOn": "2026-12-04T10:00:00Z"}, "/dueOn"),
        ({"dueOn": "2026-12-04", "dueTime": "24:00"}, "/dueTime"),
        ({"dueOn": "2026-12-04", "dueTime": "7:30"}, "/dueTime"),
        ({"priceLimit": -1}, "/priceLimit"),
        ({"priceLimit": 1.00001}, "/priceLimit"),
        ({"priceLimit": "150"}, "/priceLimit"),
        ({"waitingFor": "rain"}, "/waitingFor"),
        ({"waitingUntil": "soon"}, "/waitingUntil"),
        ({"outcome": "done"}, "/outcome"),
        ({"assignedTo": "nobody"}, "/assignedTo"),
        ({"estimateId": "none"}, "/estimateId"),
        ({"customerId": "none"}, "/customerId"),
        ({"number": 7}, "/number"),
        ({"collectedAt": "2026-12-04T10:00:00.000Z"}, "/collectedAt"),
        ({"exceedsLimit": True}, "/exceedsLimit"),
    ],
)
async def test_an_edit_against_the_schema_is_rejected_and_changes_nothing(
    app: App, body: dict[str, Any], pointer: str
) -> None:
    anna = await app.owner("Anna")
    order = await anna.order()
    before = await version(anna)
    response = await anna.patch(f"/orders/{order['id']}/details", body)
    assert response.status_code == 400, response.text
    assert [error["pointer"] for error in response.json()["errors"]] == [pointer]
    assert (await details(anna, order), await version(anna)) == (
        {"orderId": order["id"], "number": 1, "stage": "received"},
        before,
    )


async def test_an_assignee_and_an_estimate_of_another_workshop_are_unknown(app: App) -> None:
    anna, eve = await app.owner("Anna"), await app.owner("Eve")
    order, estimate = await anna.order(), await eve.estimate()
    for body in ({"assignedTo": eve.uid}, {"estimateId": estimate["id"]}):
        response = await anna.patch(f"/orders/{order['id']}/details", body)
        assert (response.status_code, response.json()["errors"][0]["code"]) == (400, "unknown")


@pytest.mark.parametrize("body", [{}, {"place": "B3"}, {"phone": None}, {"item": {}}])
async def test_an_edit_that_changes_nothing_gives_no_version(app: App, body: dict[str, Any]) -> None:
    anna = await app.owner("Anna")
    order = await anna.order()
    await edit(anna, order, place="B3")
    before = await version(anna)
    response = await anna.patch(f"/orders/{order['id']}/details", body)
    assert (response.status_code, await version(anna)) == (200, before)
    assert response.headers["etag"] == (await anna.get(f"/orders/{order['id']}/details")).headers["etag"]


async def test_the_stage_follows_status_waiting_and_collection(app: App) -> None:
    anna = await app.owner("Anna")
    order = await anna.order()
    assert (await edit(anna, order, waitingFor="parts"))["stage"] == "waiting"
    await move(anna, order, "in_progress")
    assert (await details(anna, order))["stage"] == "waiting"
    assert (await edit(anna, order, waitingFor=None))["stage"] == "in_progress"
    await edit(anna, order, waitingFor="customer")
    await move(anna, order, "done")
    assert (await details(anna, order))["stage"] == "ready"
    assert (await anna.post(f"/orders/{order['id']}/collected", {})).json()["stage"] == "collected"
    assert (await anna.delete(f"/orders/{order['id']}/collected")).json()["stage"] == "ready"


async def test_ready_at_is_the_move_to_done_that_still_holds(app: App) -> None:
    anna = await app.owner("Anna")
    order = await anna.order()
    done = await move(anna, order, "done")
    await move(anna, order, "done")
    assert (await details(anna, order))["readyAt"] == done["lastActivityAt"]
    await move(anna, order, "in_progress")
    assert "readyAt" not in await details(anna, order)
    again = await move(anna, order, "done")
    assert (await details(anna, order))["readyAt"] == again["lastActivityAt"]


async def test_an_order_is_collected_once_and_only_when_it_is_done(app: App) -> None:
    anna = await app.owner("Anna")
    order = await anna.order()
    path = f"/orders/{order['id']}/collected"
    response = await anna.post(path, {"to": "Jan"})
    assert (response.status_code, response.json()["code"]) == (409, "not_done")
    await move(anna, order, "done")
    collected = await anna.post(path, {"to": "Jan"})
    assert collected.status_code == 200
    assert collected.json()["collectedBy"] == "Jan"
    before = await version(anna)
    again = await anna.post(path, {"to": "Ewa"})
    assert (again.json(), again.status_code, await version(anna)) == (collected.json(), 200, before)
    taken_back = await anna.delete(path)
    assert not {"collectedAt", "collectedBy"} & taken_back.json().keys()
    before = await version(anna)
    assert (await anna.delete(path)).json() == taken_back.json()
    assert await version(anna) == before


async def test_leaving_done_clears_the_collection(app: App) -> None:
    anna = await app.owner("Anna")
    order = await anna.order()
    await move(anna, order, "done")
    await anna.post(f"/orders/{order['id']}/collected", {"to": "Jan"})
    await move(anna, order, "done")
    assert (await details(anna, order))["collectedBy"] == "Jan"
    await move(anna, order, "in_progress")
    await move(anna, order, "done")
    found = await details(anna, order)
    assert (found["stage"], "collectedAt" in found, "collectedBy" in found) == ("ready", False, False)


async def test_the_limit_is_compared_with_the_estimate_as_it_stands(app: App) -> None:
    anna = await app.owner("Anna")
    order = await anna.order()
    line = {"label": "Claw", "unit": "piece", "unitPrice": 100, "quantity": 1}
    estimate = await anna.estimate(lineItems=[line], markupPercent=0, discountPercent=0)
    found = await edit(anna, order, estimateId=estimate["id"], priceLimit=100)
    assert "exceedsLimit" not in found
    tag = (await anna.get(f"/orders/{order['id']}/details")).headers["etag"]
    added = await anna.post(f"/estimates/{estimate['id']}/line-items", {**line, "unitPrice": 0.01})
    assert added.status_code == 201
    response = await anna.get(f"/orders/{order['id']}/details")
    assert (response.json()["exceedsLimit"], response.headers["etag"] != tag) == (True, True)
    assert "exceedsLimit" not in await edit(anna, order, priceLimit=100.01)
    # With tax it is above the limit again.
    settings = (await anna.get(f"/workshops/{anna.workshop}/document-settings")).json()
    await anna.put(f"/workshops/{anna.workshop}/document-settings", {**settings, "taxPercent": 23})
    assert (await details(anna, order))["exceedsLimit"] is True


async def test_an_estimate_that_is_deleted_goes_from_its_orders(app: App) -> None:
    anna = await app.owner("Anna")
    estimate = await anna.estimate()
    order = (await anna.post(f"/estimates/{estimate['id']}/orders", {})).json()
    assert (await details(anna, order))["estimateId"] == estimate["id"]
    await edit(anna, order, priceLimit=1)
    await anna.delete(f"/estimates/{estimate['id']}")
    found = await details(anna, order)
    assert ("estimateId" in found, "exceedsLimit" in found) == (False, False)


async def test_an_assignee_that_leaves_is_taken_from_its_orders(app: App) -> None:
    anna = await app.owner("Anna")
    marek = await app.member(anna)
    order, other = await anna.order(), await anna.order()
    await edit(anna, order, assignedTo=marek.uid)
    await edit(anna, other, assignedTo=anna.uid)
    since = await version(anna)
    assert (await anna.delete(f"/workshops/{anna.workshop}/members/{marek.uid}")).status_code == 204
    assert "assignedTo" not in await details(anna, order)
    assert [each["orderId"] for each in (await changes(anna, since))["orderDetails"]] == [order["id"]]


async def test_changes_have_the_details_of_orders_whose_details_may_differ(app: App) -> None:
    anna = await app.owner("Anna")
    since = await version(anna)
    order = await anna.order()

    async def seen() -> tuple[list[str], list[dict[str, Any]], list[dict[str, Any]]]:
        nonlocal since
        found = await changes(anna, since)
        since = found["cursor"]
        return [each["id"] for each in found["orders"]], found["orderDetails"], found["removed"]

    assert await seen() == ([order["id"]], [await details(anna, order)], [])
    written = await edit(anna, order, place="B3")
    assert await seen() == ([], [written], [])
    await anna.patch(f"/orders/{order['id']}", {"notes": "oak"})
    assert await seen() == ([order["id"]], [], [])
    await move(anna, order, "done")
    assert await seen() == ([order["id"]], [await details(anna, order)], [])
    await anna.post(f"/orders/{order['id']}/collected", {})
    assert await seen() == ([], [await details(anna, order)], [])
    await anna.delete(f"/orders/{order['id']}/collected")
    assert await seen() == ([], [await details(anna, order)], [])
    await anna.delete(f"/orders/{order['id']}")
    assert await seen() == ([], [], [{"kind": "order", "id": order["id"]}])


async def test_the_limit_of_changes_counts_orders_and_their_details_together(app: App) -> None:
    anna = await app.owner("Anna")
    since = await version(anna)
    made = [(await anna.order())["id"] for _ in range(5)]
    seen = []
    has_more = True
    while has_more:
        found = await changes(anna, since, limit=4)
        assert len(found["orders"]) + len(found["orderDetails"]) <= 4
        assert [each["id"] for each in reversed(found["orders"])] == [each["orderId"] for each in found["orderDetails"]]
        seen += [each["orderId"] for each in found["orderDetails"]]
        since, has_more = found["cursor"], found["more"]
    assert seen == made


async def test_each_write_of_details_has_an_event_and_an_entry(app: App) -> None:
    anna = await app.owner("Anna")
    order = await anna.order()
    await edit(anna, order, place="B3")
    await move(anna, order, "done")
    await anna.post(f"/orders/{order['id']}/collected", {})
    await anna.delete(f"/orders/{order['id']}/collected")
    entries = (await anna.get(f"/workshops/{anna.workshop}/audit")).json()["entries"]
    expected = ["order.details_updated", "order.collected", "order.moved", "order.details_updated", "order.created"]
    assert [entry["action"] for entry in entries][:5] == expected
    assert {entry["objectId"] for entry in entries[:5]} == {order["id"]}


async def test_if_match_is_about_the_details(app: App) -> None:
    anna = await app.owner("Anna")
    order = await anna.order()
    await move(anna, order, "done")
    path = f"/orders/{order['id']}"
    written = await anna.patch(f"{path}/details", {"place": "B3"})
    tag = written.headers["etag"]
    assert (await anna.patch(f"{path}/details", {"place": "C1"}, If_Match='"other"')).status_code == 412
    collected = await anna.post(f"{path}/collected", {})
    assert (await anna.delete(f"{path}/collected", If_Match=tag)).status_code == 412
    assert (await anna.delete(f"{path}/collected", If_Match=collected.headers["etag"])).status_code == 200
    assert (await anna.patch(f"{path}/details", {"place": "C1"}, If_Match=tag)).status_code == 200


async def test_keys_read_and_write_details_by_their_scopes(app: App) -> None:
    anna = await app.owner("Anna")
    order = await anna.order()
    reader, writer = await anna.integrator("orders:read"), await anna.integrator("orders:write")
    path = f"/orders/{order['id']}/details"
    assert (await reader.get(path)).status_code == 200
    assert (await reader.patch(path, {"place": "B3"})).status_code == 403
    assert (await writer.get(path)).status_code == 403
    assert (await writer.patch(path, {"place": "B3"})).status_code == 200


async def test_a_clock_that_is_behind_does_not_collect_before_the_order_was_done(
    app: App, monkeypatch: pytest.MonkeyPatch
) -> None:
    anna = await app.owner("Anna")
    order = await anna.order()
    done = await move(anna, order, "done")
    earlier = times.later(done["lastActivityAt"], -60)
    monkeypatch.setattr(times, "now", lambda: earlier)
    collected = (await anna.post(f"/orders/{order['id']}/collected", {})).json()
    assert collected["collectedAt"] == done["lastActivityAt"]
