"""Imports over HTTP: what a file is taken for, what running it adds, and what undoing it deletes."""

import asyncio
import io
from collections.abc import Callable
from functools import partial
from typing import Any

import httpx
import pytest
from PIL import Image

from backbench.imports import imports as rules
from backbench.jobs.sweep import SweepJob
from backbench.values import times
from tests.imports.spreadsheets import number, row, text, xlsx
from tests.people import App, Person, ids, pointers
from tests.support.counted_data import assert_counted, held
from tests.support.databases import running_app
from tests.support.statements import recorded
from tests.support.uploads import post_import, proposal

PEOPLE = """Imię i nazwisko;Telefon;E-mail;Adres;Uwagi
Ewa Nowak;600 100 200;ewa@example.com;ul. Długa 1;
Jan Kos;601 100 200;jan@;;
Ola Lis;;ola@example.com;;dzwonić po 16
"""
ORDERS = """Title,Customer,Email,Status,Due,Limit
Chair,Ewa Nowak,ewa@example.com,in progress,2026-12-04,120.50
Table,Jan Kos,,collected,,
,Nobody,,,,
"""


async def run(person: Person, proposed: dict[str, Any], **headers: str) -> httpx.Response:
    return await person.post(f"/imports/{proposed['id']}/run", **headers)


def counts(response: httpx.Response) -> dict[str, int]:
    """The numbers of rows of a result."""
    return {name: number for name, number in response.json().items() if name in ("created", "updated", "skipped")}


async def undo(person: Person, proposed: dict[str, Any]) -> dict[str, Any]:
    response = await person.post(f"/imports/{proposed['id']}/undo")
    assert response.status_code == 200, response.text
    undone: dict[str, Any] = response.json()
    return undone


async def customers(person: Person) -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = (await person.get(f"/workshops/{person.workshop}/customers")).json()["customers"]
    return found


async def orders(person: Person) -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = (await person.get(f"/workshops/{person.workshop}/orders")).json()["orders"]
    return found


async def grids(person: Person) -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = (await person.get(f"/workshops/{person.workshop}/grids")).json()["grids"]
    return found


async def changes(person: Person, cursor: str | None = None) -> dict[str, Any]:
    since = "" if cursor is None else f"?since={cursor}"
    found: dict[str, Any] = (await person.get(f"/workshops/{person.workshop}/changes{since}")).json()
    return found


async def test_a_file_is_proposed_and_nothing_is_imported(app: App) -> None:
    anna = await app.owner()
    before = await changes(anna)
    response = await post_import(anna, PEOPLE.encode(), name="klienci.csv")
    found = response.json()
    assert response.status_code == 201, response.text
    assert response.headers["location"] == f"/api/imports/{found['id']}"
    assert found["columns"] == ["Imię i nazwisko", "Telefon", "E-mail", "Adres", "Uwagi"]
    mapped = {field: column for field, column in found["mapping"].items() if column is not None}
    assert mapped == {"name": 0, "phone": 1, "email": 2, "address": 3, "notes": 4}
    assert (found["fileName"], found["rows"], found["state"]) == ("klienci.csv", 3, "proposed")
    assert found["sample"][0] == ["Ewa Nowak", "600 100 200", "ewa@example.com", "ul. Długa 1", ""]
    assert (found["errors"], found["rowsWithErrors"]) == ([], 0)
    assert found["notes"] == [
        {"row": 3, "column": 2, "field": "email", "code": "not_an_email", "detail": "Expected an email address"}
    ]
    assert (found["questions"], found["duplicates"]) == ([], [])
    assert await customers(anna) == []
    assert (await changes(anna))["cursor"] == before["cursor"]
    assert (await anna.get(f"/imports/{found['id']}")).json() == found


