"""Photos of an order over HTTP: uploads, what is stored of them, who may see them, and how they go."""

import asyncio
import io
import re
from typing import Any

import pytest
from PIL import Image

from backbench.integrations import blobs as blob_stores
from backbench.jobs import sweep
from backbench.values import times
from tests.people import App, Person, ids, pointers
from tests.support.operation_samples import customer_with_code
from tests.support.photos import photo_files
from tests.support.secret_log_check import remember_secrets
from tests.support.uploads import BOUNDARY, form, photo, post_photo, used

_UNWANTED = re.compile(rb"Exif|http://ns\.adobe|ICC_PROFILE|Photoshop|XMP|EXIF|iTXt|tEXt|" + photo_files.MARKER)


async def bytes_of(person: Person, path: str) -> bytes:
    response = await person.get(path)
    assert response.status_code == 200, response.text
    return response.content


async def image_of(person: Person, record: dict[str, Any], kind: str = "image") -> Image.Image:
    return Image.open(io.BytesIO(await bytes_of(person, f"/photos/{record['id']}/{kind}")))


async def listed(person: Person, order_id: str) -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = (await person.get(f"/orders/{order_id}/photos")).json()["photos"]
    return found


async def summary_of(person: Person, order_id: str) -> dict[str, Any]:
    found = (await person.get(f"/workshops/{person.workshop}/order-summaries")).json()["summaries"]
    return next(each for each in found if each["orderId"] == order_id)


async def customer_of(person: Person, order: dict[str, Any]) -> Person:
    customer = person.app.anonymous()
    customer.bearer = (await person.get(f"/orders/{order['id']}/status-link")).json()["url"].partition("#")[2]
    remember_secrets(customer.bearer)
    return customer


async def test_an_uploaded_photo_is_recorded_as_it_is_stored(app: App) -> None:
    anna = await app.owner()
    order = await anna.order()
    taken = "2026-11-20T10:12:00+01:00"
    response = await post_photo(
        anna,
        order["id"],
        photo_files.jpeg(2500, 1000),
        kind="during",
        caption="Pęknięta noga",
        takenAt=taken,
        shared="true",
    )
    record = response.json()
    assert response.status_code == 201, response.text
    stored = await bytes_of(anna, f"/photos/{record['id']}/image")
    assert record == {
        "id": record["id"],
        "orderId": order["id"],
        "kind": "during",
        "caption": "Pęknięta noga",
        "shared": True,
        "takenAt": "2026-11-20T09:12:00.000Z",
        "width": 2048,
        "height": 819,
        "sizeBytes": len(stored),
        "createdAt": record["createdAt"],
        "createdByUid": anna.uid,
    }
    assert await listed(anna, order["id"]) == [record]
    read = await anna.get(f"/photos/{record['id']}")
    assert (read.json(), read.headers["etag"]) == (record, response.headers["etag"])
    assert response.headers["location"] == f"/api/photos/{record['id']}"


async def test_without_other_fields_a_photo_is_not_shared_and_taken_now(app: App) -> None:
    anna = await app.owner()
    record = await photo(anna, (await anna.order())["id"])
    assert record["shared"] is False
    assert "caption" not in record
    assert record["takenAt"] == record["createdAt"]


@pytest.mark.parametrize("content", [photo_files.jpeg(), photo_files.png(), photo_files.webp()])
async def test_every_type_is_stored_as_jpeg_with_a_thumbnail(app: App, content: bytes) -> None:
    anna = await app.owner()
    record = await photo(anna, (await anna.order())["id"], content)
    for kind in ("image", "thumb"):
        response = await anna.get(f"/photos/{record['id']}/{kind}")
        assert response.headers["content-type"] == "image/jpeg"
        assert response.headers["cache-control"] == "private, max-age=31536000, immutable"
        assert response.headers["x-content-type-options"] == "nosniff"
        again = await anna.get(f"/photos/{record['id']}/{kind}", if_none_match=response.headers["etag"])
        assert (again.status_code, again.headers["cache-control"]) == (304, response.headers["cache-control"])
        part = await anna.get(f"/photos/{record['id']}/{kind}", range="bytes=0-1")
        assert (part.status_code, part.content) == (206, b"\xff\xd8")
        image = Image.open(io.BytesIO(response.content))
        image.load()
        assert (image.format, image.size) == ("JPEG", (64, 48))


