"""Estimates API: create, read, edit and confirm."""

import asyncio
from typing import Any

import pytest

from backbench.values import times
from tests.people import App, Person, ids, pointers

OAK = {"label": "Oak", "unit": "sqm", "unitPrice": 120.5, "quantity": 2.25}
UNITS = ["sqm", "linear_m", "piece", "pair", "hour", "job", "freeform"]
REQUIRED = {
    "id", "workshopId", "name", "markupPercent", "discountPercent", "createdAt", "updatedAt", "lineItems",
}  # fmt: skip


def estimates_path(person: Person) -> str:
    return f"/workshops/{person.workshop}/estimates"


async def get_estimate(person: Person, estimate: dict[str, Any]) -> dict[str, Any]:
    response = await person.get(f"/estimates/{estimate['id']}")
    assert response.status_code == 200, response.text
    found: dict[str, Any] = response.json()
    return found


async def edit_estimate(person: Person, estimate: dict[str, Any], **fields: Any) -> dict[str, Any]:
    response = await person.patch(f"/estimates/{estimate['id']}", fields)
    assert response.status_code == 200, response.text
    found: dict[str, Any] = response.json()
    return found


async def confirm(person: Person, estimate: dict[str, Any]) -> dict[str, Any]:
    response = await person.post(f"/estimates/{estimate['id']}/confirm")
    assert response.status_code == 201, response.text
    confirmation: dict[str, Any] = response.json()
    return confirmation


def without_ids(lines: list[dict[str, Any]]) -> list[dict[str, Any]]:
    return [{name: value for name, value in line.items() if name != "id"} for line in lines]


# POST /workshops/{workshopId}/estimates


async def test_a_new_estimate_with_only_a_name_is_empty(app: App) -> None:
    anna = await app.owner("Anna")
    response = await anna.post(estimates_path(anna), {"name": "Kitchen"})
    estimate = response.json()
    assert response.status_code == 201
    assert set(estimate) == REQUIRED
    assert (estimate["name"], estimate["workshopId"], estimate["lineItems"]) == ("Kitchen", anna.workshop, [])
    assert estimate["markupPercent"] == estimate["discountPercent"] == 0
    assert estimate["updatedAt"] == estimate["createdAt"]


async def test_an_estimate_reads_back_as_it_was_created(app: App) -> None:
    anna = await app.owner("Anna")
    lines = [OAK | {"unit": unit} for unit in UNITS] + [OAK | {"sourceButtonId": "any button"}]
    estimate = await anna.estimate(recipientName="Ewa", markupPercent=12.5, discountPercent=3, lineItems=lines)
    assert set(estimate) == {*REQUIRED, "recipientName"}
    assert without_ids(estimate["lineItems"]) == lines
    assert await get_estimate(anna, estimate) == estimate
    assert (await anna.get(estimates_path(anna))).json() == {"estimates": [estimate]}


async def test_the_source_button_of_a_line_is_not_checked(app: App) -> None:
    anna = await app.owner("Anna")
    source_ids = ["any button", "", " ", "two\nlines", "x" * 300]
    estimate = await anna.estimate(lineItems=[OAK | {"sourceButtonId": name} for name in source_ids])
    assert [line["sourceButtonId"] for line in estimate["lineItems"]] == source_ids
    assert await get_estimate(anna, estimate) == estimate
    response = await anna.patch(f"/estimates/{estimate['id']}", {"lineItems": [OAK | {"sourceButtonId": "a\x00"}]})
    assert pointers(response) == ["/lineItems/0/sourceButtonId"]


async def test_numbers_are_returned_exactly_in_their_shortest_form(app: App) -> None:
    anna = await app.owner("Anna")
    body = b'{"name":"x","markupPercent":12.10,"discountPercent":1e1,"lineItems":[%s,%s]}' % (
        b'{"label":"a","unit":"job","unitPrice":0.1,"quantity":1000000}',
        b'{"label":"b","unit":"job","unitPrice":1000000000,"quantity":0.0001}',
    )
    response = await anna.post(estimates_path(anna), body)
    for text in ('"markupPercent":12.1,', '"discountPercent":10,', '"unitPrice":0.1,', '"unitPrice":1000000000,'):
        assert text in response.text
    assert '"quantity":1000000' in response.text
    assert '"quantity":0.0001' in response.text
    assert (await anna.get(f"/estimates/{response.json()['id']}")).text == response.text