async def test_running_an_import_creates_what_has_no_errors(app: App) -> None:
    anna = await app.owner()
    await anna.put(f"/workshops/{anna.workshop}/document-settings", {"currency": "PLN"})
    cursor = (await changes(anna))["cursor"]
    proposed = await proposal(anna, PEOPLE)
    response = await run(anna, proposed)
    assert (response.status_code, counts(response)) == (200, {"created": 3, "updated": 0, "skipped": 0})
    assert [(note["row"], note["field"]) for note in response.json()["notes"]] == [(3, "email")]
    ewa, jan, ola = await customers(anna)
    assert (jan["phones"][0]["number"], jan["emails"]) == ("601 100 200", [])
    assert ewa["phones"] == [{"number": "600 100 200", "e164": "+48600100200"}]
    assert (ewa["emails"], ewa["address"], ola["notes"]) == (["ewa@example.com"], "ul. Długa 1", "dzwonić po 16")
    found = await changes(anna, cursor)
    assert sorted(ids(found["customers"])) == sorted(ids([ewa, jan, ola]))
    entries = (await anna.get(f"/workshops/{anna.workshop}/audit")).json()["entries"]
    assert [entry["action"] for entry in entries[:4]] == ["import.run", *["customer.created"] * 3]
    versions = [entry["version"] for entry in entries]
    assert versions == sorted(range(1, len(versions) + 1), reverse=True)
    shown = (await anna.get(f"/imports/{proposed['id']}")).json()
    assert (shown["state"], shown["result"], shown["sample"]) == ("done", response.json(), [])
    assert ids((await anna.get(f"/workshops/{anna.workshop}/imports")).json()["imports"]) == [proposed["id"]]


async def test_an_import_runs_once(app: App) -> None:
    anna = await app.owner()
    proposed = await proposal(anna, PEOPLE)
    first = await run(anna, proposed, idempotency_key="one")
    assert (await run(anna, proposed, idempotency_key="one")).json() == first.json()
    again = await run(anna, proposed)
    assert (again.status_code, again.json()["code"]) == (409, "already_run")
    changed = await anna.patch(f"/imports/{proposed['id']}", {"mapping": {"notes": None}})
    assert (changed.status_code, changed.json()["code"]) == (409, "already_run")
    assert len(await customers(anna)) == 3


@pytest.mark.both_engines
async def test_a_customer_who_exists_gets_what_the_record_lacks(app: App) -> None:
    anna = await app.owner()
    body = {"name": "EWA NOWAK", "emails": ["EWA@example.com"], "address": "Rynek 2"}
    ewa = (await anna.post(f"/workshops/{anna.workshop}/customers", body)).json()
    proposed = await proposal(anna, PEOPLE)
    assert counts(await run(anna, proposed)) == {"created": 2, "updated": 1, "skipped": 0}
    after = (await anna.get(f"/customers/{ewa['id']}")).json()
    assert (after["name"], after["address"]) == ("EWA NOWAK", "Rynek 2")
    assert [phone["number"] for phone in after["phones"]] == ["600 100 200"]
    found = (await anna.get(f"/workshops/{anna.workshop}/customers?q=600100200")).json()["customers"]
    assert ids(found) == [ewa["id"]]
    undone = await undo(anna, proposed)
    assert undone == {
        "removed": 2,
        "kept": [{"kind": "customer", "id": ewa["id"], "name": "EWA NOWAK", "reason": "existed"}],
    }


async def test_what_a_customer_has_otherwise_is_named_before_and_after(app: App) -> None:
    anna = await app.owner()
    await run(anna, await proposal(anna, "Name,Email,Address,Notes\nEwa,ewa@example.com,Rynek 2,\n"))
    (ewa,) = await customers(anna)
    rows = "Ewa,ewa@example.com,Rynek 3,First\nJan,jan@example.com,,\nEwa,ewa@example.com,,Second\n"
    proposed = await proposal(anna, f"Name,Email,Address,Notes\n{rows}")
    named = [(2, 2, "address", "differs"), (4, 3, "notes", "differs")]
    changed = (await anna.patch(f"/imports/{proposed['id']}", {"answers": {}})).json()
    result = (await run(anna, proposed)).json()
    for found in (proposed, changed, result):
        assert [(each["row"], each["column"], each["field"], each["code"]) for each in found["notes"]] == named
    after = (await anna.get(f"/customers/{ewa['id']}")).json()
    assert (after["address"], after["notes"]) == ("Rynek 2", "First")


