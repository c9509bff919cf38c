"""The data quota: what orders, estimates, grids and their history of a workshop may take."""

import asyncio
import random
from collections.abc import AsyncIterator, Callable
from functools import partial
from typing import Any

import httpx
import pytest
from msgspec import structs

from backbench.billing import data_quota
from backbench.billing.plans import MIB
from backbench.engine.urls import open_database
from backbench.http.operations import Operation
from backbench.orders import orders
from backbench.orders.orders import NewOrder
from backbench.routes import OPERATIONS
from backbench.values import times
from backbench.values.ids import new_id
from backbench.workshops import counters
from tests.people import App, Person
from tests.support import image_files, operation_samples
from tests.support.counted_data import assert_counted, held, surplus
from tests.support.databases import running_app
from tests.support.shared_links import share
from tests.support.statements import recorded
from tests.support.uploads import FORM_TYPE, photo, sample_form, upload
from tests.support.violations import all_of, violations

PLAN_RULES_MIGRATION = 12


@pytest.fixture(scope="module")
async def small_app(new_database_url: Callable[[], str]) -> AsyncIterator[App]:
    """An app whose free plan allows 1 MiB of data, and whose pro plan 2 MiB."""
    async with running_app(new_database_url(), default_plan="free", free_data_mib=1, pro_data_mib=2) as opened:
        yield opened


