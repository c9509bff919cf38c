"""Recipients: the names of a workshop's estimates and orders, each once."""

from typing import Any

from tests.people import App, Person, pointers


async def recipients(person: Person, query: str = "") -> list[dict[str, Any]]:
    response = await person.get(f"/workshops/{person.workshop}/recipients{query}")
    assert response.status_code == 200, response.text
    found: list[dict[str, Any]] = response.json()["recipients"]
    return found


async def test_recipients_are_listed_once_with_their_latest_use(app: App) -> None:
    anna = await app.owner()
    await (await app.owner("Eve")).order(customerName="Stranger")
    estimate = await anna.estimate(recipientName="ŁUCJA Nowak")
    facts = {"recipientAddress": "Młyńska 14\nNowy Sącz", "recipientTaxId": "PL 1", "recipientEmail": "l@example.com"}
    await anna.put(f"/estimates/{estimate['id']}/document", {**facts, "recipientPhone": "12 345"})
    await anna.estimate(recipientName="Łucja nowak")
    await anna.order(customerName="Jan")
    await anna.order(customerName="")
    await anna.estimate()
    order = await anna.order(customerName="Łucja Nowak")
    listed = await recipients(anna)
    assert listed[0] == {
        "name": "Łucja Nowak",
        "lastUsedAt": order["createdAt"],
        "address": "Młyńska 14\nNowy Sącz",
        "taxId": "PL 1",
        "email": "l@example.com",
        "phone": "12 345",
    }
    assert [recipient["name"] for recipient in listed] == ["Łucja Nowak", "Jan"]
    assert await recipients(anna, "?limit=1") == await recipients(anna, "?q=%C5%81UC") == listed[:1]
    assert await recipients(anna, "?q=%25") == []
    assert pointers(await anna.get(f"/workshops/{anna.workshop}/recipients?limit=501")) == ["/limit"]
