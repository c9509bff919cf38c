"""Orders API: create, list, search, edit, move and delete the orders of a workshop."""

from typing import Any

import httpx
import msgspec
import pytest

from backbench.engine.database import Write
from backbench.orders import orders
from backbench.values.calls import Call, Caller
from backbench.values.scalars import fold_case
from tests.people import App, Person, ids, pointers
from tests.support.counted_data import assert_counted
from tests.support.statements import recorded

MEMBERS = {
    "id", "workshopId", "title", "customerName", "notes", "status", "createdAt", "lastActivityAt", "statusHistory",
}  # fmt: skip
CONTROL = ["\x00", "\x01", "\t", "\n", "\r", "\x1f", "\x7f", "\x85", "\x9f"]


def orders_path(person: Person) -> str:
    return f"/workshops/{person.workshop}/orders"


async def list_ids(person: Person, query: str = "") -> list[str]:
    """The ids of the orders, in the order of the list."""
    return ids((await person.get(f"{orders_path(person)}{query}")).json()["orders"])


async def search(person: Person, q: str) -> list[str]:
    response = await person.browser.get(f"/api{orders_path(person)}", params={"q": q})
    return ids(response.json()["orders"])


async def get_order(person: Person, order: dict[str, Any]) -> dict[str, Any]:
    current: dict[str, Any] = (await person.get(f"/orders/{order['id']}")).json()["order"]
    return current


# POST /workshops/{workshopId}/orders


async def test_a_new_order_has_status_todo_and_empty_notes(app: App) -> None:
    anna = await app.owner("Anna")
    response = await anna.post(orders_path(anna), {"title": "Oak table"})
    order = response.json()
    assert response.status_code == 201
    assert (order["status"], order["notes"], order["customerName"]) == ("todo", "", "")
    assert order["statusHistory"] == [{"status": "todo", "at": order["createdAt"]}]
    assert order["lastActivityAt"] == order["createdAt"]


async def test_an_order_has_exactly_the_documented_members(app: App) -> None:
    anna = await app.owner("Anna")
    order = await anna.order(title="Oak table", customerName="Łucja")
    assert set(order) == MEMBERS
    assert (order["workshopId"], order["title"], order["customerName"]) == (anna.workshop, "Oak table", "Łucja")


async def test_timestamps_are_utc_with_milliseconds_and_ids_are_uuid7(app: App) -> None:
    order = await (await app.owner("Anna")).order()
    assert len(order["createdAt"]) == len("2026-11-20T10:15:00.000Z")
    assert order["createdAt"].endswith("Z")
    assert order["id"][14] == "7"


async def test_an_order_reads_back_as_it_was_created(app: App) -> None:
    anna = await app.owner("Anna")
    order = await anna.order(title='Stół "dębowy" \\ 🪚', customerName="Łucja")
    assert (await anna.get(f"/orders/{order['id']}")).json() == {"order": order}
    assert (await anna.get(orders_path(anna))).json() == {"orders": [order]}


async def test_unknown_fields_of_a_new_order_are_ignored(app: App) -> None:
    anna = await app.owner("Anna")
    order = await anna.order(status="done", notes="no", id="mine", workshopId="x", zzz={"a": [1, None]})
    assert set(order) == MEMBERS
    assert (order["status"], order["notes"], order["workshopId"]) == ("todo", "", anna.workshop)
    assert order["id"] != "mine"


async def test_all_invalid_fields_are_reported(app: App) -> None:
    anna = await app.owner("Anna")
    response = await anna.post(orders_path(anna), {"title": "", "customerName": "a\nb"})
    assert pointers(response) == ["/title", "/customerName"]


async def test_a_validation_error_is_a_problem_document_of_rfc_9457(app: App) -> None:
    anna = await app.owner("Anna")
    problem = (await anna.post(orders_path(anna), {"customerName": 1})).json()
    assert {name: problem[name] for name in ("status", "code")} == {"status": 400, "code": "validation_error"}
    assert {"type", "title", "detail"} <= set(problem)
    assert [(error["pointer"], error["code"]) for error in problem["errors"]] == [
        ("/title", "missing"),
        ("/customerName", "type"),
    ]
    assert all(error["detail"] for error in problem["errors"])


