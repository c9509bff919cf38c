"""The sprite of icons: a symbol for each listed glyph of Lucide, with the name that Lucide gives it."""

import re
from collections.abc import Mapping
from typing import Any

from tools.vendor.packages import Package

_STROKE = 'fill="none" stroke="currentColor" stroke-width="2" stroke-linecap="round" stroke-linejoin="round"'
_SHAPES = re.compile(r"<svg[^>]*>(.*)</svg>", re.DOTALL)


def sprite(row: Mapping[str, Any], package: Package) -> bytes:
    symbols = "".join(_symbol(name, package.read(f"{row['path']}/{name}.svg")) for name in sorted(row["icons"]))
    head = f"<!-- {package.title}, {package.licence}: see vendor/LICENSES.txt -->"
    return f'<svg xmlns="http://www.w3.org/2000/svg">{head}\n{symbols}</svg>\n'.encode()


def _symbol(name: str, drawing: bytes) -> str:
    shapes = _SHAPES.search(drawing.decode())
    assert shapes is not None, f"{name} is no drawing"
    lines = "".join(line.strip() for line in shapes[1].splitlines()).replace(" />", "/>")
    return f'<symbol id="{name}" viewBox="0 0 24 24" {_STROKE}>{lines}</symbol>\n'