async def test_large_photos_are_scaled_down_and_small_ones_are_not_enlarged(app: App) -> None:
    anna = await app.owner()
    order = await anna.order()
    large = await photo(anna, order["id"], photo_files.jpeg(1000, 4000))
    assert (large["width"], large["height"]) == (512, 2048)
    assert (await image_of(anna, large)).size == (512, 2048)
    assert (await image_of(anna, large, "thumb")).size == (80, 320)
    narrow = await photo(anna, order["id"], photo_files.png(9000, 1))
    assert (narrow["width"], narrow["height"]) == (2048, 1)


@pytest.mark.parametrize("orientation", range(1, 9))
async def test_a_photo_is_turned_upright(app: App, orientation: int) -> None:
    anna = await app.owner()
    # What a camera records that was held so: turned back by its EXIF, it is the picture of `pixels`.
    back = {2: 0, 3: 3, 4: 1, 5: 5, 6: 2, 7: 6, 8: 4}
    upright = photo_files.pixels(64, 48)
    seen = upright if orientation == 1 else upright.transpose(Image.Transpose(back[orientation]))
    exif = Image.Exif()
    exif[0x0112] = orientation
    file = io.BytesIO()
    seen.save(file, "JPEG", quality=95, exif=exif)
    record = await photo(anna, (await anna.order())["id"], file.getvalue())
    assert (record["width"], record["height"]) == (64, 48)
    for kind in ("image", "thumb"):
        image = (await image_of(anna, record, kind)).convert("RGB")
        white, red, blue = (image.getpixel(at) for at in ((4, 4), (60, 4), (4, 44)))
        assert isinstance(white, tuple)
        assert isinstance(red, tuple)
        assert isinstance(blue, tuple)
        assert min(white) > 200
        assert red[0] > 150 > red[2]
        assert blue[2] > 150 > blue[0]


@pytest.mark.parametrize(
    "content",
    [photo_files.marked_jpeg(), photo_files.marked_png(), photo_files.marked_webp()],
    ids=["jpeg", "png", "webp"],
)
async def test_nothing_but_the_pixels_of_an_upload_survives(app: App, content: bytes) -> None:
    assert photo_files.MARKER in content
    anna = await app.owner()
    record = await photo(anna, (await anna.order())["id"], content)
    stored = b"".join([piece async for piece in app.backbench.blobs.read(record["id"], 0, record["sizeBytes"])])
    size = await app.backbench.blobs.size(record["id"])
    assert size is not None
    assert size > len(stored)
    whole = b"".join([piece async for piece in app.backbench.blobs.read(record["id"], 0, size)])
    assert _UNWANTED.search(whole) is None
    assert whole.count(b"\xff\xd8\xff") == 2, "the image and its thumbnail"
    assert whole.endswith(b"\xff\xd9")
    image = Image.open(io.BytesIO(stored))
    assert dict(image.getexif()) == {}
    assert set(image.info) <= {"jfif", "jfif_version", "jfif_unit", "jfif_density"}


async def test_what_is_no_jpeg_png_or_webp_is_415_and_heic_says_so(app: App) -> None:
    anna = await app.owner()
    order = await anna.order()
    for content in (photo_files.HEIC, photo_files.AVIF, photo_files.GIF, b"%PDF-1.7\n", b"<svg/>", b""):
        response = await post_photo(anna, order["id"], content, "photo.jpg")
        assert (response.status_code, response.json()["code"]) == (415, "unsupported_media_type"), content
        assert ("HEIC" in response.json()["detail"]) == (content == photo_files.HEIC)
    assert await listed(anna, order["id"]) == []


