"""Changes: the present state of what changed since a cursor, in versions without gaps."""

import asyncio
from typing import Any

import pytest

from backbench.accounts.accounts import ProfileEdit
from backbench.connections import changes as rules
from backbench.connections.changes import read_cursor
from backbench.hosting import administration
from backbench.values import times
from backbench.values.calls import Scope
from backbench.values.ids import new_id
from tests.people import App, Person

pytestmark = pytest.mark.both_engines


async def changes(person: Person, since: str | None = None, limit: int | None = None) -> dict[str, Any]:
    query = [f"since={since}"] if since is not None else []
    query += [f"limit={limit}"] if limit is not None else []
    response = await person.get(f"/workshops/{person.workshop}/changes?{'&'.join(query)}")
    assert response.status_code == 200, response.text
    found: dict[str, Any] = response.json()
    return found


async def cursor(person: Person) -> str:
    return str((await changes(person))["cursor"])


def lists(found: dict[str, Any]) -> dict[str, Any]:
    return {name: found[name] for name in ("orders", "estimates", "grids", "removed") if found[name]}


async def versions(app: App, workshop: str) -> list[int]:
    async with app.db.read() as db:
        sql = "SELECT version FROM audit_entries WHERE workshop_id = :workshop ORDER BY version"
        return await db.all(int, sql, workshop=workshop)


async def test_without_a_cursor_there_is_only_the_present_one(app: App) -> None:
    anna = await app.owner("Anna")
    await anna.order()
    found = await changes(anna)
    assert lists(found) == {}
    assert (found["more"], found["reset"], "workshop" in found) == (False, False, False)
    assert lists(await changes(anna, found["cursor"])) == {}


async def test_nothing_that_is_shown_was_read_before_the_position(app: App, monkeypatch: pytest.MonkeyPatch) -> None:
    """A change between the two would be shown as it was, under a cursor that is after it."""
    anna = await app.owner("Anna")
    since = await cursor(anna)
    order, estimate = await anna.order(), await anna.estimate()
    grid = (await anna.post(f"/workshops/{anna.workshop}/grids", {"name": "first"})).json()
    record = (await anna.post(f"/workshops/{anna.workshop}/customers", {"name": "first"})).json()
    objects = {
        "orders": (f"/orders/{order['id']}", "title"),
        "estimates": (f"/estimates/{estimate['id']}", "name"),
        "grids": (f"/grids/{grid['id']}", "name"),
        "customers": (f"/customers/{record['id']}", "name"),
        "workshop": (f"/workshops/{anna.workshop}", "tagline"),
    }

    async def change_all(text: str) -> None:
        for path, field in objects.values():
            response = await anna.patch(path, {field: text})
            assert response.status_code == 200, response.text

    find_position = rules.find_position

    async def after_a_change(*arguments: Any) -> Any:
        await change_all("second")
        return await find_position(*arguments)

    await change_all("first")
    monkeypatch.setattr(rules, "find_position", after_a_change)
    found = await changes(anna, since)
    found["workshop"] = [found["workshop"]]
    shown = {kind: found[kind][0][field] for kind, (_, field) in objects.items()}
    assert shown == dict.fromkeys(objects, "second")


async def test_what_members_show_of_an_account_changes_each_of_its_workshops(app: App) -> None:
    """Of each field of the profile: the workshops show it, and their changes have it; or they have no entry."""
    anna, zofia = await app.owner("Anna"), await app.owner("Zofia")
    marek = await app.member(anna)
    await app.db.write(
        lambda db: administration.add_member(db, zofia.workshop, marek.email, "owner", times.now(), new_id)
    )
    sent = {"name": "Mariusz", "locale": "pl"}
    assert sent.keys() == set(ProfileEdit.__struct_fields__)
    for field, value in sent.items():
        before = [(owner, await cursor(owner), await workshop_of(owner)) for owner in (anna, zofia)]
        for _ in range(2):
            assert (await marek.patch("/me", {field: value})).status_code == 200
        for owner, since, was in before:
            found, shown = await changes(owner, since), await workshop_of(owner)
            assert found.get("workshop") == (shown if shown != was else None), field
            assert int(found["cursor"].split(".")[1]) - int(since.split(".")[1]) == int(shown != was)
            assert (field != "name") or value in str(shown["members"])


async def workshop_of(person: Person) -> dict[str, Any]:
    found: dict[str, Any] = (await person.get(f"/workshops/{person.workshop}")).json()
    return found


