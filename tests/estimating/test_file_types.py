"""File types: which content is accepted as an icon or a PDF, and which is rejected."""

from collections.abc import Callable

import pytest

from backbench.estimating.file_types import PdfCheck, content_type_of, require_category, require_icon
from backbench.values.errors import TooLarge, UnsupportedMedia, ValidationError
from tests.support import image_files
from tests.support.violations import all_of


def checked(content: bytes, chunk_size: int = 1000) -> None:
    check = PdfCheck()
    for start in range(0, len(content), chunk_size):
        check.feed(content[start : start + chunk_size])
    check.require_complete()


@all_of(
    "content",
    [image_files.SVG, b"<svg/>", b"GIF89a", b"BM", b"PK\x03\x04", b"<html>", b"", b"\n%PDF-1.7", b"\x89PNG", b"%PDF-x"],
)
def test_other_types_are_rejected_by_their_content(content: bytes) -> None:
    with pytest.raises(UnsupportedMedia):
        content_type_of(content)


def is_accepted(check: Callable[..., object], *values: object) -> bool:
    try:
        check(*values)
    except (ValidationError, TooLarge, UnsupportedMedia):
        return False
    return True


def test_an_icon_of_the_maximum_size_and_side_is_accepted() -> None:
    assert is_accepted(require_icon, "image/png", image_files.png_of(524_288))
    assert is_accepted(require_icon, "image/png", image_files.png(4096, 4096))


def test_an_icon_one_byte_too_large_is_rejected() -> None:
    with pytest.raises(TooLarge):
        require_icon("image/png", image_files.png_of(524_289))


def test_an_icon_one_pixel_too_wide_is_rejected_with_its_pointer() -> None:
    with pytest.raises(ValidationError) as error:
        require_icon("image/png", image_files.png(4097, 1))
    assert error.value.field_errors[0].pointer == "/file"


@pytest.mark.parametrize(
    "hidden",
    [
        image_files.png() + b"<script>alert(1)</script>",
        image_files.png() + image_files.zip_file(),
        image_files.png()[:8] + b"%PDF-1.7" + image_files.png()[8:],
        image_files.png(padding=10).replace(b"xxxxxxxxxx", b"\n%PDF-1.7\n"),
    ],
    ids=["html behind", "archive behind", "broken", "a pdf in a comment"],
)
def test_an_image_that_is_another_type_as_well_is_rejected(hidden: bytes) -> None:
    with pytest.raises(UnsupportedMedia):
        require_icon("image/png", hidden)


def test_a_jpeg_with_an_archive_in_a_comment_is_rejected() -> None:
    whole = image_files.jpeg()
    behind = image_files.zip_file(comment=b"c" * 100)
    comment = b"\xff\xfe" + (len(behind) + 2).to_bytes(2, "big") + behind
    with pytest.raises(UnsupportedMedia):
        require_icon("image/jpeg", whole[:2] + comment + whole[2:])


@pytest.mark.parametrize("chunk_size", [1, 7, 1000, 10**6])
def test_a_pdf_is_accepted_in_chunks_of_any_size(chunk_size: int) -> None:
    assert is_accepted(checked, image_files.pdf(), chunk_size)


@pytest.mark.parametrize(
    "content",
    [
        image_files.pdf()[:-8],
        image_files.pdf() + b"<html>",
        image_files.pdf() + image_files.zip_file(),
        image_files.pdf() + image_files.zip_file(b"\nstartxref\n10\n%%EOF\n"),
        image_files.pdf().replace(b"startxref\n", b"startxref\n9999999"),
        b"%PDF-1.7\n",
    ],
    ids=["cut", "html behind", "archive behind", "archive with a pdf's end", "no such table", "beginning only"],
)
def test_a_truncated_or_polyglot_pdf_is_rejected(content: bytes) -> None:
    with pytest.raises(UnsupportedMedia):
        checked(content)


def test_a_category_accepts_only_its_own_types() -> None:
    require_category("grid_tile_icon", "image/webp")
    require_category("estimate_pdf", "application/pdf")
    with pytest.raises(UnsupportedMedia):
        require_category("grid_tile_icon", "application/pdf")
    with pytest.raises(UnsupportedMedia):
        require_category("estimate_pdf", "image/png")
