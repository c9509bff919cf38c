"""Files over HTTP: what is taken, what is refused, what comes back, and what a plan has room for."""

import asyncio
from typing import Any

import httpx
import pytest

from backbench.actions.files import collect
from backbench.domain import times
from backbench.domain.errors import Unavailable
from backbench.domain.plans import MIB
from tests import pictures
from tests.people import Person, Shop, ids, pointers
from tests.uploads import BOUNDARY, form, icon, post_form, upload


async def used(person: Person) -> int:
    answer = await person.get(f"/workshops/{person.workshop}/entitlements")
    taken: int = answer.json()["fileStorage"]["usedBytes"]
    return taken


async def fill_up(shop: Shop, person: Person, *, but: int) -> None:
    """Takes the free plan's room, but for so many bytes."""
    await shop.db.write(
        lambda db: db.run(
            "UPDATE workshops SET storage_used_bytes = :taken WHERE id = :id", taken=50 * MIB - but, id=person.workshop
        )
    )


async def stray(shop: Shop) -> list[str]:
    async with shop.db.read() as db:
        return await db.all(str, "SELECT id FROM stray_bytes")


async def has_bytes(shop: Shop, file_id: str) -> bool:
    try:
        return b"".join([piece async for piece in shop.app.blobs.read(file_id, 0, 1)]) != b""
    except Unavailable:
        return False


async def test_an_uploaded_icon_is_recorded_as_what_it_is(shop: Shop) -> None:
    anna = await shop.owner()
    content = pictures.png()
    answer = await upload(anna, content, "Piła.png")
    record = answer.json()
    assert answer.status_code == 201
    assert record == {
        "id": record["id"],
        "scope": "workshop",
        "scopeId": anna.workshop,
        "category": "grid_tile_icon",
        "contentType": "image/png",
        "sizeBytes": len(content),
        "uploadedByUid": anna.uid,
        "createdAt": record["createdAt"],
        "name": "Piła.png",
    }
    assert (await anna.get(f"/workshops/{anna.workshop}/files")).json() == {"files": [record]}


@pytest.mark.parametrize(
    ("content", "content_type"),
    [
        (pictures.png(), "image/png"),
        (pictures.jpeg(), "image/jpeg"),
        (pictures.webp(), "image/webp"),
        (pictures.lossy_webp(), "image/webp"),
        (pictures.extended_webp(), "image/webp"),
    ],
)
async def test_an_icon_comes_back_as_it_was_sent(shop: Shop, content: bytes, content_type: str) -> None:
    anna = await shop.owner()
    record = (await upload(anna, content, "wrong.txt")).json()
    answer = await anna.get(f"/files/{record['id']}")
    assert (answer.status_code, answer.content) == (200, content)
    assert record["contentType"] == answer.headers["content-type"] == content_type


async def test_a_pdf_goes_to_the_workshop_of_its_estimate(shop: Shop) -> None:
    anna = await shop.owner()
    estimate = await anna.estimate()
    answer = await upload(anna, pictures.pdf(), "Offer.pdf", category="estimate_pdf", estimateId=estimate["id"])
    record = answer.json()
    assert answer.status_code == 201
    assert (record["scope"], record["scopeId"]) == ("workshop", anna.workshop)
    assert "estimateId" not in record
    assert (await anna.get(f"/files/{record['id']}")).content == pictures.pdf()


async def test_fields_may_follow_the_file(shop: Shop) -> None:
    anna = await shop.owner()
    file = ("file", ("a.png", pictures.png()))
    answer = await post_form(anna, form(file, ("workshopId", anna.workshop), ("category", "grid_tile_icon")))
    assert answer.status_code == 201


async def test_a_body_may_arrive_byte_by_byte(shop: Shop) -> None:
    anna = await shop.owner()
    body = form(("category", "grid_tile_icon"), ("workshopId", anna.workshop), ("file", ("a.png", pictures.png())))

    async def trickle() -> Any:
        for byte in body:
            yield bytes([byte])

    answer = await anna.browser.post(
        "/api/files",
        content=trickle(),
        headers={
            "content-type": f"multipart/form-data; boundary={BOUNDARY}",
            "x-csrf-token": anna.browser.cookies["csrf-token"],
        },
    )
    assert answer.status_code == 201
    assert (await anna.get(f"/files/{answer.json()['id']}")).content == pictures.png()


