"""Invoices API: drafts, numbers, corrections, payments that cover them, and what they keep from being deleted."""

import asyncio
import itertools
import random
from datetime import timedelta
from decimal import Decimal
from typing import Any

import pytest

from backbench.values import times
from tests.people import App, Person, pointers
from tests.support.invoice_rules import broken_rules
from tests.support.uploads import proposal
from tests.support.violations import violations

SETTINGS: dict[str, Any] = {
    "currency": "PLN",
    "taxPercent": 23,
    "country": "PL",
    "taxId": "734-293-88-41",
    "address": "ul. Młyńska 14\n33-300 Nowy Sącz",
    "iban": "PL61 1090 1014 0000 0712 1981 2874",
    "timeZone": "Europe/Warsaw",
}
Sums = dict[str, Any]

LINES = [
    {"id": "top", "label": "Blat", "unit": "sqm", "unitPrice": 420.5, "quantity": 2.25},
    {"id": "work", "label": "Praca", "unit": "hour", "unitPrice": 80, "quantity": 7},
    {"id": "option", "label": "Opcja", "unit": "piece", "unitPrice": 50, "quantity": 0},
]
BUYER = {
    "name": "Meblex sp. z o.o.",
    "address": "ul. Polna 7\n05-500 Piaseczno",
    "country": "PL",
    "taxId": "5252248481",
}


def exact(response: Any) -> Any:
    """The body with decimals."""
    return response.json(parse_float=Decimal)


async def workshop(app: App, **settings: Any) -> Person:
    person = await app.owner()
    saved = await person.put(f"/workshops/{person.workshop}/document-settings", SETTINGS | settings)
    assert saved.status_code == 200, saved.text
    return person


async def order(person: Person, *, document: dict[str, Any] | None = None, **estimate: Any) -> tuple[str, Sums]:
    """An order of a confirmed estimate, and the totals of its revision."""
    facts = {"lineTaxes": {"work": 8}, "depositPercent": 30} if document is None else document
    body = {"name": "Stół", "recipientName": "Łucja", "markupPercent": 10, "discountPercent": 5, "lineItems": LINES}
    made = await person.post(f"/workshops/{person.workshop}/estimates", body | {"document": facts} | estimate)
    assert made.status_code == 201, made.text
    path = f"/estimates/{made.json()['id']}"
    assert (await person.post(f"{path}/confirm")).status_code == 201
    totals = exact(await person.get(f"{path}/revisions/1/totals"))
    return str((await person.post(f"{path}/orders", {})).json()["id"]), totals


async def draft(person: Person, order_id: str, kind: str = "invoice", **members: Any) -> dict[str, Any]:
    response = await person.post(f"/orders/{order_id}/invoices", {"kind": kind} | members)
    assert response.status_code == 201, response.text
    return dict(exact(response))


async def issued(person: Person, order_id: str, kind: str = "invoice", **members: Any) -> dict[str, Any]:
    made = await draft(person, order_id, kind, **members)
    response = await person.post(f"/invoices/{made['id']}/issue", {})
    assert response.status_code == 200, response.text
    return dict(exact(response))


def code_of(response: Any) -> tuple[int, str]:
    return response.status_code, response.json()["code"]


async def paid(person: Person, order_id: str, amount: Any) -> str:
    """The id of the payment."""
    body = {"kind": "payment", "amount": float(amount), "method": "transfer"}
    response = await person.post(f"/orders/{order_id}/payments", body)
    assert response.status_code == 201
    return str(response.json()["id"])


async def listed(person: Person, order_id: str) -> list[tuple[Any, ...]]:
    found = exact(await person.get(f"/orders/{order_id}/invoices"))["invoices"]
    return [(each.get("number", ""), each["paid"], each["toPay"]) for each in reversed(found)]


YEAR = str(times.local_date(times.now(), "Europe/Warsaw").year)
SUMS = ("net", "tax", "taxes", "total")


@pytest.mark.parametrize("document", [{"lineTaxes": {"work": 8}}, {"pricesShown": "gross"}, {"pricesEntered": "gross"}])
async def test_an_invoice_has_the_figures_of_the_revision(app: App, document: dict[str, Any]) -> None:
    anna = await workshop(app)
    order_id, totals = await order(anna, document=document)
    invoice = await draft(anna, order_id)
    assert {name: invoice[name] for name in SUMS} == {name: totals[name] for name in SUMS}
    assert [line["label"] for line in invoice["lines"]] == ["Blat", "Praca"]
    shown = invoice["total"] if invoice["pricesShown"] == "gross" else invoice["net"]
    assert sum(line["amount"] for line in invoice["lines"]) == invoice["subtotal"] == shown
    assert (invoice["markup"], invoice["discount"]) == (0, 0)
    assert invoice["buyer"] == {"name": "Łucja", "isConsumer": True}
    assert invoice["basis"]["revisionNumber"] == 1
    assert "number" not in invoice


async def test_a_link_that_shows_markup_and_discount_shows_them_on_the_invoice(app: App) -> None:
    anna = await workshop(app)
    order_id, totals = await order(anna)
    estimate = (await anna.get(f"/orders/{order_id}/details")).json()["estimateId"]
    toggles = {"showMarkup": True, "showDiscount": True}
    link = await anna.post(f"/estimates/{estimate}/links", {"locale": "pl", "toggles": toggles})
    assert link.status_code == 201, link.text
    invoice = await issued(anna, order_id, buyer=BUYER)
    assert {name: invoice[name] for name in ("subtotal", "markup", "discount", *SUMS)} == {
        name: totals[name] for name in ("subtotal", "markup", "discount", *SUMS)
    }
    # Inside the lines of a correction, with the same sums.
    correction = exact(await anna.post(f"/invoices/{invoice['id']}/corrections", {"reason": "Adres"}))
    assert (correction["markup"], correction["discount"], correction["total"]) == (0, 0, invoice["total"])
    assert correction["corrects"]["difference"]["total"] == 0