async def test_a_title_of_1_to_250_characters_is_stored_unchanged(app: App) -> None:
    anna = await app.owner("Anna")
    for title in ("x", "x" * 250, "🪚" * 250, " ", "Stół", "a\u2028b", "\u200b", "é" * 250):
        assert (await anna.order(title=title))["title"] == title


async def test_an_invalid_title_is_rejected(app: App) -> None:
    anna = await app.owner("Anna")
    order = await anna.order()
    wrong: list[Any] = ["", "x" * 251, "🪚" * 251, None, 1, ["x"], {}, True]
    for title in wrong:
        assert pointers(await anna.post(orders_path(anna), {"title": title})) == ["/title"]
        assert pointers(await anna.patch(f"/orders/{order['id']}", {"title": title})) == ["/title"]
    assert await list_ids(anna) == [order["id"]]


async def test_control_characters_are_rejected_in_titles_and_customer_names(app: App) -> None:
    anna = await app.owner("Anna")
    order = await anna.order()
    for character in CONTROL:
        for text in (character, f"a{character}b", f"a{character}"):
            both = {"title": text, "customerName": text}
            for response in (
                await anna.post(orders_path(anna), both),
                await anna.patch(f"/orders/{order['id']}", both),
            ):
                assert set(pointers(response)) == {"/title", "/customerName"}, repr(text)


async def test_a_customer_name_of_at_most_250_characters_is_stored_unchanged(app: App) -> None:
    anna = await app.owner("Anna")
    for name in ("", "x" * 250, "🪚" * 250, "Łucja"):
        assert (await anna.order(customerName=name))["customerName"] == name


async def test_an_invalid_customer_name_is_rejected(app: App) -> None:
    anna = await app.owner("Anna")
    order = await anna.order()
    for name in ("x" * 251, None, 1):
        assert pointers(await anna.post(orders_path(anna), {"title": "x", "customerName": name})) == ["/customerName"]
        assert pointers(await anna.patch(f"/orders/{order['id']}", {"customerName": name})) == ["/customerName"]


async def test_a_workshop_that_does_not_exist_is_403_and_never_404(app: App) -> None:
    anna = await app.owner("Anna")
    for workshop in ("01890a5d-ac96-774b-bcce-b302099a8057", "nothing"):
        path = f"/workshops/{workshop}/orders"
        for response in (await anna.get(path), await anna.post(path, {"title": "x"})):
            assert (response.status_code, response.content) == (403, b"")


# GET /workshops/{workshopId}/orders


async def test_a_workshop_without_orders_has_an_empty_list(app: App) -> None:
    anna = await app.owner("Anna")
    response = await anna.get(orders_path(anna))
    assert (response.status_code, response.json()) == (200, {"orders": []})


async def test_orders_are_listed_newest_first(app: App) -> None:
    anna = await app.owner("Anna")
    created = [(await anna.order(title=f"Chair {number}"))["id"] for number in range(12)]
    assert await list_ids(anna) == created[::-1]


@pytest.mark.both_engines
async def test_orders_created_at_the_same_time_are_sorted_by_id(app: App) -> None:
    anna = await app.owner("Anna")
    created = [(await anna.order())["id"] for _ in range(5)]
    await set_equal_times(app, anna)
    assert await list_ids(anna) == sorted(created, reverse=True)
    first = await anna.get(f"{orders_path(anna)}?limit=2")
    second = await get_next_page(anna, first)
    assert ids(first.json()["orders"]) + ids(second.json()["orders"]) == sorted(created, reverse=True)[:4]


async def test_moves_and_edits_do_not_change_the_position_in_the_list(app: App) -> None:
    anna = await app.owner("Anna")
    first, second = await anna.order(), await anna.order()
    await anna.patch(f"/orders/{first['id']}/status", {"status": "done"})
    await anna.patch(f"/orders/{first['id']}", {"title": "Chair"})
    assert await list_ids(anna) == [second["id"], first["id"]]


