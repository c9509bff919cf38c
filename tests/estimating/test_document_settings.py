"""Document settings API: currency, tax, address and contact details for PDF exports and messages."""

from typing import Any

import pytest

from backbench.integrations.pdf.renderer import PdfRenderer, RenderUnavailable
from backbench.values.currencies import MINOR_DIGITS
from tests.people import App, Person, pointers
from tests.support import image_files
from tests.support.uploads import icon
from tests.support.violations import all_of

EMPTY = {"address": "", "phone": "", "email": "", "taxId": "", "footer": "", "paperSize": "A4", "showLogo": True}
DUBLIN = {**EMPTY, "timeZone": "Europe/Dublin"}


def path(person: Person) -> str:
    return f"/workshops/{person.workshop}/document-settings"


async def test_the_default_currency_and_time_zone_follow_the_owners_language(app: App) -> None:
    anna, lucja = await app.owner("Anna"), await app.person("Łucja", "pl")
    assert (await anna.get(path(anna))).json() == {"currency": "EUR", **DUBLIN}
    assert (await lucja.get(path(lucja))).json() == {"currency": "PLN", **EMPTY, "timeZone": "Europe/Warsaw"}
    marek = await app.member(lucja)
    assert (await marek.put(path(marek), {"currency": "EUR"})).json()["timeZone"] == "Europe/Warsaw"


async def test_settings_read_back_as_they_were_written(app: App) -> None:
    anna = await app.owner()
    sent = {
        "currency": "PLN",
        "address": "ul. Dębowa 1\n00-001 Warszawa",
        "phone": "+48 22 123 45 67",
        "email": "anna@example.com",
        "taxId": "525-000-11-22",
        "footer": "Konto 11 2222\nKRS 000",
        "taxPercent": 7.25,
        "taxLabel": "VAT",
        "iban": "PL61 1090 1014 0000 0712 1981 2874",
        "registration": "REGON 123456785",
        "website": "example.com",
        "tagline": {"en": "Made to measure", "pl": "Meble na wymiar"},
        "terms": {"en": "Half in advance\nHalf later", "pl": "Połowa z góry"},
        "timeZone": "America/Argentina/Buenos_Aires",
        "paperSize": "Letter",
        "logoFileId": (await icon(anna))["id"],
        "showLogo": False,
    }
    response = await anna.put(path(anna), sent)
    assert (response.status_code, response.json()) == (200, sent)
    assert (await anna.get(path(anna))).json() == sent
    one_text = {**sent, "tagline": "Meble", "terms": "Połowa\nz góry", "taxLabel": {"en": "Tax", "pl": "Podatek"}}
    assert (await anna.put(path(anna), one_text)).json() == one_text


@pytest.mark.parametrize(
    "written",
    [
        "61 1090 1014 0000 0712 1981 2874",
        "61109010140000071219812874",
        "PL61-1090-1014-0000-0712-1981-2874",
        "\u202aPL61\u00a01090 1014 0000 0712 1981 2874\u202c",
    ],
)
async def test_an_account_is_read_as_people_copy_it(app: App, written: str) -> None:
    anna = await app.owner()
    saved = await anna.put(path(anna), {"currency": "PLN", "iban": written})
    assert (saved.status_code, saved.json()["iban"]) == (200, "PL61 1090 1014 0000 0712 1981 2874")
    assert (await anna.get(path(anna))).json()["iban"] == "PL61 1090 1014 0000 0712 1981 2874"


async def test_digits_alone_are_no_account_of_another_country(app: App) -> None:
    anna = await app.owner()
    for settings in ({"currency": "EUR"}, {"currency": "PLN", "country": "DE"}):
        refused = await anna.put(path(anna), {**settings, "iban": "61 1090 1014 0000 0712 1981 2874"})
        assert (refused.status_code, refused.json()["errors"][0]["code"]) == (400, "iban")
    lines = await anna.put(path(anna), {"currency": "PLN", "iban": "PL61 1090 1014\n0000 0712 1981 2874"})
    assert lines.status_code == 400