async def test_advances_and_what_they_leave_add_up_tax_by_tax(app: App) -> None:
    anna = await workshop(app)
    order_id, totals = await order(anna)
    first = await issued(anna, order_id, "advance")
    assert first["total"] == (totals["total"] * Decimal("0.3")).quantize(Decimal("0.01"))
    yesterday = (times.local_date(times.now(), "Europe/Warsaw") - timedelta(1)).isoformat()
    second = await issued(anna, order_id, "advance", amount=100, dueDate=yesterday)
    final = await issued(anna, order_id, "final")
    for name in ("net", "tax", "total"):
        assert first[name] + second[name] + final[name] == totals[name]
    for at, part in enumerate(totals["taxes"]):
        for name in ("net", "amount"):
            assert sum(each["taxes"][at][name] for each in (first, second, final)) == part[name]
    assert [each["number"] for each in final["advances"]] == [first["number"], second["number"]]
    assert [first["number"], second["number"], final["number"]] == [f"ZAL 1/{YEAR}", f"ZAL 2/{YEAR}", f"FK 1/{YEAR}"]
    await paid(anna, order_id, first["total"] + 60)
    assert await listed(anna, order_id) == [
        (first["number"], first["total"], 0),
        (second["number"], 60, 40),
        (final["number"], 0, final["total"]),
    ]
    unpaid = (await anna.get(f"/workshops/{anna.workshop}/invoices?unpaid=true")).json()["invoices"]
    assert [each["number"] for each in unpaid] == [second["number"]]
    [item] = [each for each in (await anna.get(f"/workshops/{anna.workshop}/inbox")).json()["items"]
              if each["kind"] == "unpaid"]  # fmt: skip
    assert (item["title"], item["invoiceId"], item["text"]) == (second["number"], second["id"], "40.00 PLN")
    last = await paid(anna, order_id, 40)
    assert "unpaid" not in {
        each["kind"] for each in (await anna.get(f"/workshops/{anna.workshop}/inbox")).json()["items"]
    }
    assert (await anna.post(f"/payments/{last}/void", {"reason": "Zwrot z banku"})).status_code == 200
    unpaid = (await anna.get(f"/workshops/{anna.workshop}/invoices?unpaid=true")).json()["invoices"]
    assert [(each["number"], each["toPay"]) for each in unpaid] == [(second["number"], 40)]


async def test_no_more_than_was_agreed_is_invoiced_and_only_once(app: App) -> None:
    anna = await workshop(app)
    order_id, totals = await order(anna)
    await issued(anna, order_id, "advance", amount=totals["total"] - 1)
    too_much = await draft(anna, order_id, "advance", amount=2)
    assert code_of(await anna.post(f"/invoices/{too_much['id']}/issue", {})) == (409, "over_invoiced")
    whole = await draft(anna, order_id)
    assert code_of(await anna.post(f"/invoices/{whole['id']}/issue", {})) == (409, "over_invoiced")
    await issued(anna, order_id, "final")
    again = await draft(anna, order_id, "final")
    assert code_of(await anna.post(f"/invoices/{again['id']}/issue", {})) == (409, "invoiced")


async def test_an_entered_price_limits_invoices_of_entered_lines(app: App) -> None:
    anna = await workshop(app)
    order_id = (await anna.order())["id"]
    assert (await anna.put(f"/orders/{order_id}/agreed", {"amount": 123})).status_code == 200
    lines = [{"label": "Blat", "unit": "piece", "quantity": 1, "unitPrice": 100}]
    assert (await draft(anna, order_id, lines=lines))["total"] == 123
    more = await draft(anna, order_id, lines=[lines[0] | {"unitPrice": 101}], buyer=BUYER)
    assert code_of(await anna.post(f"/invoices/{more['id']}/issue", {})) == (409, "over_invoiced")
    nothing = await anna.post(f"/orders/{order_id}/invoices", {"kind": "invoice"})
    assert (nothing.status_code, pointers(nothing)) == (400, ["/lines"])


@pytest.mark.parametrize(
    ("members", "pointer"),
    [
        ({"kind": "invoice", "lines": [{"label": "A", "unit": "job", "quantity": 1, "unitPrice": 1}]}, "/lines"),
        ({"kind": "invoice", "amount": 10}, "/amount"),
        ({"kind": "advance", "amount": 0}, "/amount"),
        ({"kind": "advance", "amount": 1.005}, "/amount"),
        ({"kind": "invoice", "revisionNumber": 2}, "/revisionNumber"),
        ({"kind": "correction"}, "/kind"),
        ({"kind": "invoice", "buyer": {"country": "PL"}}, "/buyer/name"),
    ],
)
async def test_a_draft_that_makes_no_sense_is_refused(app: App, members: dict[str, Any], pointer: str) -> None:
    anna = await workshop(app)
    order_id, _ = await order(anna)
    refused = await anna.post(f"/orders/{order_id}/invoices", members)
    assert (refused.status_code, pointers(refused)) == (400, [pointer])
    assert (await anna.get(f"/orders/{order_id}/invoices")).json() == {"invoices": []}


