"""`make vendor`: writes the files of VENDORED.toml and their sha256. The only step of development that needs npm."""

import hashlib
import re
import tomllib
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from tools.vendor import dom, fonts, icons, modules
from tools.vendor.modules import TYPES, WEB
from tools.vendor.packages import Package

TABLE = WEB / "app" / "vendor" / "VENDORED.toml"
_SEPARATOR = f"\n\n{'-' * 80}\n\n"


def main() -> None:
    rows = tomllib.loads(TABLE.read_text("utf-8"))
    packages = {key: Package(**row) for key, row in rows["packages"].items()}
    for path, row in rows["files"].items():
        _write("files", path, WEB / path, _content(path, row, packages[row["package"]]))
    for path, row in rows["fonts"].items():
        _write("fonts", path, WEB / path, fonts.title_font(row))
    for path, row in rows["types"].items():
        _write("types", path, TYPES / path, modules.declarations(row, packages[row["package"]]))
    licences = [f"{package.title}\n\n{package.licence_text()}" for package in packages.values()]
    dom.write()
    (TABLE.parent / "LICENSES.txt").write_text(_SEPARATOR.join(licences) + "\n", "utf-8")
    (WEB / "app" / "fonts" / "LICENSES.txt").write_text(_SEPARATOR.join(fonts.licences(rows["fonts"])) + "\n", "utf-8")


def _content(path: str, row: Mapping[str, Any], package: Package) -> bytes:
    if path.endswith(".js"):
        return modules.module(path, row, package)
    return icons.sprite(row, package) if path.endswith(".svg") else package.read(row["path"])


def _write(table: str, key: str, file: Path, content: bytes) -> None:
    """Writes the file, and its hash into the row of the table."""
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_bytes(content)
    row = re.compile(rf'(\[{table}\."{re.escape(key)}"\]\n(?:[^\[\n].*\n)*?sha256 = ")[^"]*')
    text, count = row.subn(rf"\g<1>{hashlib.sha256(content).hexdigest()}", TABLE.read_text("utf-8"))
    assert count == 1, f"{table} {key} has no sha256"
    TABLE.write_text(text, "utf-8")


if __name__ == "__main__":
    main()
