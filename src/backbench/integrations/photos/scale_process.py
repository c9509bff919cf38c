"""Scale process: decodes photos, turns them upright, scales them down and writes them anew as JPEG.

What is written has pixels alone: no metadata, profile, comment or byte of the upload is in it.

python -m backbench.integrations.photos.scale_process MEMORY_BYTES CPU_SECONDS REUSABLE_BYTES
"""

import io
import sys
import warnings
import zlib

from PIL import Image, ImageCms

from backbench.integrations.photos.protocol import IMAGE_SIDE, MAX_PIXELS, THUMB_SIDE, ScaledPhoto, encode_reply
from backbench.integrations.processes.worker import RequestFailed, Worker, serve

# More is a warning of Pillow, and an error here.
Image.MAX_IMAGE_PIXELS = MAX_PIXELS
_FORMATS = ("JPEG", "PNG", "WEBP")
_IMAGE_QUALITY, _THUMB_QUALITY = 82, 75
_STRIP_ROWS = 64
# A progressive photo has some ten. Each is decoded over the whole picture, however short it is.
_MOST_SCANS = 100
_END_OF_IMAGE, _START_OF_SCAN = 0xD9, 0xDA
# Markers without a length: of restarts, and one that stands alone.
_ALONE = {0x01, *range(0xD0, 0xD8)}
_PNG_BEGIN = b"\x89PNG\r\n\x1a\n"
_MOST_PROFILE = 1 << 20
_PNG_END = b"\0\0\0\0IEND\xaeB`\x82"
# Transparent parts become white, as paper.
_PAPER = (255, 255, 255)


def main(memory_bytes: int, cpu_seconds: int, reusable_bytes: int) -> None:
    serve(_load, memory_bytes, cpu_seconds, reusable_bytes)


def _load() -> Worker:
    return Worker(lambda photo: encode_reply(scaled(photo)))


def scaled(content: bytes) -> ScaledPhoto:
    """The photo as it is stored. Raises RequestFailed for one that cannot be decoded completely."""
    if scans_of(content) > _MOST_SCANS:
        raise RequestFailed(f"The photo has more than {_MOST_SCANS} scans")
    try:
        with warnings.catch_warnings():
            # Of what is odd in a file, only its size matters.
            warnings.simplefilter("ignore")
            warnings.simplefilter("error", Image.DecompressionBombWarning)
            image = _upright(content)
    except MemoryError:
        raise
    # Decoders raise OSError, SyntaxError, ValueError, struct.error, EOFError, IndexError and others.
    except Exception as error:
        raise RequestFailed("The photo is damaged or incomplete") from error
    jpeg = _written(image, _IMAGE_QUALITY)
    width, height = image.size
    image.thumbnail((THUMB_SIDE, THUMB_SIDE), Image.Resampling.LANCZOS, reducing_gap=3.0)
    return ScaledPhoto(width, height, jpeg, _written(image, _THUMB_QUALITY))


def scans_of(content: bytes) -> int:
    """How many scans a JPEG has; 0 for another format. Nothing is decoded (ITU-T T.81, annex B)."""
    at, scans = 2, 0
    while content.startswith(b"\xff\xd8") and (at := content.find(b"\xff", at)) >= 0 and at + 3 < len(content):
        marker = content[at + 1]
        if marker == _END_OF_IMAGE:
            break
        at += 1 if marker == 0xFF else 2
        # 0: a byte 0xFF within a scan.
        if marker in (0, 0xFF) or marker in _ALONE:
            continue
        scans += marker == _START_OF_SCAN
        at += int.from_bytes(content[at : at + 2], "big")
    return scans


def without_texts(content: bytes) -> bytes:
    """A PNG without its texts, and without a colour profile that unpacks to more than a megabyte: Pillow unpacks them
    before the picture, and refuses the whole for a long one. Nothing of them is kept anyway."""
    if not content.startswith(_PNG_BEGIN):
        return content
    kept, at = [_PNG_BEGIN], len(_PNG_BEGIN)
    while at + 8 <= len(content):
        length, kind = int.from_bytes(content[at : at + 4], "big"), content[at + 4 : at + 8]
        end = at + 12 + length
        if kind not in (b"tEXt", b"zTXt", b"iTXt") and not (kind == b"iCCP" and _is_large(content[at + 8 : end - 4])):
            kept.append(content[at:end])
        at = end
    return b"".join(kept)