async def test_an_issued_invoice_keeps_everything(app: App) -> None:
    anna = await workshop(app)
    order_id, _ = await order(anna)
    invoice = await issued(anna, order_id, buyer=BUYER, notes="Dziękujemy.")
    path = f"/invoices/{invoice['id']}"
    files = [await anna.get(f"{path}/{each}") for each in ("pdf?locale=pl", "xml?format=cii", "xml?format=fa3")]
    assert [each.status_code for each in files] == [200, 200, 200]
    changed = SETTINGS | {"address": "Inna 1", "taxId": "5252248481", "currency": "EUR"}
    assert (await anna.put(f"/workshops/{anna.workshop}/document-settings", changed)).status_code == 200
    await anna.patch(f"/workshops/{anna.workshop}", {"name": "Another", "accentColor": "#aa0000"})
    assert exact(await anna.get(path)) == invoice
    again = [await anna.get(f"{path}/{each}") for each in ("pdf?locale=pl", "xml?format=cii", "xml?format=fa3")]
    assert [each.content for each in again] == [each.content for each in files]
    assert code_of(await anna.patch(path, {"notes": "Other"})) == (409, "issued")
    assert code_of(await anna.delete(path)) == (409, "issued")
    assert code_of(await anna.post(f"{path}/issue", {})) == (409, "issued")


async def test_a_draft_shows_the_workshop_as_it_is_and_can_be_deleted(app: App) -> None:
    anna = await workshop(app)
    order_id, _ = await order(anna)
    made = await draft(anna, order_id)
    await anna.put(f"/workshops/{anna.workshop}/document-settings", SETTINGS | {"address": "Inna 1"})
    assert (await anna.get(f"/invoices/{made['id']}")).json()["seller"]["address"] == "Inna 1"
    changed = await anna.patch(f"/invoices/{made['id']}", {"buyer": BUYER, "dueDate": "2027-01-31"})
    assert (changed.json()["buyer"], changed.json()["dueDate"]) == (BUYER, "2027-01-31")
    assert (await anna.get(f"/invoices/{made['id']}/pdf")).content.startswith(b"%PDF-")
    assert code_of(await anna.get(f"/invoices/{made['id']}/xml")) == (409, "draft")
    assert code_of(await anna.post(f"/invoices/{made['id']}/corrections", {"reason": "x"})) == (409, "draft")
    assert (await anna.delete(f"/invoices/{made['id']}")).status_code == 204
    assert (await anna.get(f"/invoices/{made['id']}")).status_code == 404


@pytest.mark.both_engines
async def test_fifty_invoices_at_once_have_numbers_without_gap_or_duplicate(app: App) -> None:
    anna = await workshop(app)
    lines = [{"label": "Blat", "unit": "piece", "quantity": 1, "unitPrice": 100}]
    made = [await draft(anna, (await anna.order())["id"], lines=lines, buyer=BUYER) for _ in range(50)]
    responses = await asyncio.gather(*(anna.post(f"/invoices/{each['id']}/issue", {}) for each in made))
    assert {each.status_code for each in responses} == {200}
    numbers = {each.json()["number"] for each in responses}
    assert numbers == {f"FV {number}/{YEAR}" for number in range(1, 51)}


@pytest.mark.both_engines
async def test_issuing_an_order_twice_at_once_gives_one_invoice(app: App) -> None:
    anna = await workshop(app)
    order_id, _ = await order(anna)
    made = [await draft(anna, order_id, buyer=BUYER) for _ in range(4)]
    responses = await asyncio.gather(*(anna.post(f"/invoices/{each['id']}/issue", {}) for each in made))
    assert sorted(each.status_code for each in responses) == [200, 409, 409, 409]
    assert {each.json()["code"] for each in responses if each.status_code == 409} == {"invoiced"}


async def test_numbers_follow_the_days_of_issue(app: App) -> None:
    patterns = {"invoice": "F/{month}/{year}/{n}", "correction": "F {n}/{year} K"}
    anna = await workshop(app, invoiceNumbers=patterns)
    lines = [{"label": "Blat", "unit": "piece", "quantity": 1, "unitPrice": 100}]

    async def issue(day: str) -> Any:
        made = await draft(anna, (await anna.order())["id"], lines=lines, buyer=BUYER)
        return await anna.post(f"/invoices/{made['id']}/issue", {"issueDate": day})

    numbers = [(await issue(day)).json()["number"] for day in ("2026-02-20", "2026-03-02", "2026-02-20", "2026-03-02")]
    assert numbers == ["F/02/2026/1", "F/03/2026/1", "F/02/2026/2", "F/03/2026/2"]
    for day in ("2026-03-01", "2999-01-01"):
        refused = await issue(day)
        assert (refused.status_code, pointers(refused)) == (400, ["/issueDate"])


@pytest.mark.parametrize(
    "numbers",
    [
        {"invoice": "FV {year}"},
        {"invoice": "FV {n}"},
        {"invoice": "{n}{n}/{year}"},
        {"invoice": "{n}/{year} {day}"},
        {"invoice": "KOR {n}/{year}"},
        {"invoice": "A {n}/{year}", "final": "A {n}/{year}"},
    ],
)
async def test_patterns_of_numbers_have_their_places_and_differ(app: App, numbers: dict[str, str]) -> None:
    anna = await app.owner()
    path = f"/workshops/{anna.workshop}/document-settings"
    assert (await anna.put(path, SETTINGS | {"invoiceNumbers": numbers})).status_code == 400


