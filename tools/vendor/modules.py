"""JavaScript modules and type declarations of packages, with imports that a browser and Deno resolve."""

import os
import re
from collections.abc import Mapping
from typing import Any

from tools.vendor.packages import ROOT, Package

WEB = ROOT / "src" / "backbench" / "web"
TYPES = ROOT / "types"
_SOURCE_MAP = re.compile(r"//# sourceMappingURL=\S+\s*$")


def module(path: str, row: Mapping[str, Any], package: Package) -> bytes:
    """A module for browsers: names its licence and its types, and imports relative paths."""
    types = os.path.relpath(TYPES / row["types"], (WEB / path).parent)
    head = f'// {package.title}, {package.licence}: see LICENSES.txt\n// @ts-nocheck\n// @ts-self-types="{types}"\n'
    code = _SOURCE_MAP.sub("", package.read(row["path"]).decode()).rstrip()
    return f"{head}{_with_imports(code, row)}\n".encode()


def declarations(row: Mapping[str, Any], package: Package) -> bytes:
    code = package.read(row["path"]).decode().rstrip()
    return f"// {package.title}, {package.licence}\n{_with_imports(code, row)}\n".encode()


def _with_imports(code: str, row: Mapping[str, Any]) -> str:
    imports: dict[str, str] = row.get("imports", {})

    def replaced(found: re.Match[str]) -> str:
        keyword, mark, name = found.groups()
        return f"{keyword}{mark}{imports[name]}{mark}" if name in imports else found[0]

    return re.sub(r"""\b((?:from|import)\s*)(["'])([^"']+)\2""", replaced, code)
