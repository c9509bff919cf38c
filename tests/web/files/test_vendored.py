"""Vendored files: those of VENDORED.toml and no others, unchanged, and fit for a strict content security policy."""

import hashlib
import re
import tomllib
from pathlib import Path

from fontTools.ttLib import TTFont

from backbench.integrations.pdf.typesetting import TITLE_FACES
from backbench.site.modules import without_comments
from backbench.values.enums import TitleFont

ROOT = Path(__file__).parents[3]
WEB = ROOT / "src" / "backbench" / "web"
APP = WEB / "app"
TYPES = ROOT / "types"
TABLE = tomllib.loads((APP / "vendor" / "VENDORED.toml").read_text("utf-8"))
SERVED = TABLE["files"] | TABLE["fonts"]
# Written by hand or by tools of this project.
OWN_TYPES = {"shapes.d.ts", "words.d.ts", "service-worker.d.ts"}


def test_vendored_files_are_as_the_table_says() -> None:
    rows = {WEB / path: row for path, row in SERVED.items()} | {
        TYPES / path: row for path, row in TABLE["types"].items()
    }
    changed = [file for file, row in rows.items() if hashlib.sha256(file.read_bytes()).hexdigest() != row["sha256"]]
    assert changed == []


def test_no_vendored_file_is_missing_in_the_table() -> None:
    for folder, others in (("vendor", {"VENDORED.toml", "LICENSES.txt"}), ("fonts", {"LICENSES.txt"})):
        listed = {Path(path).name for path in SERVED if path.startswith(f"app/{folder}/")}
        assert {file.name for file in (APP / folder).iterdir()} == listed | others
    types = {str(file.relative_to(TYPES)) for file in TYPES.rglob("*") if file.is_file()}
    assert types - OWN_TYPES == TABLE["types"].keys()


def test_browsers_can_resolve_every_import_of_the_web_app() -> None:
    # Words of strings are no statements: these begin a line, or follow another in the one line of a vendored file.
    imported = re.compile(
        r"""(?:(?:^|;)(?:(?:import|export)(?:[\w\s$,*]|\{[^{}]*\})*?\bfrom|import)\s*|\bimport\(\s*)["']([^"']+)["']""",
        re.MULTILINE,
    )
    bare = {
        f"{file.relative_to(WEB)}: {name}"
        for file in APP.rglob("*.js")
        for name in imported.findall(without_comments(file.read_bytes()).decode())
        if not name.startswith(("./", "../"))
    }
    assert bare == set()


def test_no_module_evaluates_text_or_writes_html() -> None:
    """Preact assigns innerHTML where a component asks for it; ours never do, and Trusted Types would refuse it."""
    forbidden = re.compile(
        r"\beval\s*\(|\bnew Function\b|\bFunction\s*\(|\b(?:inner|outer)HTML\s*=(?!=)"
        r"|insertAdjacentHTML|document\.write|dangerouslySetInnerHTML"
    )
    found = {
        f"{file.relative_to(APP)}: {text}"
        for file in APP.rglob("*.js")
        for text in forbidden.findall(file.read_text("utf-8"))
    }
    assert found == {"vendor/preact.js: innerHTML=", "vendor/preact.js: dangerouslySetInnerHTML"}


def test_every_licence_is_named_and_its_text_included() -> None:
    packages = (APP / "vendor" / "LICENSES.txt").read_text("utf-8")
    assert {row["licence"] for row in TABLE["packages"].values()} <= {"MIT", "ISC", "OFL-1.1"}
    assert [
        row["name"] for row in TABLE["packages"].values() if f"{row['name']} {row['version']}" not in packages
    ] == []
    fonts = (APP / "fonts" / "LICENSES.txt").read_text("utf-8")
    assert [path for path in TABLE["fonts"] if f"{Path(path).name}: " not in fonts] == []


def test_every_title_font_has_the_letters_of_both_languages_in_30_kb() -> None:
    faces: dict[str, TitleFont] = {f"app/fonts/title-{name}.woff2": name for name in TITLE_FACES}
    assert faces.keys() == TABLE["fonts"].keys()
    for path in faces:
        assert (WEB / path).stat().st_size <= 30_000
        letters = set(TTFont(WEB / path).getBestCmap())
        assert {ord(letter) for letter in "Żółć gęślą jaźń – Æther & Œuvre №1 €"} <= letters


def test_every_icon_that_the_web_app_names_is_in_the_sprite() -> None:
    sprite = set(re.findall(r'<symbol id="([a-z0-9-]+)"', (APP / "icons.svg").read_text("utf-8")))
    named = re.compile(r"""\bicon(?:\(|: )"([a-z0-9-]+)\"""")
    used = {name for file in APP.rglob("*.js") for name in named.findall(file.read_text("utf-8"))}
    assert used - sprite == set()
