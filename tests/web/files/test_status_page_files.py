"""Files of the status page: small, complete in both languages, and without markup from text."""

import gzip
import re
from pathlib import Path

import backbench

WEB = Path(backbench.__file__).parent / "web"
PAGE = WEB / "o"
MOST_BYTES = 40_000


def loaded() -> list[Path]:
    """The files that the page loads: its own, and those of the client page that it shares."""
    addresses = re.findall(r'(?:href|src)="(/[eo]/[\w.]+)"', (PAGE / "index.html").read_text("utf-8"))
    return [PAGE / "index.html", *(WEB / address.lstrip("/") for address in addresses)]


def test_the_page_is_small() -> None:
    code = sum(len(gzip.compress(path.read_bytes())) for path in loaded())
    largest_font = max(path.stat().st_size for path in WEB.glob("app/fonts/title-*.woff2"))
    assert code + largest_font <= MOST_BYTES


def test_all_modules_are_requested_at_once() -> None:
    """None is found only once another one was read."""
    files = loaded()
    imported = {
        WEB / name.lstrip("/") if name.startswith("/") else path.parent / name
        for path in files
        if path.suffix == ".js"
        for name in re.findall(r'from "([^"]+)"', path.read_text("utf-8"))
    }
    assert {path.resolve() for path in imported} <= {path.resolve() for path in files}


def test_no_script_parses_markup_or_stores_anything() -> None:
    forbidden = re.compile(r"innerHTML|outerHTML|insertAdjacentHTML|\beval\b|Function\(|document\.cookie|localStorage")
    assert [path.name for path in PAGE.glob("*.js") if forbidden.search(path.read_text("utf-8"))] == []


def test_both_languages_have_every_text() -> None:
    _, english, polish = re.split(r"^const (?:EN|PL) = ", (PAGE / "texts.js").read_text("utf-8"), flags=re.MULTILINE)
    names = [re.findall(r"^  (\w+):", language, re.MULTILINE) for language in (english, polish)]
    assert len(names[0]) > 30
    assert names[0] == names[1]
