"""Erasure of a customer: what is gone, what stays and is listed, and that the databases hold nothing else."""

import asyncio
from typing import Any

import pytest

from backbench.billing.plans import PlanRules
from backbench.customers import erasures
from backbench.jobs.sharing_emails import SharingEmails
from tests.customers.test_customers import customer, read
from tests.customers.test_merges import estimate_of, merge, named, order_of
from tests.people import App, Person, pointers
from tests.support.database_dump import dump_of
from tests.support.uploads import photo, proposal

NAME, PHONE, EMAIL, STREET, TAX_ID = (
    "Żużanna Grzegżółka",
    "601 702 803",
    "zuza@grzegzolka.example",
    "Brzozowa 77",
    "7010345678",
)
PERSON: dict[str, Any] = {
    "name": NAME,
    "phones": [{"number": PHONE}],
    "emails": [EMAIL],
    "address": f"ul. {STREET}\n33-300 Nowy Sącz",
    "siteAddress": f"działka za {STREET}",
    "taxId": TAX_ID,
    "notes": f"Calls from {PHONE}",
}
# Of a second person, who is in no other test: their rows would be found in the shared database.
SECRETS = ("wścibińsk", "wscibinski", "512613714", "512 613 714", "klonowa 55", "7020345671")
STRANGER: dict[str, Any] = {
    "name": "Żużanna Wścibińska",
    "phones": [{"number": "512 613 714"}],
    "emails": ["zuza@wscibinski.example"],
    "address": "ul. Klonowa 55\n33-300 Nowy Sącz",
    "siteAddress": "działka za Klonowa 55",
    "taxId": "7020345671",
    "notes": "Calls from 512613714",
}


async def erase(person: Person, of: dict[str, Any]) -> list[dict[str, Any]]:
    response = await person.post(f"/customers/{of['id']}/erase", {})
    assert response.status_code == 200, response.text
    kept: list[dict[str, Any]] = response.json()["kept"]
    return kept


async def named_in(app: App) -> list[str]:
    """The rows of the database that hold anything of the person."""
    dump = await dump_of(app.db)
    return [
        f"{table}: {row}" for table, rows in dump.items() for row in rows if any(s in row.casefold() for s in SECRETS)
    ]


async def test_an_erased_record_is_gone_from_orders_details_and_drafts(app: App) -> None:
    anna = await app.owner("Anna")
    zuza = await customer(anna, **PERSON)
    order = await anna.order(customerName=NAME, title="Ring")
    await anna.patch(
        f"/orders/{order['id']}/details", {"customerId": zuza["id"], "phone": PHONE, "dueOn": "2026-12-04"}
    )
    draft = await anna.estimate(recipientName=NAME)
    facts = {"recipientAddress": STREET, "recipientEmail": EMAIL, "siteAddress": STREET, "leadTime": "A week"}
    await anna.put(f"/estimates/{draft['id']}/document", {**facts, "customerId": zuza["id"]})
    assert await erase(anna, zuza) == []
    assert (await anna.get(f"/customers/{zuza['id']}")).status_code == 404
    assert (await read(anna, f"/workshops/{anna.workshop}/customers"))["customers"] == []
    assert (await read(anna, f"/orders/{order['id']}"))["order"]["customerName"] == ""
    details = await read(anna, f"/orders/{order['id']}/details")
    assert details == {"orderId": order["id"], "number": 1, "stage": "received", "dueOn": "2026-12-04"}
    assert "recipientName" not in await read(anna, f"/estimates/{draft['id']}")
    assert await read(anna, f"/estimates/{draft['id']}/document") == {"leadTime": "A week"}
    assert (await read(anna, f"/workshops/{anna.workshop}/recipients"))["recipients"] == []
    for method, path in (("PATCH", ""), ("DELETE", ""), ("GET", "/data"), ("GET", "/history"), ("POST", "/erase")):
        response = await anna.send(
            method, f"/customers/{zuza['id']}{path}", {} if method in ("PATCH", "POST") else None
        )
        assert response.status_code == 404, path