@pytest.mark.parametrize(
    "content",
    [
        pictures.SVG,
        pictures.png() + b"<script>alert(1)</script>",
        pictures.png() + pictures.archive(),
        pictures.jpeg() + pictures.archive(),
        pictures.webp() + b"\0",
        pictures.png()[:-4],
        b"GIF89a" + b"\0" * 40,
        pictures.pdf(),
        b"",
    ],
    ids=["svg", "html behind", "zip behind png", "zip behind jpeg", "behind webp", "cut", "gif", "pdf", "nothing"],
)
async def test_what_is_no_whole_icon_is_refused_and_leaves_nothing(shop: Shop, content: bytes) -> None:
    anna = await shop.owner()
    answer = await upload(anna, content)
    assert (answer.status_code, answer.json()["code"]) == (415, "unsupported_media_type")
    assert (await anna.get(f"/workshops/{anna.workshop}/files")).json() == {"files": []}
    assert await used(anna) == 0


@pytest.mark.parametrize(
    "content",
    [pictures.pdf() + pictures.archive(), b"\n" + pictures.pdf(), pictures.png()],
    ids=["zip", "shifted", "png"],
)
async def test_what_is_no_whole_pdf_is_refused(shop: Shop, content: bytes) -> None:
    anna = await shop.owner()
    answer = await upload(anna, content, category="estimate_pdf")
    assert answer.status_code == 415
    assert await used(anna) == 0


async def test_an_icon_of_the_largest_size_is_taken_and_a_byte_more_is_not(shop: Shop) -> None:
    anna = await shop.owner()
    assert (await upload(anna, pictures.png_of(524_288))).status_code == 201
    answer = await upload(anna, pictures.png_of(524_289))
    assert (answer.status_code, answer.json()["code"]) == (413, "too_large")


async def test_more_pixels_than_a_tile_takes_are_a_fault_of_the_file(shop: Shop) -> None:
    anna = await shop.owner()
    assert (await upload(anna, pictures.png(4096, 4096))).status_code == 201
    assert pointers(await upload(anna, pictures.jpeg(4097, 8))) == ["/file"]


async def test_every_fault_of_a_form_is_named(shop: Shop) -> None:
    anna = await shop.owner()
    body = form(("category", "hat"), ("colour", "red"), ("category", "hat"))
    assert sorted(pointers(await post_form(anna, body))) == ["/category", "/category", "/colour", "/file"]
    without = form(("category", "grid_tile_icon"), ("file", ("a.png", pictures.png())))
    assert pointers(await post_form(anna, without)) == ["/workshopId"]
    both = form(("category", "grid_tile_icon"), ("workshopId", "a"), ("estimateId", "b"), ("file", pictures.png()))
    assert pointers(await post_form(anna, both)) == ["/estimateId"]


@pytest.mark.parametrize(
    "body",
    [
        b"",
        b"no form",
        form(("category", "grid_tile_icon"), ("file", ("a.png", pictures.png())))[:-10],
        form(("category", "x" * 2000), ("file", pictures.png())),
        form(*[(f"field-{number}", "x") for number in range(50)]),
        form(("category", b"\xff"), ("file", pictures.png())),
        form(("file", pictures.png())).replace(b'name="file"', b""),
        b"--%s\r\nX: %s\r\n\r\n" % (BOUNDARY.encode(), b"y" * 100_000),
    ],
    ids=["empty", "text", "broken off", "long field", "many fields", "not utf-8", "no name", "long header"],
)
async def test_a_broken_form_is_a_validation_error(shop: Shop, body: bytes) -> None:
    anna = await shop.owner()
    pointers(await post_form(anna, body))
    assert (await anna.get(f"/workshops/{anna.workshop}/files")).json() == {"files": []}


async def test_another_content_type_is_refused(shop: Shop) -> None:
    anna = await shop.owner()
    assert (await anna.post("/files", {"category": "grid_tile_icon"})).status_code == 415
    assert (await post_form(anna, b"", content_encoding="gzip")).status_code == 415
    assert (await post_form(anna, b"", content_type="multipart/form-data")).status_code == 400


