"""The pages that the guide shows are the pages that clients get."""

import zlib

import pytest
from tools.golden_pages import PICTURES, Picture, pictures


def pixels_of(png: bytes) -> bytes:
    """What `Picture.png` wrote."""
    at, found = 8, b""
    while at < len(png):
        length = int.from_bytes(png[at : at + 4], "big")
        if png[at + 4 : at + 8] == b"IDAT":
            found += png[at + 8 : at + 8 + length]
        at += length + 12
    return zlib.decompress(found)


def drawn_anew(picture: Picture) -> bytes:
    return b"".join(b"\0" + row for row in picture.rows)


@pytest.fixture(scope="module")
def anew() -> dict[str, Picture]:
    return pictures()


@pytest.mark.parametrize("name", sorted(path.name for path in PICTURES.glob("*.png")))
def test_a_picture_of_the_guide_is_what_is_drawn_today(anew: dict[str, Picture], name: str) -> None:
    """Where this fails, `make docs` draws it anew: look at it before it is kept."""
    kept, today = pixels_of((PICTURES / name).read_bytes()), drawn_anew(anew[name])

    assert len(kept) == len(today)
    # Another processor may smooth an edge a shade differently.
    assert sum(abs(one - other) > 40 for one, other in zip(kept, today, strict=True)) < len(today) / 50_000


def test_every_picture_is_shown_in_the_guide(anew: dict[str, Picture]) -> None:
    guide = (PICTURES.parent / "pdf.md").read_text("utf-8")

    assert all(f"pictures/{name}" in guide for name in anew)
