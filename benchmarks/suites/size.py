"""Size: lines of code, operations, installed packages."""

import re
from collections.abc import Iterator
from importlib import metadata
from pathlib import Path

from backbench.routes import OPERATIONS
from benchmarks import pocketbase_server
from benchmarks.config import Config
from benchmarks.figures import Figure, Result

SUITE = "size"
_ROOT = Path(__file__).parents[2]
_SOURCE = _ROOT / "src" / "backbench"
_MIB = 1024 * 1024
_NAME = re.compile(r"[A-Za-z0-9._-]+")


def measure(_effort: Config, _folder: Path) -> Iterator[Result]:
    files = sorted(_SOURCE.rglob("*.py"))
    lines = sum(_lines(file) for file in files)
    yield _count("lines of Python", f"{lines:,} in {len(files)} files", lines)
    yield _count("operations", f"{len(OPERATIONS)}", len(OPERATIONS))
    required = _requirements("backbench")
    size = sum(_installed_size(name) for name in required)
    peer = pocketbase_server.program().resolve().stat().st_size
    yield Figure(
        SUITE,
        "installed, without Python and the optional extras",
        f"{size / _MIB:.0f} MiB in {len(required)} packages",
        f"pocketbase {peer / _MIB:.0f} MiB in one file",
        numbers={"backbench_bytes": size, "backbench_packages": len(required), "pocketbase_bytes": peer},
    )


def _count(name: str, cell: str, number: int) -> Figure:
    return Figure(SUITE, name, cell, numbers={"backbench": number})


def _lines(file: Path) -> int:
    """Lines that are neither empty nor a comment."""
    lines = file.read_text("utf-8").splitlines()
    return sum(1 for line in lines if line.strip() and not line.lstrip().startswith("#"))


def _requirements(package: str) -> set[str]:
    """The installed requirements of the package, direct and indirect, without itself."""
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


def _installed_size(name: str) -> int:
    files = (Path(str(file.locate())) for file in metadata.files(name) or [])
    return sum(file.stat().st_size for file in files if file.is_file() and file.suffix != ".pyc")
