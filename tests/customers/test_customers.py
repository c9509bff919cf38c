"""Customers over HTTP: records, lists and searches, and what orders, estimates and documents take of them."""

from typing import Any

import pytest

from tests.people import App, Person, ids, pointers
from tests.support.violations import all_of

EVERYTHING: dict[str, Any] = {
    "name": "Ewa Nowak",
    "kind": "company",
    "phones": [{"label": "mobile", "number": "+48 600 100 200"}, {"number": "18 443 00 00"}],
    "emails": ["Ewa@example.com", "office@example.com"],
    "notes": "Rings the bell twice",
    "address": "ul. Młyńska 14\n33-300 Nowy Sącz",
    "siteAddress": "ul. Polna 3\n33-300 Nowy Sącz",
    "taxId": "526-000-12-46",
    "locale": "pl",
}


async def customer(person: Person, **members: Any) -> dict[str, Any]:
    response = await person.post(f"/workshops/{person.workshop}/customers", {"name": "Ewa Nowak", **members})
    assert response.status_code == 201, response.text
    created: dict[str, Any] = response.json()
    return created


async def read(person: Person, path: str) -> Any:
    response = await person.get(path)
    assert response.status_code == 200, response.text
    return response.json()


async def found(person: Person, q: str) -> list[str]:
    response = await person.browser.get(
        f"/api/workshops/{person.workshop}/customers", params={"q": q}, headers=person._headers("GET", None)
    )
    assert response.status_code == 200, response.text
    return [each["name"] for each in response.json()["customers"]]


async def in_poland(person: Person) -> None:
    await set_settings(person, currency="EUR", country="PL")


async def set_settings(person: Person, **members: Any) -> None:
    response = await person.put(f"/workshops/{person.workshop}/document-settings", members)
    assert response.status_code == 200, response.text


async def test_a_new_customer_has_the_defaults(app: App) -> None:
    anna = await app.owner("Anna")
    created = await customer(anna)
    assert created == {
        "id": created["id"],
        "workshopId": anna.workshop,
        "name": "Ewa Nowak",
        "kind": "person",
        "phones": [],
        "emails": [],
        "notes": "",
        "createdAt": created["createdAt"],
        "updatedAt": created["createdAt"],
    }
    assert await read(anna, f"/customers/{created['id']}") == created


async def test_everything_that_was_written_is_read_again(app: App) -> None:
    anna = await app.owner("Anna")
    created = await customer(anna, **EVERYTHING)
    phones = [{"label": "mobile", "number": "+48 600 100 200", "e164": "+48600100200"}, {"number": "18 443 00 00"}]
    assert created == created | EVERYTHING | {"phones": phones}
    assert await read(anna, f"/customers/{created['id']}") == created
    assert (await read(anna, f"/workshops/{anna.workshop}/customers"))["customers"] == [created]


@pytest.mark.both_engines
async def test_a_phone_is_kept_as_typed_and_read_with_the_country_of_the_workshop(app: App) -> None:
    anna = await app.owner("Anna")
    numbers = [{"number": "600 100 200"}, {"number": "+353 85 123 4567"}, {"number": "ask the porter"}]
    without_country = await customer(anna, phones=numbers)
    assert [phone.get("e164") for phone in without_country["phones"]] == [None, "+353851234567", None]
    await in_poland(anna)
    phones = (await customer(anna, phones=numbers))["phones"]
    assert [phone["number"] for phone in phones] == [each["number"] for each in numbers]
    assert [phone.get("e164") for phone in phones] == ["+48600100200", "+353851234567", None]
    # The country of an earlier record is that of the workshop, too.
    now = await read(anna, f"/customers/{without_country['id']}")
    assert now["phones"] == phones
    # A list that was read can be sent.
    response = await anna.patch(f"/customers/{now['id']}", {"phones": now["phones"]})
    assert (response.status_code, response.json()) == (200, now)


