"""Budgets of the web app's first load, in compressed bytes as the server sends them."""

import pytest

from backbench.api.site.modules import dynamic_imports, graph
from backbench.api.site.site import site

SITE = site()
APP = SITE.app


def size(path: str, encoding: bytes = b"gzip") -> int:
    return len(SITE.file(path).compressed(encoding))


def first_screen() -> list[str]:
    """The modules of the start, of the board, and of the words of one language."""
    found = dict.fromkeys(APP.first_modules)
    later = [path for module in APP.first_modules for path in dynamic_imports(module, APP.files[module])]
    for path in later:
        if path in ("screens/board.js", "i18n/en/index.js"):
            found |= dict.fromkeys(graph(path, APP.files))
    return list(found)


@pytest.mark.parametrize("encoding", [b"gzip", b"zstd"])
def test_the_scripts_of_the_board_are_at_most_60_kb(encoding: bytes) -> None:
    sizes = {path: size(APP.folder + path, encoding) for path in first_screen()}
    assert sum(sizes.values()) <= 60_000, sizes


def test_the_stylesheet_is_at_most_14_kb() -> None:
    assert size(f"{APP.folder}styles/index.css") <= 14_000


def test_the_shell_is_at_most_4_kb() -> None:
    assert size("/") <= 4_000


def test_the_text_font_is_at_most_54_kb_and_the_sprite_6() -> None:
    assert sum(len(APP.files[f"fonts/atkinson-{part}.woff2"]) for part in ("latin", "latin-ext")) <= 54_000
    assert size(f"{APP.folder}icons.svg") <= 6_000
