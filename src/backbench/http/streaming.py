"""Streaming: ranges of files, large lists piece by piece, and an end as soon as the client is gone."""

import asyncio
import re
import unicodedata
from collections.abc import AsyncGenerator, AsyncIterator, Awaitable
from contextlib import aclosing, asynccontextmanager
from typing import Any, TypeVar
from urllib.parse import quote

import xxhash
from msgspec import Struct

from backbench.engine.database import Database, Read
from backbench.estimating.file_types import StoredFile
from backbench.http.concurrency import ConcurrencyLimit
from backbench.http.requests import ClientDisconnected, Request
from backbench.http.responses import (
    REVALIDATED,
    VARY,
    Header,
    Response,
    as_client_has_it,
    compressed_pieces,
    empty,
    encoded_tag,
    encoding_for,
    file_response,
    matches,
    not_modified,
    plain_tags,
    prepended,
    streamed_representation,
    tag_of,
)
from backbench.integrations.blobs import Blobs
from backbench.integrations.temporary_files import TemporaryContent
from backbench.values.numbers import joined_elements, to_json
from backbench.values.pagination import Page

T = TypeVar("T")


async def while_connected(request: Request, pieces: AsyncGenerator[bytes, None]) -> AsyncGenerator[bytes, None]:
    """The pieces, as long as the client is there. Closes their generator in any case.

    A client that disconnects cancels the work on the next piece. Before the first piece that raises
    ClientDisconnected; after it the response has begun, and nothing is left to tell anybody.
    """
    has_begun = False
    async with aclosing(pieces), _disconnect(request) as disconnected:
        while True:
            try:
                piece = await _unless(disconnected, anext(pieces, None))
            except ClientDisconnected:
                if has_begun:
                    return
                raise
            if piece is None:
                return
            has_begun = True
            yield piece


@asynccontextmanager
async def _disconnect(request: Request) -> AsyncIterator[asyncio.Task[None]]:
    """A task that ends when the client disconnects."""
    disconnected = asyncio.create_task(request.disconnected())
    try:
        yield disconnected
    finally:
        disconnected.cancel()


async def _unless(disconnected: asyncio.Task[None], work: Awaitable[T]) -> T:
    """The result of `work`. Cancels it and raises ClientDisconnected where the client disconnects first."""
    task = asyncio.ensure_future(work)
    try:
        if disconnected.done():
            raise ClientDisconnected
        await asyncio.wait({task, disconnected}, return_when=asyncio.FIRST_COMPLETED)
        if not task.done():
            raise ClientDisconnected
        return task.result()
    finally:
        if not task.done():
            task.cancel()
            await asyncio.wait({task})


async def large_list(
    request: Request, db: Database, page: Page[Any], empty_list: Any, uid: str, limit: ConcurrencyLimit
) -> Response:
    """The response with the list whole, in the shape of `empty_list`, or 304. Raises Unavailable, ClientDisconnected.

    An account gets one after the other.
    """
    pieces = while_connected(request, _tag_and_content(db, page, empty_list, uid, limit))
    tag = await anext(pieces)
    known = request.headers.get(b"if-none-match")
    if known is not None and matches(tag, plain_tags(known), weakly=True):
        await pieces.aclose()
        response = not_modified(tag)
        response.headers.append(VARY)
        return as_client_has_it(response, known)
    encoding = encoding_for(request.headers.get(b"accept-encoding", b""))
    if encoding is None:
        return streamed_representation(prepended(await anext(pieces), pieces), tag, VARY)
    encoded = compressed_pieces(pieces, encoding)
    headers = ((b"content-encoding", encoding), VARY)
    return streamed_representation(prepended(await anext(encoded), encoded), encoded_tag(encoding, tag), *headers)


async def _tag_and_content(
    db: Database, page: Page[Any], empty_list: Any, uid: str, limit: ConcurrencyLimit
) -> AsyncGenerator[bytes, None]:
    """The ETag, and then the content."""
    async with limit.slot(uid) as stop_counting, TemporaryContent() as content:
        digest = xxhash.xxh3_128()
        async with db.snapshot() as read, aclosing(json_pieces(read, page, empty_list)) as pieces:
            async for piece in pieces:
                digest.update(piece)
                await content.write(piece)
        # From here on it occupies a file only: clients that read slowly must not keep others from their lists.
        stop_counting()
        yield tag_of(digest)
        async with aclosing(content.read()) as whole:
            async for piece in whole:
                yield piece