async def test_a_correction_says_what_it_changes_and_what_is_left_to_pay(app: App) -> None:
    anna = await workshop(app)
    order_id, totals = await order(anna)
    invoice = await issued(anna, order_id, buyer=BUYER)
    await paid(anna, order_id, 200)
    made = exact(await anna.post(f"/invoices/{invoice['id']}/corrections", {"reason": "Godzina mniej"}))
    assert made["total"] == totals["total"]
    keep = ("label", "unit", "quantity", "unitPrice", "tax")
    lines = [{name: each[name] for name in keep} for each in made["lines"]]
    lines[1]["quantity"] = 6
    changed = exact(await anna.patch(f"/invoices/{made['id']}", {"lines": lines}))
    difference = changed["corrects"]["difference"]
    assert difference["total"] == changed["total"] - totals["total"] < 0
    assert difference["net"] + difference["tax"] == difference["total"]
    assert [part["net"] for part in difference["taxes"]] == [0, difference["net"]]
    correction = exact(await anna.post(f"/invoices/{made['id']}/issue", {}))
    assert correction["number"] == f"KOR 1/{YEAR}"
    assert await listed(anna, order_id) == [
        (invoice["number"], 200, changed["total"] - 200),
        (correction["number"], 0, 0),
    ]
    # The next one begins with the lines as they stand now.
    second = exact(await anna.post(f"/invoices/{correction['id']}/corrections", {"reason": "Nic"}))
    assert second["corrects"]["invoiceId"] == invoice["id"]
    assert second["total"] == correction["total"]
    rows = (await anna.get(f"/workshops/{anna.workshop}/invoices.csv?locale=en")).text.splitlines()
    gross = [Decimal(row.split(",")[12]) for row in rows[1:]]
    assert sum(gross) == correction["total"]


async def test_corrected_to_nothing_the_order_can_be_invoiced_anew(app: App) -> None:
    anna = await workshop(app)
    order_id, totals = await order(anna)
    invoice = await issued(anna, order_id, buyer=BUYER)
    made = (await anna.post(f"/invoices/{invoice['id']}/corrections", {"reason": "Zły nabywca"})).json()
    keep = ("label", "unit", "unitPrice", "tax")
    lines = [{name: each[name] for name in keep} | {"quantity": 0} for each in made["lines"]]
    nothing = exact(await anna.patch(f"/invoices/{made['id']}", {"lines": lines}))
    assert (nothing["total"], nothing["corrects"]["difference"]["total"]) == (0, -totals["total"])
    issued_ = await anna.post(f"/invoices/{made['id']}/issue", {})
    assert issued_.status_code == 200, issued_.text
    for format_ in ("cii", "ubl", "fa3"):
        assert (await anna.get(f"/invoices/{made['id']}/xml?format={format_}")).status_code == 200
    assert (await issued(anna, order_id, buyer=BUYER))["number"] == f"FV 2/{YEAR}"


# What the settings may say of a tax. The tax of an issued invoice is that of its day.
OF_SETTINGS: list[dict[str, Any]] = [{"taxPercent": 23}, {"taxPercent": 0}, {"taxKind": "exempt"}, {}]
NO_SUMS = {"net": 0, "tax": 0, "total": 0}


async def test_a_correction_that_changes_no_line_changes_no_sum(app: App) -> None:
    """Of an invoice, of one from an estimate, and of an advance, whose amount no net price gives; also once more."""
    anna = await app.owner()
    plain = {name: value for name, value in SETTINGS.items() if name != "taxPercent"} | {"exemptReason": "art. 113"}
    ways = ["of lines", "of an estimate", "advance of 100.08", "advance of 100.14", "final"]
    with violations() as case:
        for at, (before, after) in enumerate(itertools.permutations(OF_SETTINGS, 2)):
            way = ways[at % len(ways)]
            with case(f"{way}: {before}, then {after}"):
                await anna.put(f"/workshops/{anna.workshop}/document-settings", plain | before)
                invoice = await issued_in_way(anna, way)
                await anna.put(f"/workshops/{anna.workshop}/document-settings", plain | after)
                for _ in range(2):
                    made = exact(await anna.post(f"/invoices/{invoice['id']}/corrections", {"reason": "Adres"}))
                    await anna.patch(f"/invoices/{made['id']}", {"buyer": BUYER | {"address": "Inna 1"}})
                    correction = exact(await anna.post(f"/invoices/{made['id']}/issue", {}))
                    assert {name: correction["corrects"]["difference"][name] for name in NO_SUMS} == NO_SUMS
                    assert sums_of(correction) == sums_of(invoice)


async def issued_in_way(anna: Person, way: str) -> dict[str, Any]:
    lines = [{"label": "Blat", "unit": "piece", "quantity": 3, "unitPrice": 333.33}]
    if way == "of lines":
        return await issued(anna, (await anna.order())["id"], buyer=BUYER, lines=lines)
    order_id, _ = await order(anna, document={}, markupPercent=0, discountPercent=0)
    if way == "of an estimate":
        return await issued(anna, order_id, buyer=BUYER)
    amount = float(way.removeprefix("advance of ")) if way != "final" else 100.08
    first = await issued(anna, order_id, "advance", amount=amount, buyer=BUYER)
    return first if way != "final" else await issued(anna, order_id, "final", buyer=BUYER)


async def test_a_tax_of_nothing_is_a_tax(app: App) -> None:
    anna = await workshop(app, taxPercent=0)
    lines = [{"label": "Blat", "unit": "piece", "quantity": 1, "unitPrice": 10}]
    made = await draft(anna, (await anna.order())["id"], lines=lines)
    assert made["taxes"] == [{"label": "VAT", "percent": 0, "net": 10, "amount": 0}]


async def corrected_to(anna: Person, invoice: dict[str, Any], **of_lines: Any) -> Any:
    """The response to the issue of a correction, with these members in each line."""
    made = exact(await anna.post(f"/invoices/{invoice['id']}/corrections", {"reason": "Inaczej"}))
    keep = ("label", "unit", "quantity", "unitPrice", "tax")
    lines = [{name: line[name] for name in keep if name in line} | of_lines for line in made["lines"]]
    changed = await anna.patch(f"/invoices/{made['id']}", {"lines": lines})
    assert changed.status_code == 200, changed.text
    return await anna.post(f"/invoices/{made['id']}/issue", {})


