"""Responses and the headers that each of them carries."""

from collections.abc import AsyncGenerator
from contextlib import aclosing
from typing import Final

import xxhash

Header = tuple[bytes, bytes]

# The API serves data, never pages: nothing may be framed, sniffed, executed or cached.
_SECURITY: Final[tuple[Header, ...]] = (
    (b"x-content-type-options", b"nosniff"),
    (b"content-security-policy", b"default-src 'none'; base-uri 'none'; frame-ancestors 'none'"),
    (b"referrer-policy", b"no-referrer"),
    (b"cross-origin-resource-policy", b"same-origin"),
)
# On every response where the public URL is https.
STRICT_TRANSPORT: Final[Header] = (b"strict-transport-security", b"max-age=31536000; includeSubDomains")
_TYPE: Final[Header] = (b"content-type", b"application/json")
# A read may be cached by the browser and revalidated by its ETag; nothing else may be cached.
REVALIDATED: Final = b"private, no-cache"
# Bytes that never change, under an address that means them alone.
IMMUTABLE: Final = b"private, max-age=31536000, immutable"
_CACHEABLE: Final[tuple[Header, ...]] = (_TYPE, (b"cache-control", REVALIDATED), *_SECURITY)
_UNCACHED: Final[tuple[Header, ...]] = (_TYPE, (b"cache-control", b"no-store"), *_SECURITY)
_EMPTY: Final[tuple[Header, ...]] = ((b"cache-control", b"no-store"), *_SECURITY)


class Response:
    """A status, a body and headers. `pieces` is a body that is streamed."""

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
    return Response(status, body, [*_UNCACHED, (b"content-length", b"%d" % len(body))])


def representation(body: bytes, tag: bytes) -> Response:
    """The 200 response of a GET with a strong ETag."""
    return Response(200, body, [*_CACHEABLE, (b"content-length", b"%d" % len(body)), (b"etag", tag)])


def not_modified(tag: bytes, cache_control: bytes = REVALIDATED) -> Response:
    """304 with the caching of the response whose headers its own replace."""
    return Response(304, b"", [(b"cache-control", cache_control), *_SECURITY, (b"etag", tag)])


def empty(status: int, *headers: Header) -> Response:
    """A response without a body. 204 and 304 carry no Content-Length (RFC 9110, 8.6)."""
    length = () if status in (204, 304) else ((b"content-length", b"0"),)
    return Response(status, b"", [*_EMPTY, *length, *headers])


def streamed(pieces: AsyncGenerator[bytes, None] | None, content_type: bytes, *headers: Header) -> Response:
    """A body of unknown length that is made for this request alone."""
    return Response(200, b"", [(b"content-type", content_type), *_UNCACHED[1:], *headers], pieces)


def streamed_representation(pieces: AsyncGenerator[bytes, None], tag: bytes, *headers: Header) -> Response:
    """As `representation`, with a body that is sent in pieces."""
    return Response(200, b"", [*_CACHEABLE, (b"etag", tag), *headers], pieces)


def file_response(
    status: int, content_type: bytes, length: int, pieces: AsyncGenerator[bytes, None], *headers: Header
) -> Response:
    """A stored file. Its caching is among the headers."""
    common = ((b"content-type", content_type), (b"content-length", b"%d" % length), *_SECURITY)
    return Response(status, b"", [*common, *headers], pieces)


def made_file(content: bytes, content_type: bytes, *headers: Header) -> Response:
    """A file that is made for one request and not stored."""
    length = (b"content-length", b"%d" % len(content))
    return Response(200, content, [(b"content-type", content_type), *_UNCACHED[1:], length, *headers])


def page_image(png: bytes, page_count: int, tag: bytes) -> Response:
    """A page of a document as PNG."""
    response = not_modified(tag)
    sizes = [(b"content-length", b"%d" % len(png)), (b"page-count", b"%d" % page_count)]
    return Response(200, png, [(b"content-type", b"image/png"), *response.headers, *sizes])


def set_cookie(name: str, value: str, max_age: int, *, http_only: bool, is_secure: bool, path: str = "/") -> Header:
    """A Set-Cookie header, SameSite=Lax, by default for the whole site; `max_age` in seconds, 0 deletes the cookie."""
    flags = ("; HttpOnly" if http_only else "") + ("; Secure" if is_secure else "")
    return (b"set-cookie", f"{name}={value}; Max-Age={max_age}; Path={path}; SameSite=Lax{flags}".encode())


def etag(body: bytes) -> bytes:
    return b'"%s"' % xxhash.xxh3_128_hexdigest(body).encode()


def tag_of(digest: xxhash.xxh3_128) -> bytes:
    """The ETag of a body that was hashed in pieces."""
    return b'"%s"' % digest.hexdigest().encode()


def matches(tag: bytes, listed: bytes, *, weakly: bool) -> bool:
    """Whether a list of entity tags (If-Match, If-None-Match) holds `tag`."""
    if listed.strip() == b"*":
        return True
    tags = [entry.strip() for entry in listed.split(b",")]
    return tag in tags or (weakly and b"W/" + tag in tags)


async def with_first_piece(response: Response, pieces: AsyncGenerator[bytes, None], method: str) -> Response:
    """The response with its first piece ready before its status is sent, so that an error can still replace it."""
    if method != "HEAD":
        response.pieces = prepended(await anext(pieces), pieces)
    return response


async def prepended(first: bytes, rest: AsyncGenerator[bytes, None]) -> AsyncGenerator[bytes, None]:
    async with aclosing(rest):
        yield first
        async for piece in rest:
            yield piece