async def test_a_listed_order_equals_the_single_order(app: App) -> None:
    anna = await app.owner("Anna")
    order = await anna.order(title='"\\/\u2028🪚', customerName="\u00a0")
    strange = "".join(chr(code) for code in range(1, 0x300)) + "\ufffe\uffff\U0010ffff"
    await anna.patch(f"/orders/{order['id']}", {"notes": strange})
    await anna.patch(f"/orders/{order['id']}/status", {"status": "done"})
    expected = await get_order(anna, order)
    assert expected["notes"] == strange
    assert (await anna.get(orders_path(anna))).json()["orders"] == [expected]
    assert (await anna.get(f"{orders_path(anna)}?limit=1")).json()["orders"] == [expected]


async def test_the_list_contains_only_orders_of_the_workshop(app: App) -> None:
    anna, jan = await app.owner("Anna"), await app.owner("Jan")
    order = await anna.order()
    await jan.order()
    assert await list_ids(anna) == [order["id"]]


async def test_without_a_limit_the_whole_list_is_returned(app: App) -> None:
    anna = await app.owner("Anna")
    await add_copies(app, anna, 620)
    response = await anna.get(orders_path(anna))
    assert len(response.json()["orders"]) == 620
    assert "link" not in response.headers


# limit and cursor


async def test_a_limited_list_links_to_the_next_page(app: App) -> None:
    anna = await app.owner("Anna")
    created = [(await anna.order())["id"] for _ in range(5)][::-1]
    response = await anna.get(f"{orders_path(anna)}?limit=2")
    pages = [ids(response.json()["orders"])]
    while "link" in response.headers:
        response = await get_next_page(anna, response)
        pages.append(ids(response.json()["orders"]))
    assert pages == [created[:2], created[2:4], created[4:]]


async def test_the_last_page_has_no_link(app: App) -> None:
    anna = await app.owner("Anna")
    for _ in range(2):
        await anna.order()
    assert "link" not in (await anna.get(f"{orders_path(anna)}?limit=2")).headers
    assert "link" in (await anna.get(f"{orders_path(anna)}?limit=1")).headers


async def test_the_link_keeps_the_query_parameters(app: App) -> None:
    anna = await app.owner("Anna")
    for number in range(4):
        order = await anna.order(title=f"Krzesło {number}" if number != 1 else "Stół")
        await anna.patch(f"/orders/{order['id']}/status", {"status": "done"})
    await anna.order(title="Krzesło")
    first = await anna.get(f"{orders_path(anna)}?limit=2&status=done&q=krzes%C5%82o")
    second = await get_next_page(anna, first)
    titles = [order["title"] for response in (first, second) for order in response.json()["orders"]]
    assert titles == ["Krzesło 3", "Krzesło 2", "Krzesło 0"]


async def test_a_new_order_does_not_shift_the_pages(app: App) -> None:
    anna = await app.owner("Anna")
    created = [(await anna.order())["id"] for _ in range(4)][::-1]
    first = await anna.get(f"{orders_path(anna)}?limit=2")
    await anna.order()
    assert ids((await get_next_page(anna, first)).json()["orders"]) == created[2:]


async def test_a_cursor_works_without_a_limit(app: App) -> None:
    anna = await app.owner("Anna")
    created = [(await anna.order())["id"] for _ in range(4)][::-1]
    first = await anna.get(f"{orders_path(anna)}?limit=1")
    cursor = next_path(first).partition("cursor=")[2]
    assert await list_ids(anna, f"?cursor={cursor}") == created[1:]


async def test_a_limit_is_from_1_to_500(app: App) -> None:
    anna = await app.owner("Anna")
    for limit, status in ((0, 400), (1, 200), (500, 200), (501, 400)):
        assert (await anna.get(f"{orders_path(anna)}?limit={limit}")).status_code == status


# status and q


async def test_orders_can_be_filtered_by_status(app: App) -> None:
    anna = await app.owner("Anna")
    created = {}
    for status in ("todo", "in_progress", "done"):
        created[status] = (await anna.order())["id"]
        await anna.patch(f"/orders/{created[status]}/status", {"status": status})
    for status, order_id in created.items():
        assert await list_ids(anna, f"?status={status}") == [order_id]


