"""Files: the storage quota, and the consistency of bytes and their records."""

import asyncio
from functools import partial
from pathlib import Path
from typing import Any

import pytest
import structlog

from backbench.billing.plans import MIB
from backbench.jobs import sweep
from backbench.jobs.sweep import SweepJob, delete_orphaned_blobs
from backbench.values import times
from backbench.values.errors import Unavailable
from tests.people import PASSWORD, App, Person
from tests.support import image_files
from tests.support.databases import new_file, running_app
from tests.support.providers import s3_server
from tests.support.uploads import BOUNDARY, form, icon, upload, used

pytestmark = pytest.mark.both_engines


async def fill_up(app: App, person: Person, *, free: int) -> None:
    """Fills the storage quota of the free plan except for `free` bytes."""
    await app.db.write(
        lambda db: db.run(
            "UPDATE workshops SET storage_used_bytes = :taken WHERE id = :id", taken=50 * MIB - free, id=person.workshop
        )
    )


async def orphaned(app: App) -> list[str]:
    async with app.db.read() as db:
        return await db.all(str, "SELECT id FROM stray_bytes")


async def has_bytes(app: App, file_id: str) -> bool:
    try:
        return b"".join([piece async for piece in app.backbench.blobs.read(file_id, 0, 1)]) != b""
    except Unavailable:
        return False


async def exported_estimate(person: Person) -> tuple[str, str]:
    """The ids of a confirmed estimate and of a PDF export of it."""
    estimate: str = (await person.estimate())["id"]
    await person.post(f"/estimates/{estimate}/confirm")
    export = await person.post(f"/estimates/{estimate}/pdf-exports", {"locale": "pl", "preliminary": False})
    return estimate, export.json()["id"]


# Storage quota


async def test_stored_files_count_against_the_storage_quota(app: App) -> None:
    anna = await app.owner()
    first, second = await icon(anna), await icon(anna, image_files.jpeg())
    assert await used(anna) == first["sizeBytes"] + second["sizeBytes"]
    await anna.delete(f"/files/{first['id']}")
    assert await used(anna) == second["sizeBytes"]


async def test_the_storage_quota_is_exact_to_the_byte(free_app: App) -> None:
    anna = await free_app.owner()
    size = len(image_files.png())
    await fill_up(free_app, anna, free=size - 1)
    response = await upload(anna, image_files.png())
    assert (response.status_code, response.json()["code"]) == (409, "plan_limit")
    assert (response.json()["limit"], response.json()["current"]) == (50 * MIB, 50 * MIB - size + 1)
    await fill_up(free_app, anna, free=size)
    assert (await upload(anna, image_files.png())).status_code == 201
    assert await used(anna) == 50 * MIB


async def test_an_upload_over_the_quota_is_rejected_before_its_end(free_app: App) -> None:
    anna = await free_app.owner()
    await fill_up(free_app, anna, free=10_000)
    sent_bytes = 0

    async def endless() -> Any:
        nonlocal sent_bytes
        yield form(("file", image_files.pdf()))[:-60]
        while True:
            sent_bytes += 65_536
            yield b"x" * 65_536

    headers = {
        "content-type": f"multipart/form-data; boundary={BOUNDARY}",
        "x-csrf-token": anna.browser.cookies["csrf-token"],
    }
    response = await anna.browser.post("/api/files", content=endless(), headers=headers)
    assert (response.status_code, response.json()["code"]) == (409, "plan_limit")
    assert sent_bytes < 8 * MIB


async def test_only_the_fifth_parallel_upload_of_an_account_waits(app: App) -> None:
    anna, marek = await app.owner("Anna"), await app.owner("Marek")
    may_continue = asyncio.Event()
    started = 0
    body = form(("category", "grid_tile_icon"), ("workshopId", anna.workshop), ("file", ("a.png", image_files.png())))

    async def slow() -> Any:
        nonlocal started
        started += 1
        yield body[:200]
        await may_continue.wait()
        yield body[200:]

    headers = {
        "content-type": f"multipart/form-data; boundary={BOUNDARY}",
        "x-csrf-token": anna.browser.cookies["csrf-token"],
    }
    sending = [asyncio.create_task(anna.browser.post("/api/files", content=slow(), headers=headers)) for _ in range(5)]
    async with asyncio.timeout(60):
        while started < 4:  # noqa: ASYNC110 - the condition changes inside the requests
            await asyncio.sleep(0.01)
    assert (await upload(marek, image_files.png())).status_code == 201
    assert started == 4
    may_continue.set()
    assert [response.status_code for response in await asyncio.gather(*sending)] == [201] * 5


