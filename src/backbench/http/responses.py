"""What goes back over the wire, and the headers that every answer carries."""

from collections.abc import AsyncGenerator
from typing import Final

import xxhash

Header = tuple[bytes, bytes]

# The API hands out data, never pages: nothing may be framed, sniffed, run or kept by caches.
_SECURITY: Final[tuple[Header, ...]] = (
    (b"x-content-type-options", b"nosniff"),
    (b"content-security-policy", b"default-src 'none'; base-uri 'none'; frame-ancestors 'none'"),
    (b"referrer-policy", b"no-referrer"),
    (b"cross-origin-resource-policy", b"same-origin"),
)
# On every answer where browsers reach the service over https.
ONLY_HTTPS: Final[Header] = (b"strict-transport-security", b"max-age=31536000; includeSubDomains")
_TYPE: Final[Header] = (b"content-type", b"application/json")
# What was read may be kept by its reader's browser and asked for again by its tag; nothing else may be kept.
_READ: Final[tuple[Header, ...]] = (_TYPE, (b"cache-control", b"private, no-cache"), *_SECURITY)
_DONE: Final[tuple[Header, ...]] = (_TYPE, (b"cache-control", b"no-store"), *_SECURITY)
_EMPTY: Final[tuple[Header, ...]] = ((b"cache-control", b"no-store"), *_SECURITY)


class Response:
    """A status, a body and headers. `pieces` is a body that is made while it is sent."""

    __slots__ = ("body", "headers", "pieces", "status")

    def __init__(
        self, status: int, body: bytes, headers: list[Header], pieces: AsyncGenerator[bytes, None] | None = None
    ) -> None:
        self.status = status
        self.body = body
        self.headers = headers
        self.pieces = pieces

    def header(self, name: bytes) -> bytes:
        """b"" where there is none."""
        return next((value for key, value in self.headers if key == name), b"")


def json_response(status: int, body: bytes) -> Response:
    return Response(status, body, [*_DONE, (b"content-length", b"%d" % len(body))])


def representation(body: bytes, if_none_match: bytes | None) -> Response:
    """What a GET reads, with its strong ETag; 304 where the client has it already."""
    tag = etag(body)
    if if_none_match is not None and matches(tag, if_none_match, weakly=True):
        return not_modified(tag)
    return Response(200, body, [*_READ, (b"content-length", b"%d" % len(body)), (b"etag", tag)])


def not_modified(tag: bytes) -> Response:
    return Response(304, b"", [*_READ[1:], (b"etag", tag)])


def empty(status: int, *headers: Header) -> Response:
    """Zero bytes. 204 and 304 carry no length, as HTTP wants it."""
    length = () if status in (204, 304) else ((b"content-length", b"0"),)
    return Response(status, b"", [*_EMPTY, *length, *headers])


def streamed(pieces: AsyncGenerator[bytes, None]) -> Response:
    return Response(200, b"", [*_DONE], pieces)


def file_response(
    status: int, content_type: bytes, length: int, pieces: AsyncGenerator[bytes, None], *headers: Header
) -> Response:
    """Bytes that are no JSON. What may be read may be kept, but is asked for again by its tag."""
    shown = ((b"content-type", content_type), (b"content-length", b"%d" % length), *_READ[1:])
    return Response(status, b"", [*shown, *headers], pieces)


def etag(body: bytes) -> bytes:
    return b'"%s"' % xxhash.xxh3_128_hexdigest(body).encode()


def matches(tag: bytes, listed: bytes, *, weakly: bool) -> bool:
    """Whether a list of entity tags (If-Match, If-None-Match) holds `tag`."""
    if listed.strip() == b"*":
        return True
    tags = [entry.strip() for entry in listed.split(b",")]
    return tag in tags or (weakly and b"W/" + tag in tags)