async def test_a_dump_of_the_database_holds_nothing_of_the_person(app: App) -> None:
    anna = await app.owner("Anna")
    key = {"idempotency_key": "new customer"}
    zuza = (await anna.post(f"/workshops/{anna.workshop}/customers", STRANGER, **key)).json()
    body = {"title": "Ring", "customerName": STRANGER["name"]}
    order = (await anna.post(f"/workshops/{anna.workshop}/orders", body, idempotency_key="new order")).json()
    path = f"/orders/{order['id']}"
    await anna.patch(f"{path}/details", {"customerId": zuza["id"], "phone": "512 613 714", "dueOn": "2020-12-04"})
    await anna.patch(f"{path}/status", {"status": "done"}, idempotency_key="move")
    await anna.post(f"{path}/collected", {"to": STRANGER["name"]})
    link = (await read(anna, f"{path}/status-link"))["url"]
    asker = app.anonymous()
    asker.bearer = link.partition("#")[2]
    asked = {"name": STRANGER["name"], "text": "When will it be ready?"}
    assert (await asker.post("/client/order/questions", asked, idempotency_key="question")).status_code == 201
    sent = {"name": "Ring", "recipientName": STRANGER["name"]}
    draft = (await anna.post(f"/workshops/{anna.workshop}/estimates", sent, idempotency_key="draft")).json()
    facts = {
        "recipientAddress": "Klonowa 55",
        "recipientPhone": "512 613 714",
        "recipientTaxId": STRANGER["taxId"],
        "customerId": zuza["id"],
    }
    await anna.put(f"/estimates/{draft['id']}/document", facts)
    line = {"label": "Gold", "unit": "piece", "unitPrice": 1, "quantity": 1}
    await anna.post(f"/estimates/{draft['id']}/line-items", line, idempotency_key="line")
    older = await customer(anna, name="Wścibińska (old)", emails=[STRANGER["emails"][0]], notes="An older record")
    await merge(anna, zuza, older)
    # A link to the estimate of somebody else is mailed to the person, and a file that was imported is named after it.
    shared = await shared_link(anna, (await anna.estimate())["id"])
    await anna.post(f"/links/{shared}/mail", {"email": STRANGER["emails"][0].upper(), "tone": "friendly"})
    card = "BEGIN:VCARD\r\nVERSION:3.0\r\nFN:Jan Nowak\r\nEND:VCARD\r\n"
    imported = await proposal(anna, card, name=f"{STRANGER['name']}.vcf")
    assert (await anna.post(f"/imports/{imported['id']}/run", idempotency_key="import")).status_code == 200
    item = (await read(anna, f"/workshops/{anna.workshop}/inbox"))["items"][0]
    await anna.delete(f"/workshops/{anna.workshop}/inbox/{item['id']}")
    assert len(await named_in(app)) > 5
    assert await erase(anna, zuza) == []
    assert await named_in(app) == []
    # A repetition is not executed again.
    replay = await anna.post(f"/workshops/{anna.workshop}/orders", body, idempotency_key="new order")
    assert (replay.status_code, replay.json()["code"]) == (409, "already_created")
    assert len((await read(anna, f"/workshops/{anna.workshop}/orders"))["orders"]) == 1
    inbox = await read(anna, f"/workshops/{anna.workshop}/inbox")
    assert STRANGER["name"] not in str(inbox)


