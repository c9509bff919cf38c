"""Documents of revisions: they never change, and have the number, dates and money of their confirmation."""

import asyncio
from typing import Any

import pytest

from backbench.engine.database import Write
from backbench.estimating import revisions
from backbench.estimating.revisions import CONFIRMABLE
from backbench.values.calls import Call, Caller
from tests.estimating.test_document_facts import FACTS
from tests.estimating.test_pdf_exports import add_confirmed_estimate, create_export, exported_pdf
from tests.integrations.pdf.pdf_text import text_of
from tests.people import App, Person
from tests.support import image_files
from tests.support.counted_data import assert_counted, held
from tests.support.uploads import icon, used

LINES: list[dict[str, Any]] = [
    {"id": "wood", "label": "Oak", "unit": "sqm", "unitPrice": 100, "quantity": 2},
    {"id": "labour", "label": "Fitting", "unit": "hour", "unitPrice": 50, "quantity": 2},
]
SETTINGS: dict[str, Any] = {
    "currency": "PLN",
    "address": "ul. Dębowa 7\n30-001 Kraków",
    "phone": "+48 12 345 67 89",
    "email": "biuro@example.com",
    "taxId": "6760000000",
    "footer": "Sąd Rejonowy\nKRS 000",
    "taxPercent": 23,
    "taxLabel": {"en": "Tax", "pl": "Podatek"},
    "validDays": 20,
    "iban": "PL61109010140000071219812874",
    "registration": "REGON 123456785",
    "website": "example.com",
    "tagline": {"en": "Made to measure", "pl": "Meble na wymiar"},
    "terms": {"en": "Half in advance", "pl": "Połowa z góry"},
    "timeZone": "Europe/Warsaw",
    "paperSize": "Letter",
    "showLogo": True,
}


async def put_settings(person: Person, **settings: Any) -> None:
    response = await person.put(f"/workshops/{person.workshop}/document-settings", settings)
    assert response.status_code == 200, response.text


async def number_of(person: Person, path: str, revision: int = 1) -> str:
    totals = (await person.get(f"{path}/revisions/{revision}/totals")).json()
    return str(totals["number"])


async def confirm_at(app: App, person: Person, path: str, now: str) -> None:
    call, id_ = Call(Caller(uid=person.uid), now), path.rpartition("/")[2]

    async def confirm(db: Write) -> None:
        await revisions.confirm(db, call, await CONFIRMABLE.lock(db, call, id_), app.backbench.services)

    await app.db.write(confirm)


async def test_a_revision_has_the_same_bytes_after_every_setting_changed(app: App) -> None:
    anna = await app.owner()
    await app.put_on_pro(anna.workshop)
    logo = (await icon(anna))["id"]
    await put_settings(anna, **SETTINGS, logoFileId=logo)
    path = f"/estimates/{(await anna.estimate(lineItems=LINES, recipientName='Halina'))['id']}"
    await anna.put(f"{path}/document", FACTS)
    await anna.post(f"{path}/confirm")
    before = [await exported_pdf(anna, path, locale=locale) for locale in ("pl", "en")]
    totals = (await anna.get(f"{path}/revisions/1/totals")).json()
    profile = {"name": "Another", "tagline": "New", "logo": "🪑", "crafterName": "Jan", "titleFont": "mono"}
    await anna.patch(f"/workshops/{anna.workshop}", {**profile, "accentColor": "#112233"})
    await put_settings(anna, currency="JPY", taxPercent=5, validDays=1, timeZone="Asia/Tokyo", showLogo=False)
    await anna.put(f"{path}/document", {"number": "other", "intro": "Other"})
    await anna.patch(path, {"name": "Attic", "recipientName": None, "lineItems": [], "markupPercent": 50})
    await anna.patch("/me", {"name": "Ewa", "locale": "pl"})
    assert (await anna.delete(f"/files/{logo}")).status_code == 204
    assert (await anna.get(f"/files/{logo}")).status_code == 404
    await anna.post(f"{path}/confirm")
    after = [await exported_pdf(anna, path, locale=locale, revisionNumber=1) for locale in ("pl", "en")]
    assert after == before
    assert (await anna.get(f"{path}/revisions/1/totals")).json() == totals


@pytest.mark.both_engines
async def test_a_deleted_logo_takes_storage_until_its_revisions_are_deleted(app: App) -> None:
    anna = await app.owner()
    logo = await icon(anna, image_files.png(64, 16))
    await put_settings(anna, currency="EUR", logoFileId=logo["id"])
    path = await add_confirmed_estimate(anna)
    response = await anna.delete(f"/files/{logo['id']}")
    assert (response.status_code, response.json()["code"]) == (409, "logo_in_use")
    await put_settings(anna, currency="EUR")
    assert (await anna.delete(f"/files/{logo['id']}")).status_code == 204
    assert (await anna.get(f"/workshops/{anna.workshop}/files")).json() == {"files": []}
    assert await used(anna) == logo["sizeBytes"]
    assert (await anna.delete(path)).status_code == 204
    assert await used(anna) == 0


