"""Idempotency-Key: a repeated request changes nothing twice."""

import asyncio
from collections.abc import Awaitable, Callable
from functools import partial
from operator import methodcaller
from typing import Any

import httpx
import pytest
from msgspec import structs

from backbench.accounts import accounts
from backbench.http import idempotency
from backbench.http.idempotency import IdempotentRequest, StoredResponse
from backbench.http.operations import Operation
from backbench.routes import OPERATIONS
from backbench.values import times
from backbench.values.ids import new_id
from backbench.workshops import members
from tests.people import App, Person, ids
from tests.support import operation_samples
from tests.support.image_files import png, png_of
from tests.support.uploads import BOUNDARY, FORM_TYPE, form, post_form, sample_form
from tests.support.violations import all_of, violations

Send = Callable[..., Awaitable[httpx.Response]]
# These need a language model (tests/workshops/test_synthesis.py repeats it), and a host that sells plans.
_ELSEWHERE = ("synthesizeContext", "startTrial")
_SENT = [each for each in OPERATIONS if each.takes_key and each.name not in _ELSEWHERE]
repeatable = all_of("operation", _SENT, ids=operation_samples.line)


async def sender(operation: Operation, person: Person) -> Send:
    """A function that sends the request with the key it is given."""
    path = await operation_samples.create_path_for(operation, person)
    if operation.form is not None:
        content = sample_form(operation.path, person)
        return lambda key: person.post(path, content, idempotency_key=key, content_type=FORM_TYPE)
    if path.endswith(("/pdf-exports", "/links", "/decisions")):
        await person.post(path.rpartition("/")[0] + "/confirm")
    body = operation_samples.body_for(operation)
    if operation.name in ("mailLink", "createInvitation"):
        # A mailbox gets few emails an hour, and tests share a database.
        body = {**(body or {}), "email": f"{new_id()}@example.com"}
    if operation.name in ("mergeCustomers", "unmergeCustomers"):
        other = await operation_samples.PATH_PARAMETERS["customerId"](person, {})
        body = {"fromId": other}
        if operation.name == "unmergeCustomers":
            assert (await person.post(path.replace("/unmerge", "/merge"), body)).status_code == 200
    if operation.name == "acceptInvitation":
        body = {"token": await operation_samples.invitation_secret(await person.app.owner("Karol"), person)}
    if operation.access.takes_link:
        person = await operation_samples.caller_for(operation, person)
        if operation.name == "acceptEstimate":
            shown = (await person.get("/client/estimate")).json()
            body = {**(body or {}), "documentHash": shown["documentHash"], "consentId": shown["consent"]["id"]}
    return lambda key: person.send(operation.method, path, body, {"idempotency_key": key})


async def upload(person: Person, content: bytes, key: str, boundary: str = BOUNDARY, **fields: str) -> httpx.Response:
    parts = {"category": "grid_tile_icon", "workshopId": person.workshop, **fields}
    body = form(*parts.items(), ("file", ("saw.png", content))).replace(BOUNDARY.encode(), boundary.encode())
    kind = f"multipart/form-data; boundary={boundary}"
    return await post_form(person, body, idempotency_key=key, content_type=kind)


async def row_counts(app: App) -> dict[str, int]:
    """The number of rows of each table, except rate limits and stored responses."""
    async with app.db.read() as db:
        return {table: await db.value(f"SELECT count(*) FROM {table}") for table in TABLES}


TABLES = (
    "api_keys",
    "audit_entries",
    "decisions",
    "estimates",
    "feedback",
    "files",
    "grids",
    "handoffs",
    "invitations",
    "link_comments",
    "links",
    "orders",
    "pdf_exports",
    "revisions",
    "workshops",
    "outbox",
    "webhook_deliveries",
)


async def test_a_repeated_request_gets_the_stored_response(app: App) -> None:
    anna = await app.owner("Anna")
    path, body = f"/workshops/{anna.workshop}/orders", {"title": "Chair"}
    first = await anna.post(path, body, idempotency_key="one")
    again = await anna.post(path, body, idempotency_key="one")
    assert (again.status_code, again.json()) == (201, first.json())
    assert again.headers["idempotency-replayed"] == "true"
    assert ids((await anna.get(path)).json()["orders"]) == [first.json()["id"]]