@pytest.mark.parametrize("code", ["pl", "XX", "POL", ""])
async def test_a_country_is_of_iso_3166(app: App, code: str) -> None:
    anna = await app.owner("Anna")
    body = {"currency": "EUR", "country": code}
    response = await anna.put(f"/workshops/{anna.workshop}/document-settings", body)
    assert pointers(response) == ["/country"]


@all_of(
    ("members", "pointer"),
    [
        ({"name": ""}, "/name"),
        ({"name": "n" * 251}, "/name"),
        ({"name": None}, "/name"),
        ({"kind": "robot"}, "/kind"),
        ({"phones": [{"number": "1"}] * 6}, "/phones"),
        ({"phones": [{"number": ""}]}, "/phones/0/number"),
        ({"phones": [{"number": "1", "extension": "2"}]}, "/phones/0/extension"),
        ({"emails": ["a@example.com"] * 6}, "/emails"),
        ({"emails": ["not an address"]}, "/emails/0"),
        ({"notes": "n" * 5001}, "/notes"),
        ({"address": "a" * 2001}, "/address"),
        ({"siteAddress": "a" * 2001}, "/siteAddress"),
        ({"locale": "de"}, "/locale"),
        ({"nickname": "Ewcia"}, "/nickname"),
    ],
)
async def test_what_breaks_a_limit_is_refused(app: App, members: dict[str, Any], pointer: str) -> None:
    anna = await app.owner("Anna")
    created = await customer(anna)
    body = {"name": "Ewa", **members}
    assert pointers(await anna.post(f"/workshops/{anna.workshop}/customers", body)) == [pointer]
    assert pointers(await anna.patch(f"/customers/{created['id']}", members)) == [pointer]
    assert await read(anna, f"/customers/{created['id']}") == created


async def test_null_clears_and_an_absent_member_stays(app: App) -> None:
    anna = await app.owner("Anna")
    created = await customer(anna, **EVERYTHING)
    cleared = dict.fromkeys(["phones", "emails", "notes", "address", "siteAddress", "taxId", "locale"])
    response = await anna.patch(f"/customers/{created['id']}", cleared)
    after = response.json()
    assert response.status_code == 200
    assert after == {
        **{name: created[name] for name in ("id", "workshopId", "name", "kind", "createdAt")},
        "phones": [],
        "emails": [],
        "notes": "",
        "updatedAt": after["updatedAt"],
    }
    assert after["updatedAt"] > created["updatedAt"]
    assert (await anna.patch(f"/customers/{created['id']}", {})).json() == after


@pytest.mark.both_engines
async def test_the_list_is_by_name_without_regard_to_case(app: App) -> None:
    anna = await app.owner("Anna")
    names = ["zofia", "Łucja", "Luiza", "adam", "Żaneta", "Ćmielów", "Ewa", "ewa", "Zuzanna", "Czesław", "Mama"]
    for name in names:
        await customer(anna, name=name)
    path = f"/workshops/{anna.workshop}/customers"
    everybody = (await read(anna, path))["customers"]
    assert [each["name"] for each in everybody] == [
        *("adam", "Czesław", "Ćmielów", "Ewa", "ewa", "Luiza", "Łucja", "Mama", "zofia", "Zuzanna", "Żaneta")
    ]
    paged, url = [], f"{path}?limit=3"
    while url:
        response = await anna.get(url)
        paged += response.json()["customers"]
        url = response.links["next"]["url"].removeprefix("/api") if "next" in response.links else ""
    assert paged == everybody


async def test_a_page_that_ends_with_a_deleted_customer_leads_on(app: App) -> None:
    anna = await app.owner("Anna")
    for name in ("Ada", "Bea", "Cleo"):
        await customer(anna, name=name)
    first = await anna.get(f"/workshops/{anna.workshop}/customers?limit=2")
    await anna.delete(f"/customers/{first.json()['customers'][1]['id']}")
    rest = await read(anna, first.links["next"]["url"].removeprefix("/api"))
    assert [each["name"] for each in rest["customers"]] == ["Cleo"]