async def test_one_invoice_of_an_order_stands_at_any_sum(app: App) -> None:
    """A final invoice of nothing or less, and one that a correction would bring back."""
    anna = await workshop(app)
    lines = [{"label": "Blat", "unit": "piece", "quantity": 1, "unitPrice": 100}]
    with violations() as case:
        with case("paid in advance altogether"):
            order_id, totals = await order(anna)
            await issued(anna, order_id, "advance", amount=totals["total"])
            assert (await issued(anna, order_id, "final"))["total"] == 0
            again = await draft(anna, order_id, "final")
            assert code_of(await anna.post(f"/invoices/{again['id']}/issue", {})) == (409, "invoiced")
        with case("less than the advances"):
            order_id, totals = await order(anna)
            await issued(anna, order_id, "advance", amount=totals["total"] - 1)
            less = await corrected_to(anna, await issued(anna, order_id, "final"), unitPrice=1)
            assert less.status_code == 200, less.text
            assert less.json()["total"] < 0
            again = await draft(anna, order_id, "final")
            assert code_of(await anna.post(f"/invoices/{again['id']}/issue", {})) == (409, "invoiced")
        with case("brought back"):
            order_id = (await anna.order())["id"]
            first = await issued(anna, order_id, lines=lines, buyer=BUYER)
            assert (await corrected_to(anna, first, quantity=0)).status_code == 200
            second = await issued(anna, order_id, lines=lines, buyer=BUYER)
            assert code_of(await corrected_to(anna, first, quantity=1)) == (409, "invoiced")
            assert (await corrected_to(anna, second, quantity=0)).status_code == 200
            assert (await corrected_to(anna, first, quantity=1)).status_code == 200


async def test_an_order_is_invoiced_in_one_currency_and_a_mistake_can_be_taken_back(app: App) -> None:
    """Also where another currency or a lower price was agreed since."""
    anna = await workshop(app)

    async def agreed_anew(estimate: str, **settings: Any) -> None:
        await anna.put(f"/workshops/{anna.workshop}/document-settings", SETTINGS | settings)
        assert (await anna.post(f"/estimates/{estimate}/confirm")).status_code == 201

    with violations() as case:
        with case("what an advance leaves"):
            order_id, _ = await order(anna)
            estimate = (await anna.get(f"/orders/{order_id}/details")).json()["estimateId"]
            first = await issued(anna, order_id, "advance", amount=100)
            drafted = await draft(anna, order_id, "final")
            await agreed_anew(estimate, currency="EUR")
            refused = await anna.post(f"/orders/{order_id}/invoices", {"kind": "final"})
            assert code_of(refused) == (409, "other_currency")
            assert code_of(await anna.post(f"/invoices/{drafted['id']}/issue", {})) == (409, "other_currency")
            another = await draft(anna, order_id, "advance", amount=1)
            assert code_of(await anna.post(f"/invoices/{another['id']}/issue", {})) == (409, "other_currency")
            assert (await corrected_to(anna, first, quantity=0)).status_code == 200
            await issued(anna, order_id)
        with case("without an estimate"):
            lines = [{"label": "Blat", "unit": "piece", "quantity": 1, "unitPrice": 100}]
            order_id = (await anna.order())["id"]
            await issued(anna, order_id, "advance", lines=lines, amount=10, buyer=BUYER)
            await anna.put(f"/workshops/{anna.workshop}/document-settings", SETTINGS | {"currency": "CZK"})
            refused = await anna.post(f"/orders/{order_id}/invoices", {"kind": "final", "lines": lines})
            assert code_of(refused) == (409, "other_currency")
        with case("a lower price"):
            await anna.put(f"/workshops/{anna.workshop}/document-settings", SETTINGS)
            order_id, _ = await order(anna)
            estimate = (await anna.get(f"/orders/{order_id}/details")).json()["estimateId"]
            invoice = await issued(anna, order_id)
            await anna.patch(f"/estimates/{estimate}", {"discountPercent": 50})
            await agreed_anew(estimate)
            made = (await anna.post(f"/invoices/{invoice['id']}/corrections", {"reason": "Adres"})).json()
            assert (await anna.post(f"/invoices/{made['id']}/issue", {})).status_code == 200
            assert code_of(await corrected_to(anna, invoice, quantity=50)) == (409, "over_invoiced")
            assert (await corrected_to(anna, invoice, quantity=1)).status_code == 200


async def test_a_correction_is_not_dated_before_what_it_corrects(app: App) -> None:
    anna = await workshop(app)
    order_id, _ = await order(anna)
    invoice = await issued(anna, order_id, buyer=BUYER)
    made = (await anna.post(f"/invoices/{invoice['id']}/corrections", {"reason": "Adres"})).json()
    early = await anna.post(f"/invoices/{made['id']}/issue", {"issueDate": "2020-01-01"})
    assert (early.status_code, pointers(early)) == (400, ["/issueDate"])


async def test_what_a_format_lacks_is_named(app: App) -> None:
    anna = await workshop(app, taxId="", country="PL")
    order_id, _ = await order(anna)
    invoice = await issued(anna, order_id, buyer={"name": "Meblex", "taxId": "5252248481"})
    refused = await anna.get(f"/invoices/{invoice['id']}/xml?format=fa3")
    assert code_of(refused) == (409, "incomplete")
    assert [each["pointer"] for each in refused.json()["errors"]] == ["/buyer/country", "/seller/taxId"]
    assert (await anna.get(f"/invoices/{invoice['id']}/pdf")).status_code == 200