async def test_the_same_file_again_changes_nothing(app: App) -> None:
    anna = await app.owner()
    await anna.put(f"/workshops/{anna.workshop}/document-settings", {"currency": "PLN"})
    await run(anna, await proposal(anna, PEOPLE))
    before = await customers(anna)
    again = await proposal(anna, PEOPLE)
    assert counts(await run(anna, again)) == {"created": 0, "updated": 3, "skipped": 0}
    assert await customers(anna) == before
    assert await undo(anna, again) == {"removed": 0, "kept": []}


async def test_undoing_deletes_what_nobody_has_changed_or_used(app: App) -> None:
    anna = await app.owner()
    rows = "".join(f"Customer {number},c{number}@example.com\n" for number in range(5))
    proposed = await proposal(anna, f"Name,Email\n{rows}")
    await run(anna, proposed)
    changed, used, *_ = await customers(anna)
    await anna.patch(f"/customers/{changed['id']}", {"notes": "Rings twice"})
    order = await anna.order()
    await anna.patch(f"/orders/{order['id']}/details", {"customerId": used["id"]})
    cursor = (await changes(anna))["cursor"]
    undone = await undo(anna, proposed)
    assert undone["removed"] == 3
    assert [(each["id"], each["reason"]) for each in undone["kept"]] == [
        (changed["id"], "changed"),
        (used["id"], "in_use"),
    ]
    assert ids(await customers(anna)) == [changed["id"], used["id"]]
    assert len((await changes(anna, cursor))["removed"]) == 3
    again = await anna.post(f"/imports/{proposed['id']}/undo")
    assert (again.status_code, again.json()["code"]) == (409, "already_undone")


@pytest.mark.both_engines
async def test_orders_are_imported_with_their_details(app: App) -> None:
    anna = await app.owner()
    body = {"name": "Ewa Nowak", "emails": ["ewa@example.com"]}
    ewa = (await anna.post(f"/workshops/{anna.workshop}/customers", body)).json()
    proposed = await proposal(anna, ORDERS, "orders")
    assert [(error["row"], error["code"]) for error in proposed["errors"]] == [(4, "missing")]
    assert counts(await run(anna, proposed)) == {"created": 2, "updated": 0, "skipped": 1}
    table, chair = await orders(anna)
    assert (chair["title"], chair["customerName"], chair["status"]) == ("Chair", "Ewa Nowak", "in_progress")
    assert [change["status"] for change in chair["statusHistory"]] == ["todo", "in_progress"]
    details = (await anna.get(f"/orders/{chair['id']}/details")).json()
    assert (details["number"], details["dueOn"], details["priceLimit"]) == (1, "2026-12-04", 120.5)
    assert details["customerId"] == ewa["id"]
    collected = (await anna.get(f"/orders/{table['id']}/details")).json()
    assert (collected["number"], collected["stage"]) == (2, "collected")
    assert (await anna.get(f"/orders/{table['id']}/status-link")).status_code == 200
    found = (await anna.get(f"/workshops/{anna.workshop}/orders?q=chair")).json()["orders"]
    assert ids(found) == [chair["id"]]
    payment = {"kind": "payment", "amount": 5, "method": "cash"}
    assert (await anna.post(f"/orders/{chair['id']}/payments", payment)).status_code == 201
    undone = await undo(anna, proposed)
    assert (undone["removed"], [(each["name"], each["reason"]) for each in undone["kept"]]) == (
        1,
        [("Chair", "in_use")],
    )


