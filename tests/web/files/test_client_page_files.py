"""Files of the client page: small, without markup from text, and with the vendored file unchanged."""

import gzip
import hashlib
import re
from pathlib import Path

import backbench
from backbench.values.currencies import MINOR_DIGITS

PAGE = Path(backbench.__file__).parent / "web" / "e"
OWN = [path for path in sorted(PAGE.glob("*.js")) if path.name != "signature_pad.js"]
# Loaded in the language of the page.
WORDS = {"texts_en.js", "texts_pl.js"}
# Loaded when somebody wants to draw or the PDF, for another title, once the page is shown, and where something is due.
LATER = {
    "drawing.js", "live.js", "payment.css", "payment.js", "payment_texts.js", "pdf.js", "signature_pad.js", "titles.js",
}  # fmt: skip
FIRST_VIEW_BYTES = 60_000
# The response with an estimate of 30 lines, and the headers of all responses.
RESPONSES_BYTES = 8_000


def test_the_first_view_is_small() -> None:
    files = [path for path in PAGE.iterdir() if path.suffix in {".html", ".js", ".css"} and path.name not in LATER]
    sizes = {path.name: len(gzip.compress(path.read_bytes())) for path in files}
    code = sum(size for name, size in sizes.items() if name not in WORDS) + max(sizes[name] for name in WORDS)
    largest_font = max(path.stat().st_size for path in PAGE.parent.glob("app/fonts/title-*.woff2"))
    assert code + largest_font + RESPONSES_BYTES <= FIRST_VIEW_BYTES


def test_all_modules_of_the_first_view_are_requested_at_once() -> None:
    named = re.findall(r'/e/(\w+\.js)"', (PAGE / "index.html").read_text("utf-8"))
    assert sorted(named) == sorted(path.name for path in OWN if path.name not in LATER | WORDS)


def test_signature_pad_is_the_file_that_was_checked() -> None:
    digest = hashlib.sha256((PAGE / "signature_pad.js").read_bytes()).hexdigest()
    assert digest == "eba308e8490de81453972c32ed7491284fa05cf2bf0b638c574256392cfc53a3"


def test_no_script_parses_markup_or_stores_anything() -> None:
    forbidden = re.compile(r"innerHTML|outerHTML|insertAdjacentHTML|\beval\b|Function\(|document\.cookie|localStorage")
    assert [path.name for path in OWN if forbidden.search(path.read_text("utf-8"))] == []


def test_both_languages_have_every_text() -> None:
    names = [re.findall(r"^  (\w+):", (PAGE / file).read_text("utf-8"), re.MULTILINE) for file in sorted(WORDS)]
    assert len(names[0]) > 90
    assert names[0] == names[1]


def test_amounts_have_the_decimals_of_their_currency() -> None:
    script = (PAGE / "figures.js").read_text("utf-8")
    listed = re.findall(r'DECIMALS = "([A-Z ]+)"', script)
    expected = [[code for code, digits in MINOR_DIGITS.items() if digits == wanted] for wanted in (0, 3)]
    assert [sorted(codes.split()) for codes in listed] == [sorted(codes) for codes in expected]
