"""Prices entered with tax, over the API: kept with an estimate, and the same total wherever one is shown."""

import csv
import io
import json
import random
from decimal import Decimal
from fractions import Fraction
from functools import partial
from typing import Any

import msgspec
import pytest

from backbench.engine.database import Write
from backbench.estimating.line_items import Figures, LineItem
from backbench.values import numbers
from backbench.values.numbers import to_json_text
from tests.connections.test_mcp import agent, call
from tests.documents import gross_estimates
from tests.documents.gross_estimates import GeneratedEstimate
from tests.documents.test_old_revisions import RULES_2
from tests.estimating.test_document_options import pdf_of, shown
from tests.people import App, Person, pointers
from tests.support.counted_data import assert_counted
from tests.support.shared_links import client_of

CHAIRS = [{"id": "chair", "label": "Chair", "unit": "piece", "unitPrice": 150, "quantity": 7}]


async def set_up(person: Person, **settings: Any) -> None:
    body = {"currency": "PLN", "taxPercent": 23, "timeZone": "Europe/Warsaw", **settings}
    response = await person.put(f"/workshops/{person.workshop}/document-settings", body)
    assert response.status_code == 200, response.text


async def document(person: Person, path: str) -> Any:
    return (await person.get(f"{path}/document")).json()


async def test_an_estimate_has_the_kind_of_prices_that_the_workshop_had(app: App) -> None:
    anna = await app.owner()
    await set_up(anna, pricesEntered="gross")
    of_gross = f"/estimates/{(await anna.estimate(lineItems=CHAIRS))['id']}"
    await set_up(anna)
    of_net = f"/estimates/{(await anna.estimate(lineItems=CHAIRS))['id']}"

    assert await document(anna, of_gross) == {"pricesEntered": "gross"}
    assert await document(anna, of_net) == {}
    totals = [(await anna.get(f"{path}/totals")).json() for path in (of_gross, of_net)]
    assert [each.get("pricesShown") for each in totals] == ["gross", None]
    assert [each["total"] for each in totals] == [1050, 1291.5]
    # A copy has that of its source also when the settings have changed.
    for settings in ({}, {"pricesEntered": "gross"}):
        await set_up(anna, **settings)
        copies = [f"/estimates/{(await anna.post(f'{path}/duplicate')).json()['id']}" for path in (of_gross, of_net)]
        assert [await document(anna, path) for path in copies] == [{"pricesEntered": "gross"}, {}]
    await assert_counted(app, anna.workshop)


async def test_an_agent_makes_an_estimate_of_the_prices_of_the_workshop(app: App) -> None:
    anna = await app.owner()
    await set_up(anna, pricesEntered="gross")
    program = await agent(anna)
    made = (await call(program, "create_estimate", name="Chairs"))["structuredContent"]
    await call(program, "add_line", estimateId=made["id"], **CHAIRS[0])
    read = (await call(program, "get_estimate", estimateId=made["id"]))["structuredContent"]
    totals = (await call(program, "get_totals", estimateId=made["id"]))["structuredContent"]

    assert read["details"] == await document(anna, f"/estimates/{made['id']}") == {"pricesEntered": "gross"}
    assert (totals["pricesShown"], totals["total"], totals["tax"]) == ("gross", 1050, 196.34)


async def test_document_facts_without_prices_entered_leave_it(app: App) -> None:
    anna = await app.owner()
    await set_up(anna)
    path = f"/estimates/{(await anna.estimate(lineItems=CHAIRS))['id']}"
    replaced = await anna.put(f"{path}/document", {"pricesEntered": "gross", "intro": "Hello"})
    assert replaced.json() == {"pricesEntered": "gross", "intro": "Hello"}

    left = await anna.put(f"{path}/document", {"leadTime": "Soon"})
    assert left.json() == {"pricesEntered": "gross", "leadTime": "Soon"} == await document(anna, path)
    assert left.headers["etag"] == (await anna.get(f"{path}/document")).headers["etag"]
    assert (await anna.put(f"{path}/document", {"pricesEntered": "net"})).json() == {} == await document(anna, path)
    # What the prices mean has changed, not the prices.
    assert (await anna.get(path)).json()["lineItems"] == CHAIRS