async def test_a_rejected_upload_is_read_to_its_end(app: App) -> None:
    """A client that reads only after sending would otherwise get a closed connection instead of the error."""
    anna = await app.owner()
    body = form(("category", "grid_tile_icon"), ("file", ("a.png", image_files.png_of(3 * MIB))))
    unread = list(range(0, len(body), 65_536))

    async def pieces() -> Any:
        while unread:
            start = unread.pop(0)
            yield body[start : start + 65_536]

    headers = {
        "content-type": f"multipart/form-data; boundary={BOUNDARY}",
        "x-csrf-token": anna.browser.cookies["csrf-token"],
    }
    response = await anna.browser.post("/api/files", content=pieces(), headers=headers)
    assert (response.status_code, unread) == (413, [])


async def test_parallel_uploads_never_exceed_the_quota(free_app: App) -> None:
    anna = await free_app.owner()
    size = len(image_files.png())
    await fill_up(free_app, anna, free=3 * size)
    responses = await asyncio.gather(*[upload(anna, image_files.png()) for _ in range(8)])
    assert sorted(response.status_code for response in responses) == [201] * 3 + [409] * 5
    assert await used(anna) == 50 * MIB
    assert len((await anna.get(f"/workshops/{anna.workshop}/files")).json()["files"]) == 3


async def test_parallel_deletes_of_a_file_free_its_size_once(app: App) -> None:
    anna = await app.owner()
    other = await icon(anna)
    estimate = await anna.estimate()
    await anna.post(f"/estimates/{estimate['id']}/confirm")
    exports = f"/estimates/{estimate['id']}/pdf-exports"
    for _ in range(4):
        export = (await anna.post(exports, {"locale": "en", "preliminary": False})).json()
        paths = [f"{exports}/{export['id']}", f"/files/{export['id']}"] * 3
        responses = await asyncio.gather(*[anna.delete(path) for path in paths])
        assert {response.status_code for response in responses} <= {204, 404}
        assert await used(anna) == other["sizeBytes"]


async def test_the_pro_plan_has_a_larger_quota(app: App) -> None:
    anna = await app.owner()
    await fill_up(app, anna, free=0)
    await app.put_on_pro(anna.workshop)
    assert (await upload(anna, image_files.png())).status_code == 201


# Bytes and their records


async def test_objects_created_while_their_workshop_is_deleted_do_not_remain(app: App) -> None:
    anna = await app.owner()
    for _ in range(5):
        workshop = (await anna.post("/workshops", {"name": "Oak & Ash"})).json()["id"]
        path = f"/workshops/{workshop}"
        estimate = (await anna.post(f"{path}/estimates", {"name": "Kitchen"})).json()["id"]
        deleted, *created = await asyncio.gather(
            anna.delete(path),
            anna.post(f"{path}/orders", {"title": "Oak table"}),
            anna.post(f"{path}/grids", {"name": "Carpentry"}),
            anna.post(f"{path}/estimates", {"name": "Attic"}),
            anna.post(f"/estimates/{estimate}/confirm"),
            upload(anna, image_files.png(), workshopId=workshop),
            upload(anna, image_files.pdf(), category="estimate_pdf", workshopId=workshop),
        )
        assert deleted.status_code == 204
        assert {response.status_code for response in created} <= {201, 403, 404}
        async with app.db.read() as db:
            assert await db.value("SELECT count(*) FROM files WHERE workshop_id = :id", id=workshop) == 0