@pytest.mark.both_engines
async def test_a_question_is_answered_and_the_answer_holds_when_it_runs(app: App) -> None:
    anna = await app.owner()
    proposed = await proposal(anna, "Name,Retail price,List price\nScrew,1.250,7\nBoard,2.500,8\n", "tiles")
    path = f"/imports/{proposed['id']}"
    asked = {each["id"]: each for each in proposed["questions"]}
    assert (set(asked), asked["column:unitPrice"]["answer"]) == ({"column:unitPrice", "decimals:unitPrice"}, "1")
    for wrong in ({"colour": "red"}, {"decimals:unitPrice": "both"}):
        refused = await anna.patch(path, {"answers": wrong})
        assert (refused.status_code, refused.json()["errors"][0]["code"]) == (400, "unknown")
    other = (await anna.patch(path, {"answers": {"column:unitPrice": "2"}})).json()
    assert (other["mapping"]["unitPrice"], [each["id"] for each in other["questions"]]) == (2, ["column:unitPrice"])
    back = (await anna.patch(path, {"mapping": {"unitPrice": 1}})).json()
    assert {each["id"]: each.get("answer") for each in back["questions"]} == {
        "column:unitPrice": "1",
        "decimals:unitPrice": None,
    }
    answered = (await anna.patch(path, {"answers": {"decimals:unitPrice": ","}})).json()
    assert {each["id"]: each.get("answer") for each in answered["questions"]}["decimals:unitPrice"] == ","
    assert (await run(anna, proposed)).status_code == 200
    found = next(grid for grid in await grids(anna) if grid["name"] == "list")
    assert [tile["unitPrice"] for tile in found["buttons"]] == [1250, 2500]


async def test_another_person_stays_another_person(app: App) -> None:
    """The phone of a family or a reception is not one customer: an order and a contact with it keep their names."""
    anna = await app.owner()
    await anna.put(f"/workshops/{anna.workshop}/document-settings", {"currency": "PLN"})
    await run(anna, await proposal(anna, "Nazwa;Telefon\nJan Wspólny;12 345 00 01\n"))
    (jan,) = await customers(anna)
    proposed = await proposal(anna, "Nazwa;Telefon;E-mail\nAnna Wspólna;12 345 00 01;anna.w@example.org\n")
    assert proposed["duplicates"] == [{"row": 2, "customerId": jan["id"]}]
    assert (await run(anna, proposed)).json()["duplicates"] == proposed["duplicates"]
    second, first = await customers(anna)
    assert (second["name"], second["emails"], first) == ("Anna Wspólna", ["anna.w@example.org"], jan)
    assert (await anna.get(f"/customers/{second['id']}")).json()["duplicates"] == [jan["id"]]
    unnamed = await proposal(anna, "Nazwa;Telefon;E-mail\n;;anna.w@example.org\n")
    assert counts(await run(anna, unnamed)) == {"created": 0, "updated": 1, "skipped": 0}
    rows = "Tytuł;Klient;Telefon\nA;Jan Wspólny;12 345 00 01\nB;Ewa Wspólna;12 345 00 01\nC;;12 345 00 01\n"
    await run(anna, await proposal(anna, rows, "orders"))
    linked = {
        order["title"]: (await anna.get(f"/orders/{order['id']}/details")).json().get("customerId")
        for order in await orders(anna)
    }
    assert linked == {"A": jan["id"], "B": None, "C": None}


