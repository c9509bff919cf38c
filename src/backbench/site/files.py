"""Files of the site in memory, with their type, caching and compressed forms."""

import gzip
from pathlib import PurePosixPath
from typing import Final

import zstandard

from backbench.http.requests import Request
from backbench.http.responses import Header, Response, encoded_tag, encoding_for, etag, matches, plain_tags
from backbench.site.responses import page

REVALIDATED: Final = "no-cache"
IMMUTABLE: Final = "public, max-age=31536000, immutable"
# Not those of the machine, whose table may lack some or name others.
TYPES: Final = {
    ".css": "text/css; charset=utf-8",
    ".html": "text/html; charset=utf-8",
    ".js": "text/javascript; charset=utf-8",
    ".json": "application/json",
    ".png": "image/png",
    ".svg": "image/svg+xml",
    ".txt": "text/plain; charset=utf-8",
    ".webmanifest": "application/manifest+json",
    ".webp": "image/webp",
    ".woff2": "font/woff2",
}
_COMPRESSED_ALREADY: Final = {".png", ".webp", ".woff2"}


class SiteFile:
    """A file. It is compressed when it is first requested in an encoding, and then never again."""

    def __init__(self, path: str, content: bytes, caching: str) -> None:
        self.content = content
        suffix = PurePosixPath(path).suffix
        self._type: Header = (b"content-type", TYPES[suffix].encode())
        self._headers: list[Header] = [(b"cache-control", caching.encode())]
        self._is_compressible = suffix not in _COMPRESSED_ALREADY
        if self._is_compressible:
            self._headers.append((b"vary", b"accept-encoding"))
        self._tag = etag(content)
        self._compressed: dict[bytes, bytes] = {}

    def respond(self, request: Request) -> Response:
        """The file in the encoding that the browser prefers; 304 where the browser has it."""
        accepted = request.headers.get(b"accept-encoding", b"")
        encoding = encoding_for(accepted) if self._is_compressible else None
        tag = self._tag if encoding is None else encoded_tag(encoding, self._tag)
        headers = [*self._headers, (b"etag", tag)]
        known = request.headers.get(b"if-none-match")
        if known is not None and matches(self._tag, plain_tags(known), weakly=True):
            return page(304, b"", *headers)
        if encoding is None:
            return page(200, self.content, self._type, *headers)
        return page(200, self.compressed(encoding), self._type, *headers, (b"content-encoding", encoding))

    def compressed(self, encoding: bytes) -> bytes:
        found = self._compressed.get(encoding)
        if found is None:
            found = self._compressed[encoding] = _compress(self.content, encoding)
        return found


def _compress(content: bytes, encoding: bytes) -> bytes:
    if encoding == b"zstd":
        # A higher level takes six times as long for one percent less.
        return zstandard.ZstdCompressor(level=12).compress(content)
    return gzip.compress(content, compresslevel=9, mtime=0)