@pytest.mark.both_engines
async def test_twenty_parallel_duplicates_create_one_order(app: App) -> None:
    anna = await app.owner("Anna")
    path, body = f"/workshops/{anna.workshop}/orders", {"title": "Chair"}
    responses = await asyncio.gather(*[anna.post(path, body, idempotency_key="duplicate") for _ in range(20)])
    assert {response.status_code for response in responses} <= {201, 409}
    created = {response.json()["id"] for response in responses if response.status_code == 201}
    assert set(ids((await anna.get(path)).json()["orders"])) == created
    assert len(created) == 1


@repeatable
async def test_twenty_parallel_duplicates_create_one_object(app: App, operation: Operation) -> None:
    anna, zofia = await app.owner("Anna"), await app.owner("Zofia")
    send, send_duplicate = await sender(operation, anna), await sender(operation, zofia)
    before = await row_counts(app)
    assert (await send("k")).status_code == operation.status
    between = await row_counts(app)
    responses = await asyncio.gather(*[send_duplicate("k") for _ in range(20)])
    after = await row_counts(app)
    # A client has a limit, which counts duplicates of a request that is in progress.
    refused = {409} if operation.limit is None else {409, 429}
    assert {response.status_code for response in responses} <= {operation.status, *refused}
    bodies = {response.content for response in responses if response.status_code == operation.status}
    assert len(bodies) == 1
    first = [response for response in responses if response.status_code < 300 and not is_replay(response)]
    assert len(first) == 1
    # Twenty requests create what one creates.
    assert {name: after[name] - between[name] for name in TABLES} == {
        name: between[name] - before[name] for name in TABLES
    }


def is_replay(response: httpx.Response) -> bool:
    return "idempotency-replayed" in response.headers


