"""Claims of Idempotency-Keys: a request that takes longer than the lease keeps its key, unless it is taken over."""

import asyncio

import pytest

from backbench.http import pipeline
from backbench.jobs.sweep import SweepJob
from backbench.values import times
from tests.http.transport.held_requests import held
from tests.people import App, Person
from tests.support.image_files import png
from tests.support.uploads import BOUNDARY, form

FORM = f"multipart/form-data; boundary={BOUNDARY}"


async def lease_of(person: Person) -> str:
    """When the claim of the account's key ends; "" where there is none."""
    async with person.app.db.read() as db:
        sql = "SELECT ends_at FROM idempotency_keys WHERE account_id = :uid AND status IS NULL"
        return str(await db.value(sql, uid=person.uid) or "")


async def sweep(app: App, at: str) -> None:
    await SweepJob(app.db, app.backbench.blobs, lambda: at).sweep()


def icon_of(person: Person) -> bytes:
    return form(("category", "grid_tile_icon"), ("workshopId", person.workshop), ("file", ("saw.png", png())))


@pytest.mark.both_engines
async def test_an_upload_longer_than_its_lease_keeps_its_key(app: App, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(pipeline, "_RENEWAL_SECONDS", 0.002)
    anna = await app.owner("Anna")
    body = icon_of(anna)
    async with held(anna, "POST", "/files", body, content_type=FORM, idempotency_key="k") as upload:
        first = await lease_of(anna)
        async with asyncio.timeout(60):
            while await lease_of(anna) <= first:  # noqa: ASYNC110 - a row, without an event
                await asyncio.sleep(0.002)
        await sweep(app, first)
        repeated = await anna.post("/files", body, content_type=FORM, idempotency_key="k")
        assert (repeated.status_code, repeated.json()["code"]) == (409, "in_progress")
        stored = await upload.finish()
    assert stored.status_code == 201
    replayed = await anna.post("/files", body, content_type=FORM, idempotency_key="k")
    assert (replayed.json(), replayed.headers["idempotency-replayed"]) == (stored.json(), "true")


async def test_an_expired_claim_that_nobody_has_taken_over_stores_its_response(app: App) -> None:
    """A machine may sleep, or its database be away, for longer than the lease."""
    anna = await app.owner("Anna")
    body = icon_of(anna)
    async with held(anna, "POST", "/files", body, content_type=FORM, idempotency_key="k") as upload:
        await sweep(app, times.later(await lease_of(anna), 1))
        assert await lease_of(anna) == ""
        stored = await upload.finish()
    assert stored.status_code == 201
    assert (await anna.post("/files", body, content_type=FORM, idempotency_key="k")).json() == stored.json()


async def test_a_claim_that_was_taken_over_stores_nothing(app: App) -> None:
    anna = await app.owner("Anna")
    body = icon_of(anna)
    async with held(anna, "POST", "/files", body, content_type=FORM, idempotency_key="k") as upload:
        await sweep(app, times.later(await lease_of(anna), 1))
        repeated = await anna.post("/files", body, content_type=FORM, idempotency_key="k")
        assert repeated.status_code == 201
        late = await upload.finish()
    assert (late.status_code, late.json()["code"]) == (409, "in_progress")
    files = (await anna.get(f"/workshops/{anna.workshop}/files")).json()["files"]
    assert [file["id"] for file in files] == [repeated.json()["id"]]


async def test_a_claim_is_leased_for_two_minutes(app: App) -> None:
    """After a crash the key is free then."""
    anna = await app.owner("Anna")
    before = times.now()
    async with held(anna, "POST", "/files", icon_of(anna), content_type=FORM, idempotency_key="k"):
        assert times.later(before, 120) <= await lease_of(anna) <= times.later(times.now(), 120)
