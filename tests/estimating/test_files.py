"""Files API: uploads, accepted types and sizes, and access."""

from collections.abc import AsyncIterator
from typing import Any

import pytest

from backbench.estimating import stored_blobs
from backbench.integrations import blobs
from tests.people import App, ids, pointers
from tests.support import image_files
from tests.support.server import session_headers
from tests.support.uploads import BOUNDARY, form, icon, post_form, upload, used


async def test_an_uploaded_icon_is_recorded_with_its_detected_type(app: App) -> None:
    anna = await app.owner()
    content = image_files.png()
    response = await upload(anna, content, "Piła.png")
    record = response.json()
    assert response.status_code == 201
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
        (image_files.png(), "image/png"),
        (image_files.jpeg(), "image/jpeg"),
        (image_files.webp(), "image/webp"),
        (image_files.lossy_webp(), "image/webp"),
        (image_files.extended_webp(), "image/webp"),
    ],
)
async def test_a_downloaded_icon_equals_the_upload(app: App, content: bytes, content_type: str) -> None:
    anna = await app.owner()
    record = (await upload(anna, content, "wrong.txt")).json()
    response = await anna.get(f"/files/{record['id']}")
    assert (response.status_code, response.content) == (200, content)
    assert record["contentType"] == response.headers["content-type"] == content_type


@pytest.mark.both_engines
async def test_an_uploaded_pdf_belongs_to_the_workshop_of_its_estimate(app: App) -> None:
    anna = await app.owner()
    estimate = await anna.estimate()
    response = await upload(anna, image_files.pdf(), "Offer.pdf", category="estimate_pdf", estimateId=estimate["id"])
    record = response.json()
    assert response.status_code == 201
    assert (record["scope"], record["scopeId"]) == ("workshop", anna.workshop)
    assert "estimateId" not in record
    assert (await anna.get(f"/files/{record['id']}")).content == image_files.pdf()


async def test_form_fields_can_follow_the_file(app: App) -> None:
    anna = await app.owner()
    file = ("file", ("a.png", image_files.png()))
    response = await post_form(anna, form(file, ("workshopId", anna.workshop), ("category", "grid_tile_icon")))
    assert response.status_code == 201


async def test_a_body_can_arrive_byte_by_byte(app: App) -> None:
    anna = await app.owner()
    body = form(("category", "grid_tile_icon"), ("workshopId", anna.workshop), ("file", ("a.png", image_files.png())))

    async def trickle() -> Any:
        for byte in body:
            yield bytes([byte])

    response = await anna.browser.post(
        "/api/files",
        content=trickle(),
        headers={
            "content-type": f"multipart/form-data; boundary={BOUNDARY}",
            "x-csrf-token": anna.browser.cookies["csrf-token"],
        },
    )
    assert response.status_code == 201
    assert (await anna.get(f"/files/{response.json()['id']}")).content == image_files.png()


@pytest.mark.parametrize(
    "content",
    [
        image_files.SVG,
        image_files.png() + b"<script>alert(1)</script>",
        image_files.png() + image_files.zip_file(),
        image_files.jpeg() + image_files.zip_file(),
        image_files.webp() + b"\0",
        image_files.png()[:-4],
        b"GIF89a" + b"\0" * 40,
        image_files.pdf(),
        b"",
    ],
    ids=[
        "svg",
        "html appended",
        "zip after png",
        "zip after jpeg",
        "byte after webp",
        "truncated",
        "gif",
        "pdf",
        "empty",
    ],
)
async def test_an_invalid_icon_is_rejected_and_not_stored(app: App, content: bytes) -> None:
    anna = await app.owner()
    response = await upload(anna, content)
    assert (response.status_code, response.json()["code"]) == (415, "unsupported_media_type")
    assert (await anna.get(f"/workshops/{anna.workshop}/files")).json() == {"files": []}
    assert await used(anna) == 0


@pytest.mark.parametrize(
    "content",
    [image_files.pdf() + image_files.zip_file(), b"\n" + image_files.pdf(), image_files.png()],
    ids=["zip appended", "newline before", "png"],
)
async def test_an_invalid_pdf_is_rejected(app: App, content: bytes) -> None:
    anna = await app.owner()
    response = await upload(anna, content, category="estimate_pdf")
    assert response.status_code == 415
    assert await used(anna) == 0


async def test_an_icon_of_more_than_512_kib_is_rejected(app: App) -> None:
    anna = await app.owner()
    assert (await upload(anna, image_files.png_of(524_288))).status_code == 201
    response = await upload(anna, image_files.png_of(524_289))
    assert (response.status_code, response.json()["code"]) == (413, "too_large")


async def test_an_icon_of_more_than_4096_pixels_per_side_is_rejected(app: App) -> None:
    anna = await app.owner()
    assert (await upload(anna, image_files.png(4096, 4096))).status_code == 201
    assert pointers(await upload(anna, image_files.jpeg(4097, 8))) == ["/file"]


