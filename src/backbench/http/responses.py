"""Responses: headers, ETag, compression, and the representation of what a verb returns."""

import asyncio
import gzip
import re
import zlib
from collections.abc import AsyncGenerator, Iterable, Mapping
from contextlib import aclosing
from functools import cache
from operator import attrgetter
from typing import Any, Final

import msgspec
import xxhash
import zstandard
from msgspec import Struct

from backbench.http.operations import Operation, snake
from backbench.http.requests import Request
from backbench.values.enums import HstsScope
from backbench.values.numbers import to_json
from backbench.values.pagination import Page
from backbench.workshops.audit import Audited, Unchanged

Header = tuple[bytes, bytes]
# The API serves data, never pages: nothing may be framed, sniffed, executed or cached.
_SECURITY: Final[tuple[Header, ...]] = (
    (b"x-content-type-options", b"nosniff"),
    (b"content-security-policy", b"default-src 'none'; base-uri 'none'; frame-ancestors 'none'"),
    (b"referrer-policy", b"no-referrer"),
    (b"cross-origin-resource-policy", b"same-origin"),
)
# By what the host sets. Without a header browsers would keep for a year what they got before: 0 ends it.
_STRICT_TRANSPORT: Final = {
    "subdomains": b"max-age=31536000; includeSubDomains",
    "host": b"max-age=31536000",
    "off": b"max-age=0",
}
_TYPE: Final[Header] = (b"content-type", b"application/json")
# A read may be cached by the browser and revalidated by its ETag; nothing else may be cached.
REVALIDATED: Final = b"private, no-cache"
# Bytes that never change, under an address that means them alone.
IMMUTABLE: Final = b"private, max-age=31536000, immutable"
_CACHEABLE: Final[tuple[Header, ...]] = (_TYPE, (b"cache-control", REVALIDATED), *_SECURITY)
_UNCACHED: Final[tuple[Header, ...]] = (_TYPE, (b"cache-control", b"no-store"), *_SECURITY)
_EMPTY: Final[tuple[Header, ...]] = ((b"cache-control", b"no-store"), *_SECURITY)


def strict_transport(hsts: HstsScope) -> Header:
    """The header of every response where the public URL is https."""
    return (b"strict-transport-security", _STRICT_TRANSPORT[hsts])


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


def uncached(body: bytes) -> Response:
    """JSON that is read once: no cache keeps it, neither the browser's nor a shared one."""
    headers = [_TYPE, (b"cache-control", b"private, no-store"), *_SECURITY]
    return Response(200, body, [*headers, (b"content-length", b"%d" % len(body))])


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
    response = image(png, tag)
    response.headers.append((b"page-count", b"%d" % page_count))
    return response


def image(content: bytes, tag: bytes, kind: bytes = b"image/png") -> Response:
    """An image that is in memory: a drawn one, or a logo for clients."""
    length = (b"content-length", b"%d" % len(content))
    return Response(200, content, [(b"content-type", kind), *not_modified(tag).headers, length])


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


_PLACEHOLDER = re.compile(r"{([\w.]+)}")


class Representation(Struct, frozen=True):
    """A GET of a single resource. `member` is the one that holds what the write returns; "" where they are the same."""

    path: str
    member: str


def representation_of(operation: Operation, readable: Iterable[Operation]) -> Representation | None:
    """The GET whose response is what this operation returns, alone or as its only member.

    Raises TypeError where that would be several.
    """
    if operation.is_safe or operation.response is None or operation.status not in (200, 201):
        return None
    found = [
        Representation(get.path, member)
        for get in readable
        if get.method == "GET" and (member := _members_of(get.response).get(operation.response)) is not None
    ]
    if len(found) > 1:
        raise TypeError(f"{operation.name}: several GET operations return what it returns")
    return found[0] if found else None


def location_of(operation: Operation, representation: Representation | None) -> str | None:
    """The path of what the operation creates: declared, or the representation's, which ends with the new id."""
    if operation.status != 201 or operation.location is not None or representation is None:
        return operation.location
    parent, _, last = representation.path.rpartition("/")
    return f"{parent}/{{id}}" if last.startswith("{") else None


