"""Slow bodies: the clock is read and the credentials are checked again once the body has arrived."""

import asyncio
from collections.abc import Awaitable, Callable
from typing import Any

import pytest

from backbench.engine.database import Write
from backbench.hosting import administration
from backbench.http import pipeline
from backbench.http.pipeline import Writes
from backbench.values import times
from backbench.values.ids import new_id
from tests.http.transport.held_requests import held
from tests.people import App, Person
from tests.support.image_files import png
from tests.support.operation_samples import invitation_secret
from tests.support.statements import recorded
from tests.support.uploads import BOUNDARY, form

FORM = f"multipart/form-data; boundary={BOUNDARY}"


@pytest.fixture
def every_body_is_slow(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(pipeline, "SLOW_SECONDS", 0.0)


async def revoke_keys(person: Person) -> None:
    await person.app.db.write(lambda db: administration.end_all_access(db, person.uid, times.now()))


async def sign_out(person: Person) -> None:
    assert (await person.post("/logout")).status_code == 200


async def suspend(person: Person) -> None:
    await person.app.db.write(lambda db: administration.suspend(db, person.email, times.now(), new_id))


async def delete_account(person: Person) -> None:
    await person.app.db.write(lambda db: administration.delete(db, person.email, times.now(), new_id))


by_session = pytest.mark.parametrize("end", [sign_out, suspend, delete_account], ids=lambda end: end.__name__)


@by_session
@pytest.mark.usefixtures("every_body_is_slow")
async def test_a_session_that_ends_before_its_body_cannot_write(
    app: App, end: Callable[[Person], Awaitable[None]]
) -> None:
    """Not even create an API key, which would outlast the session."""
    anna = await app.owner("Anna")
    body = {"name": "till", "scopes": ["orders:write"]}
    async with held(anna, "POST", "/me/api-keys", body, idempotency_key="k") as request:
        await end(anna)
        response = await request.finish()
    assert (response.status_code, response.content) == (401, b"")
    async with app.db.read() as db:
        assert await db.value("SELECT count(*) FROM api_keys WHERE account_id = :uid", uid=anna.uid) == 0


@pytest.mark.parametrize("end", [revoke_keys, suspend, delete_account], ids=lambda end: end.__name__)
@pytest.mark.usefixtures("every_body_is_slow")
async def test_a_key_that_ends_before_its_body_cannot_write(app: App, end: Callable[[Person], Awaitable[None]]) -> None:
    anna = await app.owner("Anna")
    marek = await app.member(anna)
    order = await anna.order()
    program = await marek.integrator("orders:write")
    async with held(program, "PATCH", f"/orders/{order['id']}/status", {"status": "done"}) as request:
        await end(marek)
        response = await request.finish()
    assert response.status_code == 401
    assert (await anna.get(f"/orders/{order['id']}")).json()["order"] == order


@pytest.mark.usefixtures("every_body_is_slow")
async def test_an_operation_with_its_own_transactions_checks_again_before_it_runs(app: App) -> None:
    anna = await app.owner("Anna")
    body = {"currentPassword": "a plane and a saw", "newPassword": "a chisel and a rasp"}
    async with held(anna, "PUT", "/me/password", body) as request:
        await sign_out(anna)
        assert (await request.finish()).status_code == 401
    assert (await anna.sign_in()).status_code == 200


@by_session
@pytest.mark.usefixtures("every_body_is_slow")
async def test_an_upload_that_outlasts_its_session_is_not_recorded(
    app: App, end: Callable[[Person], Awaitable[None]]
) -> None:
    anna = await app.owner("Anna")
    marek = await app.member(anna)
    body = form(("category", "grid_tile_icon"), ("workshopId", anna.workshop), ("file", ("saw.png", png())))
    async with held(marek, "POST", "/files", body, content_type=FORM, idempotency_key="k") as request:
        await end(marek)
        response = await request.finish()
    # A deleted account is no member any more, which is found first.
    assert (response.status_code, response.content) == (403 if end is delete_account else 401, b"")
    assert (await anna.get(f"/workshops/{anna.workshop}/files")).json()["files"] == []


@pytest.mark.usefixtures("every_body_is_slow")
async def test_what_expires_before_the_body_arrives_has_expired(app: App) -> None:
    anna, marek = await app.owner("Anna"), await app.owner("Marek")
    program = await marek.integrator("orders:write")
    secret = await invitation_secret(anna, marek)
    order = {"title": "Chair"}
    async with (
        held(marek, "POST", "/invitations/accept", {"token": secret}) as accepting,
        held(program, "POST", f"/workshops/{marek.workshop}/orders", order) as creating,
    ):
        # After both requests began, and in the past once they end.
        await asyncio.sleep(0.002)
        now = times.now()
        await app.db.write(lambda db: expire(db, anna.workshop, marek.uid, now))
        await asyncio.sleep(0.002)
        accepted, created = await accepting.finish(), await creating.finish()
    assert (accepted.status_code, accepted.json()["errors"][0]["pointer"]) == (400, "/token")
    assert created.status_code == 401


async def expire(db: Write, workshop: str, uid: str, now: str) -> None:
    """The links of the workshop's invitations, and the keys of the account."""
    invited = "SELECT id FROM invitations WHERE workshop_id = :id"
    await db.run(f"UPDATE tokens SET expires_at = :now WHERE invitation_id IN ({invited})", id=workshop, now=now)
    await db.run("UPDATE api_keys SET expires_at = :now WHERE account_id = :uid", uid=uid, now=now)


@pytest.mark.usefixtures("every_body_is_slow")
async def test_times_are_read_after_a_slow_body(app: App) -> None:
    """History, audit trail and records: none is dated back to the beginning of the request."""
    anna = await app.owner("Anna")
    order = await anna.order()
    icon = form(("category", "grid_tile_icon"), ("workshopId", anna.workshop), ("file", ("saw.png", png())))
    async with (
        held(anna, "PATCH", f"/orders/{order['id']}/status", {"status": "done"}) as moving,
        held(anna, "POST", f"/workshops/{anna.workshop}/orders", {"title": "Chair"}) as creating,
        held(anna, "POST", "/files", icon, content_type=FORM) as uploading,
    ):
        await asyncio.sleep(0.002)
        now = times.now()
        moved, created, uploaded = [await each.finish() for each in (moving, creating, uploading)]
    entries = (await anna.get(f"/workshops/{anna.workshop}/audit")).json()["entries"][:3]
    found = [moved.json()["statusHistory"][-1]["at"], created.json()["createdAt"], uploaded.json()["createdAt"]]
    assert all(at >= now for at in (*found, *(entry["at"] for entry in entries)))
    assert {entry["action"] for entry in entries} == {"order.moved", "order.created", "file.created"}


async def test_a_fast_body_costs_no_second_check(app: App) -> None:
    anna = await app.owner("Anna")
    program = await anna.integrator("orders:write")
    order = await anna.order()
    for method, path, body in (
        ("POST", f"/workshops/{anna.workshop}/orders", {"title": "Chair"}),
        ("PATCH", f"/orders/{order['id']}/status", {"status": "done"}),
    ):
        with recorded() as statements:
            assert (await program.send(method, path, body)).status_code in (200, 201)
        assert len([sql for sql in statements if "FROM api_keys" in sql]) == 1


@pytest.mark.parametrize("path", ["/me/api-keys", "/feedback", "/files"])
async def test_an_account_deleted_between_check_and_write_is_401(
    app: App, path: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Its row is referred to: neither an unhandled error nor a dozen retries."""
    anna = await app.owner("Anna")
    authenticate = Writes._authenticated

    async def and_then_delete(self: Writes, *arguments: Any) -> Any:
        caller = await authenticate(self, *arguments)
        await delete_account(anna)
        return caller

    monkeypatch.setattr(Writes, "_authenticated", and_then_delete)
    bodies: dict[str, Any] = {
        "/me/api-keys": {"name": "till", "scopes": ["orders:write"]},
        "/feedback": {"kind": "support", "title": "x", "message": "x"},
        "/files": form(("category", "grid_tile_icon"), ("workshopId", anna.workshop), ("file", ("saw.png", png()))),
    }
    kind = {"content_type": FORM} if path == "/files" else {}
    with recorded() as statements:
        response = await anna.post(path, bodies[path], idempotency_key="k", **kind)
    assert response.status_code == 401
    assert len([sql for sql in statements if "INSERT INTO idempotency_keys" in sql]) == 1
