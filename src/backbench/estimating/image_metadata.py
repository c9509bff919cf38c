"""Image metadata: place, time, camera, texts and previews, deleted from a logo before a client gets it.

The logo is a PNG, JPEG or WebP that was checked when it was uploaded. The pixels stay as they are, byte for byte, with
what says how to show them: colours, transparency, frames, and the orientation.
"""

import struct
import zlib
from collections.abc import Iterator

from backbench.estimating.images import (
    END_OF_IMAGE,
    JPEG_SIGNATURE,
    MARKER_IN_SCAN,
    PNG_SIGNATURE,
    STANDALONE,
    START_OF_SCAN,
)

_EXIF = b"Exif\0\0"
_ORIENTATION, _SHORT = 0x0112, 3
# Ancillary chunks of a PNG that say how to show it. Critical ones begin with a capital letter.
_SHOWN_CHUNKS = {
    b"tRNS", b"gAMA", b"cHRM", b"sRGB", b"iCCP", b"cICP", b"sBIT", b"bKGD", b"pHYs", b"acTL", b"fcTL", b"fdAT",
}  # fmt: skip
_WEBP_CHUNKS = {b"VP8X", b"ICCP", b"ANIM", b"ANMF", b"ALPH", b"VP8 ", b"VP8L"}
# Flags in the first chunk of a WebP that has others.
_HAS_EXIF, _HAS_XMP = 0x08, 0x04
_COMMENT, _FILL = 0xFE, 0xFF
_APPLICATION = range(0xE0, 0xF0)
# By marker, what application segments begin with that say how to show a JPEG: the header, a profile, the colours.
_SHOWN_SEGMENTS = {0xE0: b"JFIF\0", 0xE2: b"ICC_PROFILE\0", 0xEE: b"Adobe"}
# A header that is longer has a preview.
_JFIF_BYTES = 14
_HEADER_SEGMENT, _EXIF_SEGMENT = 0xE0, 0xE1


def without_metadata(content: bytes) -> bytes:
    """`content` is exactly one PNG, JPEG or WebP."""
    if content.startswith(PNG_SIGNATURE):
        return PNG_SIGNATURE + b"".join(_png_chunks(content))
    if content.startswith(JPEG_SIGNATURE):
        return content[:2] + b"".join(_jpeg_segments(content))
    chunks = b"".join(_webp_chunks(content))
    return b"RIFF" + struct.pack("<I", len(chunks) + 4) + b"WEBP" + chunks


def _png_chunks(content: bytes) -> Iterator[bytes]:
    at = len(PNG_SIGNATURE)
    while at < len(content):
        end = at + 12 + int.from_bytes(content[at : at + 4], "big")
        kind = content[at + 4 : at + 8]
        if kind[:1].isupper() or kind in _SHOWN_CHUNKS:
            yield content[at:end]
        elif kind == b"eXIf" and (exif := _orientation_alone(content[at + 8 : end - 4])):
            yield struct.pack(">I", len(exif)) + kind + exif + struct.pack(">I", zlib.crc32(kind + exif))
        at = end


def _jpeg_segments(content: bytes) -> Iterator[bytes]:
    """Those behind the first marker, each scan with its coded data."""
    at = 2
    while at < len(content):
        marker = content[at + 1]
        if marker == _FILL:
            at += 1
            continue
        if marker == END_OF_IMAGE:
            yield content[at:]
            return
        end = at + 2 if marker in STANDALONE else at + 2 + int.from_bytes(content[at + 2 : at + 4], "big")
        if marker == START_OF_SCAN:
            behind = MARKER_IN_SCAN.search(content, end)
            assert behind is not None
            end = behind.start()
        segment = content[at:end]
        if marker == _EXIF_SEGMENT and segment[4:].startswith(_EXIF):
            if exif := _orientation_alone(segment[4 + len(_EXIF) :]):
                yield b"\xff\xe1" + struct.pack(">H", 2 + len(_EXIF) + len(exif)) + _EXIF + exif
        elif _is_shown(marker, segment[4:]):
            yield segment
        at = end


def _is_shown(marker: int, payload: bytes) -> bool:
    if marker not in _APPLICATION:
        return marker != _COMMENT
    beginning = _SHOWN_SEGMENTS.get(marker)
    return (
        beginning is not None
        and payload.startswith(beginning)
        and (marker != _HEADER_SEGMENT or len(payload) == _JFIF_BYTES)
    )


def _webp_chunks(content: bytes) -> Iterator[bytes]:
    at, chunks = 12, []
    while at < len(content):
        kind, length = content[at : at + 4], int.from_bytes(content[at + 4 : at + 8], "little")
        chunks.append((kind, content[at + 8 : at + 8 + length]))
        at += 8 + length + length % 2
    exif = next((_orientation_alone(payload.removeprefix(_EXIF)) for kind, payload in chunks if kind == b"EXIF"), b"")
    for kind, payload in chunks:
        shown = payload
        if kind == b"VP8X":
            flags = payload[0] & ~(_HAS_EXIF | _HAS_XMP) | (_HAS_EXIF if exif else 0)
            shown = bytes([flags]) + payload[1:]
        if kind in _WEBP_CHUNKS:
            yield _webp_chunk(kind, shown)
    if exif:
        yield _webp_chunk(b"EXIF", exif)


def _webp_chunk(kind: bytes, payload: bytes) -> bytes:
    return kind + struct.pack("<I", len(payload)) + payload + b"\0" * (len(payload) % 2)


def _orientation_alone(exif: bytes) -> bytes:
    """Metadata (TIFF) with nothing but the orientation; b"" for an image that is upright, or that says nothing."""
    order = {b"II*\0": "<", b"MM\0*": ">"}.get(exif[:4])
    if order is None:
        return b""
    try:
        (at,) = struct.unpack_from(f"{order}I", exif, 4)
        (number,) = struct.unpack_from(f"{order}H", exif, at)
        entries = [struct.unpack_from(f"{order}HHIH", exif, at + 2 + 12 * index) for index in range(number)]
    except struct.error:
        return b""
    orientation = next((value for tag, kind, _, value in entries if (tag, kind) == (_ORIENTATION, _SHORT)), 1)
    if orientation not in range(2, 9):
        return b""
    return b"MM\0*" + struct.pack(">IHHHIHHI", 8, 1, _ORIENTATION, _SHORT, 1, orientation, 0, 0)