class ReturnedResource:
    """The headers of responses that return or create a resource."""

    def __init__(self, operation: Operation, readable: Iterable[Operation], prefix: str) -> None:
        representation = representation_of(operation, readable)
        self._location = _Location(operation, location_of(operation, representation), prefix)
        self._has_tag = representation is not None
        member = "" if representation is None else representation.member
        self._before, self._after = (b'{"%s":' % member.encode(), b"}") if member else (b"", b"")

    def headers(self, params: Mapping[str, str], body: bytes, result: Any) -> list[Header]:
        """Of a response whose body is `result` as JSON."""
        return [*self._tag(body), *self._location.of_result(params, result)]

    def stored_headers(self, params: Mapping[str, str], body: bytes) -> list[Header]:
        """Of a replay: those of the first response."""
        return [*self._tag(body), *self._location.of_stored(params, body)]

    def _tag(self, body: bytes) -> list[Header]:
        return [(b"etag", etag(self._before + body + self._after))] if self._has_tag else []


class _Location:
    """Fills in the path of a created resource. Gives no header where there is no path."""

    def __init__(self, operation: Operation, path: str | None, prefix: str) -> None:
        """Raises TypeError unless the path has exactly one placeholder that is no parameter of the operation's path."""
        self._names: list[str] = []
        self._format: str | None = None
        if path is None:
            return
        own = [name for name in _PLACEHOLDER.findall(path) if name not in operation.path_names]
        if len(own) != 1:
            raise TypeError(f"{operation.name}: {path} needs one member of the response")
        self._names = own[0].split(".")
        self._attribute = attrgetter(".".join(snake(name) for name in self._names))
        self._format = prefix + _PLACEHOLDER.sub(lambda each: _slot(each[1], own[0]), path)

    def of_result(self, params: Mapping[str, str], result: Any) -> list[Header]:
        return [] if self._format is None else [_header(self._format, params, self._attribute(result))]

    def of_stored(self, params: Mapping[str, str], body: bytes) -> list[Header]:
        if self._format is None:
            return []
        value = msgspec.json.decode(body)
        for name in self._names:
            value = value[name]
        return [_header(self._format, params, value)]


def _slot(name: str, own: str) -> str:
    return "{_created}" if name == own else f"{{{snake(name)}}}"


def _header(format_: str, params: Mapping[str, str], value: Any) -> Header:
    return (b"location", format_.format(_created=value, **params).encode())


# Asked for by each operation that writes, of each that reads.
@cache
def _members_of(type_: Any) -> dict[Any, str]:
    """What a response of this type is, and its only member, by their types."""
    # Counted first: the types of members are found by evaluating annotations, which takes long at the start.
    if not (isinstance(type_, type) and issubclass(type_, Struct) and len(type_.__struct_fields__) == 1):
        return {type_: ""}
    (field,) = msgspec.structs.fields(type_)
    return {field.type: field.encode_name, type_: ""}


# What a verb returned is inside, with what it says for the audit trail. A union would be made anew at each check.
_WITH_AUDIT = (Audited, Unchanged)


class Representations:
    """The responses of one operation."""

    def __init__(self, operation: Operation) -> None:
        self._shape = operation.response
        self._status = operation.status
        self._is_safe = operation.is_safe
        # Finds the address and ETag of what a write returned.
        self.returned = ReturnedResource(operation, (), "")

    def response(self, result: Any, request: Request) -> Response:
        if isinstance(result, Response):
            return result
        if self._shape is None:
            return empty(self._status)
        if not self._is_safe:
            shape = result.result if isinstance(result, _WITH_AUDIT) else result
            body = to_json(shape)
            response = json_response(self._status, body)
            response.headers += self.returned.headers(request.params, body, shape)
            return response
        body = self.encode(result)
        response = conditional(body, request.headers.get(b"if-none-match"))
        return linked(response, result, request) if isinstance(result, Page) and response.status == 200 else response

    def encode(self, result: Any) -> bytes:
        """The JSON of a result: encoded already, a page in its list's shape, or a shape."""
        if isinstance(result, bytes):
            return result
        if isinstance(result, Page):
            return to_json(result.in_shape(self._shape, result.items))
        return to_json(result.result if isinstance(result, _WITH_AUDIT) else result)


def linked(response: Response, result: Page[Any], request: Request) -> Response:
    """The response with a link to the next page, where there is one."""
    if result.next_cursor is not None:
        response.headers.append((b"link", request.link_to_next(result.next_cursor)))
    return response