async def test_a_cursor_of_another_list_is_refused(app: App) -> None:
    anna = await app.owner("Anna")
    await anna.order()
    await anna.order()
    other = (await anna.get(f"/workshops/{anna.workshop}/orders?limit=1")).links["next"]["url"].partition("cursor=")[2]
    for cursor in ("x", "AA", "AAAA", other):
        assert pointers(await anna.get(f"/workshops/{anna.workshop}/customers?cursor={cursor}")) == ["/cursor"]


@pytest.mark.both_engines
async def test_a_search_finds_names_digits_and_emails(app: App) -> None:
    anna = await app.owner("Anna")
    await in_poland(anna)
    await customer(anna, name="Łucja Kowalska", phones=[{"number": "600 100 200"}], emails=["lucja@Example.com"])
    await customer(anna, name="Jan 100% Malinowski", phones=[{"number": "+353 85 123 4567"}])
    for q in ("łucja", "LUCJA", "walsk", "600100", "600-100-200", "48600", "+48 600 100", "lucja@exa", "EXAMPLE.COM"):
        assert await found(anna, q) == ["Łucja Kowalska"], q
    assert await found(anna, "100%") == ["Jan 100% Malinowski"]
    assert await found(anna, "100") == ["Jan 100% Malinowski", "Łucja Kowalska"]
    assert await found(anna, "_") == []
    assert await found(anna, "700") == []


async def test_a_customer_is_of_one_workshop(app: App) -> None:
    anna, eve = await app.owner("Anna"), await app.owner("Eve")
    created = await customer(anna)
    assert (await read(eve, f"/workshops/{eve.workshop}/customers"))["customers"] == []
    assert (await eve.get(f"/customers/{created['id']}")).status_code == 403
    assert (await eve.patch(f"/customers/{created['id']}", {"name": "Eve's"})).status_code == 403
    order = await eve.order()
    response = await eve.patch(f"/orders/{order['id']}/details", {"customerId": created["id"]})
    assert pointers(response) == ["/customerId"]
    estimate = await eve.estimate()
    response = await eve.put(f"/estimates/{estimate['id']}/document", {"customerId": created["id"]})
    assert pointers(response) == ["/customerId"]


async def test_the_scopes_of_keys(app: App) -> None:
    anna = await app.owner("Anna")
    created = await customer(anna)
    reader, writer = await anna.integrator("customers:read"), await anna.integrator("customers:write")
    others = await anna.integrator("orders:read", "orders:write", "estimates:read", "estimates:write")
    assert (await reader.get(f"/customers/{created['id']}")).status_code == 200
    assert (await writer.get(f"/customers/{created['id']}")).status_code == 403
    assert (await reader.patch(f"/customers/{created['id']}", {"name": "Ada"})).status_code == 403
    assert (await writer.patch(f"/customers/{created['id']}", {"name": "Ada"})).status_code == 200
    assert (await others.get(f"/customers/{created['id']}")).status_code == 403
    assert (await others.get(f"/workshops/{anna.workshop}/customers")).status_code == 403


async def test_the_tag_of_a_write_is_that_of_the_customer(app: App) -> None:
    anna = await app.owner("Anna")
    created = await anna.post(f"/workshops/{anna.workshop}/customers", {"name": "Ewa", "emails": ["e@example.com"]})
    path = f"/customers/{created.json()['id']}"
    assert created.headers["location"] == f"/api{path}"
    assert (await anna.get(path)).headers["etag"] == created.headers["etag"]
    second = await anna.post(f"/workshops/{anna.workshop}/customers", {"name": "E.", "emails": ["E@example.com"]})
    assert second.json()["duplicates"] == [created.json()["id"]]
    assert (await anna.patch(path, {"name": "Ada"}, if_match=created.headers["etag"])).status_code == 412
    response = await anna.patch(path, {"name": "Ada"}, if_match=(await anna.get(path)).headers["etag"])
    assert (response.status_code, (await anna.get(path)).headers["etag"]) == (200, response.headers["etag"])