async def test_prices_entered_with_tax_are_not_shown_without(app: App) -> None:
    anna = await app.owner()
    both = {"pricesEntered": "gross", "pricesShown": "net"}
    settings = f"/workshops/{anna.workshop}/document-settings"
    path = f"/estimates/{(await anna.estimate(lineItems=CHAIRS))['id']}"
    refused = [
        await anna.put(settings, {"currency": "PLN", **both}),
        await anna.put(f"{path}/document", both),
    ]
    assert (await anna.put(f"{path}/document", {"pricesEntered": "gross"})).status_code == 200
    refused.append(await anna.put(f"{path}/document", {"pricesShown": "net"}))

    assert [(each.status_code, pointers(each)) for each in refused] == [(400, ["/pricesShown"])] * 3
    assert {each.json()["errors"][0]["code"] for each in refused} == {"conflict"}
    assert await document(anna, path) == {"pricesEntered": "gross"}
    response = await anna.put(f"{path}/document", {"pricesEntered": "net", "pricesShown": "net"})
    assert response.json() == {"pricesShown": "net"}


async def test_settings_that_show_net_prices_do_not_change_what_was_entered_gross(app: App) -> None:
    anna = await app.owner()
    await set_up(anna, pricesEntered="gross")
    path = f"/estimates/{(await anna.estimate(lineItems=CHAIRS))['id']}"
    await set_up(anna, pricesShown="net")

    assert (await anna.get(f"{path}/totals")).json()["pricesShown"] == "gross"
    assert (await total_of_summary(anna, path)) == 1050


async def total_of_summary(person: Person, path: str) -> Any:
    summaries = (await person.get(f"/workshops/{person.workshop}/estimate-summaries")).json()["summaries"]
    (found,) = [each for each in summaries if path.endswith(each["estimateId"])]
    return found["total"]


async def test_a_part_without_tax_has_a_row_of_its_own(app: App) -> None:
    anna = await app.owner()
    await set_up(anna, pricesEntered="gross")
    lines = [*CHAIRS, *({**CHAIRS[0], "id": id_, "unitPrice": 47.5} for id_ in ("exempt", "outside"))]
    path = f"/estimates/{(await anna.estimate(lineItems=lines))['id']}"
    facts = {"lineTaxes": {"exempt": "exempt", "outside": "outside"}, "depositPercent": 30}
    assert (await anna.put(f"{path}/document", facts)).status_code == 200
    assert (await anna.get(f"{path}/totals")).json()["taxes"] == [
        {"label": "VAT", "percent": 23, "net": 853.66, "amount": 196.34},
        {"kind": "exempt", "net": 332.5, "amount": 0},
        {"kind": "outside", "net": 332.5, "amount": 0},
    ]
    assert (await anna.post(f"{path}/confirm")).status_code == 201
    text, _ = await pdf_of(anna, path)
    assert "of which VAT 23% on 853.66 196.34 Exempt from VAT 332.50 Outside the scope of VAT 332.50" in text
    polish, _ = await pdf_of(anna, path, locale="pl")
    assert "w tym VAT 23% od 853,66 zł 196,34 zł Zwolnione z VAT 332,50 zł Nie podlega VAT 332,50 zł" in polish
    assert "Zaliczka 30%, przy zamówieniu 514,50 zł" in polish


async def test_gross_amounts_are_left_out_next_to_a_row_of_percent(app: App) -> None:
    anna = await app.owner()
    await set_up(anna)
    lines = [CHAIRS[0], {**CHAIRS[0], "id": "reduced"}]
    path = f"/estimates/{(await anna.estimate(lineItems=lines, markupPercent=10))['id']}"
    assert (await anna.put(f"{path}/document", {"lineTaxes": {"reduced": 8}})).status_code == 200

    hidden = await shown(anna, path)
    assert [line["grossAmount"] for line in hidden["lines"]] == ["1420.65", "1247.4"]
    rows = await shown(anna, path, toggles={"showMarkup": True})
    assert ["grossAmount" in line for line in rows["lines"]] == [False, False]


