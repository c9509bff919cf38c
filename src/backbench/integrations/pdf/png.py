"""PNG: images of eight bits a channel, without transparency, as PDFium draws them."""

import struct
import zlib
from ctypes import Array, c_ubyte

from isal import isal_zlib

# ISA-L takes a sixth of the time of zlib's lowest level, and makes a page a sixth larger.
COMPRESSION_LEVEL = 1
# A colour with eight bits a channel, not interlaced, in PNG's terms.
_RGB = (8, 2, 0, 0, 0)


class Rows:
    """The rows of an image as PNG has them: before each row a byte with its filter, of which 0 is none.

    `pixels` starts after the first of these bytes; rows are `stride` bytes apart. It is white, and drawn into without a
    copy.
    """

    def __init__(self, width: int, height: int) -> None:
        self._width = width
        self._height = height
        self.stride = 3 * width + 1
        # White, except for the filters.
        self._bytes = bytearray(b"\xff") * (1 + self.stride * height)
        self._bytes[:: self.stride] = bytes(height + 1)
        self.pixels: Array[c_ubyte] = (c_ubyte * (self.stride * height)).from_buffer(self._bytes, 1)

    def png(self) -> bytes:
        # The last byte would be the filter of another row.
        pixels = isal_zlib.compress(memoryview(self._bytes)[:-1], COMPRESSION_LEVEL)
        head = struct.pack(">IIBBBBB", self._width, self._height, *_RGB)
        return b"\x89PNG\r\n\x1a\n" + _chunk(b"IHDR", head) + _chunk(b"IDAT", pixels) + _chunk(b"IEND", b"")


def _chunk(kind: bytes, data: bytes) -> bytes:
    return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))