async def test_documents_show_every_fact_in_both_languages(app: App) -> None:
    anna = await app.owner()
    await put_settings(anna, **SETTINGS)
    path = f"/estimates/{(await anna.estimate(lineItems=LINES, recipientName='Halina'))['id']}"
    await anna.put(f"{path}/document", {name: value for name, value in FACTS.items() if name != "terms"})
    await anna.post(f"{path}/confirm")
    shown = [value for name, value in FACTS.items() if isinstance(value, str) and name not in ("terms", "taxLabel")]
    for locale, other in (("en", "pl"), ("pl", "en")):
        text = text_of(await exported_pdf(anna, path, locale=locale)).replace("\N{NO-BREAK SPACE}", " ")
        for expected in shown:
            assert all(line in text for line in expected.split("\n")), expected
        for name in ("tagline", "terms"):
            assert SETTINGS[name][locale] in text
            assert SETTINGS[name][other] not in text
        for expected in ("30-001 Kraków", "REGON 123456785", "example.com", "1090", "KRS 000"):
            assert expected in text
    export = (await create_export(anna, path, locale="pl")).json()
    name = (await anna.get(f"/files/{export['id']}")).headers["content-disposition"]
    assert "Wycena A-7 Kitchen v1.pdf" in name


async def test_a_revision_keeps_its_validity_and_a_preliminary_document_has_none(app: App) -> None:
    anna = await app.owner()
    await put_settings(anna, currency="EUR", timeZone="Europe/Warsaw", validDays=10)
    path = f"/estimates/{(await anna.estimate(lineItems=LINES))['id']}"
    await confirm_at(app, anna, path, "2026-11-21T23:48:00.000Z")
    await put_settings(anna, currency="EUR", timeZone="UTC", validDays=0)
    text = text_of(await exported_pdf(anna, path))
    assert "22 November 2026" in text
    assert "2 December 2026" in text
    assert (await anna.get(f"{path}/revisions/1/totals")).json()["validUntil"] == "2026-12-02"
    draft = {"locale": "en", "tone": "formal", "preliminary": False}
    message = (await anna.post(f"{path}/message-draft", draft)).json()
    assert "2 December 2026" in message["body"]
    assert message["subject"].endswith(" (1/2026)")
    assert "December" not in text_of(await exported_pdf(anna, path, preliminary=True))


async def test_numbers_run_without_gap_or_duplicate_under_concurrency(app: App) -> None:
    anna = await app.owner()
    paths = [f"/estimates/{(await anna.estimate())['id']}" for _ in range(8)]
    responses = await asyncio.gather(*(anna.post(f"{path}/confirm") for path in paths for _ in range(2)))
    assert {response.status_code for response in responses} == {201}
    numbers = [await number_of(anna, path) for path in paths]
    year = numbers[0].partition("/")[2]
    assert sorted(numbers) == sorted(f"{number}/{year}" for number in range(1, 9))
    assert [await number_of(anna, path, revision=2) for path in paths] == numbers


async def test_the_series_of_a_year_begins_in_the_time_zone_of_the_workshop(app: App) -> None:
    anna = await app.owner()
    await put_settings(anna, currency="EUR", timeZone="Europe/Warsaw")
    numbers = []
    for now in ("2026-12-31T22:59:59.999Z", "2026-12-31T23:00:00.000Z", "2027-06-01T12:00:00.000Z"):
        path = f"/estimates/{(await anna.estimate())['id']}"
        await confirm_at(app, anna, path, now)
        numbers.append(await number_of(anna, path))
    assert numbers == ["1/2026", "1/2027", "2/2027"]


async def test_a_number_of_the_facts_takes_none_from_the_series(app: App) -> None:
    anna = await app.owner()
    path = f"/estimates/{(await anna.estimate())['id']}"
    await anna.put(f"{path}/document", {"number": "M-1"})
    await anna.post(f"{path}/confirm")
    await anna.put(f"{path}/document", {})
    await anna.post(f"{path}/confirm")
    await anna.put(f"{path}/document", {"number": "M-2"})
    await anna.post(f"{path}/confirm")
    numbers = [await number_of(anna, path, revision) for revision in (1, 2, 3)]
    assert [numbers[0], numbers[1].partition("/")[0], numbers[2]] == ["M-1", "1", "M-2"]


async def test_the_totals_of_a_revision_have_its_money_and_every_tax(app: App) -> None:
    anna = await app.owner()
    await put_settings(anna, currency="PLN", taxPercent=23, validDays=0)
    path = f"/estimates/{(await anna.estimate(lineItems=LINES))['id']}"
    await anna.post(f"{path}/confirm")
    await anna.put(f"{path}/document", {"lineTaxes": {"labour": 8}})
    await anna.post(f"{path}/confirm")
    await put_settings(anna, currency="EUR")
    await anna.post(f"{path}/confirm")
    first, second, third = [(await anna.get(f"{path}/revisions/{number}/totals")).json() for number in (1, 2, 3)]
    assert first == {
        "currency": "PLN",
        "lines": [{"id": "wood", "amount": 200}, {"id": "labour", "amount": 100}],
        "subtotal": 300,
        "markup": 0,
        "discount": 0,
        "net": 300,
        "tax": 69,
        "taxes": [{"label": "VAT", "percent": 23, "net": 300, "amount": 69}],
        "total": 369,
        "number": first["number"],
    }
    assert [tax["percent"] for tax in second["taxes"]] == [23, 8]
    assert (second["tax"], second["total"]) == (54, 354)
    assert (third["currency"], [tax["percent"] for tax in third["taxes"]]) == ("EUR", [8, 0])
    assert "validUntil" not in first
    for missing in ("0", "4", "01", "one"):
        assert (await anna.get(f"{path}/revisions/{missing}/totals")).status_code == 404


async def test_facts_and_snapshots_count_as_data(app: App) -> None:
    anna = await app.owner()
    path = f"/estimates/{(await anna.estimate())['id']}"
    for facts in (FACTS, {"intro": "ż" * 100}, {}, FACTS):
        await anna.put(f"{path}/document", facts)
        await anna.post(f"{path}/confirm")
    await assert_counted(app, anna.workshop)
    before = await held(app, anna.workshop)
    await anna.delete(path)
    assert await held(app, anna.workshop) < before - 4000
