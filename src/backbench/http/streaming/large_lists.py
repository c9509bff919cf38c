"""Large lists: read in pieces into a temporary file, which gives their ETag, and sent from there.

Nothing of their size is in memory or done at once on the event loop, and a slow client occupies no database connection.
"""

from collections.abc import AsyncGenerator
from contextlib import aclosing
from typing import Any

import xxhash

from backbench.engine.database import Database, Read
from backbench.http.compression import VARY, as_client_has_it, compressed_pieces, encoded_tag, encoding_for, plain_tags
from backbench.http.concurrency import ConcurrencyLimit
from backbench.http.requests import Request
from backbench.http.responses import Response, matches, not_modified, prepended, streamed_representation, tag_of
from backbench.http.streaming.disconnects import while_connected
from backbench.integrations.temporary_files import TemporaryContent
from backbench.values.numbers import joined_elements, to_json
from backbench.values.pagination import Page


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