@pytest.mark.parametrize("seed", range(6))
async def test_a_total_is_the_same_wherever_it_is_shown(app: App, seed: int) -> None:
    anna = await app.owner()
    generator = random.Random(seed)
    for _ in range(2):
        estimate = gross_estimates.generated(generator)
        await check(anna, estimate, gross_estimates.figures(estimate))


async def check(person: Person, estimate: GeneratedEstimate, expected: gross_estimates.Figures) -> None:
    path = await estimate_of(person, estimate)
    total = expected.total
    totals = (await person.get(f"{path}/totals")).json()
    check_totals(totals, expected)
    assert exact(await total_of_summary(person, path)) == total
    draft = (await person.post(f"{path}/message-draft", DRAFT)).json()["body"]
    sent = await shown(person, path, toggles={"showMarkup": True, "showDiscount": True})
    assert exact(sent["sums"]["total"]) == total
    assert [exact(line["unitPrice"]) for line in sent["lines"]] == expected.prices
    assert [exact(line["amount"]) for line in sent["lines"]] == expected.amounts
    check_totals((await person.get(f"{path}/revisions/1/totals")).json(), expected)
    summaries = (await person.get(f"/workshops/{person.workshop}/estimate-summaries")).json()["summaries"]
    assert [exact(each["latestRevision"]["total"]) for each in summaries if path.endswith(each["estimateId"])] == [
        total
    ]
    assert (await person.post(f"{path}/message-draft", DRAFT)).json()["body"] == draft
    text, _ = await pdf_of(person, path)
    in_words = f"{float(total):,.{gross_estimates.DIGITS[estimate.currency]}f}"
    assert in_words in text
    assert in_words in draft
    await check_order(person, path, total)


def check_totals(totals: Any, expected: gross_estimates.Figures) -> None:
    assert totals["pricesShown"] == "gross"
    names = ("subtotal", "markup", "discount", "total")
    assert [exact(totals[name]) for name in names] == [getattr(expected, name) for name in names]
    assert [exact(line["amount"]) for line in totals["lines"]] == expected.amounts
    assert exact(totals["tax"]) == sum(part.amount for part in expected.parts)
    assert exact(totals["net"]) == expected.total - exact(totals["tax"])


async def check_order(person: Person, path: str, total: Fraction) -> None:
    """Of an order: the price limit, what was agreed, its board, the inbox and the CSV file."""
    order = (await person.post(f"{path}/orders", {})).json()
    details = f"/orders/{order['id']}/details"
    limited = [await person.patch(details, {"priceLimit": float(total) + more}) for more in (0, -0.5)]
    assert [each.json().get("exceedsLimit") for each in limited] == [None, True]
    balance = (await person.get(f"/orders/{order['id']}/balance")).json()
    assert exact(balance["agreed"]) == exact(balance["due"]) == total
    board = (await person.get(f"/workshops/{person.workshop}/order-summaries")).json()["summaries"]
    assert [exact(each["agreed"]["total"]) for each in board if each["orderId"] == order["id"]] == [total]
    inbox = (await person.get(f"/workshops/{person.workshop}/inbox")).json()["items"]
    assert order["id"] in [each.get("orderId") for each in inbox if each["kind"] == "over_limit"]
    response = await person.get(f"/workshops/{person.workshop}/orders.csv")
    rows = list(csv.DictReader(io.StringIO(response.content.decode("utf-8-sig"))))
    assert [exact(row["Agreed, gross"]) for row in rows if row["Id"] == order["id"]] == [total]


DRAFT = {"locale": "en", "tone": "formal", "preliminary": False}


async def estimate_of(person: Person, estimate: GeneratedEstimate) -> str:
    """The path of the estimate, whose prices are entered or shown with tax."""
    percent = {"taxPercent": float(estimate.tax), "currency": estimate.currency}
    await set_up(
        person, **percent, **({"pricesEntered": "gross"} if estimate.is_entered_gross else {"pricesShown": "gross"})
    )
    lines = [
        {"id": f"l{at}", "label": f"Item {at}", "unit": "piece", "unitPrice": float(price), "quantity": float(quantity)}
        for at, (price, quantity, _) in enumerate(estimate.lines)
    ]
    percents = {"markupPercent": float(estimate.markup), "discountPercent": float(estimate.discount)}
    path = f"/estimates/{(await person.estimate(lineItems=lines, **percents))['id']}"
    taxes = {f"l{at}": tax_of(line.tax) for at, line in enumerate(estimate.lines) if line.tax != estimate.tax}
    assert (await person.put(f"{path}/document", {"lineTaxes": taxes} if taxes else {})).status_code == 200
    return path