async def test_a_file_goes_only_where_its_sender_belongs(shop: Shop) -> None:
    anna, eve = await shop.owner(), await shop.person("Eve")
    estimate = await anna.estimate()
    assert (await upload(eve, pictures.png(), workshopId=anna.workshop)).status_code == 403
    assert (await upload(eve, pictures.pdf(), category="estimate_pdf", estimateId=estimate["id"])).status_code == 403
    assert (await upload(eve, pictures.png(), workshopId="nowhere")).status_code == 404
    assert (await upload(eve, pictures.png(), estimateId="nothing")).status_code == 404
    assert (await upload(shop.visitor(), pictures.png(), workshopId=anna.workshop)).status_code == 401
    assert (await anna.get(f"/workshops/{anna.workshop}/files")).json() == {"files": []}


async def test_every_member_handles_files_and_no_stranger_does(shop: Shop) -> None:
    anna, eve = await shop.owner(), await shop.person("Eve")
    marek = await shop.member(anna)
    record = await icon(marek)
    assert (await anna.get(f"/files/{record['id']}")).status_code == 200
    for answer in (
        await eve.get(f"/files/{record['id']}"),
        await eve.delete(f"/files/{record['id']}"),
        await eve.get(f"/workshops/{anna.workshop}/files"),
    ):
        assert (answer.status_code, answer.content) == (403, b"")
    assert (await anna.delete(f"/files/{record['id']}")).status_code == 204


# What is sent back


async def test_a_download_cannot_be_taken_for_a_page(shop: Shop) -> None:
    anna = await shop.owner()
    record = await icon(anna)
    headers = (await anna.get(f"/files/{record['id']}")).headers
    assert headers["x-content-type-options"] == "nosniff"
    assert "default-src 'none'" in headers["content-security-policy"]
    assert headers["content-disposition"].startswith("attachment;")
    assert headers["cache-control"] == "private, no-cache"
    assert headers["content-length"] == str(record["sizeBytes"])


@pytest.mark.parametrize(
    ("sent", "kept", "plain", "extended"),
    [
        ("Piła łańcuchowa.png", "Piła łańcuchowa.png", "Pi_a _a_cuchowa.png", "Pi%C5%82a%20%C5%82a%C5%84cuchowa.png"),
        ("../../etc/passwd", "passwd", "passwd.png", "passwd.png"),
        ("C:\\\\fakepath\\\\a.png", "a.png", "a.png", "a.png"),
        ("page.html", "page.html", "page.html.png", "page.html.png"),
        ("100%;x.png", "100%;x.png", "100_;x.png", "100%25%3Bx.png"),
        ("\u202egnp.exe", "gnp.exe", "gnp.exe.png", "gnp.exe.png"),
        ('a\\"; x=\\"b.png', "a; x=b.png", "a; x=b.png", "a%3B%20x%3Db.png"),
    ],
)
async def test_a_name_comes_back_harmless(shop: Shop, sent: str, kept: str, plain: str, extended: str) -> None:
    anna = await shop.owner()
    record = (await upload(anna, pictures.png(), sent)).json()
    answer = await anna.get(f"/files/{record['id']}")
    expected = f"attachment; filename=\"{plain}\"; filename*=UTF-8''{extended}"
    assert (record.get("name"), answer.headers["content-disposition"]) == (kept, expected)


async def test_a_file_without_a_name_has_none(shop: Shop) -> None:
    anna = await shop.owner()
    body = form(("category", "grid_tile_icon"), ("workshopId", anna.workshop), ("file", pictures.png()))
    record = (await post_form(anna, body)).json()
    assert "name" not in record
    disposition = (await anna.get(f"/files/{record['id']}")).headers["content-disposition"]
    assert disposition.startswith('attachment; filename="file.png"')


async def asked(person: Person, file_id: str, **headers: str) -> httpx.Response:
    return await person.get(f"/files/{file_id}", **headers)


@pytest.mark.parametrize(
    ("asked_for", "first", "last"),
    [
        ("bytes=0-0", 0, 0),
        ("bytes=3-9", 3, 9),
        ("bytes=60-", 60, None),
        ("bytes=-5", -5, None),
        ("bytes=0-99999", 0, None),
    ],
)
async def test_one_range_is_sent_alone(shop: Shop, asked_for: str, first: int, last: int | None) -> None:
    anna = await shop.owner()
    content = pictures.png()
    record = await icon(anna, content)
    answer = await asked(anna, record["id"], range=asked_for)
    expected = content[first:] if last is None else content[first : last + 1]
    if expected == content:
        assert (answer.status_code, answer.content) == (200, content)
        return
    start = first % len(content)
    assert (answer.status_code, answer.content) == (206, expected)
    assert answer.headers["content-range"] == f"bytes {start}-{start + len(expected) - 1}/{len(content)}"
    assert answer.headers["content-length"] == str(len(expected))


