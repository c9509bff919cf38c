"""How much there is to install, to read and to keep in mind."""

import re
from collections.abc import Iterator
from importlib import metadata
from pathlib import Path

from backbench.api.routes import OPERATIONS
from benchmarks import pocketbase
from benchmarks.effort import Effort
from benchmarks.figures import Figure, Found

PART = "size"
_ROOT = Path(__file__).parents[2]
_SOURCE = _ROOT / "src" / "backbench"
_MIB = 1024 * 1024
_NAME = re.compile(r"[A-Za-z0-9._-]+")


def measure(_effort: Effort, _folder: Path) -> Iterator[Found]:
    files = sorted(_SOURCE.rglob("*.py"))
    lines = sum(_lines(file) for file in files)
    yield _count("lines of Python", f"{lines:,} in {len(files)} files", lines)
    yield _count("operations", f"{len(OPERATIONS)}", len(OPERATIONS))
    needed = _needed("backbench")
    weight = sum(_weight(name) for name in needed)
    peer = pocketbase.program().resolve().stat().st_size
    yield Figure(
        PART,
        "installed, without Python and the optional extras",
        f"{weight / _MIB:.0f} MiB in {len(needed)} packages",
        f"pocketbase {peer / _MIB:.0f} MiB in one file",
        numbers={"backbench_bytes": weight, "backbench_packages": len(needed), "pocketbase_bytes": peer},
    )


def _count(what: str, shown: str, number: int) -> Figure:
    return Figure(PART, what, shown, numbers={"backbench": number})


def _lines(file: Path) -> int:
    """Lines that say something: neither empty nor a comment."""
    lines = file.read_text("utf-8").splitlines()
    return sum(1 for line in lines if line.strip() and not line.lstrip().startswith("#"))


def _needed(package: str) -> set[str]:
    """What is installed with the package because it needs it, itself left out."""
    found: set[str] = set()
    waiting = [package]
    while waiting:
        for requirement in metadata.requires(waiting.pop()) or []:
            name, _, condition = requirement.partition(";")
            wanted = _NAME.match(name)
            assert wanted is not None
            if "extra" not in condition and _is_installed(wanted[0]) and _canonical(wanted[0]) not in found:
                found.add(_canonical(wanted[0]))
                waiting.append(wanted[0])
    return found


def _canonical(name: str) -> str:
    return re.sub(r"[-_.]+", "-", name).lower()


def _is_installed(name: str) -> bool:
    try:
        metadata.distribution(name)
    except metadata.PackageNotFoundError:
        return False
    return True


def _weight(name: str) -> int:
    files = (Path(str(file.locate())) for file in metadata.files(name) or [])
    return sum(file.stat().st_size for file in files if file.is_file() and file.suffix != ".pyc")