async def test_an_email_address_that_no_customer_of_its_order_has_is_named(app: App) -> None:
    anna = await app.owner()
    rows = (
        "A,Ewa,ewa@example.com,\nB,Jan,ewa@example.com,\nC,Ewa,,601000001\nD,Ewa,other@example.com,601000001\n"
        "E,,ewa@example.com,\nF,Ola,ola@example.com,\n"
    )
    file = f"Title,Customer,Email,Phone\n{rows}"
    nobody = await proposal(anna, file, "orders")
    assert [note["row"] for note in nobody["notes"]] == [2, 3, 5, 6, 7]
    body = {"name": "Ewa", "emails": ["EWA@example.com"], "phones": [{"number": "+48601000001"}]}
    await anna.post(f"/workshops/{anna.workshop}/customers", body)
    proposed = await proposal(anna, file, "orders")
    result = (await run(anna, proposed)).json()
    for found in (proposed, result):
        named = [(each["row"], each["column"], each["field"], each["code"]) for each in found["notes"]]
        assert named == [(row, 2, "email", "no_customer") for row in (3, 5, 7)]


async def test_tiles_go_into_new_grids_of_200(app: App) -> None:
    anna = await app.owner()
    await anna.put(f"/workshops/{anna.workshop}/document-settings", {"currency": "PLN"})
    rows = "".join(
        f"Item {number};1 0{number % 90 + 10},50 zł;{unit}\n" for number, unit in enumerate(["szt.", "kg"] * 120)
    )
    proposed = await proposal(anna, f"Nazwa;Cena netto;J.m.\n{rows}", "tiles", "cennik 2026.csv")
    assert proposed["errors"] == []
    assert counts(await run(anna, proposed)) == {"created": 240, "updated": 0, "skipped": 0}
    first, second = await grids(anna)
    assert [(grid["name"], len(grid["buttons"])) for grid in (first, second)] == [
        ("cennik 2026 1", 200),
        ("cennik 2026 2", 40),
    ]
    piece, other = first["buttons"][:2]
    assert (piece["label"], piece["unit"], piece["unitPrice"]) == ("Item 0", "piece", 1010.5)
    assert (other["label"], other["unit"]) == ("Item 1 (kg)", "freeform")
    sent_back = await anna.patch(f"/grids/{second['id']}", {"buttons": second["buttons"][:1]})
    assert sent_back.status_code == 200, sent_back.text
    undone = await undo(anna, proposed)
    assert (undone["removed"], [each["reason"] for each in undone["kept"]]) == (1, ["changed"])


async def test_more_tiles_than_fit_ten_grids_are_refused_whole(app: App) -> None:
    anna = await app.owner()
    rows = "".join(f"Item {number},1\n" for number in range(2001))
    refused = await run(anna, await proposal(anna, f"Name,Price\n{rows}", "tiles"))
    assert (refused.status_code, refused.json()["code"]) == (409, "plan_limit")
    assert await grids(anna) == []


async def test_a_mapping_is_changed_and_remembered_for_the_same_headings(app: App) -> None:
    anna = await app.owner()
    text = "A,B,C\nEwa,600100200,Rings twice\n"
    proposed = await proposal(anna, text)
    path = f"/imports/{proposed['id']}"
    unknown = await anna.patch(path, {"mapping": {"colour": 1, "name": 7}})
    assert (unknown.status_code, sorted(pointers(unknown))) == (400, ["/mapping/colour", "/mapping/name"])
    beyond = await anna.patch(path, {"mapping": {"name": 100, "phone": -1}})
    assert sorted(error["code"] for error in beyond.json()["errors"]) == ["too_large", "too_small"]
    response = await anna.patch(path, {"mapping": {"name": 0, "phone": 1, "notes": 2}})
    assert response.status_code == 200, response.text
    assert (response.json()["mapping"]["notes"], response.json()["errors"]) == (2, [])
    without = await anna.patch(path, {"mapping": {"name": None, "phone": None}})
    assert [(error["row"], error["column"], error["code"]) for error in without.json()["errors"]] == [
        (2, None, "unmapped")
    ]
    await anna.patch(path, {"mapping": {"name": 0, "phone": 1}})
    await run(anna, proposed)
    again = await proposal(anna, "C,B,A\nRings once,601100200,Ola\n")
    assert {field: at for field, at in again["mapping"].items() if at is not None} == {
        "name": 2,
        "phone": 1,
        "notes": 0,
    }