async def test_duplicates_share_a_phone_an_email_or_a_tax_id(app: App) -> None:
    anna = await app.owner("Anna")
    await in_poland(anna)
    first = await customer(
        anna, phones=[{"number": "600 100 200"}], emails=["ewa@example.com"], taxId="PL 526-000-12-46"
    )
    same = [
        await customer(anna, name="by phone", phones=[{"number": "+48600100200"}]),
        await customer(anna, name="by email", emails=["EWA@example.com"]),
        await customer(anna, name="by tax id", taxId="5260001246"),
    ]
    other = await customer(anna, name="Ewa Nowak", phones=[{"number": "600 100 201"}])
    assert (await read(anna, f"/customers/{first['id']}"))["duplicates"] == ids(same)
    assert "duplicates" not in await read(anna, f"/customers/{other['id']}")
    for each in same:
        assert (await read(anna, f"/customers/{each['id']}"))["duplicates"] == [first["id"]]
    listed = (await read(anna, f"/workshops/{anna.workshop}/customers"))["customers"]
    assert not any("duplicates" in each for each in listed)
    await anna.patch(f"/customers/{first['id']}", {"taxId": None, "emails": []})
    assert (await read(anna, f"/customers/{first['id']}"))["duplicates"] == [same[0]["id"]]
    elsewhere = await app.owner("Eve")
    assert "duplicates" not in await customer(elsewhere, emails=["ewa@example.com"])


async def test_orders_and_estimates_name_a_customer_until_it_is_deleted(app: App) -> None:
    anna = await app.owner("Anna")
    ewa = await customer(anna)
    order, estimate = await anna.order(), await anna.estimate(recipientName="Ewa")
    details = (await anna.patch(f"/orders/{order['id']}/details", {"customerId": ewa["id"]})).json()
    assert details["customerId"] == ewa["id"]
    document = (await anna.put(f"/estimates/{estimate['id']}/document", {"customerId": ewa["id"]})).json()
    assert document == {"customerId": ewa["id"]} == await read(anna, f"/estimates/{estimate['id']}/document")
    summaries = await read(anna, f"/workshops/{anna.workshop}/order-summaries?customerId={ewa['id']}")
    assert [each["orderId"] for each in summaries["summaries"]] == [order["id"]]
    assert (await anna.delete(f"/customers/{ewa['id']}")).status_code == 204
    assert (await anna.get(f"/customers/{ewa['id']}")).status_code == 404
    assert "customerId" not in await read(anna, f"/orders/{order['id']}/details")
    assert await read(anna, f"/estimates/{estimate['id']}/document") == {}
    assert (await read(anna, f"/estimates/{estimate['id']}"))["recipientName"] == "Ewa"
    response = await anna.patch(f"/orders/{order['id']}/details", {"customerId": ewa["id"]})
    assert pointers(response) == ["/customerId"]


async def test_an_order_made_of_an_estimate_is_its_customers(app: App) -> None:
    anna = await app.owner("Anna")
    ewa, estimate = await customer(anna), await anna.estimate()
    await anna.put(f"/estimates/{estimate['id']}/document", {"customerId": ewa["id"]})
    order = (await anna.post(f"/estimates/{estimate['id']}/orders", {})).json()
    assert (await read(anna, f"/orders/{order['id']}/details"))["customerId"] == ewa["id"]
    copy = (await anna.post(f"/estimates/{estimate['id']}/duplicate")).json()
    assert (await read(anna, f"/estimates/{copy['id']}/document"))["customerId"] == ewa["id"]