@pytest.mark.both_engines
async def test_q_matches_parts_of_title_and_customer_in_any_case(app: App) -> None:
    anna = await app.owner("Anna")
    order = await anna.order(title="Stół dębowy 100%_! \\", customerName="Kowalská, Straße 4")
    for q in ("stół", "STÓŁ", "tół d", "kowalsk", "KOWALSKÁ", "strasse", "100%", ""):
        assert await search(anna, q) == [order["id"]], q
    for q in ("krzesło", "stołu", "stół kowalská", "'"):
        assert await search(anna, q) == [], q


@pytest.mark.both_engines
async def test_q_treats_wildcards_as_literal_characters(app: App) -> None:
    anna = await app.owner("Anna")
    order = await anna.order(title="Stół 100%_! \\")
    for q in ("%", "_", "!", "\\", "0%_!", "! \\"):
        assert await search(anna, q) == [order["id"]], q
    for q in ("st%", "sto_", "%%", "__", "!!", "!%", "\\\\", "\\%"):
        assert await search(anna, q) == [], q


async def test_q_matches_the_values_after_an_edit(app: App) -> None:
    anna = await app.owner("Anna")
    order = await anna.order(title="Stół", customerName="Ewa")
    await anna.patch(f"/orders/{order['id']}", {"title": "KRZESŁO", "customerName": "Jan"})
    assert [await list_ids(anna, f"?q={q}") for q in ("st%C3%B3%C5%82", "ewa")] == [[], []]
    assert [await list_ids(anna, f"?q={q}") for q in ("krzes%C5%82o", "JAN")] == [[order["id"]]] * 2


async def test_q_does_not_search_notes(app: App) -> None:
    anna = await app.owner("Anna")
    order = await anna.order()
    await anna.patch(f"/orders/{order['id']}", {"notes": "walnut"})
    assert await list_ids(anna, "?q=walnut") == []


# GET /orders/{orderId}


async def test_the_response_for_a_single_order_has_only_the_member_order(app: App) -> None:
    anna = await app.owner("Anna")
    order = await anna.order()
    response = await anna.get(f"/orders/{order['id']}")
    assert (response.status_code, response.json()) == (200, {"order": order})


# PATCH /orders/{orderId}


async def test_an_edit_changes_only_the_fields_sent_and_not_the_last_activity(app: App) -> None:
    anna = await app.owner("Anna")
    expected = await anna.order(customerName="Łucja")
    edits: list[dict[str, str]] = [
        {"title": "Ash table"},
        {"customerName": "Ewa"},
        {"customerName": ""},
        {"notes": "Oiled\n\tnot varnished"},
        {"notes": ""},
        {"notes": "🪚" * 5000},
        {"title": "Ash", "customerName": "Ewa", "notes": "x"},
    ]
    for edit in edits:
        response = await anna.patch(f"/orders/{expected['id']}", edit)
        expected |= edit
        assert (response.status_code, response.json()) == (200, expected)
        assert await get_order(anna, expected) == expected


async def test_an_edit_requires_at_least_one_field(app: App) -> None:
    anna = await app.owner("Anna")
    order = await anna.order()
    assert pointers(await anna.patch(f"/orders/{order['id']}", {})) == [""]


async def test_an_edit_with_an_unknown_field_changes_nothing(app: App) -> None:
    anna = await app.owner("Anna")
    order = await anna.order()
    for field in (
        "status",
        "statusHistory",
        "lastActivityAt",
        "id",
        "workshopId",
        "createdAt",
        "customer_name",
        "Title",
    ):
        response = await anna.patch(f"/orders/{order['id']}", {"title": "x", field: "done"})
        assert pointers(response) == [f"/{field}"]
    assert await get_order(anna, order) == order


async def test_notes_of_more_than_5000_characters_are_rejected(app: App) -> None:
    anna = await app.owner("Anna")
    order = await anna.order()
    for notes in ("x" * 5001, "🪚" * 5001, None, 1):
        assert pointers(await anna.patch(f"/orders/{order['id']}", {"notes": notes})) == ["/notes"]


