"""Compression of large responses, negotiated by Accept-Encoding."""

import asyncio
import gzip
import re
import zlib
from collections.abc import AsyncGenerator
from contextlib import aclosing
from typing import Final

import zstandard

from backbench.http.responses import Header, Response, etag, matches, not_modified, representation

# Smaller bodies fit a packet anyway; larger ones than the other are compressed in a thread.
MIN_SIZE = 4096
VARY: Final[Header] = (b"vary", b"accept-encoding")
_MAX_ON_LOOP = 128 * 1024
_ENCODINGS = (b"zstd", b"gzip")
_WEIGHT = re.compile(rb"q=(0(?:\.\d{0,3})?)", re.IGNORECASE)


def encoding_for(accepted: bytes) -> bytes | None:
    """zstd or gzip by the weights of Accept-Encoding, or None."""
    weights = {}
    for entry in accepted.split(b","):
        name, _, weight = entry.partition(b";")
        below_one = _WEIGHT.fullmatch(weight.strip())
        weights[name.strip().lower()] = 1.0 if below_one is None else float(below_one[1])
    best = max(_ENCODINGS, key=lambda encoding: weights.get(encoding, 0.0))
    return best if weights.get(best, 0.0) > 0 else None


async def compressed(response: Response, encoding: bytes) -> Response:
    """The same response in that encoding, with an ETag of its own."""
    body = response.body
    if len(body) > _MAX_ON_LOOP:
        small = await asyncio.get_running_loop().run_in_executor(None, _compress, body, encoding)
    else:
        small = _compress(body, encoding)
    headers = [_in(encoding, name, value) for name, value in response.headers if name != b"content-length"]
    headers += [(b"content-length", b"%d" % len(small)), (b"content-encoding", encoding)]
    return Response(response.status, small, headers)


async def compressed_pieces(pieces: AsyncGenerator[bytes, None], encoding: bytes) -> AsyncGenerator[bytes, None]:
    """The pieces in that encoding, each compressed in a thread."""
    compressor = (
        zstandard.ZstdCompressor(level=1).compressobj() if encoding == b"zstd" else zlib.compressobj(1, wbits=31)
    )
    async with aclosing(pieces):
        async for piece in pieces:
            small = await asyncio.to_thread(compressor.compress, piece)
            if small:
                yield small
    yield compressor.flush()


def encoded_tag(encoding: bytes, tag: bytes) -> bytes:
    """The ETag of the same content in that encoding."""
    return b'%s-%s"' % (tag[:-1], encoding)


def _in(encoding: bytes, name: bytes, value: bytes) -> tuple[bytes, bytes]:
    return (name, encoded_tag(encoding, value)) if name == b"etag" else (name, value)


def as_client_has_it(response: Response, listed: bytes) -> Response:
    """A 304 with the ETag that the client has cached: that of its encoding."""
    tag = response.header(b"etag")
    for encoding in _ENCODINGS:
        if b'%s-%s"' % (tag[:-1], encoding) in listed:
            response.headers = [_in(encoding, name, value) for name, value in response.headers]
            break
    return response


def conditional(body: bytes, if_none_match: bytes | None) -> Response:
    """The 200 response of a GET with JSON, or 304 where If-None-Match lists its ETag in any encoding."""
    tag = etag(body)
    if if_none_match is not None and matches(tag, plain_tags(if_none_match), weakly=True):
        response = not_modified(tag)
        if len(body) >= MIN_SIZE:
            response.headers.append(VARY)
        return as_client_has_it(response, if_none_match)
    return representation(body, tag)


def unchanged(tag: bytes, if_none_match: bytes) -> Response | None:
    """304 where If-None-Match lists the tag, for a body that need not be made then."""
    if not matches(tag, plain_tags(if_none_match), weakly=True):
        return None
    response = not_modified(tag)
    response.headers.append(VARY)
    return as_client_has_it(response, if_none_match)


def tagged(body: bytes, tag: bytes, content_type: bytes) -> Response:
    """The 200 response of a GET with this ETag, of another type than JSON."""
    response = representation(body, tag)
    types = [(name, content_type if name == b"content-type" else value) for name, value in response.headers]
    response.headers = types
    return response


def plain_tags(listed: bytes) -> bytes:
    """Entity tags without the suffix of an encoding, so that each form of a tag matches."""
    return listed.replace(b'-zstd"', b'"').replace(b'-gzip"', b'"')


def _compress(body: bytes, encoding: bytes) -> bytes:
    if encoding == b"zstd":
        return zstandard.ZstdCompressor(level=1).compress(body)
    return gzip.compress(body, compresslevel=1, mtime=0)