def tax_of(tax: str) -> float | str:
    return float(tax) if gross_estimates.rate(tax) or tax == "0" else tax


def exact(value: Any) -> Fraction:
    """Of a number of JSON, or of a text of decimals."""
    return Fraction(Decimal(str(value)))


@pytest.mark.parametrize("start", range(3))
async def test_a_stored_revision_by_earlier_rules_is_served_as_it_was(app: App, start: int) -> None:
    """Its totals, wherever they are shown, and the hash of what its link shows."""
    anna = await app.owner()
    await set_up(anna, pricesEntered="gross")
    for case in RULES_2[start::6]:
        path = f"/estimates/{(await anna.estimate(lineItems=CHAIRS))['id']}"
        for _ in range(2):
            assert (await anna.post(f"{path}/confirm")).status_code == 201
        await app.db.write(partial(store, estimate_id=path.rpartition("/")[2], stored=case["stored"]))
        assert (await anna.get(f"{path}/revisions/2/totals")).json() == case["totals"]
        summaries = (await anna.get(f"/workshops/{anna.workshop}/estimate-summaries")).json()["summaries"]
        latest = [each["latestRevision"] for each in summaries if path.endswith(each["estimateId"])]
        assert [exact(each["total"]) for each in latest] == [exact(case["total"])]
        order = (await anna.post(f"{path}/orders", {})).json()
        assert exact((await anna.get(f"/orders/{order['id']}/balance")).json()["agreed"]) == exact(case["total"])
        link = {"locale": case["locale"], "toggles": case["toggles"]}
        created = (await anna.post(f"{path}/links", link)).json()
        sent = await client_of(app, created["url"]).get("/client/estimate")
        assert sent.json()["documentHash"] == case["documentHash"]


async def store(db: Write, estimate_id: str, stored: Any) -> None:
    """Makes a stored revision of the latest one of the estimate."""
    revision = stored["revision"]
    values = {name: json.dumps(stored[name], ensure_ascii=False) for name in ("terms", "facts", "snapshot")}
    items = msgspec.convert(revision["lineItems"], list[LineItem], dec_hook=read_number)
    await db.run(
        """
        UPDATE revisions SET name = :name, recipient_name = :recipient, markup_percent = :markup,
            discount_percent = :discount, line_items = :items, terms = :terms, facts = :facts, snapshot = :snapshot,
            figures = :figures WHERE estimate_id = :id AND revision_number = 2
        """,
        id=estimate_id,
        name=revision["name"],
        recipient=stored["recipient_name"],
        markup=str(revision["markupPercent"]),
        discount=str(revision["discountPercent"]),
        items=to_json_text(items),
        figures=str(Figures.of(items)),
        **values,
    )


def read_number(type_: type, value: Any) -> Any:
    return numbers.read(type_, Decimal(str(value)) if isinstance(value, float) else value)


async def test_a_revision_from_before_terms_has_the_tax_on_net_prices(app: App) -> None:
    anna = await app.owner()
    await set_up(anna)
    path = f"/estimates/{(await anna.estimate(lineItems=CHAIRS))['id']}"
    assert (await anna.post(f"{path}/confirm")).status_code == 201

    async def forget_terms(db: Write) -> None:
        await db.run("UPDATE revisions SET terms = NULL WHERE estimate_id = :id", id=path.rpartition("/")[2])

    await app.db.write(forget_terms)
    await set_up(anna, pricesShown="gross")
    (summary,) = (await anna.get(f"/workshops/{anna.workshop}/estimate-summaries")).json()["summaries"]
    order = (await anna.post(f"{path}/orders", {})).json()
    assert summary["latestRevision"]["total"] == 1291.5
    assert (await anna.get(f"/orders/{order['id']}/balance")).json()["agreed"] == 1291.5
    assert (await anna.get(f"{path}/revisions/1/totals")).json()["total"] == 1291.5
