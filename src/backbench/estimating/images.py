"""Images: the size of a PNG, JPEG or WebP, and a check that the content is nothing but the image.

Each format is parsed from the first byte to the last. Content that does not end where the format ends is rejected:
an image followed by HTML or an archive would have two types, depending on the program that reads it.

What a program that shows the image has to decode is bounded as well: every frame has the size that the image claims to
have, and there are at most MAX_PARTS scans or frames.
"""

import re
import zlib
from collections.abc import Callable
from typing import Final, NamedTuple

MAX_SIDE = 4096
# Scans of a JPEG, each of which is decoded over the whole image, and frames of an animation.
MAX_PARTS = 100


class Size(NamedTuple):
    """Width and height in pixels."""

    width: int
    height: int

    @property
    def is_too_large(self) -> bool:
        return max(self) > MAX_SIDE


PNG_SIGNATURE: Final = b"\x89PNG\r\n\x1a\n"
JPEG_SIGNATURE: Final = b"\xff\xd8\xff"
# The SOF markers of a JPEG. C4, C8 and CC in their range have other meanings (DHT, JPG, DAC).
_FRAMES = frozenset({*range(0xC0, 0xD0)} - {0xC4, 0xC8, 0xCC})
STANDALONE = frozenset({0x01, *range(0xD0, 0xD8)})
START_OF_SCAN, END_OF_IMAGE = 0xDA, 0xD9
# DNL, DHP and EXP give the image another size than its frame.
_RESIZING = frozenset({0xDC, 0xDE, 0xDF})
# In the coded data of a scan each 0xFF is followed by 0, a restart marker or another 0xFF.
MARKER_IN_SCAN = re.compile(rb"\xff[^\x00\xff\xd0-\xd7]")


def png_size(content: bytes) -> Size | None:
    """The size of a PNG; None if the content is not exactly one PNG."""
    if not content.startswith(PNG_SIGNATURE):
        return None
    at, size, has_pixels, frames = len(PNG_SIGNATURE), None, False, 0
    while at + 12 <= len(content):
        length = int.from_bytes(content[at : at + 4], "big")
        end = at + 12 + length
        kind, payload = content[at + 4 : at + 8], content[at + 8 : end - 4]
        if end > len(content) or zlib.crc32(kind + payload) != int.from_bytes(content[end - 4 : end], "big"):
            return None
        if (kind == b"IHDR") != (size is None):
            return None
        if kind == b"IHDR":
            size = _png_header(payload)
            if size is None:
                return None
        if kind == b"fcTL":
            frames += 1
            if size is None or frames > MAX_PARTS or not _contains_png_frame(size, payload):
                return None
        has_pixels = has_pixels or kind == b"IDAT"
        if kind == b"IEND":
            return size if has_pixels and not payload and end == len(content) else None
        at = end
    return None


def _png_header(payload: bytes) -> Size | None:
    if len(payload) != 13:
        return None
    return _positive(int.from_bytes(payload[:4], "big"), int.from_bytes(payload[4:8], "big"))


def _contains_png_frame(size: Size, payload: bytes) -> bool:
    """Whether the frame of an animation is within the image."""
    width, height, left, top = (int.from_bytes(payload[at : at + 4], "big") for at in (4, 8, 12, 16))
    return len(payload) == 26 and left + width <= size.width and top + height <= size.height


def jpeg_size(content: bytes) -> Size | None:
    """The size of a JPEG; None if the content is not exactly one JPEG."""
    if not content.startswith(JPEG_SIGNATURE):
        return None
    at, size, scans = 2, None, 0
    while at + 2 <= len(content) and content[at] == 0xFF:
        marker = content[at + 1]
        if marker == 0xFF:
            at += 1
            continue
        if marker == END_OF_IMAGE:
            return size if scans and at + 2 == len(content) else None
        if marker in STANDALONE:
            at += 2
            continue
        end = at + 2 + int.from_bytes(content[at + 2 : at + 4], "big")
        if end < at + 4 or end > len(content):
            return None
        if marker in _RESIZING or (marker in _FRAMES and size is not None):
            return None
        if marker in _FRAMES:
            size = _positive(
                int.from_bytes(content[at + 7 : at + 9], "big"), int.from_bytes(content[at + 5 : at + 7], "big")
            )
            if size is None or end < at + 10:
                return None
        if marker == START_OF_SCAN:
            next_marker = MARKER_IN_SCAN.search(content, end)
            scans += 1
            if size is None or next_marker is None or scans > MAX_PARTS:
                return None
            end = next_marker.start()
        at = end
    return None


