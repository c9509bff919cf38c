"""Images, PDFs and archives for tests: minimal files of each type, of any size in pixels."""

import io
import struct
import zipfile
import zlib


def png(width: int = 8, height: int = 8, *, padding: int = 0) -> bytes:
    """A grey image, made larger by a comment of `padding` bytes."""
    header = struct.pack(">IIBBBBB", width, height, 8, 0, 0, 0, 0)
    rows = zlib.compress((b"\0" + b"\x80" * width) * min(height, 16))
    chunks = [_chunk(b"IHDR", header)]
    if padding:
        chunks.append(_chunk(b"tEXt", b"Comment\0" + b"x" * padding))
    return b"\x89PNG\r\n\x1a\n" + b"".join([*chunks, _chunk(b"IDAT", rows), _chunk(b"IEND", b"")])


def png_of(size: int) -> bytes:
    """An image of exactly `size` bytes."""
    return png(padding=size - len(png(padding=1)) + 1)


def jpeg(width: int = 8, height: int = 8) -> bytes:
    quantization = b"\xff\xdb" + struct.pack(">H", 67) + b"\0" + b"\x01" * 64
    frame = b"\xff\xc0" + struct.pack(">HBHHB", 11, 8, height, width, 1) + b"\x01\x11\0"
    tables = b"\xff\xc4" + struct.pack(">H", 20) + b"\0" + b"\x01" + b"\0" * 15 + b"\0"
    scan = b"\xff\xda" + struct.pack(">HB", 8, 1) + b"\x01\0\0\x3f\0" + b"\x12\xff\x00\x34\xff\xd0\x56"
    return b"\xff\xd8" + quantization + frame + tables + scan + b"\xff\xd9"


def webp(width: int = 8, height: int = 8) -> bytes:
    """A lossless WebP image."""
    bits = (width - 1) | (height - 1) << 14
    pixels = b"\x2f" + struct.pack("<I", bits) + b"\x88\x88\x08\x07"
    return _riff(b"VP8L" + struct.pack("<I", len(pixels)) + pixels + b"\0" * (len(pixels) % 2))


def lossy_webp(width: int = 8, height: int = 8) -> bytes:
    frame = b"\x30\x01\x00\x9d\x01\x2a" + struct.pack("<HH", width, height) + b"\x01\x02"
    return _riff(b"VP8 " + struct.pack("<I", len(frame)) + frame)


def extended_webp(width: int = 8, height: int = 8) -> bytes:
    head = b"\0\0\0\0" + (width - 1).to_bytes(3, "little") + (height - 1).to_bytes(3, "little")
    return _riff(b"VP8X" + struct.pack("<I", 10) + head + lossy_webp(width, height)[12:])


def animated_webp(width: int = 8, height: int = 8, *, frame: int = 1, frames: int = 2) -> bytes:
    """An animation of square frames of `frame` pixels on a canvas."""
    head = b"\x02\0\0\0" + (width - 1).to_bytes(3, "little") + (height - 1).to_bytes(3, "little")
    side = (frame - 1).to_bytes(3, "little")
    shown = b"\0" * 6 + side * 2 + b"\x64\0\0\0" + webp(frame, frame)[12:]
    frame_chunk = b"ANMF" + struct.pack("<I", len(shown)) + shown + b"\0" * (len(shown) % 2)
    control = b"ANIM" + struct.pack("<I", 6) + b"\0" * 6
    return _riff(b"VP8X" + struct.pack("<I", 10) + head + control + frame_chunk * frames)


def animated_png(side: int = 8, *, frame: int = 8, frames: int = 2) -> bytes:
    """An image with the frame controls of an animation of square frames."""
    control = struct.pack(">IIIIIHHBB", 0, frame, frame, 0, 0, 1, 10, 0, 0)
    image = png(side, side)
    at = image.index(b"IDAT") - 4
    return image[:at] + _chunk(b"fcTL", control) * frames + image[at:]


def pdf(filling: int = 0) -> bytes:
    """A PDF without pages, made larger by a comment of `filling` bytes."""
    body = b"%PDF-1.7\n1 0 obj<</Type/Catalog/Pages 2 0 R>>endobj\n2 0 obj<</Type/Pages/Kids[]/Count 0>>endobj\n"
    body += b"%" + b"x" * filling + b"\n" if filling else b""
    table = b"xref\n0 1\n0000000000 65535 f \ntrailer<</Size 3/Root 1 0 R>>\nstartxref\n%d\n%%%%EOF\n" % len(body)
    return body + table


def zip_file(comment: bytes = b"") -> bytes:
    """A zip archive with one member."""
    file = io.BytesIO()
    with zipfile.ZipFile(file, "w") as packed:
        packed.writestr("index.html", "<script>alert(1)</script>")
        packed.comment = comment
    return file.getvalue()


SVG = b'<?xml version="1.0"?><svg xmlns="http://www.w3.org/2000/svg"><script>alert(1)</script></svg>'


def _chunk(kind: bytes, inside: bytes) -> bytes:
    return struct.pack(">I", len(inside)) + kind + inside + struct.pack(">I", zlib.crc32(kind + inside))


def _riff(chunks: bytes) -> bytes:
    return b"RIFF" + struct.pack("<I", len(chunks) + 4) + b"WEBP" + chunks