async def test_an_invoice_that_is_older_than_the_link_to_the_customer_is_listed_and_its_draft_deleted(app: App) -> None:
    anna = await app.owner("Anna")
    zuza = await customer(anna, **PERSON)
    order = await anna.order(customerName=NAME)
    line = {"label": "Ring", "unit": "piece", "quantity": 1, "unitPrice": 120}
    body = {"kind": "invoice", "lines": [line], "buyer": {"name": NAME, "country": "PL", "isConsumer": True}}
    path = f"/orders/{order['id']}/invoices"
    issued = (await anna.post(path, body)).json()
    response = await anna.post(f"/invoices/{issued['id']}/issue", {})
    assert response.status_code == 200, response.text
    await anna.patch(f"/orders/{order['id']}/details", {"customerId": zuza["id"]})
    await anna.post(f"/invoices/{issued['id']}/corrections", {"reason": "Two rings"})
    of_customer = f"/workshops/{anna.workshop}/invoices?customerId={zuza['id']}"
    assert len((await read(anna, of_customer))["invoices"]) == 2
    assert await erase(anna, zuza) == [{"kind": "invoice", "id": issued["id"], "reason": "invoice"}]
    assert [each["id"] for each in (await read(anna, path))["invoices"]] == [issued["id"]]


async def emails_to(app: App, email: str) -> set[str]:
    """The kinds of those that wait to be sent."""
    async with app.db.read() as db:
        return set(await db.all(str, "SELECT kind FROM outbox WHERE lower(email) = :email", email=email.lower()))


async def test_a_person_who_was_erased_gets_no_email(app: App) -> None:
    anna = await app.owner("Anna")
    email = f"zuza.{anna.uid}@example.com"
    zuza = await customer(anna, name=NAME, emails=[email])
    estimate = await estimate_of(anna, zuza)
    path = f"/estimates/{estimate['id']}"
    link = await shared_link(anna, estimate["id"])
    await anna.post(f"/links/{link}/mail", {"email": email.upper(), "tone": "friendly"})
    await anna.post(f"/links/{link}/comments", {"text": "In ash it costs the same"})
    client = app.anonymous()
    client.bearer = (await anna.post(f"/links/{link}/addresses")).json()["url"].partition("#")[2]
    await anna.patch(path, {"discountPercent": 5})
    await anna.post(f"{path}/confirm")
    assert (await anna.patch(f"/links/{link}", {"revisionNumber": 2})).status_code == 200
    assert (await client.post("/client/estimate/decline", {"reason": "Too late"})).status_code == 201
    decision = (await read(anna, f"{path}/decisions"))["decisions"][0]["id"]
    assert (await anna.post(f"/decisions/{decision}/void", {"reason": "A mistake"})).status_code == 200
    body = {"revisionNumber": 2, "outcome": "accepted", "method": "phone", "name": NAME}
    recorded = (await anna.post(f"{path}/decisions", body)).json()
    to_owners = {"estimate_decided", "estimate_commented", "order_asked"}
    assert await emails_to(app, email) == SharingEmails("", PlanRules()).renderers.keys() - to_owners
    await erase(anna, zuza)
    assert (await anna.post(f"/decisions/{recorded['id']}/void", {"reason": "A mistake"})).status_code == 200
    await anna.post(f"/links/{link}/comments", {"text": "Another one"})
    assert await emails_to(app, email) == set()


async def shared_link(person: Person, estimate_id: str) -> str:
    """The id of a new link to the confirmed estimate."""
    await person.post(f"/estimates/{estimate_id}/confirm")
    response = await person.post(f"/estimates/{estimate_id}/links", {"locale": "en"})
    return str(response.json()["link"]["id"])