async def test_recipients_have_their_customer(app: App) -> None:
    anna = await app.owner("Anna")
    ewa, order = await customer(anna), await anna.order(customerName="Ewa Nowak")
    estimate = await anna.estimate(recipientName="Jan")
    path = f"/workshops/{anna.workshop}/recipients"
    assert not any("customerId" in each for each in (await read(anna, path))["recipients"])
    await anna.patch(f"/orders/{order['id']}/details", {"customerId": ewa["id"]})
    await anna.order(customerName="Ewa Nowak")
    await anna.put(f"/estimates/{estimate['id']}/document", {"customerId": ewa["id"]})
    named = {each["name"]: each.get("customerId") for each in (await read(anna, path))["recipients"]}
    assert named == {"Ewa Nowak": ewa["id"], "Jan": ewa["id"]}


async def test_changes_show_customers_to_those_who_may_read_them(app: App) -> None:
    anna = await app.owner("Anna")
    path = f"/workshops/{anna.workshop}/changes"
    before = (await read(anna, path))["cursor"]
    ewa, jan = await customer(anna), await customer(anna, name="Jan")
    await anna.delete(f"/customers/{jan['id']}")
    changed = await read(anna, f"{path}?since={before}")
    assert (changed["customers"], changed["removed"]) == ([ewa], [{"kind": "customer", "id": jan["id"]}])
    assert await read(await anna.integrator("customers:read"), f"{path}?since={before}") == changed
    hidden = await read(await anna.integrator("orders:read", "estimates:read"), f"{path}?since={before}")
    assert (hidden["customers"], hidden["removed"]) == ([], [])


async def test_events_of_customers(app: App) -> None:
    anna = await app.owner("Anna")
    ewa, jan = await customer(anna), await customer(anna, name="Jan")
    await anna.patch(f"/customers/{ewa['id']}", {"name": "Ewa"})
    await anna.patch(f"/customers/{ewa['id']}", {"name": "Ewa"})
    await anna.post(f"/customers/{ewa['id']}/merge", {"fromId": jan["id"]})
    await anna.post(f"/customers/{ewa['id']}/erase", {})
    entries = (await read(anna, f"/workshops/{anna.workshop}/audit"))["entries"]
    logged = [(each["action"], each["objectId"]) for each in reversed(entries) if "customer" in each["action"]]
    assert logged == [
        ("customer.created", ewa["id"]),
        ("customer.created", jan["id"]),
        ("customer.updated", ewa["id"]),
        ("customer.deleted", jan["id"]),
        ("customer.merged", ewa["id"]),
        ("customer.erased", ewa["id"]),
    ]


async def test_customers_go_with_their_workshop(app: App) -> None:
    anna = await app.owner("Anna")
    ewa = await customer(anna, emails=["ewa@example.com"])
    assert (await anna.delete(f"/workshops/{anna.workshop}")).status_code == 204
    assert (await anna.get(f"/customers/{ewa['id']}")).status_code == 404


async def test_a_name_is_found_in_either_form_of_its_letters(app: App) -> None:
    """Phones and Macs write `ó` as two characters where others write one."""
    anna = await app.owner()
    for name, q in (("Jo\u0301zef O\u0301smy", "Józef"), ("Józef Szósty", "Jo\u0301zef Szo\u0301sty")):
        made = await anna.post(f"/workshops/{anna.workshop}/customers", {"name": name})
        order = await anna.order(title=f"Chair of {name}")
        found = (await anna.get(f"/workshops/{anna.workshop}/customers?q={q}")).json()["customers"]
        assert made.json()["id"] in [each["id"] for each in found]
        orders = (await anna.get(f"/workshops/{anna.workshop}/orders?q={q}")).json()["orders"]
        assert order["id"] in [each["id"] for each in orders]


async def test_an_address_whose_domain_cannot_be_written_is_refused(app: App) -> None:
    anna = await app.owner()
    for email, status in (("ewa@żółw.example", 201), (f"ewa@{'ó' * 60}.example", 400)):
        made = await anna.post(f"/workshops/{anna.workshop}/customers", {"name": "Ewa", "emails": [email]})
        assert made.status_code == status, made.text
