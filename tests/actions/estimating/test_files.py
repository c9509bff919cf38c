"""Files: the storage quota, and the consistency of bytes and their records."""

import asyncio
from pathlib import Path
from typing import Any

import pytest

from backbench.domain.billing.plans import MIB
from backbench.domain.values import times
from backbench.domain.values.errors import Unavailable
from backbench.jobs.sweep import delete_orphaned_blobs
from tests.people import PASSWORD, Person, Shop
from tests.support import buckets, pictures
from tests.support.engines import new_file, opened_shop
from tests.support.uploads import BOUNDARY, form, icon, upload, used


async def fill_up(shop: Shop, person: Person, *, free: int) -> None:
    """Fills the storage quota of the free plan except for `free` bytes."""
    await shop.db.write(
        lambda db: db.run(
            "UPDATE workshops SET storage_used_bytes = :taken WHERE id = :id", taken=50 * MIB - free, id=person.workshop
        )
    )


async def orphaned(shop: Shop) -> list[str]:
    async with shop.db.read() as db:
        return await db.all(str, "SELECT id FROM stray_bytes")


async def has_bytes(shop: Shop, file_id: str) -> bool:
    try:
        return b"".join([piece async for piece in shop.app.blobs.read(file_id, 0, 1)]) != b""
    except Unavailable:
        return False


async def exported_estimate(person: Person) -> tuple[str, str]:
    """The ids of a confirmed estimate and of a PDF export of it."""
    estimate: str = (await person.estimate())["id"]
    await person.post(f"/estimates/{estimate}/confirm")
    export = await person.post(f"/estimates/{estimate}/pdf-exports", {"locale": "pl", "preliminary": False})
    return estimate, export.json()["id"]


# Storage quota


async def test_stored_files_count_against_the_storage_quota(shop: Shop) -> None:
    anna = await shop.owner()
    first, second = await icon(anna), await icon(anna, pictures.jpeg())
    assert await used(anna) == first["sizeBytes"] + second["sizeBytes"]
    await anna.delete(f"/files/{first['id']}")
    assert await used(anna) == second["sizeBytes"]


async def test_the_storage_quota_is_exact_to_the_byte(shop: Shop) -> None:
    anna = await shop.owner()
    size = len(pictures.png())
    await fill_up(shop, anna, free=size - 1)
    response = await upload(anna, pictures.png())
    assert (response.status_code, response.json()["code"]) == (409, "plan_limit")
    assert (response.json()["limit"], response.json()["current"]) == (50 * MIB, 50 * MIB - size + 1)
    await fill_up(shop, anna, free=size)
    assert (await upload(anna, pictures.png())).status_code == 201
    assert await used(anna) == 50 * MIB


async def test_an_upload_over_the_quota_is_rejected_before_its_end(shop: Shop) -> None:
    anna = await shop.owner()
    await fill_up(shop, anna, free=10_000)
    sent_bytes = 0

    async def endless() -> Any:
        nonlocal sent_bytes
        yield form(("file", pictures.pdf()))[:-60]
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


async def test_only_the_fifth_parallel_upload_of_an_account_waits(shop: Shop) -> None:
    anna, marek = await shop.owner("Anna"), await shop.owner("Marek")
    may_continue = asyncio.Event()
    started = 0
    body = form(("category", "grid_tile_icon"), ("workshopId", anna.workshop), ("file", ("a.png", pictures.png())))

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
    assert (await upload(marek, pictures.png())).status_code == 201
    assert started == 4
    may_continue.set()
    assert [response.status_code for response in await asyncio.gather(*sending)] == [201] * 5


async def test_a_rejected_upload_is_read_to_its_end(shop: Shop) -> None:
    """A client that reads only after sending would otherwise get a closed connection instead of the error."""
    anna = await shop.owner()
    body = form(("category", "grid_tile_icon"), ("file", ("a.png", pictures.png_of(3 * MIB))))
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


async def test_parallel_uploads_never_exceed_the_quota(shop: Shop) -> None:
    anna = await shop.owner()
    size = len(pictures.png())
    await fill_up(shop, anna, free=3 * size)
    responses = await asyncio.gather(*[upload(anna, pictures.png()) for _ in range(8)])
    assert sorted(response.status_code for response in responses) == [201] * 3 + [409] * 5
    assert await used(anna) == 50 * MIB
    assert len((await anna.get(f"/workshops/{anna.workshop}/files")).json()["files"]) == 3


async def test_parallel_deletes_of_a_file_free_its_size_once(shop: Shop) -> None:
    anna = await shop.owner()
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


async def test_the_pro_plan_has_a_larger_quota(shop: Shop) -> None:
    anna = await shop.owner()
    await fill_up(shop, anna, free=0)
    await shop.put_on_pro(anna.workshop)
    assert (await upload(anna, pictures.png())).status_code == 201


# Bytes and their records


async def test_objects_created_while_their_workshop_is_deleted_do_not_remain(shop: Shop) -> None:
    anna = await shop.owner()
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
            upload(anna, pictures.png(), workshopId=workshop),
            upload(anna, pictures.pdf(), category="estimate_pdf", workshopId=workshop),
        )
        assert deleted.status_code == 204
        assert {response.status_code for response in created} <= {201, 403, 404}
        async with shop.db.read() as db:
            assert await db.value("SELECT count(*) FROM files WHERE workshop_id = :id", id=workshop) == 0


async def test_the_next_sweep_deletes_the_bytes_of_a_deleted_file(shop: Shop) -> None:
    anna = await shop.owner()
    record = await icon(anna)
    await anna.delete(f"/files/{record['id']}")
    assert await has_bytes(shop, record["id"])
    await shop.app.sweep_job.sweep()
    assert not await has_bytes(shop, record["id"])
    assert record["id"] not in await orphaned(shop)