async def test_confirmed_documents_and_decisions_stay_and_are_listed(app: App) -> None:
    anna = await app.owner("Anna")
    zuza = await customer(anna, **STRANGER)
    estimate = await estimate_of(anna, zuza)
    path = f"/estimates/{estimate['id']}"
    revision = (await anna.post(f"{path}/confirm")).json()["revision"]
    body = {"revisionNumber": 1, "outcome": "accepted", "method": "phone", "name": STRANGER["name"]}
    decision = (await anna.post(f"{path}/decisions", body)).json()
    exported = (await anna.post(f"{path}/pdf-exports", {"locale": "pl", "preliminary": False})).json()
    pdf = (await anna.get(f"{path}/pdf-exports/{exported['id']}")).content
    first, again = [await anna.post(f"/customers/{zuza['id']}/erase", {}, idempotency_key="erase") for _ in range(2)]
    kept = first.json()["kept"]
    # What stays is listed in that response alone: one that was lost is asked for once more.
    assert (again.status_code, again.json()) == (200, first.json())
    assert kept == [
        {"kind": "decision", "id": decision["id"], "reason": "decided"},
        {"kind": "estimate", "id": estimate["id"], "reason": "confirmed"},
        {"kind": "revision", "id": revision["id"], "reason": "confirmed"},
    ]
    assert (await anna.get(f"{path}/pdf-exports/{exported['id']}")).content == pdf
    assert (await read(anna, f"{path}/decisions"))["decisions"][0]["name"] == STRANGER["name"]
    assert await read(anna, f"{path}/document") == {}
    # Outside of these nothing is left.
    confirmed = ("estimates:", "revisions:", "decisions:", "links:", "pdf_exports:")
    assert [row for row in await named_in(app) if not row.startswith(confirmed)] == []
    assert len(await named_in(app)) > 1
    await anna.delete(f"/workshops/{anna.workshop}")


@pytest.mark.parametrize(
    "text",
    [f"for {NAME}", "Grzegżółki", NAME.upper(), "call +48 601-702-803", "601702803", f"write to {EMAIL.upper()}"],
)
async def test_texts_written_by_hand_stay_and_are_listed(app: App, text: str) -> None:
    anna = await app.owner("Anna")
    await anna.put(f"/workshops/{anna.workshop}/document-settings", {"currency": "PLN"})
    zuza = await customer(anna, **PERSON | {"notes": ""})
    of_person, of_others, untouched = await order_of(anna, zuza), await anna.order(), await anna.order(title="Oak 601")
    for order in (of_person, of_others):
        await anna.patch(f"/orders/{order['id']}", {"notes": text})
    estimate = await anna.estimate(name=text)
    other = await customer(anna, name="Jan Nowak", notes=text)
    question = (await anna.post(f"/orders/{of_others['id']}/questions", {"text": text})).json()
    picture = await photo(anna, of_others["id"], caption=text)
    kept = await erase(anna, zuza)
    assert {(each["kind"], each["id"]) for each in kept} == {
        ("photo", picture["id"]),
        ("order", of_person["id"]),
        ("order", of_others["id"]),
        ("estimate", estimate["id"]),
        ("customer", other["id"]),
        ("question", question["id"]),
    }
    assert {each["reason"] for each in kept} == {"free_text"}
    assert (await read(anna, f"/orders/{of_person['id']}"))["order"]["notes"] == text
    assert untouched["id"] not in {each["id"] for each in kept}


@pytest.mark.both_engines
async def test_a_signature_with_the_name_on_the_order_of_somebody_else_is_listed(app: App) -> None:
    anna = await app.owner("Anna")
    zuza = await customer(anna, **PERSON | {"notes": ""})
    of_others = await anna.order()
    signature = {"strokes": [[[1, 2.5], [3, 4]]], "name": NAME}
    assert (await anna.put(f"/orders/{of_others['id']}/signature", signature)).status_code == 200
    assert await erase(anna, zuza) == [{"kind": "order", "id": of_others["id"], "reason": "free_text"}]
    assert (await read(anna, f"/orders/{of_others['id']}/signature"))["name"] == NAME


async def test_merged_records_are_erased_and_cannot_be_separated(app: App) -> None:
    anna = await app.owner("Anna")
    zuza, older, other = await customer(anna), await customer(anna, **STRANGER), await customer(anna, name="Jan")
    order = await order_of(anna, older)
    await merge(anna, zuza, older)
    await erase(anna, zuza)
    response = await anna.post(f"/customers/{zuza['id']}/unmerge", {"fromId": older["id"]})
    assert (response.status_code, response.json()["code"]) == (409, "erased")
    assert pointers(await anna.post(f"/customers/{zuza['id']}/unmerge", {"fromId": other["id"]})) == ["/fromId"]
    assert await named(anna, order) is None
    assert await named_in(app) == []