async def test_an_estimate_without_a_recipient_omits_the_member(app: App) -> None:
    anna = await app.owner("Anna")
    estimate = await anna.estimate(recipientName="Ewa")
    assert "recipientName" not in await edit_estimate(anna, estimate, recipientName=None)
    assert "recipientName" not in await get_estimate(anna, estimate)
    await edit_estimate(anna, estimate, recipientName="Ewa")
    emptied = await edit_estimate(anna, estimate, recipientName="")
    assert "recipientName" not in emptied
    assert (await edit_estimate(anna, estimate, recipientName=""))["updatedAt"] == emptied["updatedAt"]
    assert "recipientName" not in await anna.estimate(recipientName="")


async def test_a_line_gets_an_id_or_keeps_the_one_sent(app: App) -> None:
    anna = await app.owner("Anna")
    estimate = await anna.estimate(lineItems=[OAK, OAK | {"id": "mine"}, OAK])
    first, second, third = ids(estimate["lineItems"])
    assert second == "mine"
    assert len({first, second, third}) == 3


async def test_duplicate_line_ids_are_rejected(app: App) -> None:
    anna = await app.owner("Anna")
    estimate = await anna.estimate()
    duplicate_ids = [OAK | {"id": "a"}, OAK, OAK | {"id": "a"}]
    assert pointers(await anna.post(estimates_path(anna), {"name": "x", "lineItems": duplicate_ids})) == [
        "/lineItems/2/id"
    ]
    assert pointers(await anna.patch(f"/estimates/{estimate['id']}", {"lineItems": duplicate_ids})) == [
        "/lineItems/2/id"
    ]


async def test_an_invalid_estimate_is_rejected_on_creation_and_on_edit(app: App) -> None:
    anna = await app.owner("Anna")
    estimate = await anna.estimate()
    wrong: list[tuple[dict[str, Any], str]] = [
        ({"name": ""}, "/name"),
        ({"name": "x" * 251}, "/name"),
        ({"name": "a\n"}, "/name"),
        ({"recipientName": "x" * 251}, "/recipientName"),
        ({"recipientName": "\x7f"}, "/recipientName"),
        ({"markupPercent": 1000.0001}, "/markupPercent"),
        ({"markupPercent": -1}, "/markupPercent"),
        ({"markupPercent": None}, "/markupPercent"),
        ({"discountPercent": 100.5}, "/discountPercent"),
        ({"discountPercent": "10"}, "/discountPercent"),
        ({"discountPercent": True}, "/discountPercent"),
        ({"lineItems": {}}, "/lineItems"),
        ({"lineItems": None}, "/lineItems"),
        ({"lineItems": [OAK] * 501}, "/lineItems"),
        ({"lineItems": [None]}, "/lineItems/0"),
        ({"lineItems": [OAK | {"label": ""}]}, "/lineItems/0/label"),
        ({"lineItems": [OAK | {"label": "x" * 251}]}, "/lineItems/0/label"),
        ({"lineItems": [OAK | {"unit": "m"}]}, "/lineItems/0/unit"),
        ({"lineItems": [OAK | {"unitPrice": 1_000_000_000.1}]}, "/lineItems/0/unitPrice"),
        ({"lineItems": [OAK | {"unitPrice": -0.01}]}, "/lineItems/0/unitPrice"),
        ({"lineItems": [OAK | {"unitPrice": 0.00001}]}, "/lineItems/0/unitPrice"),
        ({"lineItems": [OAK | {"quantity": 1_000_001}]}, "/lineItems/0/quantity"),
        ({"lineItems": [OAK | {"quantity": 1.23456}]}, "/lineItems/0/quantity"),
        ({"lineItems": [OAK | {"id": ""}]}, "/lineItems/0/id"),
        ({"lineItems": [OAK | {"id": "x" * 65}]}, "/lineItems/0/id"),
        ({"lineItems": [OAK | {"id": "a/b"}]}, "/lineItems/0/id"),
        ({"lineItems": [OAK | {"id": "ławka"}]}, "/lineItems/0/id"),
        ({"lineItems": [OAK | {"id": None}]}, "/lineItems/0/id"),
        ({"lineItems": [OAK | {"amount": 1}]}, "/lineItems/0/amount"),
        ({"workshopId": "x"}, "/workshopId"),
        ({"createdAt": "2026-11-20T10:15:00.000Z"}, "/createdAt"),
    ]
    for fields, pointer in wrong:
        assert pointers(await anna.post(estimates_path(anna), {"name": "x", **fields})) == [pointer], fields
        assert pointers(await anna.patch(f"/estimates/{estimate['id']}", {"name": "x", **fields})) == [pointer]
    assert (await anna.get(estimates_path(anna))).json() == {"estimates": [estimate]}