@pytest.mark.parametrize("asked_for", ["bytes=99999-", "bytes=99999-100000", "bytes=-0"])
async def test_a_range_beyond_the_end_is_not_satisfiable(shop: Shop, asked_for: str) -> None:
    anna = await shop.owner()
    record = await icon(anna)
    answer = await asked(anna, record["id"], range=asked_for)
    assert (answer.status_code, answer.content) == (416, b"")
    assert answer.headers["content-range"] == f"bytes */{record['sizeBytes']}"


@pytest.mark.parametrize("asked_for", ["bytes=0-1,3-4", "bytes=5-3", "lines=1-2", "bytes=-", "bytes=a-b", "bytes=٣-"])
async def test_a_range_that_says_nothing_is_passed_over(shop: Shop, asked_for: str) -> None:
    anna = await shop.owner()
    record = await icon(anna)
    request = anna.browser.build_request("GET", f"/api/files/{record['id']}")
    request.headers.raw.append((b"range", asked_for.encode()))
    answer = await anna.browser.send(request)
    assert (answer.status_code, answer.content) == (200, pictures.png())


async def test_a_range_of_another_state_is_answered_with_all_of_it(shop: Shop) -> None:
    anna = await shop.owner()
    record = await icon(anna)
    tag = (await asked(anna, record["id"])).headers["etag"]
    assert (await asked(anna, record["id"], range="bytes=0-3", if_range=tag)).status_code == 206
    assert (await asked(anna, record["id"], range="bytes=0-3", if_range='"other"')).status_code == 200


async def test_a_known_file_is_not_sent_again(shop: Shop) -> None:
    anna = await shop.owner()
    record = await icon(anna)
    tag = (await asked(anna, record["id"])).headers["etag"]
    answer = await asked(anna, record["id"], if_none_match=tag)
    assert (answer.status_code, answer.content) == (304, b"")
    assert (answer.headers["etag"], answer.headers["cache-control"]) == (tag, "private, no-cache")


async def test_head_tells_of_a_file_without_sending_it(shop: Shop) -> None:
    anna = await shop.owner()
    record = await icon(anna)
    answer = await anna.send("HEAD", f"/files/{record['id']}")
    assert (answer.status_code, answer.content) == (200, b"")
    assert answer.headers["content-length"] == str(record["sizeBytes"])


async def test_a_file_is_removed_only_in_the_state_that_was_meant(shop: Shop) -> None:
    anna, eve = await shop.owner(), await shop.person("Eve")
    record = await icon(anna)
    path = f"/files/{record['id']}"
    tag = (await anna.get(path)).headers["etag"]
    assert (await anna.delete(path, if_match='"other"')).status_code == 412
    assert (await eve.delete(path, if_match='"other"')).status_code == 403
    assert (await anna.delete(path, if_match=tag)).status_code == 204
    assert (await anna.get(path)).status_code == 404


# Room


async def test_files_take_room_and_give_it_back(shop: Shop) -> None:
    anna = await shop.owner()
    first, second = await icon(anna), await icon(anna, pictures.jpeg())
    assert await used(anna) == first["sizeBytes"] + second["sizeBytes"]
    await anna.delete(f"/files/{first['id']}")
    assert await used(anna) == second["sizeBytes"]


async def test_the_plans_last_byte_is_there_and_no_byte_more(shop: Shop) -> None:
    anna = await shop.owner()
    size = len(pictures.png())
    await fill_up(shop, anna, but=size - 1)
    refusal = await upload(anna, pictures.png())
    assert (refusal.status_code, refusal.json()["code"]) == (409, "plan_limit")
    assert (refusal.json()["limit"], refusal.json()["current"]) == (50 * MIB, 50 * MIB - size + 1)
    await fill_up(shop, anna, but=size)
    assert (await upload(anna, pictures.png())).status_code == 201
    assert await used(anna) == 50 * MIB


