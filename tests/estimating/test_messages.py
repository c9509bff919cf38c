"""Message drafts API without a language model: the built-in templates."""

from typing import Any

import pytest

from tests.people import App, Person, pointers

OAK: dict[str, Any] = {"label": "Oak", "unit": "sqm", "unitPrice": 1000, "quantity": 2.5}


async def drafted(person: Person, estimate_id: str, **fields: Any) -> dict[str, Any]:
    body = {"locale": "en", "tone": "formal", "preliminary": False, **fields}
    response = await person.post(f"/estimates/{estimate_id}/message-draft", body)
    assert response.status_code == 200, response.text
    message: dict[str, Any] = response.json()
    return message


async def set_document_settings(person: Person, **settings: Any) -> None:
    await person.put(f"/workshops/{person.workshop}/document-settings", {"currency": "EUR", **settings})


@pytest.mark.parametrize("locale", ["pl", "en"])
@pytest.mark.parametrize("tone", ["formal", "friendly"])
@pytest.mark.parametrize("preliminary", [True, False])
async def test_without_a_model_a_message_comes_from_a_template(
    app: App, locale: str, tone: str, preliminary: bool
) -> None:
    anna = await app.owner()
    await set_document_settings(anna, currency="PLN", phone="22 123 45 67")
    estimate = await anna.estimate(name="Kuchnia dębowa", lineItems=[OAK])
    message = await drafted(anna, estimate["id"], locale=locale, tone=tone, preliminary=preliminary)
    assert set(message) == {"subject", "body", "aiDrafted", "revisionNumber"}
    assert (message["aiDrafted"], message["revisionNumber"]) == (False, 0)
    total = "2\u00a0500,00\u00a0zł" if locale == "pl" else "PLN\u00a02,500.00"
    for text in ("Kuchnia dębowa", total, "22 123 45 67"):
        assert text in message["body"]
    assert "Kuchnia dębowa" in message["subject"]


async def test_a_message_is_about_the_latest_revision(app: App) -> None:
    anna = await app.owner()
    await set_document_settings(anna, currency="GBP", taxPercent=20)
    estimate = await anna.estimate(recipientName="Łucja", lineItems=[OAK])
    await anna.post(f"/estimates/{estimate['id']}/confirm")
    await anna.patch(f"/estimates/{estimate['id']}", {"name": "Attic", "recipientName": None, "lineItems": []})
    await set_document_settings(anna, currency="PLN")
    message = await drafted(anna, estimate["id"])
    for text in ("Kitchen", "Łucja", "£3,000.00", "£500.00"):
        assert text in message["body"]
    assert message["revisionNumber"] == 1


async def test_a_message_knows_its_revision_pdf_and_channel(app: App) -> None:
    anna = await app.owner()
    estimate = await anna.estimate(lineItems=[OAK])
    for price in (1000, 1100):
        await anna.patch(f"/estimates/{estimate['id']}", {"lineItems": [{**OAK, "unitPrice": price}]})
        await anna.post(f"/estimates/{estimate['id']}/confirm")
        # Of the first revision: the client has it.
        await anna.post(f"/estimates/{estimate['id']}/pdf-exports", {"locale": "en", "preliminary": False})
    email = await drafted(anna, estimate["id"], withPdf=True)
    short = await drafted(anna, estimate["id"], channel="message")

    assert email["revisionNumber"] == 2
    assert "please find attached our revised estimate for “Kitchen” (revision 2)" in email["body"]
    assert "attached" not in short["body"]
    assert len(short["body"]) < len(email["body"]) - 100


async def test_without_a_revision_a_message_is_about_the_estimate_itself(app: App) -> None:
    anna = await app.owner()
    estimate = await anna.estimate(lineItems=[OAK])
    await anna.patch(f"/estimates/{estimate['id']}", {"name": "Attic"})
    message = await drafted(anna, estimate["id"], preliminary=True)
    assert "Attic" in message["body"]
    assert "€2,500.00" in message["body"]


async def test_a_message_states_the_validity_unless_the_workshop_sets_none(app: App) -> None:
    anna = await app.owner()
    estimate = await anna.estimate()
    assert "valid until" in (await drafted(anna, estimate["id"]))["body"]
    await set_document_settings(anna, validDays=0)
    assert "valid until" not in (await drafted(anna, estimate["id"]))["body"]


async def test_every_invalid_field_is_reported(app: App) -> None:
    anna = await app.owner()
    estimate = await anna.estimate()
    path = f"/estimates/{estimate['id']}/message-draft"
    assert pointers(await anna.post(path, {})) == ["/locale", "/tone", "/preliminary"]
    invalid = {"locale": "de", "tone": "rude", "preliminary": "no", "withPdf": 1, "channel": "fax", "length": 3}
    assert pointers(await anna.post(path, invalid)) == [f"/{name}" for name in invalid]
