"""Bytecode: test modules are compiled once before a run in several processes, where each of these would compile all."""

import os
import subprocess
import sys
from collections import Counter
from pathlib import Path

import pytest

_ROOT = Path(__file__).parents[3]
_COLLECT = (sys.executable, "-m", "pytest", "--collect-only", "-p", "no:xdist")
# So many are compiled in less time than it takes to start another process.
_FEW = 20


class Bytecode:
    """A plugin of pytest, which writes the bytecode of a test module, with its assertions, once it imports it."""

    def __init__(self, root: Path = _ROOT) -> None:
        self._root = root

    @pytest.hookimpl(optionalhook=True)
    def pytest_xdist_setupnodes(self, specs: list[object]) -> None:
        missing = [
            path.relative_to(self._root) for path in self._root.glob("tests/**/test_*.py") if not _was_compiled(path)
        ]
        if len(specs) > 1 and len(missing) > _FEW:
            self._collect(self._shares(missing, min(len(specs), os.cpu_count() or 1)))

    def _shares(self, paths: list[Path], count: int) -> list[list[str]]:
        """Files and folders of the tests that have the paths, in shares of about as many bytes."""
        sizes: Counter[str] = Counter()
        for path in paths:
            sizes["/".join(path.parts[:2])] += (self._root / path).stat().st_size
        shares: list[list[str]] = [[] for _ in range(count)]
        for name, _ in sizes.most_common():
            min(shares, key=lambda share: sum(sizes[each] for each in share)).append(name)
        return [share for share in shares if share]

    def _collect(self, shares: list[list[str]]) -> None:
        # What cannot be imported is reported by the run itself.
        processes = [
            subprocess.Popen([*_COLLECT, *share], cwd=self._root, stdout=subprocess.DEVNULL) for share in shares
        ]
        try:
            for process in processes:
                process.wait()
        finally:
            for process in processes:
                process.kill()


def _was_compiled(path: Path) -> bool:
    """Also where it has changed since."""
    return any((path.parent / "__pycache__").glob(f"{path.stem}.*-pytest-*.pyc"))