async def test_a_pdf_larger_than_any_room_is_refused_before_all_of_it_has_come(shop: Shop) -> None:
    anna = await shop.owner()
    await fill_up(shop, anna, but=10_000)
    seen = 0

    async def endless() -> Any:
        nonlocal seen
        yield form(("file", pictures.pdf()))[:-60]
        while True:
            seen += 65_536
            yield b"x" * 65_536

    headers = {
        "content-type": f"multipart/form-data; boundary={BOUNDARY}",
        "x-csrf-token": anna.browser.cookies["csrf-token"],
    }
    answer = await anna.browser.post("/api/files", content=endless(), headers=headers)
    assert (answer.status_code, answer.json()["code"]) == (409, "plan_limit")
    assert seen < 8 * MIB


async def test_what_is_refused_is_still_read_to_its_end(shop: Shop) -> None:
    """A client that first sends and then listens would otherwise meet a closed connection in place of the reason."""
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
    answer = await anna.browser.post("/api/files", content=pieces(), headers=headers)
    assert (answer.status_code, unread) == (413, [])


async def test_uploads_at_once_never_take_more_than_the_plan_has(shop: Shop) -> None:
    anna = await shop.owner()
    size = len(pictures.png())
    await fill_up(shop, anna, but=3 * size)
    answers = await asyncio.gather(*[upload(anna, pictures.png()) for _ in range(8)])
    assert sorted(answer.status_code for answer in answers) == [201] * 3 + [409] * 5
    assert await used(anna) == 50 * MIB
    assert len((await anna.get(f"/workshops/{anna.workshop}/files")).json()["files"]) == 3


async def test_a_file_that_is_removed_twice_at_once_gives_its_room_back_once(shop: Shop) -> None:
    anna = await shop.owner()
    kept = await icon(anna)
    estimate = await anna.estimate()
    await anna.post(f"/estimates/{estimate['id']}/confirm")
    papers = f"/estimates/{estimate['id']}/pdf-exports"
    for _ in range(4):
        export = (await anna.post(papers, {"locale": "en", "preliminary": False})).json()
        paths = [f"{papers}/{export['id']}", f"/files/{export['id']}"] * 3
        answers = await asyncio.gather(*[anna.delete(path) for path in paths])
        assert {answer.status_code for answer in answers} <= {204, 404}
        assert await used(anna) == kept["sizeBytes"]


async def test_pro_has_more_room(shop: Shop) -> None:
    anna = await shop.owner()
    await fill_up(shop, anna, but=0)
    await shop.put_on_pro(anna.workshop)
    assert (await upload(anna, pictures.png())).status_code == 201


# Bytes and records come and go together


async def test_what_is_made_in_a_workshop_that_goes_in_the_same_moment_is_refused_or_gone_with_it(shop: Shop) -> None:
    anna = await shop.owner()
    for _ in range(5):
        workshop = (await anna.post("/workshops", {"name": "Oak & Ash"})).json()["id"]
        path = f"/workshops/{workshop}"
        estimate = (await anna.post(f"{path}/estimates", {"name": "Kitchen"})).json()["id"]
        removed, *made = await asyncio.gather(
            anna.delete(path),
            anna.post(f"{path}/orders", {"title": "Oak table"}),
            anna.post(f"{path}/grids", {"name": "Carpentry"}),
            anna.post(f"{path}/estimates", {"name": "Attic"}),
            anna.post(f"/estimates/{estimate}/confirm"),
            upload(anna, pictures.png(), workshopId=workshop),
            upload(anna, pictures.pdf(), category="estimate_pdf", workshopId=workshop),
        )
        assert removed.status_code == 204
        assert {answer.status_code for answer in made} <= {201, 403, 404}
        async with shop.db.read() as db:
            assert await db.value("SELECT count(*) FROM files WHERE workshop_id = :id", id=workshop) == 0


async def test_the_bytes_of_a_removed_file_go_with_the_next_sweep(shop: Shop) -> None:
    anna = await shop.owner()
    record = await icon(anna)
    await anna.delete(f"/files/{record['id']}")
    assert await has_bytes(shop, record["id"])
    await shop.app.sweep()
    assert not await has_bytes(shop, record["id"])
    assert record["id"] not in await stray(shop)