async def test_changes_have_the_present_state_of_each_object_once(app: App) -> None:
    anna = await app.owner("Anna")
    deleted = await anna.order()
    since = await cursor(anna)
    order, estimate = await anna.order(), await anna.estimate()
    await anna.patch(f"/orders/{order['id']}/status", {"status": "done"})
    await anna.patch(f"/estimates/{estimate['id']}", {"name": "Kitchen in oak"})
    await anna.post(f"/estimates/{estimate['id']}/confirm")
    grid = (await anna.post(f"/workshops/{anna.workshop}/grids", {"name": "Oak"})).json()
    await anna.delete(f"/orders/{deleted['id']}")
    found = await changes(anna, since)
    assert lists(found) == {
        "orders": [(await anna.get(f"/orders/{order['id']}")).json()["order"]],
        "estimates": [(await anna.get(f"/estimates/{estimate['id']}")).json()],
        "grids": [grid],
        "removed": [{"kind": "order", "id": deleted["id"]}],
    }
    assert "workshop" not in found
    assert lists(await changes(anna, found["cursor"])) == {}


async def test_an_object_made_and_deleted_meanwhile_is_removed(app: App) -> None:
    anna = await app.owner("Anna")
    since = await cursor(anna)
    order = await anna.order()
    await anna.delete(f"/orders/{order['id']}")
    assert lists(await changes(anna, since)) == {"removed": [{"kind": "order", "id": order["id"]}]}


async def test_the_workshop_is_present_if_its_profile_members_or_plan_changed(app: App) -> None:
    anna = await app.owner("Anna")
    since = await cursor(anna)
    await anna.patch(f"/workshops/{anna.workshop}", {"tagline": "Made to last"})
    found = await changes(anna, since)
    assert found["workshop"] == (await anna.get(f"/workshops/{anna.workshop}")).json()
    await app.member(anna)
    found = await changes(anna, found["cursor"])
    assert len(found["workshop"]["members"]) == 2
    await app.put_on_pro(anna.workshop)
    assert (await changes(anna, found["cursor"]))["workshop"]["plan"] == "pro"


async def test_pages_follow_each_other_without_gap_or_repetition(app: App) -> None:
    anna = await app.owner("Anna")
    since = await cursor(anna)
    made = [(await anna.order(title=f"order {number}"))["id"] for number in range(7)]
    # The first one changes last, so it belongs to the last page alone.
    await anna.patch(f"/orders/{made[0]}", {"notes": "oak"})
    pages: list[list[str]] = []
    has_more = True
    while has_more:
        found = await changes(anna, since, limit=3)
        pages.append([order["id"] for order in found["orders"]])
        assert len(found["orders"]) + len(found["orderDetails"]) <= 3
        since, has_more = found["cursor"], found["more"]
    assert sorted(id_ for page in pages for id_ in page) == sorted(made)
    assert [made[0] in page for page in pages] == [*[False] * (len(pages) - 1), True]
    assert len(pages) > 2