async def test_issued_invoices_keep_order_estimate_workshop_and_account(app: App) -> None:
    anna = await workshop(app)
    order_id, _ = await order(anna)
    estimate = (await anna.get(f"/orders/{order_id}/details")).json()["estimateId"]
    made = await draft(anna, order_id)
    other_id, _ = await order(anna)
    await draft(anna, other_id)
    assert (await anna.delete(f"/orders/{other_id}")).status_code == 204
    assert (await anna.post(f"/invoices/{made['id']}/issue", {})).status_code == 200
    for path in (f"/orders/{order_id}", f"/estimates/{estimate}", f"/workshops/{anna.workshop}"):
        assert code_of(await anna.delete(path)) == (409, "has_invoices")
    assert (await anna.delete(f"/workshops/{anna.workshop}?withInvoices=true")).status_code == 204


async def test_what_keys_may_do_with_invoices(app: App) -> None:
    anna = await workshop(app)
    order_id, _ = await order(anna)
    program = await anna.integrator("invoices:write")
    made = await program.post(f"/orders/{order_id}/invoices", {"kind": "invoice"})
    assert made.status_code == 201
    path = f"/invoices/{made.json()['id']}"
    assert (await program.get(path)).status_code == 403
    assert (await program.post(f"{path}/issue", {})).status_code == 401
    reader = await anna.integrator("invoices:read")
    assert (await reader.get(path)).status_code == 200
    assert (await reader.get(f"/orders/{order_id}")).status_code == 403
    changes = (await reader.get(f"/workshops/{anna.workshop}/changes")).json()
    await anna.post(f"{path}/issue", {})
    seen = (await reader.get(f"/workshops/{anna.workshop}/changes?since={changes['cursor']}")).json()
    assert [each["state"] for each in seen["invoices"]] == ["issued"]
    assert seen["orders"] == []


async def test_a_list_finds_by_number_buyer_kind_state_and_day(app: App) -> None:
    anna = await workshop(app)
    first, _ = await order(anna)
    one = await issued(anna, first, buyer=BUYER)
    second, _ = await order(anna)
    two = await draft(anna, second, "advance", buyer={"name": "Łucja Żak"})
    path = f"/workshops/{anna.workshop}/invoices"
    for query, found in (
        ("", {one["id"], two["id"]}),
        ("?q=fv%201", {one["id"]}),
        ("?q=MEBLEX", {one["id"]}),
        ("?q=%25", set()),
        ("?kind=advance", {two["id"]}),
        ("?state=issued", {one["id"]}),
        (f"?from={one['issueDate']}&to={one['issueDate']}", {one["id"]}),
        ("?from=2999-01-01", set()),
    ):
        assert {each["id"] for each in (await anna.get(path + query)).json()["invoices"]} == found, query
    page = (await anna.get(f"{path}?limit=1")).json()
    rest = (await anna.get(f"{path}?limit=1&cursor={page['nextCursor']}")).json()
    assert [each["id"] for each in (*page["invoices"], *rest["invoices"])] == [two["id"], one["id"]]


async def test_an_overdue_invoice_is_reminded_of(app: App) -> None:
    anna = await workshop(app)
    order_id, _ = await order(anna)
    body = {"kind": "reminder", "locale": "en", "tone": "formal"}
    day = times.local_date(times.now(), "Europe/Warsaw") - timedelta(1)
    invoice = await issued(anna, order_id, dueDate=day.isoformat())
    await paid(anna, order_id, invoice["total"] - 5)
    drafted = await anna.post(f"/orders/{order_id}/message-draft", body)
    assert drafted.status_code == 200, drafted.text
    text = drafted.json()["body"]
    assert invoice["number"] in text
    assert "5.00" in text
    assert f"due on {day.day} " in text
    await paid(anna, order_id, 5)
    assert invoice["number"] not in (await anna.post(f"/orders/{order_id}/message-draft", body)).json()["body"]


async def test_an_erasure_keeps_issued_invoices_and_deletes_drafts(app: App) -> None:
    anna = await workshop(app)
    customer = (await anna.post(f"/workshops/{anna.workshop}/customers", {"name": "Łucja"})).json()["id"]
    order_id, _ = await order(anna)
    assert (await anna.patch(f"/orders/{order_id}/details", {"customerId": customer})).status_code == 200
    kept, gone = await issued(anna, order_id), await draft(anna, order_id)
    cursor = (await anna.get(f"/workshops/{anna.workshop}/changes")).json()["cursor"]
    erased = (await anna.post(f"/customers/{customer}/erase", {})).json()["kept"]
    assert [each for each in erased if each["kind"] == "invoice"] == [
        {"kind": "invoice", "id": kept["id"], "reason": "invoice"}
    ]
    assert (await anna.get(f"/invoices/{gone['id']}")).status_code == 404
    assert exact(await anna.get(f"/invoices/{kept['id']}")) == kept
    changes = (await anna.get(f"/workshops/{anna.workshop}/changes?since={cursor}")).json()
    assert {"kind": "invoice", "id": gone["id"]} in changes["removed"]


@pytest.mark.both_engines
async def test_merged_customers_share_their_invoices(app: App) -> None:
    anna = await workshop(app)
    path = f"/workshops/{anna.workshop}/customers"
    first, other = [(await anna.post(path, {"name": name})).json()["id"] for name in ("Łucja", "Ł. Nowak")]
    order_id, _ = await order(anna)
    assert (await anna.patch(f"/orders/{order_id}/details", {"customerId": other})).status_code == 200
    invoice = await issued(anna, order_id)
    of_first = f"/workshops/{anna.workshop}/invoices?customerId={first}"
    assert (await anna.get(of_first)).json()["invoices"] == []
    assert (await anna.post(f"/customers/{first}/merge", {"fromId": other})).status_code == 200
    assert [each["id"] for each in (await anna.get(of_first)).json()["invoices"]] == [invoice["id"]]
    assert (await anna.post(f"/customers/{first}/unmerge", {"fromId": other})).status_code == 200
    assert (await anna.get(of_first)).json()["invoices"] == []


