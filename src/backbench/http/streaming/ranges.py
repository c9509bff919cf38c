"""Range requests: a stored file, whole or in part, with a safe Content-Disposition."""

import re
import unicodedata
from urllib.parse import quote

from backbench.domain.estimating.files import StoredFile
from backbench.http.requests import Request
from backbench.http.responses import Header, Response, empty, file_response, matches, not_modified
from backbench.integrations.blobs import Blobs

# Letters that are no base letter with an accent to Unicode.
_BASE_LETTERS = str.maketrans(
    {"ł": "l", "Ł": "L", "ø": "o", "Ø": "O", "đ": "d", "Đ": "D", "ß": "ss", "æ": "ae", "Æ": "AE"}
)
_RANGE = re.compile(r"bytes=(?:([0-9]{1,18})-([0-9]{0,18})|-([0-9]{1,18}))", re.ASCII)


def file_or_range(request: Request, blobs: Blobs, file: StoredFile, *, inline: bool = False) -> Response:
    """The file, or the one range of it that was requested. A request for several ranges gets the whole file."""
    # The bytes under an id never change, so the id serves as the ETag.
    tag = b'"%s"' % file.id.encode()
    known = request.headers.get(b"if-none-match")
    if known is not None and matches(tag, known, weakly=True):
        return not_modified(tag)
    headers = [
        (b"etag", tag),
        (b"accept-ranges", b"bytes"),
        (b"content-disposition", disposition(file.download_name, inline=inline)),
    ]
    start, end = _requested_range(request, tag, file.size_bytes) or (0, file.size_bytes)
    if start >= end:
        return empty(416, (b"content-range", b"bytes */%d" % file.size_bytes))
    kind, pieces = file.content_type.encode(), blobs.read(file.id, start, end)
    if (start, end) == (0, file.size_bytes):
        return file_response(200, kind, end, pieces, *headers)
    content_range: Header = (b"content-range", b"bytes %d-%d/%d" % (start, end - 1, file.size_bytes))
    return file_response(206, kind, end - start, pieces, *headers, content_range)


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
