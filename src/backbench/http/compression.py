"""Large answers made smaller when the client asks for it."""

import asyncio
import gzip
import re
from typing import Final

import zstandard

from backbench.http.responses import Header, Response

# Below this the saving is smaller than a packet; above the other, the loop has better things to do.
SMALLEST = 4096
VARIES: Final[Header] = (b"vary", b"accept-encoding")
_LARGEST_ON_LOOP = 128 * 1024
_ENCODINGS = (b"zstd", b"gzip")
_WEIGHT = re.compile(rb"q=(0(?:\.\d{0,3})?)", re.IGNORECASE)


def encoding_for(accepted: bytes) -> bytes | None:
    """zstd or gzip, whichever the client likes better (Accept-Encoding), or None."""
    taken = {}
    for entry in accepted.split(b","):
        name, _, weight = entry.partition(b";")
        below_one = _WEIGHT.fullmatch(weight.strip())
        taken[name.strip().lower()] = 1.0 if below_one is None else float(below_one[1])
    best = max(_ENCODINGS, key=lambda encoding: taken.get(encoding, 0.0))
    return best if taken.get(best, 0.0) > 0 else None


async def compressed(answer: Response, encoding: bytes) -> Response:
    """The same answer in that encoding; its ETag is the encoding's own."""
    body = answer.body
    if len(body) > _LARGEST_ON_LOOP:
        small = await asyncio.get_running_loop().run_in_executor(None, _compress, body, encoding)
    else:
        small = _compress(body, encoding)
    headers = [_in(encoding, name, value) for name, value in answer.headers if name != b"content-length"]
    headers += [(b"content-length", b"%d" % len(small)), (b"content-encoding", encoding)]
    return Response(answer.status, small, headers)


def _in(encoding: bytes, name: bytes, value: bytes) -> tuple[bytes, bytes]:
    return (name, b'%s-%s"' % (value[:-1], encoding)) if name == b"etag" else (name, value)


def as_held(answer: Response, listed: bytes) -> Response:
    """A 304 that names what the client holds by the tag it came with: that of its encoding."""
    tag = answer.header(b"etag")
    for encoding in _ENCODINGS:
        if b'%s-%s"' % (tag[:-1], encoding) in listed:
            answer.headers = [_in(encoding, name, value) for name, value in answer.headers]
            break
    return answer


def plain_tags(listed: bytes) -> bytes:
    """Entity tags as the uncompressed answer has them, so that either form of one is recognized."""
    return listed.replace(b'-zstd"', b'"').replace(b'-gzip"', b'"')


def _compress(body: bytes, encoding: bytes) -> bytes:
    if encoding == b"zstd":
        return zstandard.ZstdCompressor(level=1).compress(body)
    return gzip.compress(body, compresslevel=1, mtime=0)
