"""Golden pages: the pictures in the guide show what is rendered today."""

import zlib

import pytest
from tools.golden_pages import HELP_PICTURES, PICTURES, Picture, file_of, names, pictures


def pixels_of(png: bytes) -> bytes:
    """What `Picture.png` wrote."""
    at, found = 8, b""
    while at < len(png):
        length = int.from_bytes(png[at : at + 4], "big")
        if png[at + 4 : at + 8] == b"IDAT":
            found += png[at + 8 : at + 8 + length]
        at += length + 12
    return zlib.decompress(found)


def rendered_pixels(picture: Picture) -> bytes:
    return b"".join(b"\0" + row for row in picture.rows)


@pytest.fixture(scope="module")
def rendered() -> dict[str, Picture]:
    return pictures()


@pytest.mark.parametrize("name", names())
def test_a_picture_in_the_guide_matches_the_rendered_page(rendered: dict[str, Picture], name: str) -> None:
    """If this fails, `make docs` renders the picture again: look at it before committing it."""
    expected, actual = pixels_of(file_of(name).read_bytes()), rendered_pixels(rendered[name])

    assert len(expected) == len(actual)
    # Another processor may smooth an edge slightly differently.
    assert expected == actual or pixels_that_differ(expected, actual) < len(actual) / 50_000


def pixels_that_differ(expected: bytes, actual: bytes) -> int:
    return sum(abs(one - other) > 40 for one, other in zip(expected, actual, strict=True))


def test_every_picture_is_shown_in_the_guide(rendered: dict[str, Picture]) -> None:
    pages = [*PICTURES.parent.glob("*.md"), *HELP_PICTURES.parent.rglob("*.md")]
    guide = "".join(page.read_text("utf-8") for page in pages)

    assert all(f"pictures/{name}" in guide for name in rendered)