def _is_large(profile: bytes) -> bool:
    """Whether a packed profile has more than Pillow unpacks. Behind its name are a zero and the method."""
    unpacking = zlib.decompressobj()
    try:
        unpacking.decompress(profile.partition(b"\0")[2][1:], _MOST_PROFILE)
    except zlib.error:
        return True
    return unpacking.unconsumed_tail != b""


def _upright(content: bytes) -> Image.Image:
    """The pixels in RGB, upright, with at most IMAGE_SIDE a side."""
    image: Image.Image = Image.open(io.BytesIO(without_texts(content)), formats=_FORMATS)
    # Decoded at a half or a quarter where that is enough, which takes less time and memory.
    image.draft(None, (IMAGE_SIDE, IMAGE_SIDE))
    image.load()
    if image.format == "PNG" and _PNG_END not in content:
        raise ValueError("the end of the PNG is missing, which Pillow accepts")
    transposition, profile = _TRANSPOSITIONS.get(_orientation(image)), image.info.get("icc_profile")
    opaque = _reduced(image)
    opaque.thumbnail((IMAGE_SIDE, IMAGE_SIDE), Image.Resampling.LANCZOS, reducing_gap=2.0)
    coloured = _in_srgb(opaque, profile)
    return coloured if transposition is None else coloured.transpose(transposition)


def _reduced(image: Image.Image) -> Image.Image:
    """The opaque image, of a PNG or WebP of more than twice IMAGE_SIDE a half, a third, … of it.

    In strips: each copy of 50 megapixels takes 200 MB.
    """
    width, height = image.size
    factor = max(image.size) // IMAGE_SIDE
    if factor < 2:
        return _opaque(image)
    strips = []
    for top in range(0, height, _STRIP_ROWS * factor):
        strip = image.crop((0, top, width, min(top + _STRIP_ROWS * factor, height)))
        strips.append(_opaque(strip).reduce(factor))
    image.close()
    reduced = Image.new(strips[0].mode, (strips[0].width, sum(strip.height for strip in strips)))
    for number, strip in enumerate(strips):
        reduced.paste(strip, (0, number * _STRIP_ROWS))
    return reduced


def _orientation(image: Image.Image) -> int:
    try:
        return int(image.getexif().get(_ORIENTATION, _UPRIGHT))
    except Exception:  # noqa: BLE001 - the parser raises many errors; unreadable metadata says nothing
        return _UPRIGHT


_ORIENTATION, _UPRIGHT = 0x0112, 1
_TRANSPOSITIONS = {
    2: Image.Transpose.FLIP_LEFT_RIGHT,
    3: Image.Transpose.ROTATE_180,
    4: Image.Transpose.FLIP_TOP_BOTTOM,
    5: Image.Transpose.TRANSPOSE,
    6: Image.Transpose.ROTATE_270,
    7: Image.Transpose.TRANSVERSE,
    8: Image.Transpose.ROTATE_90,
}


def _opaque(image: Image.Image) -> Image.Image:
    """In RGB or, for its profile, CMYK or L. Transparent parts become white."""
    if image.mode in ("RGB", "CMYK", "L"):
        return image
    if image.mode.startswith("I"):
        # 16 bits of grey, of which Pillow would keep the lower ones.
        return image.point(lambda value: value / 257).convert("L")
    if image.has_transparency_data:
        paper = Image.new("RGB", image.size, _PAPER)
        transparent = image.convert("RGBA")
        paper.paste(transparent, mask=transparent.getchannel("A"))
        return paper
    return image.convert("RGB")


def _in_srgb(image: Image.Image, profile: bytes | None) -> Image.Image:
    """In the colours of screens. Newer phones have a wider range, and would look pale without their profile."""
    if profile:
        try:
            source = ImageCms.ImageCmsProfile(io.BytesIO(profile))
            converted = ImageCms.profileToProfile(image, source, ImageCms.createProfile("sRGB"), outputMode="RGB")
        except (ImageCms.PyCMSError, OSError, ValueError):
            # A damaged profile, or one of other colours than the image has: its numbers are taken as they are.
            return image.convert("RGB")
        if converted is not None:
            return converted
    return image.convert("RGB")


def _written(image: Image.Image, quality: int) -> bytes:
    """A JPEG of the pixels alone: `image` is never the one that was opened, which has the metadata in `info`."""
    pixels = Image.new("RGB", image.size)
    pixels.paste(image)
    file = io.BytesIO()
    pixels.save(file, "JPEG", quality=quality, optimize=True)
    return file.getvalue()


if __name__ == "__main__":
    main(*map(int, sys.argv[1:4]))
