"""Processes that a test starts, apart from those that tests before it have left idle."""

from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path


class Children:
    """The child processes of this process that run a module, since `of_test` began."""

    def __init__(self, module: bytes) -> None:
        self._module = module
        self._others: set[int] = set()

    def __call__(self) -> list[int]:
        return [pid for pid in self._all() if pid not in self._others]

    @contextmanager
    def of_test(self) -> Iterator[None]:
        """Other tests share this process: an application of theirs may keep a process that it has used."""
        self._others = set(self._all())
        yield

    def _all(self) -> list[int]:
        found: list[int] = []
        for task in Path("/proc/self/task").iterdir():
            # A thread or a process may end meanwhile.
            with suppress(FileNotFoundError, ProcessLookupError):
                found += map(int, (task / "children").read_text().split())
        return [pid for pid in found if self._module in command_line(pid)]


def command_line(pid: int) -> bytes:
    """Empty if the process has ended meanwhile."""
    try:
        return Path(f"/proc/{pid}/cmdline").read_bytes()
    except (FileNotFoundError, ProcessLookupError):
        return b""


def peak_memory(pid: int) -> int:
    """The most bytes that it has taken."""
    return int(Path(f"/proc/{pid}/status").read_text().partition("VmHWM:")[2].split()[0]) * 1024