async def test_a_page_ends_before_its_estimates_become_too_large(app: App, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("backbench.connections.changes._MAX_PAGE_BYTES", 1_000)
    monkeypatch.setattr("backbench.connections.changes._FEW", 0)
    anna = await app.owner("Anna")
    since = await cursor(anna)
    lines = [{"label": "x" * 250, "unit": "piece", "unitPrice": 1, "quantity": 1}] * 2
    made = [(await anna.estimate(lineItems=lines))["id"] for _ in range(3)]
    for estimate_id in made:
        found = await changes(anna, since)
        assert ([each["id"] for each in found["estimates"]], found["more"]) == ([estimate_id], estimate_id != made[-1])
        since = found["cursor"]


@pytest.mark.parametrize("text", ["", "1", "a.b.c", "01a1fd07-b7b3.1", "01a1fd07-b7b3.-1.00", "01a1fd07-b7b3.1.00\n"])
async def test_a_text_that_is_no_cursor_is_rejected(app: App, text: str) -> None:
    anna = await app.owner("Anna")
    response = await anna.get(f"/workshops/{anna.workshop}/changes?since={text.replace(chr(10), '%0A')}")
    assert response.status_code == 400
    assert response.json()["errors"][0]["pointer"] == "/since"


async def test_a_cursor_of_another_history_or_from_the_future_resets(app: App) -> None:
    anna, eve = await app.owner("Anna"), await app.owner("Eve")
    await anna.order()
    now = read_cursor(await cursor(anna), "/since")
    for since in (
        f"{now.history}.{now.version + 1}.{now.entry}",
        f"{now.history}.{now.version}.{'0' * 12}",
        await cursor(eve),
    ):
        found = await changes(anna, since)
        assert (found["reset"], found["cursor"], lists(found)) == (True, str(now), {})


async def test_a_cursor_that_is_too_far_behind_resets(app: App, monkeypatch: pytest.MonkeyPatch) -> None:
    anna = await app.owner("Anna")
    since = await cursor(anna)
    monkeypatch.setattr("backbench.connections.changes.MAX_OBJECTS_BEHIND", 2)
    await anna.order()
    await anna.order()
    assert (await changes(anna, since))["reset"] is False
    await anna.order()
    assert (await changes(anna, since))["reset"] is True
    monkeypatch.undo()
    assert (await changes(anna, since))["reset"] is False
    monkeypatch.setattr(rules, "MAX_VERSIONS_BEHIND", 2)
    assert (await changes(anna, since))["reset"] is True


async def test_too_many_drafts_that_follow_the_workshop_reset(app: App, monkeypatch: pytest.MonkeyPatch) -> None:
    anna = await app.owner("Anna")
    lines = [{"label": "Oak", "unit": "piece", "quantity": 1, "unitPrice": 90}]
    for _ in range(3):
        path = f"/orders/{(await anna.order())['id']}/invoices"
        assert (await anna.post(path, {"kind": "invoice", "lines": lines})).status_code == 201
    since = await cursor(anna)
    await anna.patch(f"/workshops/{anna.workshop}", {"name": "Made to last"})
    found = await changes(anna, since)
    assert [each["seller"]["name"] for each in found["invoices"]] == ["Made to last"] * 3
    monkeypatch.setattr("backbench.connections.changes.MAX_OBJECTS_BEHIND", 2)
    found = await changes(anna, since)
    assert (found["reset"], lists(found)) == (True, {})


async def test_a_key_for_orders_reads_orders_alone(app: App) -> None:
    anna = await app.owner("Anna")
    program = await anna.integrator("orders:read")
    since = await cursor(program)
    order = await anna.order()
    await anna.estimate()
    await anna.patch(f"/workshops/{anna.workshop}", {"tagline": "Made to last"})
    found = await changes(program, since)
    assert [each["id"] for each in found["orders"]] == [order["id"]]
    assert (found["estimates"], "workshop" in found) == ([], False)


SCOPES: tuple[Scope, ...] = (
    "orders:read",
    "orders:write",
    "estimates:read",
    "estimates:write",
    "payments:read",
    "payments:write",
    "files:read",
    "files:write",
)


@pytest.mark.parametrize("scopes", [("estimates:read",), SCOPES], ids=["estimates", "all"])
async def test_a_key_reads_nothing_of_the_workshop_itself(app: App, scopes: tuple[Scope, ...]) -> None:
    anna = await app.owner("Anna")
    program = await anna.integrator(*scopes)
    since = await cursor(program)
    await anna.patch(f"/workshops/{anna.workshop}", {"tagline": "Made to last"})
    notes = "The margin on oak is 60 %, the alarm code 4711"
    context = await anna.put(f"/workshops/{anna.workshop}/context", {"notes": notes})
    assert context.status_code == 200
    await app.member(anna, "Marek")
    await app.put_on_pro(anna.workshop)
    response = await program.get(f"/workshops/{anna.workshop}/changes?since={since}")
    assert response.status_code == 200
    assert "workshop" not in response.json()
    assert not [text for text in ("4711", "Marek", "Made to last", '"pro"') if text in response.text]
    # What a session reads there.
    assert "4711" in (await anna.get(f"/workshops/{anna.workshop}/changes?since={since}")).text


async def test_strangers_read_no_changes(app: App) -> None:
    anna, eve = await app.owner("Anna"), await app.owner("Eve")
    assert (await eve.get(f"/workshops/{anna.workshop}/changes")).status_code == 403


async def test_parallel_writes_take_versions_without_gaps(app: App) -> None:
    anna = await app.owner("Anna")
    order = await anna.order()
    since = await cursor(anna)
    await asyncio.gather(
        *[anna.order() for _ in range(20)],
        *[anna.patch(f"/orders/{order['id']}/status", {"status": "done"}) for _ in range(10)],
        *[anna.patch(f"/orders/{order['id']}", {}) for _ in range(5)],
        *[anna.estimate() for _ in range(10)],
    )
    assert await versions(app, anna.workshop) == list(range(1, 43))
    found = await changes(anna, since)
    assert (len(found["orders"]), len(found["estimates"])) == (21, 10)


async def test_a_rejected_write_takes_no_version(app: App) -> None:
    anna, eve = await app.owner("Anna"), await app.owner("Eve")
    order = await anna.order()
    before = await cursor(anna)
    assert (await eve.patch(f"/orders/{order['id']}", {"notes": "mine"})).status_code == 403
    assert (await anna.patch(f"/orders/{order['id']}", {"title": ""})).status_code == 400
    assert (await anna.patch(f"/orders/{order['id']}", {"notes": "x"}, If_Match='"other"')).status_code == 412
    assert await cursor(anna) == before
