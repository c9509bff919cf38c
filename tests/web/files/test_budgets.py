"""Budgets of the web app's first load, in compressed bytes as the server sends them."""

import pytest

from backbench.site.site import site

SITE = site()
APP = SITE.app


def size(path: str, encoding: bytes = b"gzip") -> int:
    return len(SITE.file(path).compressed(encoding))


@pytest.mark.parametrize("encoding", [b"gzip", b"zstd"])
@pytest.mark.parametrize("language", ["en", "pl"])
def test_the_first_load_is_at_most_46_kb_of_scripts(language: str, encoding: bytes) -> None:
    """Those of the start and of the board are two files, all words of one language another. Then comes what changes are
    made with."""
    paths = ("early.js", "main.js", f"words/{language}.js")
    sizes = {path: size(APP.folder + path, encoding) for path in paths}
    assert sum(sizes.values()) <= 46_300, sizes
    assert size(APP.folder + "state/sync/core.js", encoding) <= 13_800


def test_the_stylesheet_is_at_most_14_kb() -> None:
    assert size(f"{APP.folder}styles/index.css") <= 14_000


def test_the_shell_is_at_most_4_kb() -> None:
    assert size("/") <= 4_000


def test_the_text_font_is_at_most_54_kb_and_the_sprite_6() -> None:
    assert sum(len(APP.files[f"fonts/atkinson-{part}.woff2"]) for part in ("latin", "latin-ext")) <= 54_000
    assert size(f"{APP.folder}icons.svg") <= 6_000