async def test_an_import_is_not_undone_where_what_it_made_has_an_invoice(app: App) -> None:
    """An order of it stays, with its invoice."""
    anna = await workshop(app)
    proposed = await proposal(anna, "Title,Customer\nStół,Łucja\nKrzesło,Jan\n", kind="orders")
    assert (await anna.post(f"/imports/{proposed['id']}/run")).status_code == 200
    orders = (await anna.get(f"/workshops/{anna.workshop}/orders")).json()["orders"]
    [table] = [each["id"] for each in orders if each["title"] == "Stół"]
    await draft(anna, table, lines=[{"label": "Stół", "unit": "piece", "quantity": 1, "unitPrice": 5}])
    assert (await anna.post(f"/imports/{proposed['id']}/undo")).status_code == 200
    orders = (await anna.get(f"/workshops/{anna.workshop}/orders")).json()["orders"]
    assert [each["title"] for each in orders] == ["Stół"]


# Decimals of the currency, and what prices are.
WAYS = [
    (currency, entered)
    for currency in ("PLN", "JPY", "KWD")
    for entered in ({}, {"pricesShown": "gross"}, {"pricesEntered": "gross"})
]


async def accepted_ones_are_invoiced_as_they_are(app: App, seed: int, count: int) -> None:
    """Each invoice has the sums of its revision; an advance and what it leaves add up to them."""
    number = random.Random(seed)
    currency, entered = WAYS[seed % len(WAYS)]
    anna = await workshop(app, currency=currency, **entered)
    places = {"PLN": 2, "JPY": 0, "KWD": 3}[currency]
    for _ in range(count):
        lines = [
            {
                "id": str(at),
                "label": f"Line {at}",
                "unit": number.choice(["hour", "piece", "sqm"]),
                "unitPrice": number.randint(1, 500_000) / 10**places,
                "quantity": number.choice([0.25, 1, 1, 2.5, 7]),
            }
            for at in range(number.choice([1, 2, 5, 40, 500 if number.random() < 0.02 else 8]))
        ]
        rates: list[Any] = [8, 5, 0, "exempt", "reverse_charge"]
        taxes = {line["id"]: number.choice(rates) for line in lines if number.random() < 0.4}
        document = {"lineTaxes": taxes} if taxes else {}
        percents = {name: number.choice([0, 0, 10, 12.5, 33.33]) for name in ("markupPercent", "discountPercent")}
        order_id, totals = await order(anna, document=document, lineItems=lines, **percents)
        if not totals["total"]:
            continue
        if number.random() < 0.5:
            assert sums_of(await issued(anna, order_id, buyer=BUYER)) == sums_of(totals)
            continue
        amount = (Decimal(totals["total"]) / number.randint(2, 9)).quantize(Decimal(1).scaleb(-places))
        if not amount:
            continue
        first = await issued(anna, order_id, "advance", amount=amount, buyer=BUYER)
        left = await issued(anna, order_id, "final", buyer=BUYER)
        assert first["total"] == amount
        for name in ("net", "tax", "total"):
            assert first[name] + left[name] == totals[name]


def sums_of(totals: Sums) -> Sums:
    """All but how markup and discount are shown."""
    by_rate = [(each["net"], each["amount"]) for each in totals["taxes"]]
    return {name: totals[name] for name in ("net", "tax", "total")} | {"taxes": by_rate}


async def test_invoices_have_the_sums_of_what_was_accepted(app: App) -> None:
    for seed in range(len(WAYS)):
        await accepted_ones_are_invoiced_as_they_are(app, seed, 2)


@pytest.mark.prove
@pytest.mark.parametrize("seed", range(90))
async def test_ten_thousand_invoices_have_the_sums_of_what_was_accepted(app: App, seed: int) -> None:
    """On each engine."""
    await accepted_ones_are_invoiced_as_they_are(app, 100 + seed, 112)


async def test_what_stands_in_the_way_of_a_file_is_named_before_issuing(app: App) -> None:
    anna = await workshop(app, taxId="DE123456789")
    made = await draft(anna, (await order(anna))[0], buyer={"name": "Meblex", "taxId": "5252248481"})
    refused = await anna.get(f"/invoices/{made['id']}/xml?format=fa3")
    assert code_of(refused) == (409, "draft")
    assert [each["pointer"] for each in refused.json()["errors"]] == ["/buyer/country", "/seller/taxId"]
    refused = await anna.get(f"/invoices/{made['id']}/xml?format=cii")
    assert [each["pointer"] for each in refused.json()["errors"]] == ["/buyer/country"]


@pytest.mark.both_engines
async def test_a_key_without_the_scope_hears_nothing_of_unpaid_invoices(app: App) -> None:
    anna = await workshop(app)
    order_id, _ = await order(anna)
    path = f"/workshops/{anna.workshop}/changes?include=inbox"
    program = await anna.integrator("orders:read", "estimates:read")
    cursor = (await anna.get(path)).json()["cursor"]
    invoice = await issued(anna, order_id, dueDate="2026-01-02")
    assert f"unpaid.{invoice['id']}" in (await anna.get(f"{path}&since={cursor}")).text
    assert f"unpaid.{invoice['id']}" not in (await program.get(f"{path}&since={cursor}")).text


