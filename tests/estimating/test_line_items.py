"""Line items of an estimate, one at a time: appended, changed and deleted without conflicts."""

import asyncio
from typing import Any
from uuid import uuid4

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from tests.people import App, Person, ids, pointers

SAWING = {"label": "Sawing", "unit": "hour", "unitPrice": 80, "quantity": 1.5}


async def appended(person: Person, estimate: dict[str, Any], **fields: Any) -> dict[str, Any]:
    response = await person.post(f"/estimates/{estimate['id']}/line-items", {**SAWING, **fields})
    assert response.status_code == 201, response.text
    result: dict[str, Any] = response.json()
    return result


async def audited(person: Person) -> list[str]:
    entries = (await person.get(f"/workshops/{person.workshop}/audit")).json()["entries"]
    return [entry["action"] for entry in entries if entry["action"].startswith("estimate.")]


async def test_a_line_item_is_appended_changed_and_deleted(app: App) -> None:
    anna = await app.owner()
    estimate = await anna.estimate(lineItems=[{**SAWING, "label": "Oak"}])
    path = f"/estimates/{estimate['id']}"
    created = await anna.post(f"{path}/line-items", {**SAWING, "sourceButtonId": "b1"})
    assert (created.status_code, created.headers["location"]) == (201, f"/api{path}")
    line = created.json()["lineItems"][1]
    assert line == {**SAWING, "id": line["id"], "sourceButtonId": "b1"}
    changed = await anna.patch(f"{path}/line-items/{line['id']}", {"quantity": 2})
    assert changed.json()["lineItems"] == [estimate["lineItems"][0], {**line, "quantity": 2}]
    assert changed.json()["updatedAt"] >= created.json()["updatedAt"]
    deleted = await anna.delete(f"{path}/line-items/{estimate['lineItems'][0]['id']}")
    assert (deleted.status_code, ids(deleted.json()["lineItems"])) == (200, [line["id"]])
    read = await anna.get(path)
    assert read.json() == deleted.json()
    assert read.headers["etag"] == deleted.headers["etag"]
    assert await audited(anna) == [*["estimate.updated"] * 3, "estimate.created"]


async def test_an_id_that_the_estimate_has_changes_nothing(app: App) -> None:
    anna = await app.owner()
    line_id = str(uuid4())
    first = await appended(anna, await anna.estimate(), id=line_id)
    assert ids(first["lineItems"]) == [line_id]
    again = await anna.post(f"/estimates/{first['id']}/line-items", {**SAWING, "id": line_id, "quantity": 9})
    assert (again.status_code, again.json()) == (201, first)
    assert await audited(anna) == ["estimate.updated", "estimate.created"]


@pytest.mark.both_engines
async def test_a_hundred_changes_of_lines_at_once_all_survive(app: App) -> None:
    anna = await app.owner()
    line_ids = [str(uuid4()) for _ in range(50)]
    estimate = await anna.estimate(lineItems=[{**SAWING, "id": line_id} for line_id in line_ids])
    path = f"/estimates/{estimate['id']}/line-items"
    added = [str(uuid4()) for _ in range(50)]
    # More than the database has connections, and few enough for a busy machine to serve each in time.
    free = asyncio.Semaphore(25)

    async def sent(method: str, path: str, body: dict[str, Any] | None = None) -> int:
        async with free:
            return (await anna.send(method, path, body)).status_code

    statuses = await asyncio.gather(
        *(sent("POST", path, {**SAWING, "id": line_id}) for line_id in added),
        *(sent("PATCH", f"{path}/{line_id}", {"quantity": number}) for number, line_id in enumerate(line_ids[:25])),
        *(sent("DELETE", f"{path}/{line_id}") for line_id in line_ids[25:]),
    )
    assert statuses == [201] * 50 + [200] * 50
    lines = (await anna.get(f"/estimates/{estimate['id']}")).json()["lineItems"]
    assert {line["id"]: line["quantity"] for line in lines} == {
        **{line_id: number for number, line_id in enumerate(line_ids[:25])},
        **dict.fromkeys(added, 1.5),
    }
    most_used = (await anna.get(f"/workshops/{anna.workshop}/line-items/most-used")).json()["lineItems"]
    assert [(item["label"], item["count"]) for item in most_used] == [("Sawing", 1)]


