"""Document facts API: what the PDF of an estimate states that the estimate does not have."""

from typing import Any

import pytest

from tests.people import App, Person, pointers
from tests.support.violations import all_of

OAK: dict[str, Any] = {"label": "Oak", "unit": "sqm", "unitPrice": 100, "quantity": 2}
FACTS: dict[str, Any] = {
    "number": "A/7",
    "recipientAddress": "ul. Młyńska 14\n33-300 Nowy Sącz",
    "recipientTaxId": "7342938841",
    "recipientEmail": "halina@example.com",
    "recipientPhone": "+48 600 000 000",
    "siteAddress": "ul. Polna 7\n05-500 Piaseczno",
    "intro": "Dziękujemy za zapytanie.",
    "terms": "Zaliczka przed rozpoczęciem prac.\nReszta po odbiorze.",
    "leadTime": "Pięć tygodni",
    "taxNote": "Stawka 8% na podstawie oświadczenia.",
    "taxPercent": 23,
    "taxLabel": "VAT",
    "lineTaxes": {"labour": 8},
    "depositPercent": 30.5,
    "validDays": 14,
}


async def add_estimate(person: Person, **facts: Any) -> str:
    """An estimate with these facts. Returns its path."""
    path = f"/estimates/{(await person.estimate(lineItems=[OAK]))['id']}"
    if facts:
        assert (await person.put(f"{path}/document", facts)).status_code == 200
    return path


async def test_facts_are_read_as_written_and_replaced_as_a_whole(app: App) -> None:
    anna = await app.owner()
    path = await add_estimate(anna)
    assert (await anna.get(f"{path}/document")).json() == {}
    response = await anna.put(f"{path}/document", FACTS)
    assert (response.status_code, response.json()) == (200, FACTS)
    assert (await anna.get(f"{path}/document")).json() == FACTS
    assert (await anna.put(f"{path}/document", {"intro": ""})).json() == {"intro": ""}
    assert (await anna.put(f"{path}/document", {})).json() == {}


@all_of(
    ("body", "pointer"),
    [
        ({"intro": "a\tb"}, "/intro"),
        ({"terms": "x" * 2001}, "/terms"),
        ({"terms": None}, "/terms"),
        ({"terms": {"en": "a", "pl": "b"}}, "/terms"),
        ({"number": ""}, "/number"),
        ({"number": "1\n2"}, "/number"),
        ({"recipientEmail": "a\nb"}, "/recipientEmail"),
        ({"lineTaxes": {"a": 8, "b": 100.5}}, "/lineTaxes/b"),
        ({"lineTaxes": {"": 8}}, "/lineTaxes/"),
        ({"lineTaxes": [8]}, "/lineTaxes"),
        ({"lineTaxes": {"a": "rate"}}, "/lineTaxes/a"),
        ({"lineTaxes": {"a": True}}, "/lineTaxes/a"),
        ({"taxKind": "none"}, "/taxKind"),
        ({"depositPercent": 30, "depositAmount": 500}, "/depositAmount"),
        ({"depositAmount": -1}, "/depositAmount"),
        ({"pricesShown": "both"}, "/pricesShown"),
        ({"documentTitle": "invoice"}, "/documentTitle"),
        ({"breakdown": False}, "/breakdown"),
        ({"sections": {"a": " "}}, "/sections/a"),
        ({"withdrawal": True}, "/withdrawal"),
        ({"lineTaxes": {str(number): 8 for number in range(501)}}, "/lineTaxes"),
        (b'{"lineTaxes": {"a": 8, "a": 23}}', "/lineTaxes/a"),
        ({"depositPercent": 101}, "/depositPercent"),
        ({"validDays": 1.5}, "/validDays"),
        ({"recipientName": "Halina"}, "/recipientName"),
    ],
)
async def test_invalid_facts_are_reported(app: App, body: Any, pointer: str) -> None:
    anna = await app.owner()
    path = await add_estimate(anna)
    assert pointers(await anna.put(f"{path}/document", body)) == [pointer]
    assert (await anna.get(f"{path}/document")).json() == {}


@pytest.mark.both_engines
async def test_facts_are_replaced_only_if_the_etag_matches(app: App) -> None:
    anna = await app.owner()
    path = await add_estimate(anna)
    read = (await anna.get(f"{path}/document")).headers["etag"]
    written = await anna.put(f"{path}/document", FACTS, if_match=read)
    assert written.status_code == 200
    assert (await anna.put(f"{path}/document", {}, if_match=read)).status_code == 412
    assert (await anna.get(f"{path}/document")).headers["etag"] == written.headers["etag"]


