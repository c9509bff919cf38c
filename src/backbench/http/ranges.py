"""Stored bytes over HTTP: whole or a range of them, under a name that no header can be broken with."""

import re
from urllib.parse import quote

from backbench.domain.estimating.files import StoredFile
from backbench.http.requests import Request
from backbench.http.responses import Header, Response, empty, file_response, matches, not_modified
from backbench.integrations.blobs import Blobs

_RANGE = re.compile(r"bytes=(?:([0-9]{1,18})-([0-9]{0,18})|-([0-9]{1,18}))", re.ASCII)


def sent(request: Request, blobs: Blobs, file: StoredFile, *, inline: bool = False) -> Response:
    """The file's bytes, or the one range of them that was asked for; several ranges are answered with all of it."""
    # Bytes never change under an id, so the id is as good a tag as their sum.
    tag = b'"%s"' % file.id.encode()
    known = request.headers.get(b"if-none-match")
    if known is not None and matches(tag, known, weakly=True):
        return not_modified(tag)
    headers = [
        (b"etag", tag),
        (b"accept-ranges", b"bytes"),
        (b"content-disposition", disposition(file.download_name, inline=inline)),
    ]
    start, end = _asked_range(request, tag, file.size_bytes) or (0, file.size_bytes)
    if start >= end:
        return empty(416, (b"content-range", b"bytes */%d" % file.size_bytes))
    kind, pieces = file.content_type.encode(), blobs.read(file.id, start, end)
    if (start, end) == (0, file.size_bytes):
        return file_response(200, kind, end, pieces, *headers)
    place: Header = (b"content-range", b"bytes %d-%d/%d" % (start, end - 1, file.size_bytes))
    return file_response(206, kind, end - start, pieces, *headers, place)


def disposition(name: str, *, inline: bool) -> bytes:
    """RFC 6266: the name in ASCII for old programs, and as it is (RFC 8187) for all others."""
    plain = re.sub(r'[^ -~]|["\\%]', "_", name)
    kind = "inline" if inline else "attachment"
    return f"{kind}; filename=\"{plain}\"; filename*=UTF-8''{quote(name, safe='')}".encode()


def _asked_range(request: Request, tag: bytes, size: int) -> tuple[int, int] | None:
    """From where up to where; an empty range where none can be satisfied; None for all of it."""
    if request.method != "GET" or request.headers.get(b"if-range", tag) != tag:
        return None
    asked = _RANGE.fullmatch((request.header(b"range") or "").strip())
    if asked is None:
        return None
    first, last, suffix = asked.groups()
    if suffix is not None:
        return max(0, size - int(suffix)), size
    if last and int(last) < int(first):
        return None
    return int(first), min(size, int(last) + 1) if last else size
