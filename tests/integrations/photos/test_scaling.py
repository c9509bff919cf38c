"""The scale process: what it makes of photos, its limits, and hostile files."""

import asyncio
import io
import itertools
import os
import random
import signal
import sys
from collections.abc import AsyncIterator, Callable, Iterator
from contextlib import asynccontextmanager
from functools import cache

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from msgspec import structs
from PIL import Image, ImageCms
from PIL.PngImagePlugin import PngInfo

from backbench.integrations.photos.protocol import ScaledPhoto
from backbench.integrations.photos.scale_process import scaled, scans_of
from backbench.integrations.photos.scaler import LIMITS, PhotoScaler
from backbench.integrations.processes.worker import RequestFailed
from backbench.orders.photos import require_photo
from backbench.values.errors import DomainError, TooLarge, Unavailable, ValidationError
from tests.support.child_processes import Children, peak_memory
from tests.support.photos import photo_files

MODULE = b"backbench.integrations.photos.scale_process"
# What a phone of 12 megapixels makes.
TWELVE = (4032, 3024)


@asynccontextmanager
async def running(**limits: float) -> AsyncIterator[PhotoScaler]:
    """Patient: the tests may run on a machine that does much else."""
    scaler = PhotoScaler(structs.replace(LIMITS, **{"seconds": 300, "cpu_seconds": 60, **limits}))
    try:
        yield scaler
    finally:
        await scaler.close()


children = Children(MODULE)


@pytest.fixture(autouse=True)
def apart_from_others() -> Iterator[None]:
    with children.of_test():
        yield


@cache
def noise(size: tuple[int, int]) -> Image.Image:
    """As large as a photo in each format: squares of random colours."""
    small = size[0] // 8, size[1] // 8
    colours = random.Random(1).randbytes(small[0] * small[1] * 3)
    return Image.frombytes("RGB", small, colours).resize(size, Image.Resampling.NEAREST)


def written(image: Image.Image, kind: str, **options: object) -> bytes:
    file = io.BytesIO()
    image.save(file, kind, **options)
    return file.getvalue()


def pixel_of(photo: ScaledPhoto) -> tuple[int, ...]:
    found = Image.open(io.BytesIO(photo.image)).convert("RGB").getpixel((4, 4))
    assert isinstance(found, tuple)
    return found


@pytest.mark.skipif(sys.platform != "linux", reason="measures in /proc")
@pytest.mark.anyio
@pytest.mark.parametrize(
    ("kind", "options"),
    [("JPEG", {}), ("PNG", {"compress_level": 1}), ("WEBP", {"method": 0})],
)
async def test_a_photo_of_twelve_megapixels_takes_less_than_256_megabytes(
    kind: str, options: dict[str, object]
) -> None:
    content = written(noise(TWELVE), kind, **options)
    async with running(reusable_bytes=1 << 40) as scaler:
        photo = await scaler.scale(content)
        [pid] = children()
        assert peak_memory(pid) < 256 << 20
    assert (photo.width, photo.height) == (2048, 1536)
    assert Image.open(io.BytesIO(photo.thumb)).size == (320, 240)


@pytest.mark.skipif(sys.platform != "linux", reason="measures in /proc")
@pytest.mark.anyio
@pytest.mark.parametrize(
    ("of_size", "limit"),
    [
        # No more than one of twelve may take, of which all scans are in memory, too.
        pytest.param(
            lambda size: written(Image.new("RGB", size), "JPEG", progressive=True), 256 << 20, id="progressive JPEG"
        ),
        pytest.param(lambda size: photo_files.black_png(size, "RGBA"), 300 << 20, id="PNG RGBA"),
        pytest.param(
            lambda size: written(Image.new("P", size), "PNG", compress_level=1, transparency=0), 300 << 20, id="PNG P"
        ),
    ],
)
async def test_a_photo_of_fifty_megapixels_takes_little_more_than_its_pixels(
    of_size: Callable[[tuple[int, int]], bytes], limit: int
) -> None:
    content = of_size((8160, 6120))
    async with running(reusable_bytes=1 << 40) as scaler:
        photo = await scaler.scale(content)
        [pid] = children()
        assert peak_memory(pid) < limit
    assert (photo.width, photo.height) == (2048, 1536)


