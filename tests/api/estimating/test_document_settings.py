"""Document settings API: currency, tax, address and contact details for PDF exports and messages."""

from typing import Any

import pytest

from backbench.domain.values.currencies import MINOR_DIGITS
from tests.people import App, Person, pointers

EMPTY = {"address": "", "phone": "", "email": "", "taxId": "", "footer": ""}


def path(person: Person) -> str:
    return f"/workshops/{person.workshop}/document-settings"


async def test_the_default_currency_follows_the_owners_language(app: App) -> None:
    anna, lucja = await app.owner("Anna"), await app.person("Łucja", "pl")
    assert (await anna.get(path(anna))).json() == {"currency": "EUR", **EMPTY}
    assert (await lucja.get(path(lucja))).json() == {"currency": "PLN", **EMPTY}


async def test_settings_read_back_as_they_were_written(app: App) -> None:
    anna = await app.owner()
    sent = {
        "currency": "PLN",
        "address": "ul. Dębowa 1, 00-001 Warszawa",
        "phone": "+48 22 123 45 67",
        "email": "anna@example.com",
        "taxId": "525-000-11-22",
        "footer": "Konto 11 2222",
        "taxPercent": 7.25,
        "taxLabel": "VAT",
    }
    response = await anna.put(path(anna), sent)
    assert (response.status_code, response.json()) == (200, sent)
    assert (await anna.get(path(anna))).json() == sent


async def test_omitted_fields_are_cleared(app: App) -> None:
    anna = await app.owner()
    await anna.put(path(anna), {"currency": "PLN", "phone": "22 123 45 67", "taxPercent": 23})
    assert (await anna.put(path(anna), {"currency": "GBP"})).json() == {"currency": "GBP", **EMPTY}


@pytest.mark.parametrize(
    ("body", "pointer"),
    [
        ({}, "/currency"),
        ({"currency": "pln"}, "/currency"),
        ({"currency": "XXX"}, "/currency"),
        ({"currency": "EUR", "taxPercent": -1}, "/taxPercent"),
        ({"currency": "EUR", "taxPercent": 100.5}, "/taxPercent"),
        ({"currency": "EUR", "taxPercent": None}, "/taxPercent"),
        ({"currency": "EUR", "phone": "x" * 251}, "/phone"),
        ({"currency": "EUR", "footer": "a\nb"}, "/footer"),
        ({"currency": "EUR", "fax": "1"}, "/fax"),
    ],
)
async def test_an_invalid_field_is_reported(app: App, body: dict[str, Any], pointer: str) -> None:
    anna = await app.owner()
    assert pointers(await anna.put(path(anna), body)) == [pointer]


async def test_every_currency_of_the_list_is_accepted(app: App) -> None:
    anna = await app.owner()
    for currency in MINOR_DIGITS:
        assert (await anna.put(path(anna), {"currency": currency})).status_code == 200
