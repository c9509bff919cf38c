"""Options of documents: kinds of tax, gross prices, titles, deposits, sections and withdrawal, over the API."""

from typing import Any
from urllib.parse import unquote

import pytest

from backbench.sharing.decisions import NewAcceptance
from tests.integrations.pdf.pdf_text import text_of
from tests.people import App, Person

LINES = [
    {"id": "oak", "label": "Oak table", "unit": "piece", "unitPrice": 1000, "quantity": 1},
    {"id": "work", "label": "Labour", "unit": "hour", "unitPrice": 50, "quantity": 4},
]


async def estimate_with(person: Person, settings: dict[str, Any], **facts: Any) -> str:
    """The path of an estimate with these facts, in a workshop with these document settings."""
    created = await person.estimate(name="Table", lineItems=LINES)
    base = {"currency": "PLN", "taxPercent": 23, "timeZone": "Europe/Warsaw"}
    workshop = f"/workshops/{created['workshopId']}/document-settings"
    assert (await person.put(workshop, {**base, **settings})).status_code == 200
    path = f"/estimates/{created['id']}"
    response = await person.put(f"{path}/document", facts)
    assert (response.status_code, response.json()) == (200, facts)
    return path


async def shown(person: Person, path: str, **link: Any) -> Any:
    """What the client page gets of the confirmed estimate."""
    assert (await person.post(f"{path}/confirm")).status_code in (200, 201)
    created = (await person.post(f"{path}/links", {"locale": "en", **link})).json()
    token = created["url"].partition("#")[2]
    return (await person.get("/client/estimate", authorization=f"Bearer {token}")).json()


async def pdf_of(person: Person, path: str, **body: Any) -> tuple[str, str]:
    """The text and the file name of a PDF of the confirmed estimate."""
    created = await person.post(f"{path}/pdf-exports", {"locale": "en", "preliminary": False, **body})
    response = await person.get(f"{path}/pdf-exports/{created.json()['id']}")
    name = unquote(response.headers["content-disposition"].partition("filename*=UTF-8''")[2])
    return " ".join(text_of(response.content).replace("\u00a0", " ").split()), name


@pytest.mark.parametrize(
    ("kind", "printed"),
    [
        ("exempt", "VAT exempt –"),
        ("reverse_charge", "VAT: reverse charge –"),
        ("outside", "Outside the scope of VAT –"),
    ],
)
async def test_a_kind_that_is_no_rate_has_a_row_without_percent(app: App, kind: str, printed: str) -> None:
    anna = await app.owner()
    path = await estimate_with(anna, {}, taxKind=kind, taxNote="Article 113.")
    rows = [{"kind": kind, "net": 1200, "amount": 0}]

    totals = (await anna.get(f"{path}/totals")).json()
    assert (totals["taxes"], totals["tax"], totals["total"]) == (rows, 0, 1200)
    document = await shown(anna, path)
    assert document["sums"]["taxes"] == [{"kind": kind, "net": "1200", "amount": "0"}]
    assert (await anna.get(f"{path}/revisions/1/totals")).json()["taxes"] == rows
    text, _ = await pdf_of(anna, path)
    assert printed in text
    assert "Article 113." in text
    assert "Total PLN 1,200.00" in text


async def test_lines_have_kinds_of_their_own_and_unknown_lines_are_ignored(app: App) -> None:
    anna = await app.owner()
    path = await estimate_with(anna, {}, lineTaxes={"work": "exempt", "gone": "outside"}, sections={"gone": "Nowhere"})

    assert (await anna.get(f"{path}/totals")).json()["taxes"] == [
        {"label": "VAT", "percent": 23, "net": 1000, "amount": 230},
        {"kind": "exempt", "net": 200, "amount": 0},
    ]
    document = await shown(anna, path)
    assert [line.get("taxKind") for line in document["lines"]] == [None, "exempt"]
    assert [line["grossAmount"] for line in document["lines"]] == ["1230", "200"]
    assert "sections" not in document


async def test_gross_prices_are_those_of_the_totals(app: App) -> None:
    anna = await app.owner()
    path = await estimate_with(anna, {"pricesShown": "gross"}, sections={"work": "Workshop"})
    totals = (await anna.get(f"{path}/totals")).json()

    document = await shown(anna, path)
    assert (totals["pricesShown"], totals["net"], totals["tax"], totals["total"]) == ("gross", 1200, 276, 1476)
    assert [line["amount"] for line in totals["lines"]] == [1230, 246]
    assert [(line["unitPrice"], line["amount"]) for line in document["lines"]] == [("1230", "1230"), ("61.5", "246")]
    assert document["sections"] == [{"heading": "Workshop", "first": 1, "lines": 1, "amount": "246"}]
    assert (document["sums"]["prices"], document["sums"]["subtotal"]) == ("gross", "1476")
    text, _ = await pdf_of(anna, path)
    assert "Total incl. VAT PLN 1,476.00 of which VAT 23% 276.00" in text


