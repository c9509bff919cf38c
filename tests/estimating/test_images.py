"""Images: the parsed size, and the rejection of content that is not exactly one image."""

from collections.abc import Callable

import pytest
from hypothesis import given
from hypothesis import strategies as st

from backbench.estimating.images import MAX_PARTS, Size, jpeg_size, png_size, webp_size
from tests.support import image_files

Make = Callable[[int, int], bytes]
Read = Callable[[bytes], Size | None]

KINDS: list[tuple[str, Make, Read]] = [
    ("png", image_files.png, png_size),
    ("jpeg", image_files.jpeg, jpeg_size),
    ("lossless webp", image_files.webp, webp_size),
    ("lossy webp", image_files.lossy_webp, webp_size),
    ("extended webp", image_files.extended_webp, webp_size),
    ("animated webp", image_files.animated_webp, webp_size),
]
each_kind = pytest.mark.parametrize(("make", "read"), [kind[1:] for kind in KINDS], ids=[kind[0] for kind in KINDS])


@each_kind
@given(width=st.integers(1, 16_383), height=st.integers(1, 16_383))
def test_an_image_has_the_size_it_was_made_with(make: Make, read: Read, width: int, height: int) -> None:
    assert read(make(width, height)) == (width, height)


@each_kind
def test_an_image_with_trailing_data_is_rejected(make: Make, read: Read) -> None:
    for behind in (b"\0", b"\n", b"<script>", image_files.zip_file(), make(8, 8)):
        assert read(make(8, 8) + behind) is None


@each_kind
def test_a_truncated_image_is_rejected(make: Make, read: Read) -> None:
    whole = make(8, 8)
    assert [length for length in range(len(whole)) if read(whole[:length]) is not None] == []


@each_kind
@given(content=st.binary(max_size=400), at=st.integers(0, 200))
def test_arbitrary_bytes_never_crash_the_parser(make: Make, read: Read, content: bytes, at: int) -> None:
    whole = make(8, 8)
    size = read(whole[:at] + content + whole[at:])
    assert size is None or min(size) > 0


def test_a_png_with_a_wrong_checksum_is_rejected() -> None:
    whole = bytearray(image_files.png(padding=10))
    whole[60] ^= 1
    assert png_size(bytes(whole)) is None


def test_a_jpeg_may_have_several_scans_and_restart_markers() -> None:
    whole = image_files.jpeg()
    scan = whole[whole.index(b"\xff\xda") : -2]
    assert jpeg_size(whole[:-2] + scan + b"\xff\xff\xd9") == (8, 8)


def test_a_jpeg_without_a_scan_is_rejected() -> None:
    whole = image_files.jpeg()
    assert jpeg_size(whole[: whole.index(b"\xff\xda")] + b"\xff\xd9") is None


def test_a_jpeg_with_a_second_frame_is_rejected() -> None:
    whole, other = image_files.jpeg(16, 16), image_files.jpeg(65_500, 65_500)
    frame = other[other.index(b"\xff\xc0") : other.index(b"\xff\xc4")]
    at = whole.index(b"\xff\xc0")
    assert jpeg_size(whole[:at] + frame + whole[at:]) is None
    for marker in (b"\xff\xdc", b"\xff\xde", b"\xff\xdf"):
        assert jpeg_size(whole[:-2] + marker + b"\0\4\xff\xdc" + b"\xff\xd9") is None


def test_a_jpeg_has_at_most_a_hundred_scans() -> None:
    whole = image_files.jpeg()
    scan = whole[whole.index(b"\xff\xda") : -2]
    assert jpeg_size(whole[:-2] + scan * (MAX_PARTS - 1) + b"\xff\xd9") == (8, 8)
    assert jpeg_size(whole[:-2] + scan * MAX_PARTS + b"\xff\xd9") is None


def test_a_webp_whose_image_is_not_its_canvas_is_rejected() -> None:
    for make in (image_files.webp, image_files.lossy_webp):
        head = image_files.extended_webp(16, 16)[12:30]
        chunks = b"WEBP" + head + make(16_000, 16_000)[12:]
        assert webp_size(b"RIFF" + len(chunks).to_bytes(4, "little") + chunks) is None
        twice = b"WEBP" + make(8, 8)[12:] * 2
        assert webp_size(b"RIFF" + len(twice).to_bytes(4, "little") + twice) is None


def test_the_frames_of_an_animation_are_within_the_image_and_at_most_a_hundred() -> None:
    assert webp_size(image_files.animated_webp(8, 8, frames=MAX_PARTS)) == (8, 8)
    assert webp_size(image_files.animated_webp(8, 8, frames=MAX_PARTS + 1)) is None
    assert webp_size(image_files.animated_webp(8, 8, frame=9)) is None
    assert png_size(image_files.animated_png(8, frames=MAX_PARTS)) == (8, 8)
    assert png_size(image_files.animated_png(8, frames=MAX_PARTS + 1)) is None
    assert png_size(image_files.animated_png(8, frame=9)) is None


def test_the_size_of_an_image_from_another_program_is_read(tmp_path: object) -> None:
    typst = pytest.importorskip("typst")
    page = typst.compile(b"#set page(width: 20pt, height: 10pt)\n#circle(radius: 3pt)", format="png", ppi=72.0)
    assert png_size(page) == (20, 10)