def test_large_photos_are_reduced_without_seams_and_upright() -> None:
    """Each strip would show as a line, and a strip at the wrong place as a step."""
    wide = Image.linear_gradient("L").resize((4100, 2200)).convert("RGBA")
    exif = Image.Exif()
    exif[0x0112] = 6
    photo = scaled(written(wide, "PNG", compress_level=1, exif=exif))
    shown = Image.open(io.BytesIO(photo.image)).convert("L")
    assert shown.size == (1099, 2048)
    # Turned to the right: the gradient, black at the top, runs from the right to the left.
    row = list(shown.crop((0, 1000, shown.width, 1001)).tobytes())
    assert all(0 <= before - after <= 3 or abs(before - after) <= 1 for before, after in itertools.pairwise(row))
    assert row[0] > 250
    assert row[-1] < 5


@pytest.mark.anyio
async def test_a_photo_that_exceeds_the_memory_is_an_error_and_the_next_is_not() -> None:
    bomb = photo_files.black_png((7_000, 7_000), "RGB")
    async with running(memory_bytes=200 << 20) as scaler:
        with pytest.raises(ValidationError):
            await scaler.scale(bomb)
        assert (await scaler.scale(photo_files.jpeg())).width == 64


@pytest.mark.anyio
async def test_a_process_that_is_killed_is_an_error_and_is_replaced() -> None:
    async with running() as scaler:
        await scaler.scale(photo_files.jpeg())
        [pid] = children()
        os.kill(pid, signal.SIGSTOP)
        working = asyncio.create_task(scaler.scale(photo_files.jpeg()))
        await asyncio.sleep(0)
        os.kill(pid, signal.SIGKILL)
        # It ended before it accepted the photo, so that another one takes it.
        assert (await working).width == 64


@pytest.mark.anyio
async def test_photos_beyond_the_queue_are_unavailable() -> None:
    async with running(queued=1) as scaler:
        results = await asyncio.gather(*(scaler.scale(photo_files.jpeg()) for _ in range(4)), return_exceptions=True)
    assert [isinstance(result, Unavailable) for result in results] == [False, False, True, True]


def test_transparent_parts_become_white() -> None:
    image = Image.new("RGBA", (40, 30), (0, 0, 0, 0))
    for content in (written(image, "PNG"), written(image, "WEBP"), written(image.convert("LA"), "PNG")):
        assert min(pixel_of(scaled(content))) > 250


@pytest.mark.parametrize("mode", ["1", "L", "P", "I;16", "RGB", "RGBA", "LA"])
def test_every_mode_of_a_png_is_accepted(mode: str) -> None:
    if mode == "I;16":
        image = Image.frombytes("I;16", (40, 30), b"\x00\xc8" * 1200)
    else:
        image = Image.new("RGB", (40, 30), (200, 200, 200)).convert(mode)
    shown = pixel_of(scaled(written(image, "PNG")))
    assert all(abs(value - (255 if mode == "1" else 200)) < 60 for value in shown)


def test_a_photo_for_printing_is_accepted() -> None:
    shown = pixel_of(scaled(written(Image.new("CMYK", (40, 30), (0, 255, 255, 0)), "JPEG")))
    assert shown[0] > 150 > shown[1]


def test_the_colours_of_a_profile_are_those_of_the_stored_photo() -> None:
    """A profile whose red is blue on screens, as no camera has: what is stored is blue, without a profile."""
    profile = ImageCms.ImageCmsProfile(ImageCms.createProfile("LAB")).tobytes()
    plain = Image.new("RGB", (40, 30), (200, 40, 40))
    # A profile of other colours than the image has is ignored, as is one that cannot be read.
    for wrong in (profile, b"no profile"):
        assert pixel_of(scaled(written(plain, "JPEG", icc_profile=wrong)))[0] > 150
    srgb = ImageCms.ImageCmsProfile(ImageCms.createProfile("sRGB")).tobytes()
    same = scaled(written(plain, "JPEG", icc_profile=srgb))
    assert pixel_of(same)[0] > 150
    assert b"ICC_PROFILE" not in same.image