async def test_the_next_sweep_deletes_the_bytes_of_a_deleted_workshop(shop: Shop) -> None:
    anna = await shop.owner()
    record = await icon(anna)
    assert (await anna.delete(f"/workshops/{anna.workshop}")).status_code == 204
    await shop.app.sweep_job.sweep()
    assert not await has_bytes(shop, record["id"])


async def test_the_next_sweep_deletes_the_bytes_of_a_deleted_estimate(shop: Shop) -> None:
    anna = await shop.owner()
    estimate, pdf = await exported_estimate(anna)
    assert await has_bytes(shop, pdf)
    assert (await anna.delete(f"/estimates/{estimate}")).status_code == 204
    await shop.app.sweep_job.sweep()
    assert not await has_bytes(shop, pdf)


async def test_the_next_sweep_deletes_the_bytes_of_a_deleted_account(shop: Shop) -> None:
    anna, marek = await shop.owner(), await shop.owner("Marek")
    other = (await icon(marek))["id"]
    files = [(await icon(anna))["id"], (await exported_estimate(anna))[1]]
    assert (await anna.delete("/me", {"password": PASSWORD})).status_code == 204
    await shop.app.sweep_job.sweep()
    assert [await has_bytes(shop, file) for file in files] == [False, False]
    assert await has_bytes(shop, other)


async def test_a_bucket_is_empty_after_its_only_account_is_deleted(tmp_path: Path) -> None:
    with buckets.s3_service() as port, buckets.environment(port):
        async with opened_shop(new_file(tmp_path), files_url=f"s3://{buckets.NAME}/shop") as shop:
            anna = await shop.owner()
            await icon(anna)
            await exported_estimate(anna)
            assert buckets.objects(port) == 2
            await anna.delete("/me", {"password": PASSWORD})
            await shop.app.sweep_job.sweep()
            assert buckets.objects(port) == 0


async def test_a_stored_file_survives_every_sweep(shop: Shop) -> None:
    anna = await shop.owner()
    record = await icon(anna)
    await delete_orphaned_blobs(shop.db, shop.app.blobs, times.later(times.now(), 30 * 86_400))
    assert (await anna.get(f"/files/{record['id']}")).content == pictures.png()


async def test_a_rejected_file_leaves_no_bytes(shop: Shop) -> None:
    anna = await shop.owner()
    await fill_up(shop, anna, free=0)
    before = set(await orphaned(shop))
    await upload(anna, pictures.png())
    [orphan] = set(await orphaned(shop)) - before
    await shop.app.sweep_job.sweep()
    assert not await has_bytes(shop, orphan)
    assert orphan not in await orphaned(shop)


async def test_bytes_orphaned_by_a_crash_are_deleted_after_a_day(shop: Shop, monkeypatch: pytest.MonkeyPatch) -> None:
    """The process ends after the bytes are written: the upload is never abandoned."""
    anna = await shop.owner()

    class Crashed(BaseException):
        pass

    written = shop.app.blobs.write

    async def write_and_crash(blob_id: str, pieces: Any) -> None:
        await written(blob_id, pieces)
        raise Crashed

    before = set(await orphaned(shop))
    with monkeypatch.context() as crash:
        crash.setattr(shop.app.blobs, "write", write_and_crash)
        with pytest.raises(Crashed):
            await upload(anna, pictures.png())
    [orphan] = set(await orphaned(shop)) - before
    await delete_orphaned_blobs(shop.db, shop.app.blobs, times.later(times.now(), 3600))
    assert await has_bytes(shop, orphan)
    await delete_orphaned_blobs(shop.db, shop.app.blobs, times.later(times.now(), 25 * 3600))
    assert not await has_bytes(shop, orphan)
    assert (await anna.get(f"/workshops/{anna.workshop}/files")).json() == {"files": []}


async def test_bytes_deleted_as_orphans_never_become_a_file(shop: Shop, monkeypatch: pytest.MonkeyPatch) -> None:
    anna = await shop.owner()
    written = shop.app.blobs.write

    async def write_slowly(blob_id: str, pieces: Any) -> None:
        await written(blob_id, pieces)
        await delete_orphaned_blobs(shop.db, shop.app.blobs, times.later(times.now(), 25 * 3600))

    with monkeypatch.context() as slow:
        slow.setattr(shop.app.blobs, "write", write_slowly)
        assert (await upload(anna, pictures.png())).status_code == 503
    assert (await anna.get(f"/workshops/{anna.workshop}/files")).json() == {"files": []}
    assert await used(anna) == 0


async def test_a_failed_deletion_of_bytes_is_retried(shop: Shop, monkeypatch: pytest.MonkeyPatch) -> None:
    anna = await shop.owner()
    record = await icon(anna)
    await anna.delete(f"/files/{record['id']}")

    async def fail(_: str) -> None:
        raise Unavailable("unavailable", "The bucket is unavailable")

    with monkeypatch.context() as unavailable:
        unavailable.setattr(shop.app.blobs, "delete", fail)
        with pytest.raises(Unavailable):
            await delete_orphaned_blobs(shop.db, shop.app.blobs, times.now())
    assert record["id"] in await orphaned(shop)
    await delete_orphaned_blobs(shop.db, shop.app.blobs, times.later(times.now(), 3600))
    assert record["id"] not in await orphaned(shop)
    assert not await has_bytes(shop, record["id"])


async def test_a_file_without_its_bytes_is_503(shop: Shop) -> None:
    anna = await shop.owner()
    record = await icon(anna)
    await shop.app.blobs.delete(record["id"])
    assert (await anna.get(f"/files/{record['id']}")).status_code == 503