@repeatable
async def test_nothing_is_created_without_its_stored_response(
    app: App, operation: Operation, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A process may end at any moment: without the stored response a repetition would create the object again."""
    anna = await app.owner("Anna")
    send = await sender(operation, anna)
    before = await row_counts(app)

    async def fail(*_: Any) -> bool:
        raise MemoryError

    with monkeypatch.context() as patched:
        patched.setattr(idempotency, "save_response", fail)
        assert (await send("k")).status_code == 500
    assert await row_counts(app) == before
    response = await send("k")
    assert (response.status_code, is_replay(response)) == (operation.status, False)


async def test_what_takes_no_key_adds_no_entry_and_no_email(app: App) -> None:
    """A client sends it again where a response was lost: that must do nothing twice."""
    with violations() as case:
        for operation in OPERATIONS:
            if operation.method != "POST" or operation.takes_key or not operation.access.needs_session:
                continue
            with case(operation_samples.line(operation)):
                send = await sender(operation, await app.owner("Anna"))
                before = await row_counts(app)
                await send("k")
                after = await row_counts(app)
                assert {name for name in TABLES if after[name] != before[name]} == set()


async def test_a_link_is_mailed_once_for_a_key(app: App) -> None:
    anna = await app.owner("Anna")
    mail = await sender(next(each for each in OPERATIONS if each.name == "mailLink"), anna)
    first, again = await mail("k"), await mail("k")
    assert [(each.status_code, each.content, is_replay(each)) for each in (first, again)] == [
        (202, first.content, False),
        (202, first.content, True),
    ]
    async with app.db.read() as db:
        sql = "SELECT count(*) FROM outbox WHERE kind = 'estimate_shared' AND sender = :workshop_id"
        assert await db.value(sql, workshop_id=anna.workshop) == 1


@all_of("operation", [each for each in _SENT if each.limit is not None], ids=operation_samples.line)
async def test_a_replay_counts_towards_no_limit(app: App, operation: Operation) -> None:
    """Else the repetitions of one comment would use up those of the hour, and the last of them would be refused."""

    async def attempts() -> list[str]:
        async with app.db.read() as db:
            sql = "SELECT counted || ' ' || CAST(number AS TEXT) FROM attempts WHERE counted LIKE '%s by link %'"
            # Reads count those of a replay as well, in a write after the response.
            sql += " AND counted NOT LIKE 'reads %'"
            return sorted(await db.all(str, sql))

    send = await sender(operation, await app.owner("Anna"))
    first = await send("k")
    assert first.status_code == operation.status
    counted = await attempts()
    assert counted
    again = await send("k")
    assert (again.status_code, again.content, is_replay(again)) == (operation.status, first.content, True)
    assert await attempts() == counted


async def test_the_same_key_with_another_payload_is_rejected(app: App) -> None:
    anna = await app.owner("Anna")
    path = f"/workshops/{anna.workshop}/orders"
    await anna.post(path, {"title": "Chair"}, idempotency_key="k")
    response = await anna.post(path, {"title": "Table"}, idempotency_key="k")
    assert (response.status_code, response.json()["code"]) == (422, "idempotency_mismatch")


async def test_the_same_key_with_another_file_is_rejected(app: App) -> None:
    """Also if it has the same length, is longer, or has another category."""
    anna = await app.owner("Anna")
    first = await upload(anna, png_of(5000), "k")
    assert first.status_code == 201
    other = png_of(5000)[:-30] + bytes([png_of(5000)[-30] ^ 1]) + png_of(5000)[-29:]
    for response in (
        await upload(anna, other, "k"),
        await upload(anna, png_of(400_000), "k"),
        await upload(anna, png_of(4999), "k"),
        await upload(anna, png_of(5000), "k", category="estimate_pdf"),
    ):
        assert (response.status_code, response.json()["code"]) == (422, "idempotency_mismatch")
    assert len((await anna.get(f"/workshops/{anna.workshop}/files")).json()["files"]) == 1


async def test_a_form_with_another_boundary_is_the_same_request(app: App) -> None:
    """Clients choose a new boundary for each request."""
    anna = await app.owner("Anna")
    first = await upload(anna, png_of(5000), "k")
    again = await upload(anna, png_of(5000), "k", boundary="another-boundary-of-another-length")
    assert (again.status_code, again.json(), is_replay(again)) == (201, first.json(), True)


@pytest.mark.both_engines
async def test_an_expired_claim_cannot_store_a_response(app: App) -> None:
    """A request that outlasts its claim neither stores a response nor releases the claim of its repetition."""
    anna = await app.owner("Anna")
    now = times.now()
    expired = IdempotentRequest(idempotency.OF_ACCOUNTS, anna.uid, "POST /files", "k", "first", "", ends_at=now)
    current = structs.replace(expired, token="second", ends_at=times.later(now, 60))
    response = StoredResponse("", 201, "{}")
    assert await app.db.write(lambda db: idempotency.claim(db, expired, now))
    assert await app.db.write(lambda db: idempotency.claim(db, current, now))
    await app.db.write(lambda db: idempotency.release(db, expired))
    assert not await app.db.write(lambda db: idempotency.save_response(db, expired, response, current.ends_at))
    assert await app.db.write(lambda db: idempotency.save_response(db, current, response, current.ends_at))


@pytest.mark.both_engines
async def test_a_client_is_answered_again_after_the_first_owner_has_left(app: App) -> None:
    """Also where the account was deleted: responses to clients are those of the workshop."""
    with violations() as case:
        for operation in (each for each in _SENT if each.access.takes_link):
            with case(operation_samples.line(operation)):
                anna = await app.owner("Anna")
                marek = await app.member(anna)
                await anna.patch(f"/workshops/{anna.workshop}/members/{marek.uid}", {"role": "owner"})
                send = await sender(operation, marek)
                first = await send("k")
                assert (await marek.delete(f"/workshops/{anna.workshop}/members/{anna.uid}")).status_code == 204
                await app.db.write(partial(accounts.delete, uid=anna.uid))
                again = await send("k")
                assert (again.status_code, again.text, is_replay(again)) == (first.status_code, first.text, True)
                assert first.is_success


@pytest.mark.both_engines
async def test_responses_that_an_earlier_version_stored_for_clients_are_kept(app: App) -> None:
    """With the first owner, and twice where another came first between two requests with the same key."""
    anna = await app.owner("Anna")
    marek = await app.member(anna)
    send = [await sender(each, anna) for each in _SENT if each.access.takes_link]
    first = [await request("k") for request in send]
    columns = "request, key_hash, fingerprint, status, body, ends_at"
    for uid in (anna.uid, marek.uid):
        sql = f"INSERT INTO idempotency_keys (account_id, {columns}) SELECT :uid, {columns} FROM link_idempotency_keys"
        await app.db.write(methodcaller("run", sql, uid=uid))
    made = ("DROP TABLE link_idempotency_keys", "DROP TABLE link_counters", "DELETE FROM migrations WHERE number = 102")
    for sql in made:
        await app.db.write(methodcaller("run", sql))
    assert await app.db.migrate() == 1
    async with app.db.read() as db:
        counted = await db.value("SELECT stored_bytes FROM link_counters WHERE workshop_id = :id", id=anna.workshop)
        assert counted == sum(300 + len(each.content) for each in first)
    assert [is_replay(await request("k")) for request in send] == [True] * len(send)


async def test_a_key_applies_to_its_path_and_account_only(app: App) -> None:
    anna = await app.owner("Anna")
    marek = await app.member(anna)
    orders, estimates = f"/workshops/{anna.workshop}/orders", f"/workshops/{anna.workshop}/estimates"
    assert (await anna.post(orders, {"title": "x"}, idempotency_key="k")).status_code == 201
    assert (await marek.post(orders, {"title": "y"}, idempotency_key="k")).status_code == 201
    assert (await anna.post(estimates, {"name": "x"}, idempotency_key="k")).status_code == 201


async def test_no_response_is_stored_for_a_request_that_failed_validation(app: App) -> None:
    anna = await app.owner("Anna")
    path = f"/workshops/{anna.workshop}/orders"
    assert (await anna.post(path, {"title": ""}, idempotency_key="k")).status_code == 400
    assert (await anna.post(path, {"title": "Chair"}, idempotency_key="k")).status_code == 201


async def test_a_former_member_gets_no_replay(app: App) -> None:
    anna = await app.owner("Anna")
    marek = await app.member(anna)
    path, body = f"/workshops/{anna.workshop}/orders", {"title": "Chair"}
    assert (await marek.post(path, body, idempotency_key="k")).status_code == 201
    await app.db.write(lambda db: members.delete(db, anna.workshop, marek.uid))
    response = await marek.post(path, body, idempotency_key="k")
    assert (response.status_code, response.content) == (403, b"")


async def test_a_replay_works_after_the_limit_is_reached(free_app: App) -> None:
    anna = await free_app.owner("Anna")
    path = f"/estimates/{(await anna.estimate())['id']}/confirm"
    responses = [await anna.post(path, idempotency_key=f"n{number}") for number in range(3)]
    assert [response.status_code for response in responses] == [201, 201, 201]
    assert (await anna.post(path, idempotency_key="n3")).status_code == 409
    assert (await anna.post(path, idempotency_key="n2")).json() == responses[2].json()


async def test_a_trial_that_is_started_again_with_its_key_is_the_first_one(free_app: App) -> None:
    anna = await free_app.owner("Anna")
    path = f"/workshops/{anna.workshop}/billing/trial"
    first, again = [await anna.post(path, idempotency_key="k") for _ in range(2)]
    assert (first.status_code, again.status_code, again.json()) == (200, 200, first.json())
    assert (await anna.post(path)).json()["code"] == "trial_used"


@pytest.mark.both_engines
async def test_a_former_member_gets_no_replay_of_joining(app: App) -> None:
    anna, marek = await app.owner("Anna"), await app.owner("Marek")
    body = {"token": await operation_samples.invitation_secret(anna, marek)}
    joined = [await marek.post("/invitations/accept", body, idempotency_key="k") for _ in range(2)]
    assert [(each.status_code, each.json()["id"]) for each in joined] == [(200, anna.workshop)] * 2
    await app.db.write(lambda db: members.delete(db, anna.workshop, marek.uid))
    assert (await marek.post("/invitations/accept", body, idempotency_key="k")).status_code == 403


async def test_a_secret_that_was_rotated_is_not_rotated_again(app: App) -> None:
    """Twice within a minute, neither secret would be the one that the receiver knows."""
    anna = await app.owner("Anna")
    rotate = await sender(next(each for each in OPERATIONS if each.name == "rotateWebhookSecret"), anna)
    assert [(await rotate("k")).status_code for _ in range(2)] == [200, 409]


async def test_a_secret_is_never_stored_for_replay(app: App) -> None:
    anna = await app.owner("Anna")
    body = {"name": "till", "scopes": ["orders:read"]}
    first = await anna.post("/me/api-keys", body, idempotency_key="k")
    again = await anna.post("/me/api-keys", body, idempotency_key="k")
    assert (again.status_code, again.json()["code"]) == (409, "already_created")
    async with app.db.read() as db:
        stored = await db.all(
            str, "SELECT coalesce(body, '') FROM idempotency_keys WHERE account_id = :id", id=anna.uid
        )
    assert first.json()["secret"] not in "".join(stored)


async def test_a_key_that_is_too_long_is_rejected(app: App) -> None:
    anna = await app.owner("Anna")
    response = await anna.post(f"/workshops/{anna.workshop}/orders", {"title": "x"}, idempotency_key="k" * 256)
    assert response.status_code == 400


async def test_a_repeated_upload_stores_one_file_and_replays_for_members_only(app: App) -> None:
    anna = await app.owner("Anna")
    marek = await app.member(anna)
    body = form(("category", "grid_tile_icon"), ("workshopId", anna.workshop), ("file", ("saw.png", png())))
    first = await post_form(marek, body, idempotency_key="k")
    assert first.status_code == 201, first.text
    assert (await post_form(marek, body, idempotency_key="k")).json() == first.json()
    assert len((await anna.get(f"/workshops/{anna.workshop}/files")).json()["files"]) == 1
    await app.db.write(lambda db: members.delete(db, anna.workshop, marek.uid))
    assert (await post_form(marek, body, idempotency_key="k")).status_code == 403


@pytest.mark.both_engines
async def test_responses_to_clients_have_a_limit_of_their_own(app: App) -> None:
    """No client uses up the keys of a member, and no member those of clients."""
    anna = await app.owner("Anna")
    comment = await sender(next(each for each in _SENT if each.name == "addClientComment"), anna)
    path = f"/workshops/{anna.workshop}/orders"
    statuses = []
    for table, owner, id_ in (
        ("account_counters", "account_id", anna.uid),
        ("link_counters", "workshop_id", anna.workshop),
    ):
        await anna.post(path, {"title": "Ash"}, idempotency_key="first")
        await comment("first")
        sql = f"UPDATE {table} SET stored_bytes = :bytes WHERE {owner} = :id"
        await app.db.write(methodcaller("run", sql, bytes=idempotency.MAX_STORED_BYTES + 1, id=id_))
        ordered = await anna.post(path, {"title": "Ash"}, idempotency_key=table)
        statuses.append((ordered.status_code, (await comment(table)).status_code))
        await app.db.write(idempotency.recount_stored)
    assert statuses == [(409, 201), (201, 409)]


async def test_the_stored_responses_of_an_account_are_bounded(app: App, monkeypatch: pytest.MonkeyPatch) -> None:
    anna = await app.owner("Anna")
    path = f"/workshops/{anna.workshop}/orders"

    async def stored() -> tuple[int, int]:
        """The counter, and the sum of the rows."""
        async with app.db.read() as db:
            counter = await db.value("SELECT stored_bytes FROM account_counters WHERE account_id = :id", id=anna.uid)
            sql = "SELECT CAST(sum(300 + octet_length(coalesce(body, ''))) AS BIGINT) FROM idempotency_keys"
            return counter, await db.value(f"{sql} WHERE account_id = :id AND status IS NOT NULL", id=anna.uid)

    for number in range(2):
        created = await anna.post(path, {"title": "Oak ó"}, idempotency_key=f"key-{number}")
        assert created.status_code == 201
    counter, total = await stored()
    assert counter == total > 600
    monkeypatch.setattr(idempotency, "MAX_STORED_BYTES", counter - 1)
    refused = await anna.post(path, {"title": "Ash"}, idempotency_key="key-3")
    assert (refused.status_code, refused.json()["code"], refused.json()["current"]) == (409, "plan_limit", counter)
    assert (await anna.post(path, {"title": "Oak ó"}, idempotency_key="key-1")).status_code == 201
    assert len((await anna.get(path)).json()["orders"]) == 2
    assert (await anna.post(path, {"title": "Ash"})).status_code == 201
    end = "9999-12-31T23:59:59.999Z"
    await app.db.write(lambda db: idempotency.delete_expired(db, idempotency.OF_ACCOUNTS, end, 100_000))
    await app.db.write(lambda db: idempotency.recount_stored(db, 0))
    assert (await stored())[0] == 0
