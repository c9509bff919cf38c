"""Estimates API: totals, duplicates, deletion, orders, revisions, hand-offs and most used line items."""

import asyncio
import json
from decimal import Decimal
from fractions import Fraction
from math import floor
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from backbench.estimating import line_items
from backbench.estimating.line_items import MostUsedLineItem
from backbench.values.currencies import MINOR_DIGITS
from tests.people import App, Person, ids, pointers
from tests.support.uploads import icon
from tests.support.violations import all_of

OAK: dict[str, Any] = {"label": "Oak", "unit": "sqm", "unitPrice": 120.5, "quantity": 2.5}
HANDOFF = {"kind": "pdf-shared", "locale": "pl", "preliminary": False, "tone": "formal", "aiDrafted": False}
UNKNOWN = "01890a5d-ac96-774b-bcce-b302099a8057"


async def totals_of(person: Person, estimate_id: str) -> dict[str, Any]:
    response = await person.get(f"/estimates/{estimate_id}/totals")
    assert response.status_code == 200, response.text
    totals: dict[str, Any] = json.loads(response.content, parse_float=Decimal)
    return totals


async def set_money(person: Person, **settings: Any) -> None:
    response = await person.put(f"/workshops/{person.workshop}/document-settings", {"currency": "EUR", **settings})
    assert response.status_code == 200, response.text


# Totals


async def test_totals_include_markup_discount_and_tax(app: App) -> None:
    anna = await app.owner()
    lines = [OAK, {**OAK, "unitPrice": 0.333, "quantity": 5}, {**OAK, "unitPrice": 10, "quantity": 0}]
    estimate = await anna.estimate(lineItems=lines, markupPercent=10, discountPercent=2.5)
    await set_money(anna, currency="PLN", taxPercent=23)
    assert await totals_of(anna, estimate["id"]) == {
        "currency": "PLN",
        "lines": [
            {"id": line["id"], "amount": amount}
            for line, amount in zip(estimate["lineItems"], [Decimal("301.25"), Decimal("1.67"), 0], strict=True)
        ],
        "subtotal": Decimal("302.92"),
        "markup": Decimal("30.29"),
        "discount": Decimal("8.33"),
        "net": Decimal("324.88"),
        "tax": Decimal("74.72"),
        "total": Decimal("399.6"),
    }


async def test_totals_without_a_tax_rate_have_no_tax(app: App) -> None:
    anna = await app.owner()
    estimate = await anna.estimate(lineItems=[OAK])
    totals = await totals_of(anna, estimate["id"])
    assert "tax" not in totals
    assert totals["total"] == totals["net"] == Decimal("301.25")


async def test_totals_of_an_empty_estimate_are_zero(app: App) -> None:
    anna = await app.owner()
    estimate = await anna.estimate()
    totals = await totals_of(anna, estimate["id"])
    assert (totals["lines"], totals["subtotal"], totals["total"]) == ([], 0, 0)


def decimals(most: int, places: int = 4) -> st.SearchStrategy[str]:
    """Decimal numbers as text, with trailing zeros."""
    return st.integers(0, places).flatmap(
        lambda number: st.decimals(0, most, places=number, allow_nan=False).map(lambda value: f"{value:f}")
    )


prices_and_quantities = st.tuples(decimals(10**9), decimals(10**6))


def round_half_up(value: Fraction, digits: int) -> Fraction:
    """The value rounded half-up to the minor unit of the currency."""
    return Fraction(floor(value * 10**digits + Fraction(1, 2)), 10**digits)


def expected_sums(
    lines: list[tuple[str, str]], markup: str, discount: str, tax: str | None, digits: int
) -> dict[str, Fraction]:
    amounts = [round_half_up(Fraction(price) * Fraction(quantity), digits) for price, quantity in lines]
    subtotal = sum(amounts, Fraction(0))
    marked_up = round_half_up(subtotal * Fraction(markup) / 100, digits)
    reduced = round_half_up((subtotal + marked_up) * Fraction(discount) / 100, digits)
    net = subtotal + marked_up - reduced
    sums = {"subtotal": subtotal, "markup": marked_up, "discount": reduced, "net": net, "total": net}
    if tax is not None:
        sums["tax"] = round_half_up(net * Fraction(tax) / 100, digits)
        sums["total"] = net + sums["tax"]
    return sums