async def test_the_same_settings_again_make_no_audit_entry(app: App) -> None:
    anna = await app.owner()
    for _ in range(2):
        answer = await anna.put(path(anna), {"currency": "PLN", "phone": "+48 22 123 45 67"})
        assert (answer.status_code, answer.json()) == (200, (await anna.get(path(anna))).json())
    entries = (await anna.get(f"/workshops/{anna.workshop}/audit")).json()["entries"]
    assert [entry["action"] for entry in entries].count("workshop.updated") == 1


async def test_omitted_fields_are_cleared(app: App) -> None:
    anna = await app.owner()
    await anna.put(path(anna), {"currency": "PLN", "phone": "22 123 45 67", "taxPercent": 23})
    assert (await anna.put(path(anna), {"currency": "GBP"})).json() == {"currency": "GBP", **DUBLIN}


@all_of(
    ("body", "pointer"),
    [
        ({}, "/currency"),
        ({"currency": "pln"}, "/currency"),
        ({"currency": "XXX"}, "/currency"),
        ({"currency": "EUR", "taxPercent": -1}, "/taxPercent"),
        ({"currency": "EUR", "taxPercent": 100.5}, "/taxPercent"),
        ({"currency": "EUR", "taxPercent": None}, "/taxPercent"),
        ({"currency": "EUR", "phone": "x" * 251}, "/phone"),
        ({"currency": "EUR", "footer": "a\tb"}, "/footer"),
        ({"currency": "EUR", "footer": "x" * 1001}, "/footer"),
        ({"currency": "EUR", "address": "x" * 501}, "/address"),
        ({"currency": "EUR", "timeZone": "Warsaw"}, "/timeZone"),
        ({"currency": "EUR", "timeZone": "../etc/passwd"}, "/timeZone"),
        ({"currency": "EUR", "paperSize": "A5"}, "/paperSize"),
        ({"currency": "EUR", "tagline": {"en": "Made to measure"}}, "/tagline/pl"),
        ({"currency": "EUR", "terms": {"en": "a", "pl": "b", "de": "c"}}, "/terms/de"),
        ({"currency": "EUR", "taxLabel": ["VAT"]}, "/taxLabel"),
        ({"currency": "EUR", "logoFileId": "01a1fd47-f5d4-7063-8f6e-51f3d3517dfb"}, "/logoFileId"),
        ({"currency": "EUR", "fax": "1"}, "/fax"),
    ],
)
async def test_an_invalid_field_is_reported(app: App, body: dict[str, Any], pointer: str) -> None:
    anna = await app.owner()
    assert pointers(await anna.put(path(anna), body)) == [pointer]


async def test_a_logo_that_cannot_be_drawn_is_refused_and_nothing_is_saved(app: App) -> None:
    anna = await app.owner()
    # A PNG with fewer rows than its header says: uploads are parsed, not decoded.
    damaged = (await icon(anna, image_files.png(64, 64)))["id"]
    before = (await anna.get(path(anna))).json()
    refused = await anna.put(path(anna), {"currency": "EUR", "logoFileId": damaged, "showLogo": False})
    assert (refused.status_code, pointers(refused)) == (400, ["/logoFileId"])
    assert refused.json()["errors"][0]["code"] == "not_drawable"
    assert (await anna.get(path(anna))).json() == before


async def test_a_logo_that_stays_is_not_drawn_again(app: App, monkeypatch: pytest.MonkeyPatch) -> None:
    anna = await app.owner()
    sent = {"currency": "EUR", "logoFileId": (await icon(anna))["id"]}
    assert (await anna.put(path(anna), sent)).status_code == 200

    async def render(*_: object) -> bytes:
        raise RenderUnavailable("Too many documents are queued")

    monkeypatch.setattr(PdfRenderer, "render", render)
    assert (await anna.put(path(anna), {**sent, "phone": "22 123 45 67"})).status_code == 200
    another = {**sent, "logoFileId": (await icon(anna))["id"]}
    assert (await anna.put(path(anna), another)).status_code == 503


async def test_every_currency_of_the_list_is_accepted(app: App) -> None:
    anna = await app.owner()
    for currency in MINOR_DIGITS:
        assert (await anna.put(path(anna), {"currency": currency})).status_code == 200