async def test_broken_and_truncated_photos_are_400(app: App) -> None:
    anna = await app.owner()
    order = await anna.order()
    for whole in (photo_files.jpeg(600, 400), photo_files.png(600, 400), photo_files.webp(600, 400)):
        for content in (whole[:20], whole[: len(whole) // 2], whole[:-20]):
            response = await post_photo(anna, order["id"], content)
            assert (response.status_code, pointers(response)) == (400, ["/file"]), (whole[:8], len(content))
    assert await listed(anna, order["id"]) == []
    assert await used(anna) == 0


async def test_photos_that_are_too_large_are_413(app: App) -> None:
    anna = await app.owner()
    order = await anna.order()
    most = 10 * 1024 * 1024
    fits = photo_files.jpeg() + b"\0" * (most - len(photo_files.jpeg()))
    assert (await post_photo(anna, order["id"], fits)).status_code == 201
    response = await post_photo(anna, order["id"], fits + b"\0")
    assert (response.status_code, response.json()["limit"]) == (413, most)
    wide = photo_files.png_bomb(10_000, 5_001)
    response = await post_photo(anna, order["id"], wide)
    assert (response.status_code, response.json()["limit"]) == (413, 50_000_000)


async def test_a_bomb_is_rejected_by_its_header(app: App, monkeypatch: pytest.MonkeyPatch) -> None:
    anna = await app.owner()
    order = await anna.order()

    async def not_decoded(content: bytes) -> Any:
        raise AssertionError("the bomb is decoded")

    monkeypatch.setattr(app.backbench.photo_scaler, "scale", not_decoded)
    response = await post_photo(anna, order["id"], photo_files.png_bomb())
    assert (response.status_code, response.json()["code"]) == (413, "too_large")


async def test_wrong_fields_of_an_upload_are_400(app: App) -> None:
    anna = await app.owner()
    path = (await anna.order())["id"]
    for fields, pointer in (
        ({"kind": "later"}, "/kind"),
        ({"caption": "x" * 251}, "/caption"),
        ({"caption": "two\nlines"}, "/caption"),
        ({"takenAt": "yesterday"}, "/takenAt"),
        ({"shared": "yes"}, "/shared"),
        ({"place": "shelf"}, "/place"),
    ):
        response = await post_photo(anna, path, photo_files.jpeg(), **fields)
        assert (response.status_code, pointers(response)) == (400, [pointer]), fields
    response = await post_photo(anna, path, None)
    assert (response.status_code, pointers(response)) == (400, ["/file"])


async def test_an_order_has_at_most_forty_photos(app: App) -> None:
    anna = await app.owner()
    order = await anna.order()
    for _ in range(40):
        await photo(anna, order["id"])
    response = await post_photo(anna, order["id"], photo_files.jpeg())
    problem = response.json()
    assert (response.status_code, problem["code"], problem["limit"], problem["current"]) == (409, "plan_limit", 40, 40)
    assert (await summary_of(anna, order["id"]))["photos"] == 40
    await anna.delete(f"/photos/{(await listed(anna, order['id']))[0]['id']}")
    await photo(anna, order["id"])


async def test_photos_count_as_files_until_they_are_deleted(app: App) -> None:
    anna = await app.owner()
    order, other = await anna.order(), await anna.order()
    first, second = await photo(anna, order["id"]), await photo(anna, order["id"])
    kept = await photo(anna, other["id"])
    assert await used(anna) == first["sizeBytes"] + second["sizeBytes"] + kept["sizeBytes"]
    assert (await anna.delete(f"/photos/{first['id']}")).status_code == 204
    assert await used(anna) == second["sizeBytes"] + kept["sizeBytes"]
    await anna.delete(f"/orders/{order['id']}")
    assert await used(anna) == kept["sizeBytes"]
    for gone in (first, second):
        assert (await anna.get(f"/photos/{gone['id']}")).status_code == 404
    await sweep.delete_orphaned_blobs(app.db, app.backbench.blobs, times.now())
    assert [await app.backbench.blobs.size(each["id"]) is None for each in (first, second, kept)] == [True, True, False]


async def test_a_photo_beyond_the_storage_of_the_plan_is_rejected(free_app: App) -> None:
    anna = await free_app.owner()
    order = await anna.order()
    limit = 50 * 1024 * 1024
    await free_app.db.write(
        lambda db: db.run(
            "UPDATE workshops SET storage_used_bytes = :used WHERE id = :id", used=limit, id=anna.workshop
        )
    )
    response = await post_photo(anna, order["id"], photo_files.jpeg())
    assert (response.status_code, response.json()["code"], response.json()["limit"]) == (409, "plan_limit", limit)
    assert await listed(anna, order["id"]) == []


async def test_photos_are_deleted_with_their_workshop(app: App) -> None:
    anna = await app.owner()
    workshop = (await anna.post("/workshops", {"name": "Second"})).json()["id"]
    order = (await anna.post(f"/workshops/{workshop}/orders", {"title": "Ring"})).json()
    record = await photo(anna, order["id"])
    assert (await anna.delete(f"/workshops/{workshop}")).status_code == 204
    await sweep.delete_orphaned_blobs(app.db, app.backbench.blobs, times.now())
    assert await app.backbench.blobs.size(record["id"]) is None


async def test_an_upload_that_fails_leaves_neither_a_record_nor_a_blob(
    app: App, monkeypatch: pytest.MonkeyPatch
) -> None:
    anna = await app.owner()
    order = await anna.order()
    written: list[str] = []
    # Of every node: `tests/cluster/test_operations_over_nodes.py` has three.
    store: Any = type(app.backbench.blobs)
    write = store.write

    async def dying(blobs: Any, blob_id: str, chunks: Any) -> None:
        written.append(blob_id)
        await write(blobs, blob_id, chunks)
        raise KeyboardInterrupt

    monkeypatch.setattr(store, "write", dying)
    # As a process that is killed: nothing of the request runs any more.
    with pytest.raises(KeyboardInterrupt):
        await post_photo(anna, order["id"], photo_files.jpeg())
    monkeypatch.undo()
    assert await app.backbench.blobs.size(written[0]) is not None
    assert await listed(anna, order["id"]) == []
    assert await used(anna) == 0
    await sweep.delete_orphaned_blobs(app.db, app.backbench.blobs, times.later(times.now(), 25 * 3600))
    assert await app.backbench.blobs.size(written[0]) is None


async def test_the_same_key_and_parts_with_another_boundary_is_a_replay(app: App) -> None:
    anna = await app.owner()
    order = await anna.order()
    # Larger than what is stored of it.
    content = photo_files.png(900, 700) + b"\0" * 200_000
    body = form(("kind", "before"), ("file", ("a.png", content)))
    path, headers = f"/orders/{order['id']}/photos", {"idempotency_key": "photo-1"}

    async def send(body: bytes, boundary: str) -> Any:
        return await anna.send(
            "POST", path, body, {**headers, "content_type": f"multipart/form-data; boundary={boundary}"}
        )

    first = await send(body, BOUNDARY)
    again = await send(body.replace(BOUNDARY.encode(), b"another"), "another")
    assert (first.status_code, again.status_code) == (201, 201), again.text
    assert again.json() == first.json()
    assert again.headers["idempotency-replayed"] == "true"
    other = await send(form(("kind", "after"), ("file", ("a.png", content))), BOUNDARY)
    assert other.status_code == 422
    changed = await send(form(("kind", "before"), ("file", ("a.png", content[:-1] + b"1"))), BOUNDARY)
    assert changed.status_code == 422
    assert len(await listed(anna, order["id"])) == 1


async def test_kind_caption_and_sharing_can_be_changed(app: App) -> None:
    anna = await app.owner()
    record = await photo(anna, (await anna.order())["id"], caption="Leg")
    path = f"/photos/{record['id']}"
    changed = await anna.patch(path, {"kind": "detail", "shared": True, "caption": "Claw"})
    assert changed.json() == {**record, "kind": "detail", "shared": True, "caption": "Claw"}
    assert changed.headers["etag"] == (await anna.get(path)).headers["etag"]
    cleared = (await anna.patch(path, {"caption": None})).json()
    assert "caption" not in cleared
    assert (await anna.patch(path, {})).json() == cleared
    for body in ({"shared": "true"}, {"kind": None}, {"takenAt": record["takenAt"]}):
        assert (await anna.patch(path, body)).status_code == 400, body


async def test_a_change_and_a_deletion_honour_if_match(app: App) -> None:
    anna = await app.owner()
    record = await photo(anna, (await anna.order())["id"])
    path = f"/photos/{record['id']}"
    tag = (await anna.get(path)).headers["etag"]
    assert (await anna.patch(path, {"shared": True}, if_match=tag)).status_code == 200
    assert (await anna.patch(path, {"shared": False}, if_match=tag)).status_code == 412
    assert (await anna.delete(path, if_match=tag)).status_code == 412
    assert (await anna.get(path)).json()["shared"] is True


@pytest.mark.both_engines
async def test_photos_keep_the_order_in_which_they_are_put(app: App) -> None:
    anna = await app.owner()
    order = await anna.order()
    path = f"/orders/{order['id']}/photos"
    photos = [await photo(anna, order["id"]) for _ in range(3)]
    assert ids(await listed(anna, order["id"])) == ids(photos)
    assert (await summary_of(anna, order["id"]))["coverPhotoId"] == photos[0]["id"]
    wanted = [photos[2]["id"], photos[0]["id"], photos[1]["id"]]
    response = await anna.put(f"{path}/order", {"photoIds": wanted})
    assert (response.status_code, ids(response.json()["photos"])) == (200, wanted)
    assert response.headers["etag"] == (await anna.get(path)).headers["etag"]
    added = await photo(anna, order["id"])
    assert ids(await listed(anna, order["id"])) == [*wanted, added["id"]]
    assert (await summary_of(anna, order["id"]))["coverPhotoId"] == wanted[0]


async def test_an_order_of_photos_names_each_of_them_once(app: App) -> None:
    anna = await app.owner()
    order, other = await anna.order(), await anna.order()
    first, second = await photo(anna, order["id"]), await photo(anna, order["id"])
    foreign = await photo(anna, other["id"])
    for wanted in ([], [first], [first, first], [first, second, second], [first, second, foreign], [first, foreign]):
        response = await anna.put(f"/orders/{order['id']}/photos/order", {"photoIds": ids(wanted)})
        assert (response.status_code, pointers(response)) == (400, ["/photoIds"]), wanted
    assert ids(await listed(anna, order["id"])) == ids([first, second])


async def test_an_order_without_photos_has_no_cover(app: App) -> None:
    anna = await app.owner()
    order = await anna.order()
    summary = await summary_of(anna, order["id"])
    assert summary["photos"] == 0
    assert "coverPhotoId" not in summary


async def test_another_workshop_sees_and_changes_no_photo(app: App) -> None:
    anna, eve = await app.owner("Anna"), await app.owner("Eve")
    order = await anna.order()
    record = await photo(anna, order["id"])
    path = f"/photos/{record['id']}"
    refused = [
        await eve.get(path),
        await eve.get(f"{path}/image"),
        await eve.get(f"{path}/thumb"),
        await eve.patch(path, {"shared": True}),
        await eve.delete(path),
        await eve.get(f"/orders/{order['id']}/photos"),
        await eve.put(f"/orders/{order['id']}/photos/order", {"photoIds": [record["id"]]}),
        await post_photo(eve, order["id"], photo_files.jpeg()),
    ]
    assert [response.status_code for response in refused] == [403] * len(refused)
    assert await listed(anna, order["id"]) == [record]


async def test_keys_read_and_write_photos_with_the_scopes_of_orders(app: App) -> None:
    anna = await app.owner()
    order = await anna.order()
    reader, writer = await anna.integrator("orders:read"), await anna.integrator("orders:write")
    record = await photo(writer, order["id"])
    assert record["createdByUid"] == anna.uid
    assert (await reader.get(f"/photos/{record['id']}/image")).status_code == 200
    assert (await writer.get(f"/photos/{record['id']}/image")).status_code == 403
    assert (await post_photo(reader, order["id"], photo_files.jpeg())).status_code == 403
    assert (await reader.patch(f"/photos/{record['id']}", {"shared": True})).status_code == 403
    assert (await writer.delete(f"/photos/{record['id']}")).status_code == 401


async def test_changes_name_photos_and_those_that_are_gone(app: App) -> None:
    anna = await app.owner()
    path = f"/workshops/{anna.workshop}/changes"
    start = (await anna.get(path)).json()["cursor"]
    order = await anna.order()
    kept, gone = await photo(anna, order["id"]), await photo(anna, order["id"])
    await anna.delete(f"/photos/{gone['id']}")
    kept = (await anna.patch(f"/photos/{kept['id']}", {"shared": True})).json()
    changes = (await anna.get(f"{path}?since={start}")).json()
    assert (changes["photos"], changes["removed"]) == ([kept], [{"kind": "photo", "id": gone["id"]}])
    page = (await anna.get(f"{path}?since={start}&limit=1")).json()
    found = [page]
    while found[-1]["more"]:
        found.append((await anna.get(f"{path}?since={found[-1]['cursor']}&limit=1")).json())
    assert [each for part in found for each in part["photos"]] == [kept]
    reader, other = await anna.integrator("orders:read"), await anna.integrator("estimates:read")
    assert (await reader.get(f"{path}?since={start}")).json()["photos"] == [kept]
    assert (await other.get(f"{path}?since={start}")).json()["photos"] == []


async def test_every_write_of_a_photo_has_an_audit_entry(app: App) -> None:
    anna = await app.owner()
    order = await anna.order()
    first, second = await photo(anna, order["id"]), await photo(anna, order["id"])
    await anna.patch(f"/photos/{first['id']}", {"shared": True})
    await anna.patch(f"/photos/{first['id']}", {"shared": True})
    wanted = {"photoIds": ids([second, first])}
    await anna.put(f"/orders/{order['id']}/photos/order", wanted)
    await anna.put(f"/orders/{order['id']}/photos/order", wanted)
    await anna.delete(f"/photos/{first['id']}")
    entries = (await anna.get(f"/workshops/{anna.workshop}/audit")).json()["entries"]
    found = [(each["action"], each["objectId"]) for each in reversed(entries) if each["action"].startswith("photo.")]
    assert found == [
        ("photo.created", first["id"]),
        ("photo.created", second["id"]),
        ("photo.updated", first["id"]),
        ("photo.updated", second["id"]),
        ("photo.deleted", first["id"]),
    ]


@pytest.mark.both_engines
async def test_the_customer_sees_shared_photos_and_no_others(app: App) -> None:
    anna = await app.owner()
    order, other = await anna.order(), await anna.order()
    shared = await photo(anna, order["id"], shared="true", caption="The leg", kind="after")
    own = await photo(anna, order["id"])
    foreign = await photo(anna, other["id"], shared="true")
    customer = await customer_of(anna, order)
    page = (await customer.get("/client/order")).json()
    assert page["photos"] == [{"id": shared["id"], "kind": "after", "caption": "The leg", "takenAt": shared["takenAt"]}]
    for kind in ("", "/thumb"):
        seen = await customer.get(f"/client/order/photos/{shared['id']}{kind}")
        assert (seen.status_code, seen.headers["content-type"]) == (200, "image/jpeg")
        assert seen.headers["cache-control"] == "private, no-cache"
        for hidden in (own, foreign):
            response = await customer.get(f"/client/order/photos/{hidden['id']}{kind}")
            assert (response.status_code, response.content) == (404, b"")
    await anna.patch(f"/photos/{shared['id']}", {"shared": False})
    assert (await customer.get("/client/order")).json()["photos"] == []
    assert (await customer.get(f"/client/order/photos/{shared['id']}")).status_code == 404
    stranger = await customer_with_code(anna)
    assert (await stranger.get(f"/client/order/photos/{foreign['id']}")).status_code == 404
    assert (await app.anonymous().get(f"/client/order/photos/{foreign['id']}")).status_code == 401


async def test_a_missing_blob_is_unavailable_and_named(app: App) -> None:
    anna = await app.owner()
    record = await photo(anna, (await anna.order())["id"])
    await app.backbench.blobs.delete(record["id"])
    response = await anna.get(f"/photos/{record['id']}/image")
    assert (response.status_code, response.json()["code"]) == (503, "unavailable")
    assert isinstance(app.backbench.blobs, blob_stores.FolderBlobs)


async def test_photos_arrive_whole_where_two_are_uploaded_at_once(app: App) -> None:
    """Both judge the limit before either is recorded; the lock of the order lets one of them in."""
    anna = await app.owner()
    order = await anna.order()
    for _ in range(39):
        await photo(anna, order["id"])
    responses = await asyncio.gather(*(post_photo(anna, order["id"], photo_files.jpeg()) for _ in range(3)))
    assert sorted(response.status_code for response in responses) == [201, 409, 409]
    assert len(await listed(anna, order["id"])) == 40