async def test_texts_are_not_trimmed(app: App) -> None:
    anna = await app.owner("Anna")
    order = await anna.order(title="  Oak ", customerName=" Ewa ")
    edited = (await anna.patch(f"/orders/{order['id']}", {"notes": " \n x \n "})).json()
    assert (edited["title"], edited["customerName"], edited["notes"]) == ("  Oak ", " Ewa ", " \n x \n ")


# PATCH /orders/{orderId}/status


async def test_a_move_is_added_to_the_status_history(app: App) -> None:
    anna = await app.owner("Anna")
    order = await anna.order()
    response = await anna.patch(f"/orders/{order['id']}/status", {"status": "in_progress"})
    moved = response.json()
    assert response.status_code == 200
    assert moved["status"] == "in_progress"
    assert moved["statusHistory"] == [
        *order["statusHistory"],
        {"status": "in_progress", "at": moved["lastActivityAt"]},
    ]
    assert moved["lastActivityAt"] >= order["lastActivityAt"]
    unmoved = ("title", "customerName", "notes", "createdAt", "id", "workshopId")
    assert {name: moved[name] for name in unmoved} == {name: order[name] for name in unmoved}
    assert await get_order(anna, order) == moved


async def test_an_order_can_move_to_any_status_including_its_current_one(app: App) -> None:
    anna = await app.owner("Anna")
    order = await anna.order()
    moves = ["todo", "done", "done", "todo", "in_progress", "in_progress", "done", "in_progress", "todo"]
    for status in moves:
        response = await anna.patch(f"/orders/{order['id']}/status", {"status": status})
        assert (response.status_code, response.json()["status"]) == (200, status)
    history = (await get_order(anna, order))["statusHistory"]
    assert [entry["status"] for entry in history] == ["todo", *moves]
    assert [entry["at"] for entry in history] == sorted(entry["at"] for entry in history)
    assert all(set(entry) == {"status", "at"} for entry in history)


async def test_times_in_the_status_history_never_decrease(app: App) -> None:
    anna = await app.owner("Anna")
    order = await anna.order()
    earlier = "2001-01-01T00:00:00.000Z"

    async def move(db: Write) -> None:
        found = await orders.ORDER.lock(db, Call(Caller(anna.uid), earlier), order["id"])
        await orders.save_move(db, found, "done", earlier)

    await app.db.write(move)
    moved = await get_order(anna, order)
    assert [entry["at"] for entry in moved["statusHistory"]] == [order["createdAt"]] * 2
    assert moved["lastActivityAt"] == order["createdAt"]


async def test_an_invalid_status_is_rejected(app: App) -> None:
    anna = await app.owner("Anna")
    order = await anna.order()
    for status in ("", "TODO", "in-progress", "open", "done\n", None, 1, ["done"]):
        assert pointers(await anna.patch(f"/orders/{order['id']}/status", {"status": status})) == ["/status"]
    assert await get_order(anna, order) == order


async def test_a_move_requires_a_status_and_rejects_unknown_fields(app: App) -> None:
    anna = await app.owner("Anna")
    order = await anna.order()
    assert pointers(await anna.patch(f"/orders/{order['id']}/status", {})) == ["/status"]
    response = await anna.patch(f"/orders/{order['id']}/status", {"status": "done", "title": "x"})
    assert pointers(response) == ["/title"]
    assert await get_order(anna, order) == order


# DELETE /orders/{orderId}


async def test_a_deleted_order_is_not_found(app: App) -> None:
    anna = await app.owner("Anna")
    order, other = await anna.order(), await anna.order()
    response = await anna.delete(f"/orders/{order['id']}")
    assert (response.status_code, response.content) == (204, b"")
    assert (await anna.get(f"/orders/{order['id']}")).status_code == 404
    assert (await anna.delete(f"/orders/{order['id']}")).status_code == 404
    assert await list_ids(anna) == [other["id"]]


# Through an API key