def lines(size: int, count: int = 10) -> list[dict[str, Any]]:
    """Line items of about `size` bytes. The specification does not check `sourceButtonId`, nor its length."""
    line = {"label": "Oak", "unit": "piece", "unitPrice": 1, "quantity": 1, "sourceButtonId": "y" * (size // count)}
    return [line] * count


async def fill(person: Person) -> dict[str, Any]:
    """Duplicates an estimate of 200 KB until the next one would not fit. Returns the estimate."""
    estimate = await person.estimate(lineItems=lines(200_000))
    while (await person.post(f"/estimates/{estimate['id']}/duplicate")).status_code == 201:
        pass
    return estimate


@pytest.mark.both_engines
async def test_a_write_beyond_the_data_of_the_plan_is_refused(small_app: App) -> None:
    anna = await small_app.owner("Anna")
    estimate = await fill(anna)
    before = await held(small_app, anna.workshop)
    assert MIB - 210_000 < before <= MIB
    for method, path, body in [
        ("POST", f"/estimates/{estimate['id']}/duplicate", None),
        ("POST", f"/estimates/{estimate['id']}/confirm", None),
        ("POST", f"/workshops/{anna.workshop}/estimates", {"name": "Bench", "lineItems": lines(200_000)}),
        ("PATCH", f"/estimates/{estimate['id']}", {"lineItems": lines(250_000)}),
    ]:
        response = await anna.send(method, path, body)
        assert (response.status_code, response.json()["code"]) == (409, "plan_limit"), response.text
        assert response.json()["limit"] == MIB < response.json()["current"]
    assert await held(small_app, anna.workshop) == before
    assert (await anna.get(f"/estimates/{estimate['id']}/revisions")).json() == {"revisions": []}


@pytest.mark.both_engines
async def test_deletions_are_never_refused_and_are_counted_when_needed(small_app: App) -> None:
    anna = await small_app.owner("Anna")
    estimate = await fill(anna)
    order = await anna.order()
    refused = await anna.patch(f"/estimates/{estimate['id']}", {"lineItems": lines(250_000)})
    assert refused.status_code == 409
    before = await held(small_app, anna.workshop)
    assert (await anna.delete(f"/orders/{order['id']}")).status_code == 204
    assert (await anna.delete(f"/estimates/{estimate['id']}")).status_code == 204
    assert await held(small_app, anna.workshop) < before - 200_000
    # The counter does not know of the deletion, and is corrected before this is refused.
    await anna.estimate(lineItems=lines(150_000))
    async with small_app.db.read() as db:
        assert await surplus(db, anna.workshop) == 0


@pytest.mark.both_engines
async def test_a_counter_that_is_too_high_is_corrected_before_anything_is_refused(small_app: App) -> None:
    anna = await small_app.owner("Anna")
    sql = "UPDATE workshop_counters SET data_bytes = :bytes WHERE workshop_id = :id"
    await small_app.db.write(lambda db: db.run(sql, id=anna.workshop, bytes=5 * MIB))
    await anna.order()
    async with small_app.db.read() as db:
        assert await surplus(db, anna.workshop) == 0


@pytest.mark.both_engines
async def test_a_large_full_workshop_is_not_summed_up_for_each_refused_write(
    small_app: App, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(data_quota, "_LARGE_BYTES", 0)
    anna = await small_app.owner("Anna")
    estimate = await fill(anna)
    with recorded() as statements:
        for _ in range(3):
            assert (await anna.post(f"/estimates/{estimate['id']}/duplicate")).status_code == 409
    assert [sql for sql in statements if "AS counted_rows" in sql] == []


async def test_pro_allows_more_data_and_other_workshops_are_not_affected(small_app: App) -> None:
    anna, marek = await small_app.owner("Anna"), await small_app.owner("Marek")
    estimate = await fill(anna)
    await marek.estimate(lineItems=lines(200_000))
    await small_app.put_on_pro(anna.workshop)
    assert (await anna.post(f"/estimates/{estimate['id']}/duplicate")).status_code == 201
    await small_app.put_on_pro(anna.workshop, until="2026-01-01T00:00:00.000Z")
    assert (await anna.post(f"/estimates/{estimate['id']}/duplicate")).status_code == 409


@pytest.mark.both_engines
async def test_parallel_writes_cannot_exceed_the_data_of_the_plan(small_app: App) -> None:
    anna = await small_app.owner("Anna")
    estimate = await anna.estimate(lineItems=lines(200_000))
    responses = await asyncio.gather(*(anna.post(f"/estimates/{estimate['id']}/duplicate") for _ in range(10)))
    assert sorted(response.status_code for response in responses) == [201] * 4 + [409] * 6
    assert await held(small_app, anna.workshop) <= MIB


@pytest.mark.both_engines
async def test_parallel_writes_with_if_match_all_get_an_answer(app: App) -> None:
    anna = await app.owner("Anna")
    orders = [await anna.order() for _ in range(8)]
    tags = [(await anna.get(f"/orders/{order['id']}")).headers["etag"] for order in orders]
    responses = await asyncio.gather(
        *(
            anna.patch(f"/orders/{order['id']}", {"notes": "Ring first"}, if_match=tag)
            for order, tag in zip(orders, tags, strict=True)
        ),
        *(anna.patch(f"/orders/{order['id']}/status", {"status": "done"}) for order in orders),
    )
    assert {response.status_code for response in responses} <= {200, 412}
    assert [response.status_code for response in responses[8:]] == [200] * 8


@pytest.mark.both_engines
async def test_nothing_that_is_held_is_missing_in_the_counter_after_any_operations(app: App) -> None:
    anna = await app.owner("Anna")
    chosen = random.Random(7)
    ids: dict[str, list[str]] = {"orders": [], "estimates": [], "grids": []}
    texts = ["a", "ó" * 40, "🪵" * 20, "x" * 200]
    for _ in range(60):
        kind = chosen.choice(["orders", "orders", "estimates", "estimates", "grids"])
        text = chosen.choice(texts)
        name = {"title": text} if kind == "orders" else {"name": text}
        known = ids[kind]
        step = chosen.choice(["create", "edit", "special", "delete"]) if known else "create"
        at = f"/{kind}/{chosen.choice(known)}" if known else ""
        if step == "create":
            created = await anna.post(f"/workshops/{anna.workshop}/{kind}", name)
            if created.status_code == 201:
                known.append(created.json()["id"])
        elif step == "edit":
            assert (await anna.patch(at, name)).status_code == 200
        elif step == "delete":
            known.remove(at.rpartition("/")[2])
            assert (await anna.delete(at)).status_code == 204
        elif kind == "orders":
            await anna.patch(f"{at}/status", {"status": chosen.choice(["todo", "done"])})
            await anna.patch(at, {"notes": text, "customerName": text})
        elif kind == "estimates":
            await anna.patch(at, {"recipientName": chosen.choice([None, text]), "lineItems": lines(500, 2)})
            await anna.post(f"{at}/confirm")
            handoff = {"kind": "pdf-shared", "locale": "en", "preliminary": True, "tone": "formal", "aiDrafted": False}
            assert (await anna.post(f"{at}/handoffs", handoff)).status_code == 201
        else:
            button = {"emoji": "🪚", "label": "Oak", "unit": "piece", "unitPrice": 2}
            assert (await anna.patch(at, {"buttons": [button] * chosen.randrange(3)})).status_code == 200
        await assert_counted(app, anna.workshop)
    assert await held(app, anna.workshop) > 10_000


@pytest.mark.both_engines
async def test_a_migration_counts_existing_data(empty_database_url: Callable[[], str]) -> None:
    db = open_database(empty_database_url())
    await db.migrate(PLAN_RULES_MIGRATION - 1)

    async def work(write: Any) -> None:
        for workshop in ("full", "empty"):
            await write.run(
                """
                INSERT INTO workshops (id, name, tagline, logo, crafter_name, crafter_avatar_seed, background,
                    title_font, plan, is_default, document_settings, created_at)
                VALUES (:id, '', '', '', '', '', 'paper', 'sans', 'free', 0, '{}', '')
                """,
                id=workshop,
            )
        await write.run(
            """
            INSERT INTO orders (workshop_id, created_at, id, title, customer_name, notes, status, last_activity_at,
                status_history, title_folded, customer_folded)
            VALUES ('full', '', 'order', 'óó', 'a', 'b', 'todo', '', '[]', '', '')
            """
        )

    await db.write(work)
    await db.migrate()
    async with db.read() as read:
        assert await counters.data_bytes(read, "full") == 500 + 4 + 1 + 1 + 2
        assert await surplus(read, "full") == await surplus(read, "empty") == 0
        assert await read.value("SELECT count(*) FROM workshop_counters") == 2
    await db.close()


@pytest.mark.both_engines
async def test_decisions_that_are_recorded_and_voided_cannot_exceed_the_data_of_the_plan(small_app: App) -> None:
    anna = await small_app.owner("Anna")
    line = {"label": "Oak" * 50, "unit": "piece", "unitPrice": 1, "quantity": 1}
    path = f"/estimates/{(await anna.estimate(lineItems=[line] * 400))['id']}"
    assert (await anna.post(f"{path}/confirm")).status_code == 201
    decision = {"outcome": "accepted", "method": "phone", "name": "Ada", "revisionNumber": 1}
    statuses = []
    for _ in range(20):
        recorded = await anna.post(f"{path}/decisions", decision)
        statuses.append(recorded.status_code)
        if recorded.status_code == 201:
            assert (
                await anna.post(f"/decisions/{recorded.json()['id']}/void", {"reason": "A mistake"})
            ).status_code == 200
    assert set(statuses) == {201, 409}
    # Voiding is never refused, and adds an entry and its reason.
    assert await held(small_app, anna.workshop) <= MIB + 2000


@pytest.mark.both_engines
async def test_what_a_client_does_may_exceed_the_plan_by_a_tenth(small_app: App) -> None:
    anna = await small_app.owner("Anna")
    shared = await share(anna)
    await fill_with(small_app, anna.workshop, MIB + MIB // 20)
    body = {"name": "Jan", "text": "When?"}
    assert (await anna.post(f"/workshops/{anna.workshop}/orders", {"title": "Oak"})).status_code == 409
    assert (await shared.client.post("/client/estimate/comments", body)).status_code == 201
    await fill_with(small_app, anna.workshop, MIB // 20)
    refused = await shared.client.post("/client/estimate/comments", body)
    assert (refused.status_code, refused.json()["code"], refused.json()["limit"]) == (409, "plan_limit", MIB)
    declined = await shared.client.post("/client/estimate/decline", {})
    assert (declined.status_code, declined.json()["code"]) == (409, "plan_limit")
    assert (await anna.get(f"{shared.path}/decisions")).json() == {"decisions": []}


async def fill_with(app: App, workshop: str, number: int) -> None:
    """Adds an order of so many bytes, as a node that counts nothing would."""
    big = NewOrder(title="Big").to_order(workshop, new_id(), times.now())
    await app.db.write(partial(orders.add, order=structs.replace(big, notes="x" * number)))
    sql = "UPDATE workshop_counters SET data_bytes = data_bytes + :bytes WHERE workshop_id = :id"
    await app.db.write(lambda db: db.run(sql, id=workshop, bytes=number + 1000))


# Writes with an event that a full workshop does not refuse, besides deletions.
NEVER_REFUSED = {
    "createWorkshop": "the new workshop is empty",
    "startTrial": "pro allows more",
    "voidDecision": "a wrong decision must not stand",
    "voidPayment": "a wrong payment must not stand",
    "undoImport": "it deletes",
    "unmergeCustomers": "a wrong merge must not stand",
    "eraseCustomer": "a person may be erased at any time",
}
# Another reason comes first.
NOT_TRIED = {
    "synthesizeContext": "there is no language model",
    "uploadFile": "its body is a form; tried below",
    "mergeCustomers": "the sample names no other customer",
}
WITH_EVENT = [operation for operation in OPERATIONS if operation.event and operation.name not in NOT_TRIED]


async def make_full(app: App, workshop: str) -> None:
    """More than any plan of the small app allows, and a tenth."""
    await fill_with(app, workshop, 3 * MIB)


async def sample(operation: Operation, owner: Person) -> tuple[Person, str, Any]:
    """Who sends a request that would succeed, its path and its body."""
    caller, path = owner, ""
    body: Any = operation_samples.body_for(operation)
    if operation.access.takes_link:
        caller = await operation_samples.caller_for(operation, owner)
        if operation.name == "acceptEstimate":
            shared = await share(owner)
            caller, body = shared.client, await shared.acceptance()
    elif operation.name == "acceptInvitation":
        caller = await owner.app.owner()
        body = {"token": await operation_samples.invitation_secret(owner, caller)}
    elif operation.name == "reorderGrids":
        await owner.post(f"/workshops/{owner.workshop}/grids", {"name": "One"})
        grid = (await owner.post(f"/workshops/{owner.workshop}/grids", {"name": "Two"})).json()["id"]
        listed = (await owner.get(f"/workshops/{owner.workshop}/grids")).json()["grids"]
        body = {"gridIds": [grid, *(each["id"] for each in listed if each["id"] != grid)]}
    elif operation.name == "reorderPhotos":
        order = await owner.order()
        first, second = await photo(owner, order["id"]), await photo(owner, order["id"])
        path, body = f"/orders/{order['id']}/photos/order", {"photoIds": [second["id"], first["id"]]}
    elif operation.name in ("createPdfExport", "createLink", "recordDecision"):
        estimate = await owner.estimate()
        await owner.post(f"/estimates/{estimate['id']}/confirm")
        path = operation.path.format(estimateId=estimate["id"])
    return caller, path or await operation_samples.create_path_for(operation, owner), body


async def sent(caller: Person, operation: Operation, path: str, body: Any) -> httpx.Response:
    kind = {}
    if operation.form is not None:
        body, kind = sample_form(operation.path, caller), {"content_type": FORM_TYPE}
    return await caller.send(operation.method, path, body, kind)


def is_exempt(operation: Operation) -> bool:
    return operation.method == "DELETE" or operation.name in NEVER_REFUSED


async def test_a_full_workshop_refuses_every_write_with_an_event_but_those_listed(small_app: App) -> None:
    # Nothing is changed by what is refused: one workshop, since to fill it takes longer than a request.
    owner = await small_app.owner()
    # The new order of the grids names each of them, those of other samples included.
    refused = sorted(
        (each for each in WITH_EVENT if not is_exempt(each)), key=lambda operation: operation.name == "reorderGrids"
    )
    samples = [(operation, await sample(operation, owner)) for operation in refused]
    await make_full(small_app, owner.workshop)
    with violations() as case:
        for operation, (caller, path, body) in samples:
            with case(operation_samples.line(operation)):
                response = await sent(caller, operation, path, body)
                assert (response.status_code, response.json()["code"]) == (409, "plan_limit"), response.text
                assert response.json()["limit"] == MIB


@all_of("operation", [each for each in WITH_EVENT if is_exempt(each)], ids=operation_samples.line)
async def test_a_full_workshop_refuses_no_deletion_and_none_of_those_listed(
    small_app: App, operation: Operation
) -> None:
    owner = await small_app.owner()
    caller, path, body = await sample(operation, owner)
    await make_full(small_app, owner.workshop)
    response = await sent(caller, operation, path, body)
    assert response.status_code < 300 or response.json()["code"] != "plan_limit", response.text


async def test_a_full_workshop_refuses_an_upload(small_app: App) -> None:
    owner = await small_app.owner()
    await make_full(small_app, owner.workshop)
    assert (await upload(owner, image_files.png())).json()["code"] == "plan_limit"
