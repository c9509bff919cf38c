"""Photos for tests: images that can be decoded, with all kinds of metadata, and hostile ones."""

import io
import struct
import zlib
from functools import cache
from typing import Any, Literal

from PIL import Image, PngImagePlugin

# Text that must never come back, wherever it was put.
MARKER = b"SECRET-MARKER-52.2297N"


@cache
def pixels(width: int, height: int) -> Image.Image:
    """Red above blue, with a white corner at the top left: which side is up can be seen."""
    image = Image.new("RGB", (width, height), (200, 30, 30))
    image.paste((30, 30, 200), (0, height // 2, width, height))
    image.paste((255, 255, 255), (0, 0, width // 4, height // 4))
    return image


def jpeg(width: int = 64, height: int = 48, **options: Any) -> bytes:
    return _saved(pixels(width, height), "JPEG", quality=90, **options)


def png(width: int = 64, height: int = 48, **options: Any) -> bytes:
    return _saved(pixels(width, height), "PNG", **options)


def webp(width: int = 64, height: int = 48, **options: Any) -> bytes:
    return _saved(pixels(width, height), "WEBP", **options)


def turned(orientation: int) -> bytes:
    """A JPEG whose EXIF says that it is to be turned."""
    exif = Image.Exif()
    exif[0x0112] = orientation
    return jpeg(exif=exif)


def exif_with_marker() -> Image.Exif:
    exif = Image.Exif()
    exif[0x010E] = MARKER.decode()
    exif.get_ifd(0x8825)[1] = "N"
    exif.get_ifd(0x8825)[29] = MARKER.decode()
    return exif


def marked_jpeg() -> bytes:
    """A JPEG with the marker in EXIF, GPS, XMP, ICC, IPTC, a comment, an unknown segment, and after its end."""
    plain = jpeg(exif=exif_with_marker(), comment=MARKER, xmp=b"<x:xmpmeta>" + MARKER + b"</x:xmpmeta>")
    segments = b"".join(_segment(marker, MARKER) for marker in (0xE2, 0xEC, 0xED, 0xEE, 0xEF))
    return plain[:2] + segments + plain[2:] + MARKER


def marked_png() -> bytes:
    info = PngImagePlugin.PngInfo()
    info.add_text("Comment", MARKER.decode())
    info.add_itxt("XML:com.adobe.xmp", MARKER.decode())
    return png(pnginfo=info, exif=exif_with_marker()) + MARKER


def marked_webp() -> bytes:
    return webp(exif=exif_with_marker(), xmp=MARKER) + MARKER


@cache
def png_bomb(width: int = 50_000, height: int = 50_000) -> bytes:
    """A complete PNG of one colour with one bit a pixel: 300 MB in 300 kB, and 7.5 GB as RGB."""
    return _png_of_zeros(width, height, 1, 0)


def black_png(size: tuple[int, int], mode: Literal["RGB", "RGBA"]) -> bytes:
    """Of eight bits a colour. Its zeros are not compressed one by one."""
    return _png_of_zeros(*size, 8 * len(mode), {"RGB": 2, "RGBA": 6}[mode])


def _png_of_zeros(width: int, height: int, bits: int, colour_type: int) -> bytes:
    header = struct.pack(">IIBBBBB", width, height, min(bits, 8), colour_type, 0, 0, 0)
    rows = _packed_zeros((1 + (width * bits + 7) // 8) * height)
    return b"\x89PNG\r\n\x1a\n" + _chunk(b"IHDR", header) + _chunk(b"IDAT", rows) + _chunk(b"IEND", b"")


def _packed_zeros(size: int) -> bytes:
    """A zlib stream, a million zeros compressed once: to compress 300 MB takes most of a second."""

    def block(length: int) -> bytes:
        packer = zlib.compressobj(9, wbits=-zlib.MAX_WBITS)
        return packer.compress(bytes(length)) + packer.flush(zlib.Z_FULL_FLUSH)

    millions, rest = divmod(size, 1_000_000)
    # The end is an empty block and the Adler-32 checksum, which of zeros follows from their number.
    return b"\x78\xda" + block(1_000_000) * millions + block(rest) + b"\x03\x00" + struct.pack(">HH", size % 65521, 1)


HEIC = b"\0\0\0\x18ftypheic\0\0\0\0mif1heic" + b"\0" * 64
GIF = b"GIF89a" + b"\1\0\1\0\0\0\0;"
AVIF = b"\0\0\0\x1cftypavif\0\0\0\0avifmif1" + b"\0" * 64


def _saved(image: Image.Image, kind: str, **options: Any) -> bytes:
    file = io.BytesIO()
    image.save(file, kind, **options)
    return file.getvalue()


def _segment(marker: int, content: bytes) -> bytes:
    return bytes((0xFF, marker)) + struct.pack(">H", len(content) + 2) + content


def _chunk(kind: bytes, inside: bytes) -> bytes:
    return struct.pack(">I", len(inside)) + kind + inside + struct.pack(">I", zlib.crc32(kind + inside))
