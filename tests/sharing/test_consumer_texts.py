"""What consumers have to know: the right of withdrawal with its form, and what a firm is spared of it."""

import io
from typing import Any

import pypdf

from tests.people import App, Person
from tests.support.shared_links import SharedEstimate

LINE = {"label": "Oak", "unit": "job", "unitPrice": 100, "quantity": 1}
PRIVACY = "https://workshop.example/privacy"


async def shared_estimate(anna: Person, **document: Any) -> SharedEstimate:
    estimate = await anna.estimate(lineItems=[LINE], recipientName="Ewa Nowak")
    response = await anna.put(f"/estimates/{estimate['id']}/document", document)
    assert response.status_code == 200, response.text
    assert (await anna.post(f"/estimates/{estimate['id']}/confirm")).status_code == 201
    link = await anna.post(f"/estimates/{estimate['id']}/links", {"locale": "en"})
    assert link.status_code == 201, link.text
    return SharedEstimate(anna, estimate, link.json())


async def pages_of(shared: SharedEstimate) -> list[str]:
    pdf = (await shared.client.get("/client/estimate/pdf")).content
    return [" ".join(page.extract_text().split()) for page in pypdf.PdfReader(io.BytesIO(pdf)).pages]


async def workshop_of_consumers(app: App) -> Person:
    anna = await app.owner("Anna")
    settings = {"currency": "EUR", "withdrawal": "start_early", "privacyUrl": PRIVACY, "email": "desk@oak.example"}
    path = f"/workshops/{anna.workshop}/document-settings"
    assert (await anna.put(path, settings)).status_code == 200
    return anna


async def test_a_consumer_gets_the_form_as_the_last_page_and_on_the_page_of_the_link(app: App) -> None:
    shared = await shared_estimate(await workshop_of_consumers(app))
    shown = (await shared.client.get("/client/estimate")).json()
    assert "within 14 days from the day of the contract" in shown["withdrawal"]
    heading, *entries = shown["withdrawalForm"].split("\n")
    assert heading == "Model withdrawal form"
    assert "desk@oak.example" in entries[1]
    assert shown["earlyStart"]
    *first, last = await pages_of(shared)
    assert any("The form is on the last page." in page for page in first)
    assert all(entry.split(" (")[0][:40] in last for entry in (heading, *entries[2:]))
    assert "workshop.example/privacy" in " ".join(first).replace(" ", "")
    assert "https://" not in " ".join([*first, last])


async def test_a_firm_gets_no_texts_for_consumers_unless_the_estimate_says_so(app: App) -> None:
    anna = await workshop_of_consumers(app)
    firm = await shared_estimate(anna, recipientTaxId="IE7654321AB")
    shown = (await firm.client.get("/client/estimate")).json()
    assert not {"withdrawal", "withdrawalForm", "earlyStart"} & set(shown)
    # A person signs on the page.
    assert shown["letterhead"]["privacyUrl"] == PRIVACY
    text = " ".join(await pages_of(firm))
    assert "consumer" not in text
    assert "privacy" not in text

    trader = await shared_estimate(anna, recipientTaxId="IE7654321AB", withdrawal="fourteen_days")
    shown = (await trader.client.get("/client/estimate")).json()
    assert {"withdrawal", "withdrawalForm"} <= set(shown)
    assert "Model withdrawal form" in (await pages_of(trader))[-1]


async def test_made_to_specification_there_is_nothing_to_withdraw(app: App) -> None:
    shared = await shared_estimate(await workshop_of_consumers(app), withdrawal="bespoke")
    shown = (await shared.client.get("/client/estimate")).json()
    assert "no right to withdraw" in shown["withdrawal"]
    assert "withdrawalForm" not in shown
    assert len(await pages_of(shared)) == 1