def webp_size(content: bytes) -> Size | None:
    """The size of a WebP; None if the content is not exactly one WebP."""
    if content[:4] != b"RIFF" or content[8:12] != b"WEBP":
        return None
    if int.from_bytes(content[4:8], "little") + 8 != len(content):
        return None
    chunks = _webp_chunks(content[12:])
    if not chunks or chunks[0][0] not in _WEBP_HEADERS:
        return None
    size = _WEBP_HEADERS[chunks[0][0]](chunks[0][1])
    images = _webp_images(chunks)
    is_single = len(images) == 1 and images[0][0] != b"ANMF"
    is_animation = 1 <= len(images) <= MAX_PARTS and all(kind == b"ANMF" for kind, _ in images)
    if size is None or not (is_single or is_animation) or any(kind == b"VP8X" for kind, _ in chunks[1:]):
        return None
    return size if all(_fits_webp(size, kind, payload) for kind, payload in images) else None


def claimed_size(content: bytes) -> Size | None:
    """The size that the header of a PNG, JPEG or WebP claims; None where it claims none."""
    if content.startswith(PNG_SIGNATURE):
        return _png_header(content[16:29]) if content[12:16] == b"IHDR" else None
    if content[:4] == b"RIFF" and content[8:12] == b"WEBP":
        header = _WEBP_HEADERS.get(content[12:16])
        return None if header is None else header(content[20:30])
    return _first_frame(content)


def _first_frame(content: bytes) -> Size | None:
    """The size in the first SOF segment of a JPEG, before which there are only tables and metadata."""
    at = 2
    while at + 9 <= len(content) and content[at] == 0xFF:
        marker = content[at + 1]
        if marker in _FRAMES:
            height, width = content[at + 5 : at + 7], content[at + 7 : at + 9]
            return _positive(int.from_bytes(width, "big"), int.from_bytes(height, "big"))
        if marker in (START_OF_SCAN, END_OF_IMAGE):
            return None
        if marker == 0xFF or marker in STANDALONE:
            at += 1 if marker == 0xFF else 2
        else:
            at += 2 + int.from_bytes(content[at + 2 : at + 4], "big")
    return None


def _webp_chunks(content: bytes) -> list[tuple[bytes, bytes]] | None:
    """Kind and payload of every chunk; None if they do not end where the content ends."""
    at, chunks = 0, []
    while at + 8 <= len(content):
        kind, length = content[at : at + 4], int.from_bytes(content[at + 4 : at + 8], "little")
        payload = content[at + 8 : at + 8 + length]
        if len(payload) != length:
            return None
        chunks.append((kind, payload))
        at += 8 + length + length % 2
    return chunks if at == len(content) else None


def _webp_images(chunks: list[tuple[bytes, bytes]]) -> list[tuple[bytes, bytes]]:
    return [(kind, payload) for kind, payload in chunks if kind in (b"VP8 ", b"VP8L", b"ANMF")]


def _fits_webp(size: Size, kind: bytes, payload: bytes) -> bool:
    """Whether the image fills the canvas; for the frame of an animation, whether it is within the canvas."""
    if kind != b"ANMF":
        return _WEBP_HEADERS[kind](payload) == size
    left, top = (2 * int.from_bytes(payload[at : at + 3], "little") for at in (0, 3))
    frame = Size(*(int.from_bytes(payload[at : at + 3], "little") + 1 for at in (6, 9)))
    images = _webp_images(_webp_chunks(payload[16:]) or [])
    return (
        left + frame.width <= size.width
        and top + frame.height <= size.height
        and len(images) == 1
        and images[0][0] != b"ANMF"
        and _WEBP_HEADERS[images[0][0]](images[0][1]) == frame
    )


def _webp_lossy(payload: bytes) -> Size | None:
    if len(payload) < 10 or payload[3:6] != b"\x9d\x01\x2a":
        return None
    return _positive(int.from_bytes(payload[6:8], "little") & 0x3FFF, int.from_bytes(payload[8:10], "little") & 0x3FFF)


def _webp_lossless(payload: bytes) -> Size | None:
    if len(payload) < 5 or payload[0] != 0x2F:
        return None
    bits = int.from_bytes(payload[1:5], "little")
    return Size((bits & 0x3FFF) + 1, (bits >> 14 & 0x3FFF) + 1)


def _webp_extended(payload: bytes) -> Size | None:
    if len(payload) != 10:
        return None
    return Size(int.from_bytes(payload[4:7], "little") + 1, int.from_bytes(payload[7:10], "little") + 1)


_WEBP_HEADERS: dict[bytes, Callable[[bytes], Size | None]] = {
    b"VP8 ": _webp_lossy,
    b"VP8L": _webp_lossless,
    b"VP8X": _webp_extended,
}


def _positive(width: int, height: int) -> Size | None:
    return Size(width, height) if width and height else None