def test_unreadable_metadata_does_not_reject_a_photo() -> None:
    broken = photo_files.jpeg(exif=b"Exif\0\0MM\0\x2a\xff\xff\xff\xff")
    assert scaled(broken).width == 64


def test_an_animation_is_its_first_picture() -> None:
    frames = [Image.new("RGB", (40, 30), colour) for colour in ((200, 0, 0), (0, 0, 200))]
    for kind in ("PNG", "WEBP"):
        content = written(frames[0], kind, save_all=True, append_images=frames[1:])
        assert pixel_of(scaled(content))[0] > 150


SEEDS = [
    photo_files.jpeg(40, 30),
    photo_files.jpeg(40, 30, progressive=True),
    photo_files.marked_jpeg(),
    photo_files.png(40, 30),
    photo_files.marked_png(),
    photo_files.webp(40, 30),
    photo_files.webp(40, 30, lossless=True),
]


@st.composite
def hostile(draw: st.DrawFn) -> bytes:
    """A photo with bytes replaced, removed, doubled or added."""
    content = bytearray(draw(st.sampled_from(SEEDS)))
    for _ in range(draw(st.integers(1, 6))):
        at, length = draw(st.integers(0, len(content))), draw(st.integers(0, 40))
        part = draw(
            st.one_of(st.binary(max_size=40), st.just(bytes(content[at : at + length])), st.just(b"\xff" * length))
        )
        content[at : at + draw(st.sampled_from([0, len(part), length]))] = part
    return bytes(content)


@given(hostile())
@settings(max_examples=100, deadline=None)
def test_a_hostile_photo_is_rejected_or_its_pixels_are_written_anew(content: bytes) -> None:
    require_rejected_or_written_anew(content)


@pytest.mark.prove
@given(hostile())
@settings(max_examples=4_000, deadline=None)
def test_thousands_of_hostile_photos_are_rejected_or_their_pixels_are_written_anew(content: bytes) -> None:
    require_rejected_or_written_anew(content)


def require_rejected_or_written_anew(content: bytes) -> None:
    try:
        require_photo(content)
    except DomainError:
        return
    try:
        photo = scaled(content)
    except RequestFailed:
        return
    assert 1 <= photo.width <= 2048
    assert 1 <= photo.height <= 2048
    for stored in (photo.image, photo.thumb):
        image = Image.open(io.BytesIO(stored))
        image.load()
        assert image.format == "JPEG"
        assert photo_files.MARKER not in stored


def test_a_header_that_claims_too_many_pixels_is_too_large() -> None:
    small = photo_files.png(8, 8)
    with pytest.raises(TooLarge):
        require_photo(photo_files.png_bomb())
    with pytest.raises(TooLarge):
        require_photo(small[:16] + b"\x00\x00\xc3\x50" * 2 + small[24:])


def test_the_process_does_not_trust_the_check_of_the_service() -> None:
    with pytest.raises(RequestFailed):
        scaled(photo_files.png_bomb())


def test_scans_of_a_photo_are_counted_before_it_is_decoded() -> None:
    """Each of thousands of scans would be decoded over the whole picture. What follows the picture has none."""
    plain, progressive = photo_files.jpeg(), photo_files.jpeg(progressive=True)
    assert scans_of(plain) == 1
    assert 1 < scans_of(progressive) < 20
    assert scans_of(plain + b"\xff\xda" * 500) == 1
    assert scans_of(plain[:-2]) == 1
    assert scans_of(b"\x89PNG" + b"\xff\xda" * 500) == 0
    last = progressive.rindex(b"\xff\xda")
    many = progressive[:last] + progressive[last:-2] * 200 + progressive[-2:]
    with pytest.raises(RequestFailed, match="scans"):
        scaled(many)


def test_texts_and_profiles_that_unpack_to_much_do_not_cost_the_photo() -> None:
    """Three kilobytes that unpack to more than a megabyte: nothing of them is kept anyway."""
    texts = PngInfo()
    texts.add_text("Comment", "x" * 2_000_000, zip=True)
    texts.add_itxt("Title", "x" * 2_000_000, zip=True)
    content = written(Image.new("RGB", (40, 30), (10, 20, 200)), "PNG", pnginfo=texts, icc_profile=bytes(2_000_000))
    assert len(content) < 20_000
    assert scaled(content).width == 40
