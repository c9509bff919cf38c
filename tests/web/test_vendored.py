"""Vendored files: those of VENDORED.toml and no others, unchanged, and fit for a strict content security policy."""

import hashlib
import re
import tomllib
from pathlib import Path

ROOT = Path(__file__).parents[2]
WEB = ROOT / "src" / "backbench" / "web"
VENDOR = WEB / "app" / "vendor"
TYPES = ROOT / "types"
TABLE = tomllib.loads((VENDOR / "VENDORED.toml").read_text("utf-8"))
# Written by hand or by tools of this project.
OWN_TYPES = {"shapes.d.ts", "service-worker.d.ts"}


def test_vendored_files_are_as_the_table_says() -> None:
    rows = {WEB / path: row for path, row in TABLE["files"].items()} | {
        TYPES / path: row for path, row in TABLE["types"].items()
    }
    changed = [file for file, row in rows.items() if hashlib.sha256(file.read_bytes()).hexdigest() != row["sha256"]]
    assert changed == []


def test_no_vendored_file_is_missing_in_the_table() -> None:
    found = {f"app/vendor/{file.name}" for file in VENDOR.iterdir()}
    listed = {path for path in TABLE["files"] if path.startswith("app/vendor/")}
    assert found == listed | {"app/vendor/VENDORED.toml", "app/vendor/LICENSES.txt"}
    types = {str(file.relative_to(TYPES)) for file in TYPES.rglob("*") if file.is_file()}
    assert types - OWN_TYPES == TABLE["types"].keys()


def test_browsers_can_resolve_every_import_of_the_web_app() -> None:
    imported = re.compile(r"""(?:\bfrom|\bimport)\s*\(?\s*["']([^"']+)["']""")
    bare = {
        f"{file.relative_to(WEB)}: {name}"
        for file in (WEB / "app").rglob("*.js")
        for name in imported.findall(re.sub(r"/\*.*?\*/", "", file.read_text("utf-8"), flags=re.DOTALL))
        if not name.startswith(("./", "../"))
    }
    assert bare == set()


def test_no_module_evaluates_text_or_writes_html() -> None:
    """Preact assigns innerHTML where a component asks for it (dangerouslySetInnerHTML); ours never do."""
    forbidden = re.compile(
        r"\beval\s*\(|\bnew Function\b|\bFunction\s*\(|\binnerHTML\s*=(?!=)|outerHTML\s*=(?!=)"
        r"|insertAdjacentHTML|document\.write|dangerouslySetInnerHTML"
    )
    found = {
        f"{file.relative_to(WEB / 'app')}: {text}"
        for file in (WEB / "app").rglob("*.js")
        for text in forbidden.findall(file.read_text("utf-8"))
    }
    assert found == {"vendor/preact.js: innerHTML=", "vendor/preact.js: dangerouslySetInnerHTML"}


def test_every_licence_is_named_and_its_text_included() -> None:
    texts = (VENDOR / "LICENSES.txt").read_text("utf-8")
    assert {row["licence"] for row in TABLE["packages"].values()} <= {"MIT", "ISC", "OFL-1.1"}
    assert [row["name"] for row in TABLE["packages"].values() if f"{row['name']} {row['version']}" not in texts] == []