async def test_the_next_sweep_deletes_the_bytes_of_a_deleted_file(app: App) -> None:
    anna = await app.owner()
    record = await icon(anna)
    await anna.delete(f"/files/{record['id']}")
    assert await has_bytes(app, record["id"])
    await app.backbench.sweep_job.sweep()
    assert not await has_bytes(app, record["id"])
    assert record["id"] not in await orphaned(app)


async def test_the_next_sweep_deletes_the_bytes_of_a_deleted_workshop(app: App) -> None:
    anna = await app.owner()
    record = await icon(anna)
    assert (await anna.delete(f"/workshops/{anna.workshop}")).status_code == 204
    await app.backbench.sweep_job.sweep()
    assert not await has_bytes(app, record["id"])


async def test_the_next_sweep_deletes_the_bytes_of_a_deleted_estimate(app: App) -> None:
    anna = await app.owner()
    estimate, pdf = await exported_estimate(anna)
    assert await has_bytes(app, pdf)
    assert (await anna.delete(f"/estimates/{estimate}")).status_code == 204
    await app.backbench.sweep_job.sweep()
    assert not await has_bytes(app, pdf)


async def test_the_next_sweep_deletes_the_bytes_of_a_deleted_account(app: App) -> None:
    anna, marek = await app.owner(), await app.owner("Marek")
    other = (await icon(marek))["id"]
    files = [(await icon(anna))["id"], (await exported_estimate(anna))[1]]
    assert (await anna.delete("/me", {"password": PASSWORD})).status_code == 204
    await app.backbench.sweep_job.sweep()
    assert [await has_bytes(app, file) for file in files] == [False, False]
    assert await has_bytes(app, other)


async def test_a_bucket_is_empty_after_its_only_account_is_deleted(tmp_path: Path) -> None:
    with s3_server.running_s3_server() as port, s3_server.environment(port):
        async with running_app(new_file(tmp_path), files_url=f"s3://{s3_server.BUCKET}/shop") as app:
            anna = await app.owner()
            await icon(anna)
            await exported_estimate(anna)
            assert s3_server.object_count(port) == 2
            await anna.delete("/me", {"password": PASSWORD})
            await app.backbench.sweep_job.sweep()
            assert s3_server.object_count(port) == 0


async def test_a_stored_file_survives_every_sweep(app: App) -> None:
    anna = await app.owner()
    record = await icon(anna)
    await delete_orphaned_blobs(app.db, app.backbench.blobs, times.later(times.now(), 30 * 86_400))
    assert (await anna.get(f"/files/{record['id']}")).content == image_files.png()


async def test_a_rejected_file_leaves_no_bytes(free_app: App) -> None:
    anna = await free_app.owner()
    await fill_up(free_app, anna, free=0)
    before = set(await orphaned(free_app))
    await upload(anna, image_files.png())
    [orphan] = set(await orphaned(free_app)) - before
    await free_app.backbench.sweep_job.sweep()
    assert not await has_bytes(free_app, orphan)
    assert orphan not in await orphaned(free_app)


async def test_bytes_orphaned_by_a_crash_are_deleted_after_a_day(app: App, monkeypatch: pytest.MonkeyPatch) -> None:
    """The process ends after the bytes are written: the upload is never abandoned."""
    anna = await app.owner()

    class Crashed(BaseException):
        pass

    written = app.backbench.blobs.write

    async def write_and_crash(blob_id: str, pieces: Any) -> None:
        await written(blob_id, pieces)
        raise Crashed

    before = set(await orphaned(app))
    with monkeypatch.context() as crash:
        crash.setattr(app.backbench.blobs, "write", write_and_crash)
        with pytest.raises(Crashed):
            await upload(anna, image_files.png())
    [orphan] = set(await orphaned(app)) - before
    await delete_orphaned_blobs(app.db, app.backbench.blobs, times.later(times.now(), 3600))
    assert await has_bytes(app, orphan)
    await delete_orphaned_blobs(app.db, app.backbench.blobs, times.later(times.now(), 25 * 3600))
    assert not await has_bytes(app, orphan)
    assert (await anna.get(f"/workshops/{anna.workshop}/files")).json() == {"files": []}