async def test_files_that_cannot_be_read_are_refused_by_name(app: App) -> None:
    anna = await app.owner()
    picture = io.BytesIO()
    Image.new("RGB", (2, 2)).save(picture, "PNG")
    for content, code in (
        (b"", "empty"),
        (b"Name,Phone\n", "empty"),
        (picture.getvalue(), "not_text"),
        (b"%PDF-1.7\n1 0 obj\n", "not_text"),
        (bytes(5_000), "not_text"),
        (b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1" + bytes(600), "old_workbook"),
        (b"Name,Notes\n" + b"".join(b"P%d,%s\n" % (at, b"x" * 9_900) for at in range(900)), None),
        (b"PK\x03\x04 not a spreadsheet", "damaged"),
        (b"Name\n" + b"x\n" * 50_001, "too_many_rows"),
        (b"BEGIN:VCARD\nFN:Ewa\n", "empty"),
    ):
        response = await post_import(anna, content)
        if code is None:
            assert response.status_code == 201
            continue
        assert (response.status_code, response.json()["errors"][0]["code"]) == (400, code), content[:20]
        assert pointers(response) == ["/file"]
    too_large = await post_import(anna, b"x" * (rules.MAX_UPLOAD_BYTES + 1))
    assert too_large.status_code == 413


async def test_strangers_cannot_see_or_run_an_import(app: App) -> None:
    anna, eva = await app.owner(), await app.owner("Eva")
    proposed = await proposal(anna, PEOPLE)
    assert (await eva.get(f"/imports/{proposed['id']}")).status_code == 403
    assert (await run(eva, proposed)).status_code == 403
    assert (await post_import(await app.member(anna), PEOPLE.encode())).status_code == 201


async def test_a_workshop_has_20_files_that_are_not_imported(app: App) -> None:
    anna = await app.owner()
    for _ in range(rules.MOST_PROPOSED):
        proposed = await proposal(anna, PEOPLE)
    refused = await post_import(anna, PEOPLE.encode())
    assert (refused.status_code, refused.json()["code"]) == (409, "plan_limit")
    await run(anna, proposed)
    await proposal(anna, PEOPLE)


async def test_the_file_goes_after_a_day_and_the_import_when_it_cannot_be_undone(app: App) -> None:
    anna = await app.owner()
    kept, done = await proposal(anna, PEOPLE), await proposal(anna, PEOPLE)
    await run(anna, done)
    blobs, clock = app.backbench.blobs, times.now()
    for after, expected in ((0.0, [kept["id"], done["id"]]), (86_500.0, [done["id"]]), (31 * 86_400.0, [])):
        await SweepJob(app.db, blobs, partial(times.later, clock, after)).sweep()
        async with app.db.read() as db:
            assert sorted(
                await db.all(str, "SELECT id FROM imports WHERE workshop_id = :id", id=anna.workshop)
            ) == sorted(expected)
        assert await blobs.size(done["id"]) is None
        assert (await blobs.size(kept["id"]) is None) == (after > 0)


async def test_a_spreadsheet_and_contacts_are_imported(app: App) -> None:
    anna = await app.owner()
    rows = [row(text("Name"), text("Phone")), row(text("Ewa Nowak"), number(600100200))]
    found = (await post_import(anna, xlsx(rows), name="customers.xlsx")).json()
    await run(anna, found)
    card = "BEGIN:VCARD\r\nVERSION:4.0\r\nFN:Jan Kos\r\nTEL;VALUE=uri:tel:+48601100200\r\nEND:VCARD\r\n"
    contact = await proposal(anna, card, name="jan.vcf")
    assert contact["errors"] == []
    await run(anna, contact)
    ewa, jan = await customers(anna)
    assert (ewa["name"], ewa["phones"][0]["number"]) == ("Ewa Nowak", "600100200")
    assert (jan["name"], jan["phones"][0]["e164"]) == ("Jan Kos", "+48601100200")
    refused = await post_import(anna, card.encode(), "orders")
    assert refused.json()["errors"][0]["code"] == "not_customers"


async def test_an_import_beyond_the_data_of_the_plan_adds_nothing(new_database_url: Callable[[], str]) -> None:
    async with running_app(new_database_url(), pro_data_mib=1) as small_app:
        anna = await small_app.owner()
        rows = "".join(f"Order {at},{'x' * 4_900}\n" for at in range(300))
        proposed = await proposal(anna, f"Title,Notes\n{rows}", "orders")
        before = await held(small_app, anna.workshop)
        refused = await run(anna, proposed)
        assert (refused.status_code, refused.json()["code"]) == (409, "plan_limit")
        assert await orders(anna) == []
        assert await held(small_app, anna.workshop) == before
        assert (await anna.get(f"/imports/{proposed['id']}")).json()["state"] == "proposed"


async def test_what_an_import_adds_is_counted(app: App) -> None:
    anna = await app.owner()
    rows = "".join(f"Chair {at},Ewa {at},60010020{at}\n" for at in range(9))
    added = await run(anna, await proposal(anna, f"Title,Customer,Phone\n{rows}", "orders"))
    assert counts(added)["created"] == 9
    assert counts(await run(anna, await proposal(anna, PEOPLE)))["created"] == 3
    await assert_counted(app, anna.workshop)


@pytest.mark.both_engines
async def test_two_runs_at_the_same_time_import_once(app: App) -> None:
    anna = await app.owner()
    proposed = await proposal(anna, PEOPLE)
    responses = await asyncio.gather(*(run(anna, proposed) for _ in range(3)))
    assert sorted(response.status_code for response in responses) == [200, 409, 409]
    assert len(await customers(anna)) == 3


async def test_a_list_of_imports_does_not_read_their_cells_and_errors(app: App) -> None:
    anna = await app.owner()
    await proposal(anna, PEOPLE)
    with recorded() as statements:
        (summary,) = (await anna.get(f"/workshops/{anna.workshop}/imports")).json()["imports"]
    assert summary["state"] == "proposed"
    (read,) = [sql for sql in statements if "FROM imports" in sql]
    assert "sample" not in read
    assert "errors" not in read


async def test_a_proposal_keeps_the_beginnings_of_cells_and_few_errors(app: App) -> None:
    """And none of them once it has run: cells of a shared text would fill the disk."""
    anna = await app.owner("Anna")
    rows = [f"{'x' * 251},none-{number},{'x' * 5_000}" for number in range(300)]
    asked = await proposal(anna, "\n".join(["Name,Email,Notes", "Ewa,ewa@example.com,Hello", *rows]))
    assert asked["rowsWithErrors"] == 300
    assert len(asked["errors"]) == 100
    assert max(len(cell) for row in asked["sample"] for cell in row) == 200
    assert (await anna.post(f"/imports/{asked['id']}/run")).json()["created"] == 1
    sql = "SELECT length(sample) + length(errors) FROM imports WHERE id = :id"
    async with app.db.read() as db:
        assert await db.value(sql, id=asked["id"]) == len("[][]")


async def test_a_row_tells_everything_that_is_wrong_with_it(app: App) -> None:
    anna = await app.owner("Anna")
    asked = await proposal(anna, "Title,Due,Not more than\n,2026-13-45,much\nShelf,2026-13-45,much\n", "orders")
    found = [(error["row"], error["field"], error["code"]) for error in asked["errors"]]
    assert sorted(found) == [
        (2, "dueOn", "not_a_date"),
        (2, "priceLimit", "not_a_number"),
        (2, "title", "missing"),
    ]
    found = [(note["row"], note["field"], note["code"]) for note in asked["notes"]]
    assert sorted(found) == [(3, "dueOn", "not_a_date"), (3, "priceLimit", "not_a_number")]