async def test_orders_can_be_managed_with_an_api_key(app: App) -> None:
    anna = await app.owner("Anna")
    program = await anna.integrator("orders:read", "orders:write")
    order = await program.order(title="From the web shop", customerName="Ewa")
    moved = await program.patch(f"/orders/{order['id']}/status", {"status": "done"})
    assert moved.status_code == 200
    assert (await program.get(f"/orders/{order['id']}")).json() == {"order": moved.json()}
    assert await list_ids(program) == [order["id"]]


async def get_next_page(person: Person, response: httpx.Response) -> httpx.Response:
    return await person.browser.get(next_path(response))


def next_path(response: httpx.Response) -> str:
    """The path of the next page, from the header Link."""
    link = response.headers["link"]
    assert link.startswith("</api/")
    assert link.endswith('>; rel="next"')
    return str(link[1:].partition(">")[0])


async def test_of_a_long_history_the_first_and_the_latest_entries_are_stored(app: App) -> None:
    anna = await app.owner("Anna")
    order = await anna.order()
    changes = [{"status": "todo", "at": f"2026-11-20T10:15:{n // 100:02}.{n % 100:03}Z"} for n in range(999)]
    history = msgspec.json.encode(changes).decode()
    sql = "UPDATE orders SET status_history = :history WHERE id = :id"
    await app.db.write(lambda db: db.run(sql, id=order["id"], history=history))
    path = f"/orders/{order['id']}"
    for status in ("in_progress", "done"):
        moved = (await anna.patch(f"{path}/status", {"status": status})).json()
        assert len(moved["statusHistory"]) == 1000
    assert moved["statusHistory"][:2] == [changes[0], changes[2]]
    assert [each["status"] for each in moved["statusHistory"][-3:]] == ["todo", "in_progress", "done"]
    assert moved["statusHistory"][-1]["at"] == moved["lastActivityAt"]
    assert (await anna.get(path)).json()["order"] == moved
    await assert_counted(app, anna.workshop)


@pytest.mark.both_engines
async def test_a_move_reads_the_history_once(app: App) -> None:
    anna = await app.owner("Anna")
    order = await anna.order()
    with recorded() as statements:
        assert (await anna.patch(f"/orders/{order['id']}/status", {"status": "done"})).status_code == 200
    touched = [sql.split()[0] for sql in statements if "status_history" in sql]
    assert touched == ["SELECT", "UPDATE"]
    if app.engine == "sqlite":
        # It would build a temporary table.
        assert not any("RETURNING" in sql for sql in statements)


async def test_a_read_takes_one_statement(app: App) -> None:
    """Credentials, order and membership together, for a session and for a key."""
    anna = await app.owner("Anna")
    order = await anna.order()
    program = await anna.integrator("orders:read")
    await program.get(f"/orders/{order['id']}")
    for caller in (anna, program):
        with recorded() as statements:
            response = await caller.get(f"/orders/{order['id']}")
        assert response.json()["order"] == order
        assert len([sql for sql in statements if "orders o" in sql]) == 1
        assert len([sql for sql in statements if sql.startswith("SELECT")]) == 1


async def set_equal_times(app: App, person: Person) -> None:
    time = "2026-11-20T10:15:00.000Z"

    async def work(db: Write) -> None:
        sql = "UPDATE orders SET created_at = :time WHERE workshop_id = :workshop"
        await db.run(sql, time=time, workshop=person.workshop)

    await app.db.write(work)


async def add_copies(app: App, person: Person, number: int) -> None:
    """Adds copies of one order directly to the database."""
    order = await person.order()

    async def work(db: Write) -> None:
        for copy in range(1, number):
            await db.run(
                """
                INSERT INTO orders (workshop_id, created_at, id, title, customer_name, notes, status,
                    last_activity_at, status_history, title_folded, customer_folded)
                SELECT workshop_id, created_at, :id, title, customer_name, notes, status, last_activity_at,
                    status_history, :folded, customer_folded FROM orders WHERE id = :original
                """,
                id=f"{order['id']}-{copy}",
                folded=fold_case("copy"),
                original=order["id"],
            )

    await app.db.write(work)