async def test_all_fields_of_a_line_except_ids_are_required(app: App) -> None:
    anna = await app.owner("Anna")
    response = await anna.post(estimates_path(anna), {"name": "x", "lineItems": [{}]})
    assert pointers(response) == [f"/lineItems/0/{name}" for name in ("label", "unit", "unitPrice", "quantity")]


async def test_values_at_the_bounds_are_accepted(app: App) -> None:
    anna = await app.owner("Anna")
    least = OAK | {"unitPrice": 0, "quantity": 0}
    most = OAK | {"unitPrice": 10**9, "quantity": 10**6, "label": "x" * 250}
    estimate = await anna.estimate(
        name="x" * 250, markupPercent=1000, discountPercent=100, lineItems=[least, most] * 250
    )
    assert len(estimate["lineItems"]) == 500
    assert await get_estimate(anna, estimate) == estimate


# GET


async def test_estimates_of_a_workshop_are_listed_newest_first(app: App) -> None:
    anna, jan = await app.owner("Anna"), await app.owner("Jan")
    created = [(await anna.estimate())["id"] for _ in range(4)]
    await jan.estimate()
    assert ids((await anna.get(estimates_path(anna))).json()["estimates"]) == created[::-1]


# PATCH /estimates/{estimateId}


async def test_an_edit_changes_only_the_fields_sent_and_updated_at(app: App) -> None:
    anna = await app.owner("Anna")
    expected = await anna.estimate(lineItems=[OAK])
    edits: list[dict[str, Any]] = [
        {"name": "Bathroom"},
        {"recipientName": "Ewa"},
        {"markupPercent": 7.25},
        {"discountPercent": 0.5},
        {"lineItems": []},
        {"name": "Hall", "discountPercent": 0},
    ]
    for fields in edits:
        before = times.now()
        after = await edit_estimate(anna, expected, **fields)
        assert after["updatedAt"] >= before
        expected = expected | fields | {"updatedAt": after["updatedAt"]}
        assert after == expected
        assert await get_estimate(anna, expected) == expected


async def test_an_edit_replaces_the_whole_list_of_lines(app: App) -> None:
    anna = await app.owner("Anna")
    estimate = await anna.estimate(lineItems=[OAK, OAK | {"label": "Ash"}])
    unchanged = estimate["lineItems"][1]
    after = await edit_estimate(anna, estimate, lineItems=[unchanged, OAK | {"label": "Elm"}])
    assert after["lineItems"][0] == unchanged
    assert [line["label"] for line in after["lineItems"]] == ["Ash", "Elm"]


async def test_lines_as_returned_are_accepted_in_an_edit(app: App) -> None:
    anna = await app.owner("Anna")
    estimate = await anna.estimate(lineItems=[OAK, OAK | {"sourceButtonId": "b"}])
    after = await edit_estimate(anna, estimate, lineItems=estimate["lineItems"])
    assert after["lineItems"] == estimate["lineItems"]


async def test_an_edit_requires_at_least_one_field(app: App) -> None:
    anna = await app.owner("Anna")
    estimate = await anna.estimate()
    assert pointers(await anna.patch(f"/estimates/{estimate['id']}", {})) == [""]
    assert await get_estimate(anna, estimate) == estimate


@pytest.mark.both_engines
async def test_concurrent_edits_of_different_fields_are_all_stored(app: App) -> None:
    anna = await app.owner("Anna")
    estimate = await anna.estimate()
    edits: dict[str, Any] = {"name": "Hall", "recipientName": "Ewa", "markupPercent": 5, "discountPercent": 2}
    await asyncio.gather(*[edit_estimate(anna, estimate, **{field: value}) for field, value in edits.items()])
    after = await get_estimate(anna, estimate)
    assert {field: after[field] for field in edits} == edits


# POST /estimates/{estimateId}/confirm


async def test_confirming_snapshots_the_estimate_into_its_next_revision(app: App) -> None:
    anna = await app.owner("Anna")
    marek = await app.member(anna)
    estimate = await anna.estimate(recipientName="Ewa", markupPercent=5, lineItems=[OAK])
    confirmation = await confirm(marek, estimate)
    revision = confirmation["revision"]
    assert set(confirmation) == {"estimate", "revision"}
    assert confirmation["estimate"] == estimate
    assert set(revision) == {
        "id", "revisionNumber", "createdAt", "createdByUid", "name", "markupPercent", "discountPercent", "lineItems",
    }  # fmt: skip
    assert (revision["revisionNumber"], revision["createdByUid"]) == (1, marek.uid)
    copied = ("name", "markupPercent", "discountPercent", "lineItems")
    assert {name: revision[name] for name in copied} == {name: estimate[name] for name in copied}