async def test_bytes_deleted_as_orphans_never_become_a_file(app: App, monkeypatch: pytest.MonkeyPatch) -> None:
    anna = await app.owner()
    written = app.backbench.blobs.write

    async def write_slowly(blob_id: str, pieces: Any) -> None:
        await written(blob_id, pieces)
        await delete_orphaned_blobs(app.db, app.backbench.blobs, times.later(times.now(), 25 * 3600))

    with monkeypatch.context() as slow:
        slow.setattr(app.backbench.blobs, "write", write_slowly)
        assert (await upload(anna, image_files.png())).status_code == 503
    assert (await anna.get(f"/workshops/{anna.workshop}/files")).json() == {"files": []}
    assert await used(anna) == 0


async def test_bytes_of_a_deleted_file_are_kept_for_the_days_of_the_setting(app: App) -> None:
    anna = await app.owner()
    record = await icon(anna)
    await anna.delete(f"/files/{record['id']}")
    deleted_at = times.now()

    async def sweep_after(days: int) -> None:
        at = times.later(deleted_at, days * 86_400)
        await SweepJob(app.db, app.backbench.blobs, lambda: at, blob_days=3).sweep()

    for days in (0, 2):
        await sweep_after(days)
        assert await has_bytes(app, record["id"])
    await sweep_after(4)
    assert not await has_bytes(app, record["id"])
    assert record["id"] not in await orphaned(app)


async def test_a_file_that_is_deleted_during_a_sweep_is_kept_for_the_days_of_the_setting(
    app: App, monkeypatch: pytest.MonkeyPatch
) -> None:
    anna = await app.owner()
    old, new = await icon(anna), await icon(anna)
    await anna.delete(f"/files/{old['id']}")
    delete, swept_at = app.backbench.blobs.delete, times.now()

    async def delete_meanwhile(blob_id: str) -> None:
        await delete(blob_id)
        await anna.delete(f"/files/{new['id']}")

    monkeypatch.setattr(app.backbench.blobs, "delete", delete_meanwhile)
    for days in (0, 4):
        clock = partial(times.later, swept_at, days * 86_400)
        await SweepJob(app.db, app.backbench.blobs, clock, blob_days=3).sweep()
    assert not await has_bytes(app, old["id"])
    assert await has_bytes(app, new["id"])


async def test_a_blob_that_cannot_be_deleted_is_retried_and_delays_no_other(
    app: App, monkeypatch: pytest.MonkeyPatch
) -> None:
    """As one whose folder another user has made, or each of them in a bucket that is unavailable."""
    monkeypatch.setattr(sweep, "_BLOB_BATCH", 3)
    anna = await app.owner()
    records = [await icon(anna) for _ in range(7)]
    for record in records:
        await anna.delete(f"/files/{record['id']}")
    delete, failing = app.backbench.blobs.delete, {record["id"] for record in records[1:5]}

    async def fail(blob_id: str) -> None:
        if blob_id in failing:
            raise Unavailable("unavailable", "File storage is unavailable: permission denied")
        await delete(blob_id)

    monkeypatch.setattr(app.backbench.blobs, "delete", fail)
    now = times.now()
    with structlog.testing.capture_logs() as lines:
        # A batch of those alone ends a sweep.
        for _ in range(3):
            await delete_orphaned_blobs(app.db, app.backbench.blobs, now)
    assert failing <= set(await orphaned(app))
    assert {record["id"] for record in records if await has_bytes(app, record["id"])} == failing
    assert sum(line["number"] for line in lines if line["event"] == "blobs not deleted") == len(failing)
    failing.clear()
    await delete_orphaned_blobs(app.db, app.backbench.blobs, times.later(now, 3600))
    assert not set(await orphaned(app)) & {record["id"] for record in records}


async def test_a_file_without_its_bytes_is_503(app: App) -> None:
    anna = await app.owner()
    record = await icon(anna)
    await app.backbench.blobs.delete(record["id"])
    assert (await anna.get(f"/files/{record['id']}")).status_code == 503