async def test_an_estimate_has_at_most_five_hundred_line_items(app: App) -> None:
    anna = await app.owner()
    estimate = await anna.estimate(lineItems=[{**SAWING, "label": "Oak"}] * 499)
    full = await appended(anna, estimate, id="last")
    response = await anna.post(f"/estimates/{estimate['id']}/line-items", SAWING)
    assert (response.status_code, response.json()["code"], response.json()["limit"]) == (409, "plan_limit", 500)
    assert await appended(anna, estimate, id="last") == full


async def test_errors_of_a_line_item_change_nothing(app: App) -> None:
    anna = await app.owner()
    estimate = await anna.estimate(lineItems=[SAWING])
    path = f"/estimates/{estimate['id']}/line-items"
    line = f"{path}/{estimate['lineItems'][0]['id']}"
    assert pointers(await anna.post(path, {**SAWING, "quantity": -1, "more": 1})) == ["/quantity", "/more"]
    assert pointers(await anna.patch(line, {"unitPrice": "1", "id": "x"})) == ["/unitPrice", "/id"]
    assert pointers(await anna.patch(line, {})) == [""]
    assert (await anna.patch(f"{path}/{uuid4()}", {"quantity": 1})).status_code == 404
    assert (await anna.delete(f"{path}/{uuid4()}")).status_code == 404
    assert (await anna.patch(line, {"quantity": 1}, if_match='"other"')).status_code == 412
    assert (await anna.get(f"/estimates/{estimate['id']}")).json() == estimate


async def test_a_change_that_changes_nothing_keeps_the_time(app: App) -> None:
    anna = await app.owner()
    estimate = await anna.estimate(recipientName="Łucja", lineItems=[SAWING])
    line = estimate["lineItems"][0]
    path = f"/estimates/{estimate['id']}"
    for body in ({"name": "Kitchen"}, {"recipientName": "Łucja", "markupPercent": 0}, {"lineItems": [line]}):
        assert (await anna.patch(path, body)).json() == estimate
    same = await anna.patch(f"{path}/line-items/{line['id']}", {"unitPrice": 80.0, "label": "Sawing"})
    assert same.json() == estimate
    assert await audited(anna) == ["estimate.created"]


LABELS = st.sampled_from(["Sawing", "Oak", "Oil"])
STEPS = st.lists(
    st.tuples(
        st.sampled_from(["append", "change", "delete", "replace"]),
        st.integers(0, 5),
        LABELS,
        st.sampled_from(["hour", "piece"]),
        st.sampled_from([0, 0.0001, 9.99, 12.5, 80]),
    ),
    min_size=1,
    max_size=10,
)


@settings(max_examples=12, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(steps=STEPS)
async def test_changes_of_lines_equal_those_of_a_list(app: App, steps: list[tuple[str, int, str, str, float]]) -> None:
    anna = await app.owner()
    estimate = await anna.estimate()
    path = f"/estimates/{estimate['id']}"
    model: list[dict[str, Any]] = []
    for step, number, label, unit, price in steps:
        fields = {"label": label, "unit": unit, "unitPrice": price, "quantity": 1.5}
        line_id = f"line-{number}"
        known = [line["id"] for line in model]
        if step == "append":
            response = await anna.post(f"{path}/line-items", {**fields, "id": line_id})
            model += [] if line_id in known else [{**fields, "id": line_id}]
        elif step == "change":
            response = await anna.patch(f"{path}/line-items/{line_id}", fields)
            model = [{**line, **fields} if line["id"] == line_id else line for line in model]
        elif step == "delete":
            response = await anna.delete(f"{path}/line-items/{line_id}")
            model = [line for line in model if line["id"] != line_id]
        else:
            model = [{**fields, "id": f"line-{each}"} for each in range(number)]
            response = await anna.patch(path, {"lineItems": model})
        if step in ("append", "replace") or line_id in known:
            assert response.json()["lineItems"] == model
        else:
            assert response.status_code == 404
    used = (await anna.get(f"/workshops/{anna.workshop}/line-items/most-used")).json()["lineItems"]
    expected = {(line["label"], line["unit"]): line["unitPrice"] for line in model}
    assert {(item["label"], item["unit"]): item["unitPrice"] for item in used} == expected
