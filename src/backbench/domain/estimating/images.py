"""Images for tiles: how large they are, read from their bytes, and that nothing else hides behind them.

A format is walked from its first byte to its last. What does not end where the format ends is not that format:
an image with a page of HTML or an archive behind it would be two things to two programs.
"""

import re
import zlib
from collections.abc import Callable
from typing import Final, NamedTuple

LARGEST_SIDE = 4096


class Size(NamedTuple):
    """Pixels."""

    width: int
    height: int

    @property
    def is_too_large(self) -> bool:
        return max(self) > LARGEST_SIDE


PNG_BEGINNING: Final = b"\x89PNG\r\n\x1a\n"
JPEG_BEGINNING: Final = b"\xff\xd8\xff"
# The kinds of frame that a JPEG may announce: every SOF but the ones that are something else (DHT, JPG, DAC).
_FRAMES = frozenset({*range(0xC0, 0xD0)} - {0xC4, 0xC8, 0xCC})
_STANDALONE = frozenset({0x01, *range(0xD0, 0xD8)})
_START_OF_SCAN, _END = 0xDA, 0xD9
# In the coded data of a scan every 0xFF is followed by 0, by a restart marker or by another 0xFF.
_MARKER_IN_SCAN = re.compile(rb"\xff[^\x00\xff\xd0-\xd7]")


def png_size(content: bytes) -> Size | None:
    """None where it is no PNG from the first byte to the last."""
    if not content.startswith(PNG_BEGINNING):
        return None
    at, size, has_pixels = len(PNG_BEGINNING), None, False
    while at + 12 <= len(content):
        length = int.from_bytes(content[at : at + 4], "big")
        end = at + 12 + length
        kind, inside = content[at + 4 : at + 8], content[at + 8 : end - 4]
        if end > len(content) or zlib.crc32(kind + inside) != int.from_bytes(content[end - 4 : end], "big"):
            return None
        if (kind == b"IHDR") != (size is None):
            return None
        if kind == b"IHDR":
            size = _png_header(inside)
            if size is None:
                return None
        has_pixels = has_pixels or kind == b"IDAT"
        if kind == b"IEND":
            return size if has_pixels and not inside and end == len(content) else None
        at = end
    return None


def _png_header(inside: bytes) -> Size | None:
    if len(inside) != 13:
        return None
    return _positive(int.from_bytes(inside[:4], "big"), int.from_bytes(inside[4:8], "big"))


def jpeg_size(content: bytes) -> Size | None:
    """None where it is no JPEG from the first byte to the last."""
    if not content.startswith(JPEG_BEGINNING):
        return None
    at, size, has_scan = 2, None, False
    while at + 2 <= len(content) and content[at] == 0xFF:
        marker = content[at + 1]
        if marker == 0xFF:
            at += 1
            continue
        if marker == _END:
            return size if has_scan and at + 2 == len(content) else None
        if marker in _STANDALONE:
            at += 2
            continue
        end = at + 2 + int.from_bytes(content[at + 2 : at + 4], "big")
        if end < at + 4 or end > len(content):
            return None
        if marker in _FRAMES:
            size = _positive(
                int.from_bytes(content[at + 7 : at + 9], "big"), int.from_bytes(content[at + 5 : at + 7], "big")
            )
            if size is None or end < at + 10:
                return None
        if marker == _START_OF_SCAN:
            following = _MARKER_IN_SCAN.search(content, end)
            if size is None or following is None:
                return None
            has_scan = True
            end = following.start()
        at = end
    return None


def webp_size(content: bytes) -> Size | None:
    """None where it is no WebP from the first byte to the last."""
    if content[:4] != b"RIFF" or content[8:12] != b"WEBP":
        return None
    if int.from_bytes(content[4:8], "little") + 8 != len(content):
        return None
    at, size, has_pixels = 12, None, False
    while at + 8 <= len(content):
        kind, length = content[at : at + 4], int.from_bytes(content[at + 4 : at + 8], "little")
        inside = content[at + 8 : at + 8 + length]
        if len(inside) != length:
            return None
        if at == 12:
            reader = _WEBP_HEADERS.get(kind)
            size = reader(inside) if reader else None
            if size is None:
                return None
        has_pixels = has_pixels or kind in (b"VP8 ", b"VP8L", b"ANMF")
        at += 8 + length + length % 2
    return size if has_pixels and at == len(content) else None


def _webp_lossy(inside: bytes) -> Size | None:
    if len(inside) < 10 or inside[3:6] != b"\x9d\x01\x2a":
        return None
    return _positive(int.from_bytes(inside[6:8], "little") & 0x3FFF, int.from_bytes(inside[8:10], "little") & 0x3FFF)


def _webp_lossless(inside: bytes) -> Size | None:
    if len(inside) < 5 or inside[0] != 0x2F:
        return None
    bits = int.from_bytes(inside[1:5], "little")
    return Size((bits & 0x3FFF) + 1, (bits >> 14 & 0x3FFF) + 1)


def _webp_extended(inside: bytes) -> Size | None:
    if len(inside) != 10:
        return None
    return Size(int.from_bytes(inside[4:7], "little") + 1, int.from_bytes(inside[7:10], "little") + 1)


_WEBP_HEADERS: dict[bytes, Callable[[bytes], Size | None]] = {
    b"VP8 ": _webp_lossy,
    b"VP8L": _webp_lossless,
    b"VP8X": _webp_extended,
}


def _positive(width: int, height: int) -> Size | None:
    return Size(width, height) if width and height else None