@settings(max_examples=25, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(
    lines=st.lists(prices_and_quantities, max_size=12),
    markup=decimals(1000),
    discount=decimals(100),
    tax=st.none() | decimals(100),
    currency=st.sampled_from(["EUR", "PLN", "JPY", "KWD"]),
)
async def test_totals_equal_an_independent_calculation(
    app: App,
    lines: list[tuple[str, str]],
    markup: str,
    discount: str,
    tax: str | None,
    currency: str,
) -> None:
    anna = await shared_owner(app)
    with_tax = "" if tax is None else f',"taxPercent":{tax}'
    await anna.put(f"/workshops/{anna.workshop}/document-settings", f'{{"currency":"{currency}"{with_tax}}}'.encode())
    listed = ",".join(
        f'{{"label":"A","unit":"hour","unitPrice":{price},"quantity":{quantity}}}' for price, quantity in lines
    )
    body = f'{{"name":"A","markupPercent":{markup},"discountPercent":{discount},"lineItems":[{listed}]}}'
    estimate = (await anna.post(f"/workshops/{anna.workshop}/estimates", body.encode())).json()
    totals = await totals_of(anna, estimate["id"])
    digits = MINOR_DIGITS[currency]
    sums = {name: Fraction(value) for name, value in totals.items() if name not in ("currency", "lines")}
    assert sums == expected_sums(lines, markup, discount, tax, digits)
    assert [Fraction(line["amount"]) for line in totals["lines"]] == [
        round_half_up(Fraction(price) * Fraction(quantity), digits) for price, quantity in lines
    ]


@settings(max_examples=25, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(price=decimals(10**9), quantity=decimals(10**6), markup=decimals(1000), discount=decimals(100))
async def test_numbers_are_returned_exactly_as_sent(
    app: App, price: str, quantity: str, markup: str, discount: str
) -> None:
    anna = await shared_owner(app)
    body = (
        f'{{"name":"A","markupPercent":{markup},"discountPercent":{discount},'
        f'"lineItems":[{{"label":"A","unit":"job","unitPrice":{price},"quantity":{quantity}}}]}}'
    )
    created = await anna.post(f"/workshops/{anna.workshop}/estimates", body.encode())
    confirmed = await anna.post(f"/estimates/{created.json()['id']}/confirm")
    for response in (created, await anna.get(f"/estimates/{created.json()['id']}"), confirmed):
        read = json.loads(response.content, parse_float=str, parse_int=str)
        read = read.get("revision", read)
        [line] = read["lineItems"]
        numbers = [line["unitPrice"], line["quantity"], read["markupPercent"], read["discountPercent"]]
        assert numbers == [shortest(text) for text in (price, quantity, markup, discount)]


def shortest(text: str) -> str:
    """Without trailing zeros: 12.1 for 12.10, 5 for 5.0."""
    return text.rstrip("0").rstrip(".") if "." in text else text


_shared_owners: dict[App, Person] = {}


async def shared_owner(app: App) -> Person:
    """One owner for all examples of a service."""
    if app not in _shared_owners:
        _shared_owners[app] = await app.owner()
        await app.put_on_pro(_shared_owners[app].workshop)
    return _shared_owners[app]


# Duplicates, deletion, orders


async def test_a_duplicate_equals_the_original_without_its_revisions(app: App) -> None:
    anna = await app.owner()
    estimate = await anna.estimate(
        recipientName="Łucja", markupPercent=5, discountPercent=1, lineItems=[{**OAK, "sourceButtonId": "b"}]
    )
    await anna.post(f"/estimates/{estimate['id']}/confirm")
    response = await anna.post(f"/estimates/{estimate['id']}/duplicate")
    copy = response.json()
    own = {"id": copy["id"], "createdAt": copy["createdAt"], "updatedAt": copy["createdAt"]}
    assert response.status_code == 201
    assert copy == {**estimate, **own}
    assert copy["id"] != estimate["id"]
    assert (await anna.get(f"/estimates/{copy['id']}/revisions")).json() == {"revisions": []}


async def test_editing_a_duplicate_does_not_change_the_original(app: App) -> None:
    anna = await app.owner()
    estimate = await anna.estimate(lineItems=[OAK])
    copy = (await anna.post(f"/estimates/{estimate['id']}/duplicate")).json()
    await anna.patch(f"/estimates/{copy['id']}", {"lineItems": []})
    assert (await anna.get(f"/estimates/{estimate['id']}")).json() == estimate


async def test_deleting_an_estimate_deletes_its_revisions_and_handoffs(app: App) -> None:
    anna = await app.owner()
    estimate, other = await anna.estimate(lineItems=[OAK]), await anna.estimate()
    path = f"/estimates/{estimate['id']}"
    await anna.post(f"{path}/confirm")
    await anna.post(f"{path}/handoffs", HANDOFF)
    assert (await anna.delete(path)).status_code == 204
    for deleted_path in (path, f"{path}/totals", f"{path}/revisions", f"{path}/revisions/1", f"{path}/handoffs"):
        assert (await anna.get(deleted_path)).status_code == 404
    listed = (await anna.get(f"/workshops/{anna.workshop}/estimates")).json()["estimates"]
    assert ids(listed) == [other["id"]]
    assert (await anna.get(f"/workshops/{anna.workshop}/line-items/most-used")).json() == {"lineItems": []}


async def test_an_order_created_from_an_estimate_has_its_name_and_recipient(app: App) -> None:
    anna = await app.owner()
    estimate = await anna.estimate(name="Kuchnia", recipientName="Łucja")
    response = await anna.post(f"/estimates/{estimate['id']}/orders", {})
    order = response.json()
    assert response.status_code == 201
    assert (order["title"], order["customerName"], order["status"]) == ("Kuchnia", "Łucja", "todo")
    assert (await anna.get(f"/orders/{order['id']}")).json() == {"order": order}
    await anna.delete(f"/estimates/{estimate['id']}")
    assert (await anna.get(f"/orders/{order['id']}")).status_code == 200


async def test_an_order_from_an_estimate_can_have_another_title_and_customer(app: App) -> None:
    anna = await app.owner()
    estimate = await anna.estimate()
    fields = {"title": "Shelves first", "customerName": "Mr Oak"}
    order = (await anna.post(f"/estimates/{estimate['id']}/orders", fields)).json()
    assert {name: order[name] for name in fields} == fields
    assert pointers(await anna.post(f"/estimates/{estimate['id']}/orders", {"title": "", "x": 1})) == ["/title", "/x"]


# Revisions


async def test_revisions_are_listed_newest_first_and_returned_by_number(app: App) -> None:
    anna = await app.owner()
    estimate = await anna.estimate(lineItems=[OAK])
    path = f"/estimates/{estimate['id']}"
    first = (await anna.post(f"{path}/confirm")).json()["revision"]
    await anna.patch(path, {"name": "Kitchen, smaller", "lineItems": []})
    second = (await anna.post(f"{path}/confirm")).json()["revision"]
    assert (await anna.get(f"{path}/revisions")).json() == {"revisions": [second, first]}
    assert (await anna.get(f"{path}/revisions/1")).json() == first
    assert (await anna.get(f"{path}/revisions/2")).json() == second


@all_of("number", ["0", "2", "-1", "01", "1.0", "one", "٣", "9" * 30, UNKNOWN])
async def test_an_unknown_revision_is_not_found(app: App, number: str) -> None:
    anna = await app.owner()
    estimate = await anna.estimate()
    await anna.post(f"/estimates/{estimate['id']}/confirm")
    response = await anna.get(f"/estimates/{estimate['id']}/revisions/{number}")
    assert (response.status_code, response.content) == (404, b"")


async def test_an_estimate_that_changed_since_it_was_read_is_not_confirmed(app: App) -> None:
    anna = await app.owner()
    path = f"/estimates/{(await anna.estimate())['id']}"
    tag = (await anna.get(path)).headers["etag"]
    await anna.patch(path, {"discountPercent": 50})
    assert (await anna.post(f"{path}/confirm", if_match=tag)).status_code == 412
    assert (await anna.get(f"{path}/revisions")).json()["revisions"] == []
    tag = (await anna.get(path)).headers["etag"]
    assert (await anna.post(f"{path}/confirm", if_match=tag)).status_code == 201


@pytest.mark.both_engines
async def test_concurrent_confirmations_number_revisions_without_gaps_or_duplicates(app: App) -> None:
    anna = await app.owner()
    await app.put_on_pro(anna.workshop)
    estimate = await anna.estimate(lineItems=[OAK])
    path = f"/estimates/{estimate['id']}"
    responses = await asyncio.gather(*[anna.post(f"{path}/confirm") for _ in range(12)])
    assert [response.status_code for response in responses] == [201] * 12
    revisions = (await anna.get(f"{path}/revisions")).json()["revisions"]
    assert [revision["revisionNumber"] for revision in revisions] == list(range(12, 0, -1))


@pytest.mark.both_engines
async def test_the_revision_limit_applies_to_concurrent_confirmations(free_app: App) -> None:
    anna = await free_app.owner()
    estimate = await anna.estimate()
    path = f"/estimates/{estimate['id']}"
    responses = await asyncio.gather(*[anna.post(f"{path}/confirm") for _ in range(6)])
    assert sorted(response.status_code for response in responses) == [201] * 3 + [409] * 3
    problem = next(response.json() for response in responses if response.status_code == 409)
    assert (problem["code"], problem["limit"], problem["current"]) == ("plan_limit", 3, 3)


async def test_an_estimate_deleted_during_other_requests_stays_deleted(app: App) -> None:
    anna = await app.owner()
    for _ in range(6):
        estimate = await anna.estimate()
        path = f"/estimates/{estimate['id']}"
        deleted, *others = await asyncio.gather(
            anna.delete(path),
            anna.post(f"{path}/confirm"),
            anna.post(f"{path}/handoffs", HANDOFF),
            anna.post(f"{path}/duplicate"),
            anna.patch(path, {"lineItems": [OAK]}),
        )
        assert deleted.status_code == 204
        assert {response.status_code for response in others} <= {200, 201, 404}
        assert (await anna.get(path)).status_code == 404


# Hand-offs


async def test_handoffs_are_listed_newest_first_with_their_revision(app: App) -> None:
    anna = await app.owner()
    estimate = await anna.estimate()
    path = f"/estimates/{estimate['id']}"
    before = (await anna.post(f"{path}/handoffs", HANDOFF)).json()
    await anna.post(f"{path}/confirm")
    after = (await anna.post(f"{path}/handoffs", HANDOFF)).json()
    assert (before["revisionNumber"], after["revisionNumber"]) == (0, 1)
    assert (await anna.get(f"{path}/handoffs")).json() == {"handoffs": [after, before]}


async def test_a_handoff_rejects_ids_of_anything_but_its_pdf_exports(app: App) -> None:
    anna = await app.owner()
    estimate, file = await anna.estimate(), await icon(anna)
    for wrong in (UNKNOWN, file["id"], "x" * 300):
        response = await anna.post(f"/estimates/{estimate['id']}/handoffs", {**HANDOFF, "pdfExportId": wrong})
        assert (response.status_code, response.content) == (400, b"")
    assert (await anna.get(f"/estimates/{estimate['id']}/handoffs")).json() == {"handoffs": []}


# Most used


async def most_used(person: Person, query: str = "") -> list[dict[str, Any]]:
    response = await person.get(f"/workshops/{person.workshop}/line-items/most-used{query}")
    assert response.status_code == 200, response.text
    found: list[dict[str, Any]] = response.json()["lineItems"]
    return found


def line(label: str, price: float = 10, unit: str = "hour") -> dict[str, Any]:
    return {"label": label, "unit": unit, "unitPrice": price, "quantity": 1}


@pytest.mark.both_engines
async def test_lines_used_as_often_are_ordered_alike_on_both_engines(app: App) -> None:
    anna = await app.owner()
    labels = ["b", "Z", "ą", "a b", "A", "ab", "a-b", "a"]
    await anna.estimate(lineItems=[line(label) for label in labels])
    assert [item["label"] for item in await most_used(anna)] == sorted(labels)


async def test_most_used_line_items_count_the_estimates_that_use_them(app: App) -> None:
    anna = await app.owner()
    await anna.estimate(lineItems=[line("Sawing"), line("Sawing", 12), line("Oiling")])
    second = await anna.estimate(lineItems=[line("Sawing", 15), line("Sawing", 7, unit="piece")])
    await asyncio.sleep(0.002)  # a later millisecond
    third = await anna.estimate(lineItems=[line("Oiling", 4.25)])
    found = await most_used(anna)
    assert found == [
        {"label": "Oiling", "unit": "hour", "unitPrice": 4.25, "count": 2, "lastUsedAt": third["updatedAt"]},
        {"label": "Sawing", "unit": "hour", "unitPrice": 15, "count": 2, "lastUsedAt": second["updatedAt"]},
        {"label": "Sawing", "unit": "piece", "unitPrice": 7, "count": 1, "lastUsedAt": second["updatedAt"]},
    ]


async def test_most_used_counts_change_with_every_edit(app: App) -> None:
    anna = await app.owner()
    estimate = await anna.estimate(lineItems=[line("Sawing"), line("Oiling")])
    copy = (await anna.post(f"/estimates/{estimate['id']}/duplicate")).json()
    assert {item["label"]: item["count"] for item in await most_used(anna)} == {"Sawing": 2, "Oiling": 2}
    await anna.patch(f"/estimates/{copy['id']}", {"lineItems": [line("Oiling", 9)]})
    renamed = (await anna.patch(f"/estimates/{estimate['id']}", {"name": "Attic"})).json()
    assert {item["label"]: item["count"] for item in await most_used(anna)} == {"Sawing": 1, "Oiling": 2}
    assert {item["lastUsedAt"] for item in await most_used(anna)} == {renamed["updatedAt"]}


async def test_most_used_line_items_can_be_limited(app: App) -> None:
    anna = await app.owner()
    await anna.estimate(lineItems=[line(f"Line {number}") for number in range(60)])
    assert len(await most_used(anna)) == 20
    assert len(await most_used(anna, "?limit=60")) == 60
    assert len(await most_used(anna, "?limit=1")) == 1
    for wrong in ("0", "501", "x", "-1"):
        response = await anna.get(f"/workshops/{anna.workshop}/line-items/most-used?limit={wrong}")
        assert pointers(response) == ["/limit"]


async def test_all_lines_of_a_large_estimate_are_counted(app: App) -> None:
    anna = await app.owner()
    estimate = await anna.estimate(lineItems=[line(f"Line {number}") for number in range(500)])

    async with app.db.read() as db:
        most_used_items: list[MostUsedLineItem] = await line_items.list_most_used(db, anna.workshop, 1000)
    assert {item.label for item in most_used_items} == {item["label"] for item in estimate["lineItems"]}


async def test_most_used_line_items_exclude_other_workshops(app: App) -> None:
    anna, eve = await app.owner(), await app.owner("Eve")
    await eve.estimate(lineItems=[line("Sawing")])
    assert await most_used(anna) == []
