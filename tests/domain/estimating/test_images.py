"""Images: read from the first byte to the last, and nothing taken for one that is more than one."""

from collections.abc import Callable

import pytest
from hypothesis import given
from hypothesis import strategies as st

from backbench.domain.estimating.images import Size, jpeg_size, png_size, webp_size
from tests.support import pictures

Make = Callable[[int, int], bytes]
Read = Callable[[bytes], Size | None]

KINDS: list[tuple[str, Make, Read]] = [
    ("png", pictures.png, png_size),
    ("jpeg", pictures.jpeg, jpeg_size),
    ("lossless webp", pictures.webp, webp_size),
    ("lossy webp", pictures.lossy_webp, webp_size),
    ("extended webp", pictures.extended_webp, webp_size),
]
each_kind = pytest.mark.parametrize(("make", "read"), [kind[1:] for kind in KINDS], ids=[kind[0] for kind in KINDS])


@each_kind
@given(width=st.integers(1, 16_383), height=st.integers(1, 16_383))
def test_an_image_has_the_size_it_was_made_with(make: Make, read: Read, width: int, height: int) -> None:
    assert read(make(width, height)) == (width, height)


@each_kind
def test_an_image_ends_where_its_format_ends(make: Make, read: Read) -> None:
    for behind in (b"\0", b"\n", b"<script>", pictures.archive(), make(8, 8)):
        assert read(make(8, 8) + behind) is None


@each_kind
def test_no_beginning_of_an_image_is_an_image(make: Make, read: Read) -> None:
    whole = make(8, 8)
    assert [length for length in range(len(whole)) if read(whole[:length]) is not None] == []


@each_kind
@given(content=st.binary(max_size=400), at=st.integers(0, 200))
def test_whatever_the_bytes_reading_them_ends(make: Make, read: Read, content: bytes, at: int) -> None:
    whole = make(8, 8)
    size = read(whole[:at] + content + whole[at:])
    assert size is None or min(size) > 0


def test_a_png_with_a_chunk_that_was_tampered_with_is_none() -> None:
    whole = bytearray(pictures.png(padding=10))
    whole[60] ^= 1
    assert png_size(bytes(whole)) is None


def test_a_jpeg_may_have_several_scans_and_restart_markers() -> None:
    whole = pictures.jpeg()
    scan = whole[whole.index(b"\xff\xda") : -2]
    assert jpeg_size(whole[:-2] + scan + b"\xff\xff\xd9") == (8, 8)


def test_a_jpeg_that_ends_before_its_first_scan_is_none() -> None:
    whole = pictures.jpeg()
    assert jpeg_size(whole[: whole.index(b"\xff\xda")] + b"\xff\xd9") is None


def test_real_images_are_read(tmp_path: object) -> None:
    """Made by other programs."""
    typst = pytest.importorskip("typst")
    page = typst.compile(b"#set page(width: 20pt, height: 10pt)\n#circle(radius: 3pt)", format="png", ppi=72.0)
    assert png_size(page) == (20, 10)