async def test_only_other_facts_change_the_time_of_the_estimate(app: App) -> None:
    anna = await app.owner()
    path = await add_estimate(anna)
    created = (await anna.get(path)).json()
    await anna.put(f"{path}/document", {})
    assert (await anna.get(path)).json() == created
    await anna.put(f"{path}/document", FACTS)
    changed = (await anna.get(path)).json()
    assert changed == {**created, "updatedAt": changed["updatedAt"]}
    assert changed["updatedAt"] > created["updatedAt"]
    await anna.put(f"{path}/document", FACTS)
    assert (await anna.get(path)).json() == changed


async def test_the_same_facts_again_make_no_audit_entry(app: App) -> None:
    anna = await app.owner()
    path = await add_estimate(anna)
    for _ in range(2):
        answer = await anna.put(f"{path}/document", FACTS)
        assert (answer.status_code, answer.json()) == (200, (await anna.get(f"{path}/document")).json())
    entries = (await anna.get(f"/workshops/{anna.workshop}/audit")).json()["entries"]
    assert [entry["action"] for entry in entries].count("estimate.updated") == 1


async def test_a_copy_of_an_estimate_has_its_facts_without_the_number(app: App) -> None:
    anna = await app.owner()
    path = await add_estimate(anna, **FACTS)
    copy = (await anna.post(f"{path}/duplicate")).json()
    facts = {name: value for name, value in FACTS.items() if name != "number"}
    assert (await anna.get(f"/estimates/{copy['id']}/document")).json() == facts
    assert (await anna.delete(path)).status_code == 204
    assert (await anna.get(f"{path}/document")).status_code == 404


async def test_totals_have_the_taxes_of_the_facts_by_rate(app: App) -> None:
    anna = await app.owner()
    await anna.put(f"/workshops/{anna.workshop}/document-settings", {"currency": "PLN", "taxPercent": 23})
    lines = [{**OAK, "id": "wood"}, {**OAK, "id": "labour", "unitPrice": 50}]
    path = f"/estimates/{(await anna.estimate(lineItems=lines))['id']}"
    assert "taxes" not in (await anna.get(f"{path}/totals")).json()
    await anna.put(f"{path}/document", {"lineTaxes": {"labour": 8, "another": 5}})
    totals = (await anna.get(f"{path}/totals")).json()
    assert totals["taxes"] == [
        {"label": "VAT", "percent": 23, "net": 200, "amount": 46},
        {"label": "VAT", "percent": 8, "net": 100, "amount": 8},
    ]
    assert (totals["tax"], totals["total"]) == (54, 354)
    await anna.put(f"{path}/document", {"taxPercent": 5, "taxLabel": "Sales tax"})
    assert (await anna.get(f"{path}/totals")).json()["tax"] == 15


async def test_an_estimate_is_made_with_its_document_in_one_request(app: App) -> None:
    anna = await app.owner()
    lines = [OAK | {"id": "oak"}, OAK | {"id": "labour"}]
    document = {"lineTaxes": {"labour": 8}, "sections": {"labour": "Labour"}, "number": "A 7"}
    body = {"name": "Kitchen", "lineItems": lines, "document": document}
    made = (await anna.post(f"/workshops/{anna.workshop}/estimates", body)).json()
    assert (await anna.get(f"/estimates/{made['id']}/document")).json() == document
    again = await anna.post(f"/workshops/{anna.workshop}/estimates", body)
    assert (again.status_code, again.json()["code"]) == (409, "number_taken")
    wrong = {"customerId": "nobody"}, {"pricesEntered": "gross", "pricesShown": "net"}, {"lineTaxes": {"oak": "rate"}}
    for facts in wrong:
        refused = await anna.post(f"/workshops/{anna.workshop}/estimates", body | {"document": facts})
        assert refused.status_code == 400
        assert {each["pointer"].split("/")[1] for each in refused.json()["errors"]} == {"document"}
    listed = (await anna.get(f"/workshops/{anna.workshop}/estimates")).json()["estimates"]
    assert [each["id"] for each in listed] == [made["id"]]


async def test_a_key_that_may_only_draft_sets_no_document(app: App) -> None:
    anna = await app.owner()
    program = await anna.integrator("drafts:write")
    path = f"/workshops/{anna.workshop}/estimates"
    assert (await program.post(path, {"name": "Kitchen"})).status_code == 201
    refused = await program.post(path, {"name": "Kitchen", "document": {"taxNote": "Exempt"}})
    assert refused.status_code == 403
    assert 'scope="estimates:write"' in refused.headers["www-authenticate"]