async def test_confirming_does_not_change_the_estimate(app: App) -> None:
    anna = await app.owner("Anna")
    estimate = await anna.estimate()
    await confirm(anna, estimate)
    assert await get_estimate(anna, estimate) == estimate


async def test_a_revision_never_changes(app: App) -> None:
    anna = await app.owner("Anna")
    estimate = await anna.estimate(lineItems=[OAK])
    first = (await confirm(anna, estimate))["revision"]
    await edit_estimate(anna, estimate, name="Hall", markupPercent=9, lineItems=[])
    second = (await confirm(anna, estimate))["revision"]
    assert (second["revisionNumber"], second["name"], second["lineItems"]) == (2, "Hall", [])
    assert (await anna.get(f"/estimates/{estimate['id']}/revisions")).json() == {"revisions": [second, first]}


async def test_the_free_plan_is_limited_to_three_revisions_per_estimate(free_app: App) -> None:
    anna = await free_app.owner("Anna")
    estimate, other = await anna.estimate(), await anna.estimate()
    for number in (1, 2, 3):
        assert (await confirm(anna, estimate))["revision"]["revisionNumber"] == number
    response = await anna.post(f"/estimates/{estimate['id']}/confirm")
    problem = response.json()
    assert (response.status_code, problem["code"]) == (409, "plan_limit")
    assert (problem["limit"], problem["current"]) == (3, 3)
    assert (await confirm(anna, other))["revision"]["revisionNumber"] == 1


async def test_the_pro_plan_has_unlimited_revisions(app: App) -> None:
    anna = await app.owner("Anna")
    await app.put_on_pro(anna.workshop)
    estimate = await anna.estimate()
    numbers = [(await confirm(anna, estimate))["revision"]["revisionNumber"] for _ in range(5)]
    assert numbers == [1, 2, 3, 4, 5]


async def entered(person: Person, estimate: dict[str, Any]) -> str:
    facts: dict[str, str] = (await person.get(f"/estimates/{estimate['id']}/document")).json()
    return facts.get("pricesEntered", "net")


async def set_prices_of_workshop(person: Person, prices: str) -> None:
    path = f"/workshops/{person.workshop}/document-settings"
    settings = (await person.get(path)).json() | {"taxPercent": 23, "pricesEntered": prices}
    assert (await person.put(path, settings)).status_code == 200


async def test_a_new_estimate_says_what_its_prices_are_or_has_those_of_the_workshop(app: App) -> None:
    """Prices typed without a connection keep their meaning, also where the workshop has changed its own by then."""
    anna = await app.owner()
    for of_workshop in ("net", "gross"):
        await set_prices_of_workshop(anna, of_workshop)
        new = {"name": "Table", "lineItems": [OAK]}
        for given, expected in (
            ({}, of_workshop),
            ({"pricesEntered": "net"}, "net"),
            ({"pricesEntered": "gross"}, "gross"),
        ):
            made = await anna.post(estimates_path(anna), new | given)
            assert made.status_code == 201, made.text
            assert "pricesEntered" not in made.json()
            assert await entered(anna, made.json()) == expected
    refused = await anna.post(estimates_path(anna), {"name": "Table", "pricesEntered": "with"})
    assert pointers(refused) == ["/pricesEntered"]


async def test_revisions_and_most_used_line_items_say_that_their_prices_are_gross(app: App) -> None:
    anna = await app.owner()
    used = f"/workshops/{anna.workshop}/line-items/most-used"
    for prices, expected in (("net", None), ("gross", "gross"), ("net", None)):
        new = {"name": "Table", "lineItems": [OAK], "pricesEntered": prices}
        estimate = (await anna.post(estimates_path(anna), new)).json()
        await confirm(anna, estimate)
        totals = (await anna.get(f"/estimates/{estimate['id']}/revisions/1/totals")).json()
        assert totals.get("pricesEntered") == expected
        [line] = (await anna.get(used)).json()["lineItems"]
        assert (line["label"], line["unitPrice"], line.get("pricesEntered")) == ("Oak", 120.5, expected)