async def json_pieces(db: Read, page: Page[Any], empty_list: Any) -> AsyncGenerator[bytes, None]:
    """The JSON of the list: that of `empty_list`, with the items of the page in its brackets."""
    assert page.pieces is not None
    beginning, end = to_json(empty_list).split(b"]")
    yield beginning
    async with aclosing(joined_elements(page.pieces(db))) as pieces:
        async for piece in pieces:
            yield piece
    yield b"]" + end


# Letters that are no base letter with an accent to Unicode.
_BASE_LETTERS = str.maketrans(
    {"ł": "l", "Ł": "L", "ø": "o", "Ø": "O", "đ": "d", "Đ": "D", "ß": "ss", "æ": "ae", "Æ": "AE"}
)
_RANGE = re.compile(r"bytes=(?:([0-9]{1,18})-([0-9]{0,18})|-([0-9]{1,18}))", re.ASCII)


def file_or_range(request: Request, blobs: Blobs, file: StoredFile, *, inline: bool = False) -> Response:
    """The file, or the one range of it that was requested. A request for several ranges gets the whole file."""
    kind = file.content_type.encode()
    return content_or_range(
        request, blobs, Content(file.id, file.id, 0, file.size_bytes, kind, file.download_name), inline=inline
    )


class Content(Struct, frozen=True):
    """What is sent of a blob: `size` bytes from `start`. Under an id they never change, so it serves as the ETag."""

    id: str
    blob_id: str
    start: int
    size: int
    kind: bytes
    name: str
    cache_control: bytes = REVALIDATED


def content_or_range(request: Request, blobs: Blobs, content: Content, *, inline: bool) -> Response:
    """The content, or the one range of it that was requested."""
    tag, size = b'"%s"' % content.id.encode(), content.size
    known = request.headers.get(b"if-none-match")
    if known is not None and matches(tag, known, weakly=True):
        return not_modified(tag, content.cache_control)
    headers = [
        (b"etag", tag),
        (b"accept-ranges", b"bytes"),
        (b"content-disposition", disposition(content.name, inline=inline)),
        (b"cache-control", content.cache_control),
    ]
    start, end = _requested_range(request, tag, size) or (0, size)
    if start >= end:
        return empty(416, (b"content-range", b"bytes */%d" % size))
    pieces = blobs.read(content.blob_id, content.start + start, content.start + end)
    if (start, end) == (0, size):
        return file_response(200, content.kind, end, pieces, *headers)
    content_range: Header = (b"content-range", b"bytes %d-%d/%d" % (start, end - 1, size))
    return file_response(206, content.kind, end - start, pieces, *headers, content_range)


def disposition(name: str, *, inline: bool) -> bytes:
    """Content-Disposition (RFC 6266): the name in ASCII for old clients, and in UTF-8 (RFC 8187)."""
    decomposed = unicodedata.normalize("NFKD", name.translate(_BASE_LETTERS))
    folded = "".join(character for character in decomposed if not unicodedata.combining(character))
    plain = re.sub(r'[^ -~]|["\\%]', "_", folded)
    kind = "inline" if inline else "attachment"
    return f"{kind}; filename=\"{plain}\"; filename*=UTF-8''{quote(name, safe='')}".encode()


def _requested_range(request: Request, tag: bytes, size: int) -> tuple[int, int] | None:
    """Start and end (exclusive); an empty range where it cannot be satisfied; None for the whole file."""
    if request.method != "GET" or request.headers.get(b"if-range", tag) != tag:
        return None
    requested = _RANGE.fullmatch((request.header(b"range") or "").strip())
    if requested is None:
        return None
    first, last, suffix = requested.groups()
    if suffix is not None:
        return max(0, size - int(suffix)), size
    if last and int(last) < int(first):
        return None
    return int(first), min(size, int(last) + 1) if last else size