async def test_facts_override_the_settings_and_confirming_stores_both(app: App) -> None:
    anna = await app.owner()
    settings = {"taxKind": "exempt", "documentTitle": "quotation", "withdrawal": "bespoke", "depositKind": "earnest"}
    settings["privacyUrl"] = "https://workshop.example/privacy"
    path = await estimate_with(anna, settings, depositAmount=300)
    document = await shown(anna, path)

    assert document["documentTitle"] == "quotation"
    assert document["sums"]["deposit"] == {"amount": "300", "kind": "earnest", "balance": "900"}
    assert "specification" in document["withdrawal"]
    assert document["letterhead"]["privacyUrl"] == settings["privacyUrl"]
    assert document["consent"]["text"].startswith("I accept this quotation and order the work")
    text, name = await pdf_of(anna, path)
    assert name.startswith("Quotation 1-")
    assert "QUOTATION" in text
    assert "Earnest money, with the order 300.00 Balance on completion 900.00" in text
    assert "is the controller of this data" in text
    # A percentage of one's own is a rate, and what is changed later changes no revision.
    changed = {"taxPercent": 8, "documentTitle": "cost_estimate", "withdrawal": "none"}
    assert (await anna.put(f"{path}/document", changed)).status_code == 200
    assert (await anna.get(f"{path}/totals")).json()["tax"] == 96
    again, _ = await pdf_of(anna, path, revisionNumber=1)
    assert again == text


async def test_lines_without_prices_and_without_lines(app: App) -> None:
    anna = await app.owner()
    path = await estimate_with(anna, {}, breakdown="unpriced", sections={"oak": "Furniture"})
    document = await shown(anna, path)

    assert document["lines"][0] == {"label": "Oak table", "quantity": "1", "unit": "piece"}
    assert document["sections"] == [{"heading": "Furniture", "first": 0, "lines": 2}]
    text, _ = await pdf_of(anna, path)
    assert "1,000.00" not in text
    assert "Oak table" in text
    # The toggle turns the lines off.
    off, _ = await pdf_of(anna, path, toggles={"breakdown": False})
    assert "Oak table" not in off


async def test_a_client_asks_for_an_early_start_where_it_is_offered(app: App) -> None:
    anna = await app.owner()

    async def accept(path: str, **more: Any) -> Any:
        assert (await anna.post(f"{path}/confirm")).status_code in (200, 201)
        created = (await anna.post(f"{path}/links", {"locale": "en"})).json()
        headers = {"authorization": f"Bearer {created['url'].partition('#')[2]}"}
        seen = (await anna.get("/client/estimate", **headers)).json()
        body = {"name": "Ewa", "documentHash": seen["documentHash"], "agreed": True, "signature": {"kind": "typed"}}
        body |= {"consentId": seen["consent"]["id"]} if "consent_id" in NewAcceptance.__struct_fields__ else {}
        response = await anna.post("/client/estimate/accept", {**body, **more}, **headers)
        return seen, response

    offered = await estimate_with(anna, {}, withdrawal="start_early")
    seen, response = await accept(offered, startEarly=True)
    assert response.status_code == 201
    assert response.json()["consent"] == f"{seen['consent']['text']} {seen['earlyStart']}"
    other = await estimate_with(anna, {}, withdrawal="fourteen_days")
    seen, response = await accept(other, startEarly=True)
    assert "earlyStart" not in seen
    assert response.status_code == 400


@pytest.mark.parametrize("address", ["http://a.example", "javascript:alert(1)", "https://a.example/<b>", "https://"])
async def test_the_address_of_a_privacy_notice_is_https(app: App, address: str) -> None:
    anna = await app.owner()
    created = await anna.estimate(lineItems=[])
    path = f"/workshops/{created['workshopId']}/document-settings"

    assert (await anna.put(path, {"currency": "EUR", "privacyUrl": address})).status_code == 400
    good = {"currency": "EUR", "privacyUrl": "https://stolarnia.example/prywatnosc?lang=pl#dane"}
    assert (await anna.put(path, good)).status_code == 200
