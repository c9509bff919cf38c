"""Documents of estimates for a customer: texts of the recipient are those of the record, until a confirmation."""

from typing import Any

from tests.customers.test_customers import EVERYTHING, customer, read
from tests.customers.test_merges import estimate_of
from tests.integrations.pdf.pdf_text import text_of
from tests.people import App, Person


async def text_of_export(person: Person, estimate: dict[str, Any], **options: Any) -> str:
    path = f"/estimates/{estimate['id']}/pdf-exports"
    exported = await person.post(path, {"locale": "en", "preliminary": False, **options})
    assert exported.status_code == 201, exported.text
    return " ".join(text_of((await person.get(f"{path}/{exported.json()['id']}")).content).split())


async def summary(person: Person, estimate: dict[str, Any]) -> dict[str, Any]:
    listed = (await read(person, f"/workshops/{person.workshop}/estimate-summaries"))["summaries"]
    found: dict[str, Any] = next(each for each in listed if each["estimateId"] == estimate["id"])
    return found


async def test_texts_that_the_document_does_not_set_come_from_the_record(app: App) -> None:
    anna = await app.owner("Anna")
    ewa = await customer(anna, **EVERYTHING)
    estimate = await estimate_of(anna, ewa, recipientPhone="01 555 0101")
    await anna.post(f"/estimates/{estimate['id']}/confirm")
    text = await text_of_export(anna, estimate)
    for shown in ("Ewa Nowak", "Młyńska 14", "526-000-12-46", "Ewa@example.com", "01 555 0101", "Polna 3"):
        assert shown in text, shown
    assert "+48 600 100 200" not in text


async def test_a_confirmed_document_does_not_change_with_the_record(app: App) -> None:
    anna = await app.owner("Anna")
    ewa = await customer(anna, name="Ewa Nowak", address="ul. Stara 1")
    estimate = await estimate_of(anna, ewa)
    await anna.post(f"/estimates/{estimate['id']}/confirm")
    assert (await summary(anna, estimate))["state"] == "confirmed"
    before = await text_of_export(anna, estimate)
    await anna.patch(f"/customers/{ewa['id']}", {"name": "Ewa Wilk", "address": "ul. Nowa 2"})
    assert await text_of_export(anna, estimate) == before
    assert "Ewa Nowak" in before
    assert "ul. Stara 1" in before
    await anna.post(f"/estimates/{estimate['id']}/confirm")
    after = await text_of_export(anna, estimate)
    assert "Ewa Wilk" in after
    assert "ul. Nowa 2" in after
    await anna.delete(f"/customers/{ewa['id']}")
    assert await text_of_export(anna, estimate) == after
    assert await text_of_export(anna, estimate, revisionNumber=1) == before


async def test_the_state_of_an_estimate_follows_its_own_content_and_customer(app: App) -> None:
    anna = await app.owner("Anna")
    ewa, jan = await customer(anna, address="ul. Stara 1"), await customer(anna, name="Jan")
    estimate = await estimate_of(anna, ewa, leadTime="A week")
    path = f"/estimates/{estimate['id']}"
    await anna.post(f"{path}/confirm")
    states = []
    for body in (
        {"leadTime": "A week", "customerId": jan["id"]},
        {"leadTime": "A week", "customerId": ewa["id"]},
        {"customerId": ewa["id"]},
        {"leadTime": "A week", "customerId": ewa["id"]},
    ):
        assert (await anna.put(f"{path}/document", body)).status_code == 200
        states.append((await summary(anna, estimate))["state"])
    assert states == ["changed", "confirmed", "changed", "confirmed"]
    for name, state in (("Ewa", "changed"), (None, "confirmed")):
        await anna.patch(path, {"recipientName": name})
        assert (await summary(anna, estimate))["state"] == state
    # A merge changes what names the customer, not the content.
    await anna.post(f"/customers/{jan['id']}/merge", {"fromId": ewa["id"]})
    await anna.patch(path, {"name": "Bathroom"})
    await anna.patch(path, {"name": "Kitchen"})
    assert (await summary(anna, estimate))["state"] == "confirmed"


async def test_a_preview_shows_the_record_as_it_is_now(app: App) -> None:
    anna = await app.owner("Anna")
    ewa = await customer(anna, address="ul. Stara 1")
    estimate = await estimate_of(anna, ewa)
    before = (await anna.get(f"/estimates/{estimate['id']}/preview")).content
    await anna.patch(f"/customers/{ewa['id']}", {"address": "ul. Nowa 2"})
    assert (await anna.get(f"/estimates/{estimate['id']}/preview")).content != before
