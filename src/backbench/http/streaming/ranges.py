"""Range requests: a stored file, whole or in part, with a safe Content-Disposition."""

import re
import unicodedata
from urllib.parse import quote

from msgspec import Struct

from backbench.estimating.file_types import StoredFile
from backbench.http.requests import Request
from backbench.http.responses import REVALIDATED, Header, Response, empty, file_response, matches, not_modified
from backbench.integrations.blobs import Blobs

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