async def test_the_bytes_of_a_removed_workshop_go_with_the_next_sweep(shop: Shop) -> None:
    anna = await shop.owner()
    record = await icon(anna)
    assert (await anna.delete(f"/workshops/{anna.workshop}")).status_code == 204
    await shop.app.sweep()
    assert not await has_bytes(shop, record["id"])


async def test_a_kept_file_survives_every_sweep(shop: Shop) -> None:
    anna = await shop.owner()
    record = await icon(anna)
    await collect(shop.db, shop.app.blobs, times.later(times.now(), 30 * 86_400))
    assert (await anna.get(f"/files/{record['id']}")).content == pictures.png()


async def test_a_refused_file_leaves_no_bytes(shop: Shop) -> None:
    anna = await shop.owner()
    await fill_up(shop, anna, but=0)
    before = set(await stray(shop))
    await upload(anna, pictures.png())
    [left] = set(await stray(shop)) - before
    await shop.app.sweep()
    assert not await has_bytes(shop, left)
    assert left not in await stray(shop)


async def test_what_a_crash_leaves_between_the_bytes_and_their_record_is_found(
    shop: Shop, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The process dies once the bytes are written: nobody gives the upload up."""
    anna = await shop.owner()

    class Died(BaseException):
        pass

    written = shop.app.blobs.write

    async def write_and_die(blob_id: str, pieces: Any) -> None:
        await written(blob_id, pieces)
        raise Died

    before = set(await stray(shop))
    with monkeypatch.context() as crash:
        crash.setattr(shop.app.blobs, "write", write_and_die)
        with pytest.raises(Died):
            await upload(anna, pictures.png())
    [left] = set(await stray(shop)) - before
    await collect(shop.db, shop.app.blobs, times.later(times.now(), 3600))
    assert await has_bytes(shop, left)
    await collect(shop.db, shop.app.blobs, times.later(times.now(), 25 * 3600))
    assert not await has_bytes(shop, left)
    assert (await anna.get(f"/workshops/{anna.workshop}/files")).json() == {"files": []}


async def test_bytes_given_up_meanwhile_never_become_a_file(shop: Shop, monkeypatch: pytest.MonkeyPatch) -> None:
    anna = await shop.owner()
    written = shop.app.blobs.write

    async def write_slowly(blob_id: str, pieces: Any) -> None:
        await written(blob_id, pieces)
        await collect(shop.db, shop.app.blobs, times.later(times.now(), 25 * 3600))

    with monkeypatch.context() as slow:
        slow.setattr(shop.app.blobs, "write", write_slowly)
        assert (await upload(anna, pictures.png())).status_code == 503
    assert (await anna.get(f"/workshops/{anna.workshop}/files")).json() == {"files": []}
    assert await used(anna) == 0


async def test_bytes_that_cannot_be_removed_now_are_removed_later(shop: Shop, monkeypatch: pytest.MonkeyPatch) -> None:
    anna = await shop.owner()
    record = await icon(anna)
    await anna.delete(f"/files/{record['id']}")

    async def fail(_: str) -> None:
        raise Unavailable("unavailable", "The bucket is away")

    with monkeypatch.context() as away:
        away.setattr(shop.app.blobs, "remove", fail)
        with pytest.raises(Unavailable):
            await collect(shop.db, shop.app.blobs, times.now())
    assert record["id"] in await stray(shop)
    await collect(shop.db, shop.app.blobs, times.later(times.now(), 3600))
    assert record["id"] not in await stray(shop)
    assert not await has_bytes(shop, record["id"])


async def test_a_file_whose_bytes_are_gone_is_not_available(shop: Shop) -> None:
    anna = await shop.owner()
    record = await icon(anna)
    await shop.app.blobs.remove(record["id"])
    assert (await anna.get(f"/files/{record['id']}")).status_code == 503


async def test_an_upload_is_on_the_audit_trail(shop: Shop) -> None:
    anna = await shop.owner()
    record = await icon(anna)
    entries = (await anna.get(f"/workshops/{anna.workshop}/audit")).json()["entries"]
    assert (entries[0]["action"], entries[0]["objectId"]) == ("files.upload", record["id"])


async def test_files_are_listed_newest_first(shop: Shop) -> None:
    anna = await shop.owner()
    first, second = await icon(anna), await icon(anna)
    assert ids((await anna.get(f"/workshops/{anna.workshop}/files")).json()["files"]) == [second["id"], first["id"]]