async def test_clients_learn_of_everything_that_an_erasure_changes(app: App) -> None:
    anna = await app.owner("Anna")
    zuza = await customer(anna, **PERSON)
    order, estimate = await order_of(anna, zuza), await estimate_of(anna, zuza)
    path = f"/workshops/{anna.workshop}/changes"
    before = (await read(anna, path))["cursor"]
    await erase(anna, zuza)
    changed = await read(anna, f"{path}?since={before}")
    assert changed["removed"] == [{"kind": "customer", "id": zuza["id"]}]
    assert [each["id"] for each in changed["orders"]] == [order["id"]]
    assert [each["orderId"] for each in changed["orderDetails"]] == [order["id"]]
    assert [each["id"] for each in changed["estimates"]] == [estimate["id"]]


async def test_an_erasure_leaves_other_customers_and_workshops_alone(app: App) -> None:
    anna, eve = await app.owner("Anna"), await app.owner("Eve")
    zuza = await customer(anna, **PERSON)
    body = {"title": "Ring", "customerName": NAME}
    path = f"/workshops/{eve.workshop}/orders"
    order = (await eve.post(path, body, idempotency_key="of Eve")).json()
    same = await customer(eve, **PERSON)
    other = await anna.order(customerName="Jan Nowak")
    await erase(anna, zuza)
    assert (await eve.post(path, body, idempotency_key="of Eve")).json() == order
    assert await read(eve, f"/customers/{same['id']}") == same
    assert (await read(anna, f"/orders/{other['id']}"))["order"] == other


async def test_the_texts_of_one_account_are_searched_for_one_erasure_at_a_time(
    app: App, monkeypatch: pytest.MonkeyPatch
) -> None:
    anna = await app.owner("Anna")
    made = [await customer(anna, name=f"Person {number}") for number in range(3)]
    running, most = 0, 0
    search = erasures.list_traces

    async def counted(*arguments: Any) -> Any:
        nonlocal running, most
        running += 1
        most = max(most, running)
        found = await search(*arguments)
        running -= 1
        return found

    monkeypatch.setattr(erasures, "list_traces", counted)
    assert await asyncio.gather(*(erase(anna, each) for each in made)) == [[], [], []]
    assert most == 1


@pytest.mark.both_engines
async def test_an_erased_person_stays_in_no_other_merge_and_no_waiting_import(app: App) -> None:
    """Two records were merged into a third one, and the first was separated again before it was erased."""
    anna = await app.owner("Anna")
    third = await customer(anna, name="Ewa Trzecia", notes="Rings first")
    stranger = await customer(anna, **STRANGER)
    other = await customer(anna, name="Jan Drugi", notes="Has a dog", emails=["jan@drugi.example"])
    await merge(anna, third, stranger)
    await merge(anna, third, other)
    assert (await anna.post(f"/customers/{third['id']}/unmerge", {"fromId": stranger["id"]})).status_code == 200
    naming = await proposal(anna, "Name,Phone\nŻużanna Wścibińska,\nOla,601 000 000\n")
    by_phone = await proposal(anna, "Name,Phone\nSomebody,+48 512-613-714\n")
    unnamed = await proposal(anna, "Name,Phone\nOla,601 000 000\n")
    assert await erase(anna, stranger) == []
    statuses = [(await anna.get(f"/imports/{each['id']}")).status_code for each in (naming, by_phone, unnamed)]
    assert statuses == [404, 404, 200]
    assert await named_in(app) == []
    assert (await read(anna, f"/customers/{third['id']}"))["notes"] == "Rings first\n\nHas a dog"
    assert (await anna.post(f"/customers/{third['id']}/unmerge", {"fromId": other["id"]})).status_code == 200
    separated = await read(anna, f"/customers/{third['id']}")
    assert (separated["notes"], separated["emails"], separated["phones"]) == ("Rings first", [], [])
