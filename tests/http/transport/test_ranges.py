"""File downloads: safe headers, byte ranges and entity tags."""

import httpx
import pytest

from tests.people import App, Person
from tests.support import image_files
from tests.support.uploads import form, icon, post_form, upload


async def test_a_download_has_headers_that_prevent_rendering(app: App) -> None:
    anna = await app.owner()
    record = await icon(anna)
    headers = (await anna.get(f"/files/{record['id']}")).headers
    assert headers["x-content-type-options"] == "nosniff"
    assert "default-src 'none'" in headers["content-security-policy"]
    assert headers["content-disposition"].startswith("attachment;")
    assert headers["cache-control"] == "private, no-cache"
    assert headers["content-length"] == str(record["sizeBytes"])


@pytest.mark.parametrize(
    ("sent", "stored", "plain", "extended"),
    [
        ("Piła łańcuchowa.png", "Piła łańcuchowa.png", "Pila lancuchowa.png", "Pi%C5%82a%20%C5%82a%C5%84cuchowa.png"),
        ("../../etc/passwd", "passwd", "passwd.png", "passwd.png"),
        ("C:\\\\fakepath\\\\a.png", "a.png", "a.png", "a.png"),
        ("page.html", "page.html", "page.html.png", "page.html.png"),
        ("100%;x.png", "100%;x.png", "100_;x.png", "100%25%3Bx.png"),
        ("\u202egnp.exe", "gnp.exe", "gnp.exe.png", "gnp.exe.png"),
        ('a\\"; x=\\"b.png', "a; x=b.png", "a; x=b.png", "a%3B%20x%3Db.png"),
    ],
)
async def test_a_file_name_is_sanitized_in_content_disposition(
    app: App, sent: str, stored: str, plain: str, extended: str
) -> None:
    anna = await app.owner()
    record = (await upload(anna, image_files.png(), sent)).json()
    response = await anna.get(f"/files/{record['id']}")
    expected = f"attachment; filename=\"{plain}\"; filename*=UTF-8''{extended}"
    assert (record.get("name"), response.headers["content-disposition"]) == (stored, expected)


async def test_a_file_uploaded_without_a_name_has_none(app: App) -> None:
    anna = await app.owner()
    body = form(("category", "grid_tile_icon"), ("workshopId", anna.workshop), ("file", image_files.png()))
    record = (await post_form(anna, body)).json()
    assert "name" not in record
    disposition = (await anna.get(f"/files/{record['id']}")).headers["content-disposition"]
    assert disposition.startswith('attachment; filename="file.png"')


async def download(person: Person, file_id: str, **headers: str) -> httpx.Response:
    return await person.get(f"/files/{file_id}", **headers)


@pytest.mark.parametrize(
    ("byte_range", "first", "last"),
    [
        ("bytes=0-0", 0, 0),
        ("bytes=3-9", 3, 9),
        ("bytes=60-", 60, None),
        ("bytes=-5", -5, None),
        ("bytes=0-99999", 0, None),
    ],
)
async def test_a_single_range_returns_only_its_bytes(app: App, byte_range: str, first: int, last: int | None) -> None:
    anna = await app.owner()
    content = image_files.png()
    record = await icon(anna, content)
    response = await download(anna, record["id"], range=byte_range)
    expected = content[first:] if last is None else content[first : last + 1]
    if expected == content:
        assert (response.status_code, response.content) == (200, content)
        return
    start = first % len(content)
    assert (response.status_code, response.content) == (206, expected)
    assert response.headers["content-range"] == f"bytes {start}-{start + len(expected) - 1}/{len(content)}"
    assert response.headers["content-length"] == str(len(expected))


@pytest.mark.parametrize("byte_range", ["bytes=99999-", "bytes=99999-100000", "bytes=-0"])
async def test_a_range_beyond_the_end_is_416(app: App, byte_range: str) -> None:
    anna = await app.owner()
    record = await icon(anna)
    response = await download(anna, record["id"], range=byte_range)
    assert (response.status_code, response.content) == (416, b"")
    assert response.headers["content-range"] == f"bytes */{record['sizeBytes']}"


@pytest.mark.parametrize("byte_range", ["bytes=0-1,3-4", "bytes=5-3", "lines=1-2", "bytes=-", "bytes=a-b", "bytes=٣-"])
async def test_an_invalid_or_multiple_range_is_ignored(app: App, byte_range: str) -> None:
    anna = await app.owner()
    record = await icon(anna)
    request = anna.browser.build_request("GET", f"/api/files/{record['id']}")
    request.headers.raw.append((b"range", byte_range.encode()))
    response = await anna.browser.send(request)
    assert (response.status_code, response.content) == (200, image_files.png())


async def test_if_range_with_another_etag_returns_the_whole_file(app: App) -> None:
    anna = await app.owner()
    record = await icon(anna)
    tag = (await download(anna, record["id"])).headers["etag"]
    assert (await download(anna, record["id"], range="bytes=0-3", if_range=tag)).status_code == 206
    assert (await download(anna, record["id"], range="bytes=0-3", if_range='"other"')).status_code == 200


async def test_a_file_with_a_matching_etag_is_304(app: App) -> None:
    anna = await app.owner()
    record = await icon(anna)
    tag = (await download(anna, record["id"])).headers["etag"]
    response = await download(anna, record["id"], if_none_match=tag)
    assert (response.status_code, response.content) == (304, b"")
    assert (response.headers["etag"], response.headers["cache-control"]) == (tag, "private, no-cache")


async def test_head_of_a_file_has_its_length_and_no_body(app: App) -> None:
    anna = await app.owner()
    record = await icon(anna)
    response = await anna.send("HEAD", f"/files/{record['id']}")
    assert (response.status_code, response.content) == (200, b"")
    assert response.headers["content-length"] == str(record["sizeBytes"])


async def test_a_file_is_deleted_only_with_a_matching_if_match(app: App) -> None:
    anna, eve = await app.owner(), await app.person("Eve")
    record = await icon(anna)
    path = f"/files/{record['id']}"
    tag = (await anna.get(path)).headers["etag"]
    assert (await anna.delete(path, if_match='"other"')).status_code == 412
    assert (await eve.delete(path, if_match='"other"')).status_code == 403
    assert (await anna.delete(path, if_match=tag)).status_code == 204
    assert (await anna.get(path)).status_code == 404