async def test_a_correction_undoes_no_other_that_was_issued_since_its_draft(app: App) -> None:
    """Nor is any draft issued otherwise than as it was read, where the request says as what."""
    anna = await workshop(app)
    shelf = {"label": "Półka", "unit": "piece", "quantity": 2, "unitPrice": 100}
    leg = {"label": "Noga", "unit": "piece", "quantity": 1, "unitPrice": 50}
    other = BUYER | {"name": "Meblex S.A."}

    async def two_drafts(**changed: Any) -> tuple[dict[str, Any], Any, Any]:
        """An invoice, a draft of a correction of it with these members, and the response to the issue of another."""
        invoice = await issued(anna, (await anna.order())["id"], lines=[shelf, leg], buyer=BUYER)
        path = f"/invoices/{invoice['id']}/corrections"
        first, second = [(await anna.post(path, {"reason": "Inaczej"})).json() for _ in range(2)]
        assert (await anna.patch(f"/invoices/{second['id']}", changed)).status_code == 200
        body = {"lines": [shelf, leg | {"quantity": 0}], "buyer": BUYER | {"address": "Nowa 1"}}
        assert (await anna.patch(f"/invoices/{first['id']}", body)).status_code == 200
        return invoice, second, exact(await anna.post(f"/invoices/{first['id']}/issue", {}))

    with violations() as case:
        for changed in ({"buyer": other}, {"lines": [shelf | {"quantity": 1}, leg]}, {"notes": "Pilne"}):
            with case(f"changed: {[*changed]}"):
                invoice, made, standing = await two_drafts(**changed)
                path = f"/invoices/{made['id']}"
                refused = await anna.post(f"{path}/issue", {})
                assert code_of(refused) == (409, "changed")
                # Also with lines that are sent once more.
                assert (await anna.patch(path, {"lines": [shelf, leg]})).status_code == 200
                assert code_of(await anna.post(f"{path}/issue", {})) == (409, "changed")
                again = exact(await anna.patch(path, {"lines": None, "buyer": None}))
                assert (again["lines"], again["buyer"]) == (standing["lines"], standing["buyer"])
                assert (again["corrects"]["before"]["total"], again["corrects"]["difference"]["total"]) == (246, 0)
                assert (await anna.post(f"{path}/issue", {})).status_code == 200
                assert sum(each[2] for each in await listed(anna, invoice["orderId"])) == 246
        with case("a final invoice whose advance was corrected"):
            order_id, _ = await order(anna)
            first = await issued(anna, order_id, "advance", amount=100, buyer=BUYER)
            path = f"/invoices/{(await draft(anna, order_id, 'final'))['id']}"
            seen = (await anna.get(path)).headers["etag"]
            assert (await corrected_to(anna, first, quantity=0)).status_code == 200
            assert (await anna.post(f"{path}/issue", {}, if_match=seen)).status_code == 412


@pytest.mark.both_engines
async def test_of_two_corrections_that_are_issued_at_once_one_is(app: App) -> None:
    anna = await workshop(app)
    order_id, _ = await order(anna)
    path = f"/invoices/{(await issued(anna, order_id, buyer=BUYER))['id']}/corrections"
    drafts = [(await anna.post(path, {"reason": "Adres"})).json()["id"] for _ in range(3)]
    found = await asyncio.gather(*(anna.post(f"/invoices/{id_}/issue", {}) for id_ in drafts))
    assert sorted(each.json().get("code", "") for each in found) == ["", "changed", "changed"]


async def test_days_of_money_are_of_this_century(app: App) -> None:
    """An issued invoice and a payment are never edited: a year that was typed in part is refused, not kept."""
    anna = await workshop(app)
    order_id, _ = await order(anna)
    made = await draft(anna, order_id, buyer=BUYER)
    payment = {"kind": "payment", "amount": 1, "method": "cash"}
    with violations() as case:
        for year in ("0026", "0001", "0202", "1999", "2126", "9999"):
            day = f"{year}-11-30"
            for name, response in (
                ("saleDate", await anna.post(f"/orders/{order_id}/invoices", {"kind": "invoice", "saleDate": day})),
                ("dueDate", await anna.patch(f"/invoices/{made['id']}", {"dueDate": day})),
                ("issueDate", await anna.post(f"/invoices/{made['id']}/issue", {"issueDate": day})),
                ("receivedOn", await anna.post(f"/orders/{order_id}/payments", payment | {"receivedOn": day})),
            ):
                with case(f"{name} {day}"):
                    assert response.status_code == 400, response.text
                    errors = [(each["pointer"], each["code"]) for each in response.json()["errors"]]
                    assert errors == [(f"/{name}", "year")]
        with case("no day"):
            response = await anna.patch(f"/invoices/{made['id']}", {"dueDate": "2026-02-30"})
            assert [each["code"] for each in response.json()["errors"]] == ["malformed"]
        for days, missing in (
            ({"saleDate": "2005-12-31"}, ["/saleDate"]),
            ({"saleDate": "2006-01-01", "dueDate": "2016-07-01"}, []),
            ({"saleDate": "2050-01-02", "dueDate": "2016-06-30"}, ["/saleDate", "/dueDate"]),
            ({"saleDate": "2050-01-01", "dueDate": "2050-01-01"}, []),
            ({"dueDate": "2099-12-31"}, ["/dueDate"]),
        ):
            with case(f"FA(3) with {days}"):
                invoice = await issued(anna, (await order(anna))[0], buyer=BUYER, **days)
                file = await anna.get(f"/invoices/{invoice['id']}/xml?format=fa3")
                if missing:
                    assert code_of(file) == (409, "incomplete")
                    assert [each["pointer"] for each in file.json()["errors"]] == missing
                else:
                    assert broken_rules(file.content, "fa3") == []