async def test_all_invalid_fields_of_a_form_are_reported(app: App) -> None:
    anna = await app.owner()
    body = form(("category", "hat"), ("colour", "red"), ("category", "hat"))
    assert sorted(pointers(await post_form(anna, body))) == ["/category", "/category", "/colour", "/file"]
    without_workshop = form(("category", "grid_tile_icon"), ("file", ("a.png", image_files.png())))
    assert pointers(await post_form(anna, without_workshop)) == ["/workshopId"]
    both = form(("category", "grid_tile_icon"), ("workshopId", "a"), ("estimateId", "b"), ("file", image_files.png()))
    assert pointers(await post_form(anna, both)) == ["/estimateId"]


@pytest.mark.parametrize(
    "body",
    [
        b"",
        b"no form",
        form(("category", "grid_tile_icon"), ("file", ("a.png", image_files.png())))[:-10],
        form(("category", "x" * 2000), ("file", image_files.png())),
        form(*[(f"field-{number}", "x") for number in range(50)]),
        form(("category", b"\xff"), ("file", image_files.png())),
        form(("file", image_files.png())).replace(b'name="file"', b""),
        b"--%s\r\nX: %s\r\n\r\n" % (BOUNDARY.encode(), b"y" * 100_000),
    ],
    ids=["empty", "text", "truncated", "long field", "many fields", "not utf-8", "no name", "long header"],
)
async def test_a_broken_form_is_a_validation_error(app: App, body: bytes) -> None:
    anna = await app.owner()
    pointers(await post_form(anna, body))
    assert (await anna.get(f"/workshops/{anna.workshop}/files")).json() == {"files": []}


async def test_other_content_types_are_rejected(app: App) -> None:
    anna = await app.owner()
    assert (await anna.post("/files", {"category": "grid_tile_icon"})).status_code == 415
    assert (await post_form(anna, b"", content_encoding="gzip")).status_code == 415
    assert (await post_form(anna, b"", content_type="multipart/form-data")).status_code == 400


async def test_only_members_can_upload_files_to_a_workshop(app: App) -> None:
    anna, eve = await app.owner(), await app.person("Eve")
    estimate = await anna.estimate()
    assert (await upload(eve, image_files.png(), workshopId=anna.workshop)).status_code == 403
    assert (await upload(eve, image_files.pdf(), category="estimate_pdf", estimateId=estimate["id"])).status_code == 403
    assert (await upload(eve, image_files.png(), workshopId="nowhere")).status_code == 404
    assert (await upload(eve, image_files.png(), estimateId="nothing")).status_code == 404
    assert (await upload(app.anonymous(), image_files.png(), workshopId=anna.workshop)).status_code == 401
    assert (await anna.get(f"/workshops/{anna.workshop}/files")).json() == {"files": []}


async def test_only_members_can_read_and_delete_files(app: App) -> None:
    anna, eve = await app.owner(), await app.person("Eve")
    marek = await app.member(anna)
    record = await icon(marek)
    assert (await anna.get(f"/files/{record['id']}")).status_code == 200
    for response in (
        await eve.get(f"/files/{record['id']}"),
        await eve.delete(f"/files/{record['id']}"),
        await eve.get(f"/workshops/{anna.workshop}/files"),
    ):
        assert (response.status_code, response.content) == (403, b"")
    assert (await anna.delete(f"/files/{record['id']}")).status_code == 204


async def test_an_upload_adds_an_audit_entry(app: App) -> None:
    anna = await app.owner()
    record = await icon(anna)
    entries = (await anna.get(f"/workshops/{anna.workshop}/audit")).json()["entries"]
    assert (entries[0]["action"], entries[0]["objectId"]) == ("file.created", record["id"])


async def test_files_are_listed_newest_first(app: App) -> None:
    anna = await app.owner()
    first, second = await icon(anna), await icon(anna)
    assert ids((await anna.get(f"/workshops/{anna.workshop}/files")).json()["files"]) == [second["id"], first["id"]]


async def test_a_file_in_small_chunks_is_written_in_large_pieces(app: App, monkeypatch: pytest.MonkeyPatch) -> None:
    """Otherwise a client that sends single bytes could occupy the processor and the disk with little traffic."""
    anna = await app.owner("Anna")
    sizes: list[int] = []
    write = blobs._write_all

    def count(descriptor: int, chunk: bytes) -> None:
        sizes.append(len(chunk))
        write(descriptor, chunk)

    monkeypatch.setattr(blobs, "_write_all", count)
    content = image_files.pdf(filling=150_000)
    body = form(("category", "estimate_pdf"), ("workshopId", anna.workshop), ("file", ("a.pdf", content)))

    async def chunks() -> AsyncIterator[bytes]:
        for start in range(0, len(body), 100):
            yield body[start : start + 100]

    headers = {"content-type": f"multipart/form-data; boundary={BOUNDARY}", **session_headers(anna)}
    response = await anna.browser.post("/api/files", content=chunks(), headers=headers)
    assert response.status_code == 201, response.text
    assert sum(sizes) == len(content)
    assert len(sizes) == 3


async def test_a_workshop_has_a_bounded_number_of_files(app: App, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(stored_blobs, "MAX_FILES", 2)
    anna = await app.owner("Anna")
    responses = [await upload(anna, image_files.png()) for _ in range(3)]
    assert [response.status_code for response in responses] == [201, 201, 409]
    refused = responses[-1].json()
    assert (refused["code"], refused["limit"], refused["current"]) == ("plan_limit", 2, 2)
