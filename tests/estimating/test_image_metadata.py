"""Metadata of uploaded images: what a phone or an editor has added reaches no client; how it looks stays."""

import io
from typing import Any

import pytest
from PIL import Image, PngImagePlugin

from backbench.estimating.image_metadata import without_metadata
from backbench.estimating.images import jpeg_size, png_size, webp_size
from tests.people import App
from tests.support import image_files
from tests.support.uploads import icon
from tests.support.violations import violations

SECRET = b"Phone 123"
_GPS, _MODEL, _ORIENTATION = 0x8825, 0x0110, 0x0112
SIZES = {"PNG": png_size, "JPEG": jpeg_size, "WEBP": webp_size}


def picture(format_: str, *, orientation: int = 6, mode: str = "RGB") -> bytes:
    """As a phone makes it, with its name wherever a text can be."""
    image = Image.new(mode, (24, 16), (200, 30, 30, 90)[: len(mode)])
    image.paste((30, 30, 200, 255)[: len(mode)], (12, 0, 24, 16))
    exif = Image.Exif()
    exif[_ORIENTATION], exif[_MODEL] = orientation, SECRET.decode()
    exif.get_ifd(_GPS).update({1: "N", 2: (52.0, 13.0, 47.1), 3: "E", 4: (21.0, 0.0, 42.0)})
    file, more = io.BytesIO(), dict[str, Any](exif=exif, icc_profile=b"profile " * 20)
    if format_ == "PNG":
        more["pnginfo"] = PngImagePlugin.PngInfo()
        more["pnginfo"].add_text("Author", SECRET.decode())
        more["pnginfo"].add_itxt("XML:com.adobe.xmp", SECRET.decode())
    else:
        more["xmp"] = SECRET
    if format_ == "JPEG":
        more |= {"comment": SECRET, "progressive": True}
    image.save(file, format_, **more)
    return file.getvalue()


def opened(content: bytes) -> Image.Image:
    image = Image.open(io.BytesIO(content))
    image.load()
    return image


def test_nothing_but_the_picture_stays() -> None:
    with violations() as case:
        for format_, mode in (("PNG", "RGBA"), ("PNG", "RGB"), ("JPEG", "RGB"), ("WEBP", "RGB"), ("WEBP", "RGBA")):
            for orientation in (1, 6):
                with case(f"{format_} {mode} {orientation}"):
                    before = picture(format_, orientation=orientation, mode=mode)
                    assert SECRET in before
                    assert opened(before).getexif().get_ifd(_GPS)
                    after = without_metadata(before)
                    was, now = opened(before), opened(after)
                    assert SECRET not in after
                    assert dict(now.getexif()) == ({} if orientation == 1 else {_ORIENTATION: orientation})
                    assert (now.mode, now.tobytes()) == (was.mode, was.tobytes())
                    assert now.info.get("icc_profile") == was.info.get("icc_profile")
                    assert SIZES[format_](after) == (24, 16)
                    assert without_metadata(after) == after


@pytest.mark.parametrize(
    "content",
    [
        image_files.png(), image_files.animated_png(), image_files.jpeg(), image_files.webp(),
        image_files.lossy_webp(), image_files.extended_webp(), image_files.animated_webp(),
    ],
)  # fmt: skip
def test_an_image_without_metadata_stays_as_it_is(content: bytes) -> None:
    assert without_metadata(content) == content


def test_a_preview_in_a_header_and_damaged_metadata_go() -> None:
    jpeg = picture("JPEG")
    preview = b"\xff\xe0" + (2 + 14 + 3).to_bytes(2, "big") + b"JFIF\0\1\1\0\0\1\0\1\1\1" + b"abc"
    damaged = b"\xff\xe1" + (2 + 6 + 12).to_bytes(2, "big") + b"Exif\0\0MM\0*\0\0\0\x08\xff\xff\0\0"
    after = without_metadata(jpeg[:2] + preview + damaged + jpeg[2:])
    assert b"abc" not in after
    assert after == without_metadata(jpeg)


async def test_a_client_gets_the_logo_without_the_place(app: App) -> None:
    anna = await app.owner("Anna")
    jpeg = picture("JPEG")
    logo = await icon(anna, jpeg)
    settings = {"currency": "EUR", "logoFileId": logo["id"]}
    assert (await anna.put(f"/workshops/{anna.workshop}/document-settings", settings)).status_code == 200
    lines = [{"label": "Oak", "unit": "piece", "unitPrice": 10, "quantity": 2}]
    path = f"/estimates/{(await anna.estimate(lineItems=lines))['id']}"
    await anna.post(f"{path}/confirm")
    client = app.anonymous()
    client.bearer = (await anna.post(f"{path}/links", {"locale": "en"})).json()["url"].partition("#")[2]
    shown, document = [await client.get(f"/client/estimate/{name}") for name in ("logo", "pdf")]
    assert shown.status_code == document.status_code == 200
    assert shown.content == without_metadata(jpeg)
    assert SECRET not in document.content
    assert len(shown.content) < len(jpeg) == logo["sizeBytes"]
    assert (await anna.get(f"/files/{logo['id']}")).content == jpeg
