"""Compression: large lists are compressed if the client accepts it."""

import gzip

import pytest
import zstandard

from tests.people import App, Person


async def board(owner: Person) -> str:
    for number in range(25):
        await owner.order(title=f"Oak table number {number} with two drawers")
    return f"/workshops/{owner.workshop}/orders"


@pytest.mark.parametrize("encoding", ["gzip", "zstd"])
async def test_a_large_list_is_compressed_with_the_accepted_encoding(app: App, encoding: str) -> None:
    anna = await app.owner("Anna")
    path = await board(anna)
    plain = await anna.get(path, accept_encoding="identity")
    async with anna.browser.stream("GET", f"/api{path}", headers={"accept-encoding": encoding}) as response:
        raw = b"".join([piece async for piece in response.aiter_raw()])
    assert response.headers["content-encoding"] == encoding
    assert len(raw) < len(plain.content) / 3
    unpacked = gzip.decompress(raw) if encoding == "gzip" else zstandard.ZstdDecompressor().decompress(raw)
    assert unpacked == plain.content
    assert "content-encoding" not in plain.headers


async def test_each_encoding_has_its_own_etag_and_both_match(app: App) -> None:
    anna = await app.owner("Anna")
    path = await board(anna)
    plain = (await anna.get(path, accept_encoding="identity")).headers["etag"]
    small = (await anna.get(path, accept_encoding="gzip")).headers["etag"]
    assert plain != small
    for tag in (plain, small):
        again = await anna.get(path, accept_encoding="gzip", if_none_match=tag)
        assert (again.status_code, again.headers["etag"], again.headers["vary"]) == (304, tag, "accept-encoding")


@pytest.mark.parametrize(
    ("accepted", "chosen"),
    [
        ("gzip, zstd", "zstd"),
        ("gzip;q=0.5, zstd;q=0.4", "gzip"),
        ("GZIP; q=1.0, zstd;q=0.999", "gzip"),
        ("gzip, zstd;q=0", "gzip"),
    ],
)
async def test_the_preferred_encoding_is_chosen(app: App, accepted: str, chosen: str) -> None:
    anna = await app.owner("Anna")
    path = await board(anna)
    for method in ("GET", "HEAD"):
        response = await anna.send(method, path, headers={"accept_encoding": accepted})
        assert (response.headers["content-encoding"], response.headers["vary"]) == (chosen, "accept-encoding")


@pytest.mark.parametrize("accepted", ["identity", "gzip", "zstd"])
async def test_head_has_the_length_and_etag_of_get(app: App, accepted: str) -> None:
    anna = await app.owner("Anna")
    path = await board(anna)
    got = (await anna.get(path, accept_encoding=accepted)).headers
    head = (await anna.browser.head(f"/api{path}", headers={"accept-encoding": accepted})).headers
    for name in ("etag", "content-length", "content-encoding", "vary"):
        assert head.get(name) == got.get(name), name


async def test_small_responses_are_not_compressed(app: App) -> None:
    anna = await app.owner("Anna")
    assert "content-encoding" not in (await anna.get("/me", accept_encoding="gzip, zstd")).headers


@pytest.mark.parametrize("accepted", ["gzip;q=0", "identity", "br", ""])
async def test_an_encoding_that_is_not_accepted_is_not_used(app: App, accepted: str) -> None:
    anna = await app.owner("Anna")
    response = await anna.get(await board(anna), accept_encoding=accepted or "identity")
    assert "content-encoding" not in response.headers
