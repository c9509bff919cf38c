"""A primary whose disk is full: changes are refused or unanswered, none is half-made, and none is lost."""

import asyncio
import contextlib
import subprocess
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.support.cluster.figures import report
from tests.support.cluster.installation import Installation, running_installation

_MEGABYTES = 320


@contextlib.contextmanager
def small_disk() -> Iterator[Path]:
    """A file system of its own, in memory."""
    with tempfile.TemporaryDirectory(prefix="backbench-disk-") as folder:
        mounted = subprocess.run(["mount", "-t", "tmpfs", "-o", f"size={_MEGABYTES}m", "tmpfs", folder], check=False)
        if mounted.returncode:
            pytest.skip("only root may mount a small disk")
        try:
            yield Path(folder)
        finally:
            subprocess.run(["umount", "--lazy", folder], check=True)


def fill(disk: Path) -> Path:
    """Writes a file until nothing fits on the disk. It is not there where the log had taken the rest."""
    filler = disk / "filler"
    with contextlib.suppress(OSError), filler.open("wb") as file:
        while True:
            file.write(b"\0" * 65536)
            file.flush()
    return filler


def shorten_log(installation: Installation) -> None:
    """What the primary keeps of its log would fill this disk by itself, the sooner the slower the machine."""
    for setting in ("wal_keep_size = '32MB'", "max_wal_size = '64MB'"):
        installation.database.primary.run(f"ALTER SYSTEM SET {setting}")
    installation.database.primary.run("SELECT pg_reload_conf()")


async def grow(installation: Installation) -> None:
    """Makes the log longer than what was reserved for it on the disk."""
    with contextlib.suppress(subprocess.CalledProcessError):
        await asyncio.to_thread(installation.database.primary.run, "SELECT pg_switch_wal()")


@pytest.mark.prove
async def test_a_primary_on_a_full_disk_refuses_writes_and_continues_when_it_has_space() -> None:
    with small_disk() as disk:
        async with running_installation(disk=disk) as installation:
            await asyncio.to_thread(shorten_log, installation)
            for _ in range(3):
                async with installation.load.at_work():
                    await installation.load.acknowledgments(20)
                    began = time.monotonic()
                    filler = await asyncio.to_thread(fill, disk)
                    while not installation.load.journal.failed_since(began):
                        await grow(installation)
                        await asyncio.sleep(0.1)
                    await installation.load.failures(50)
                    filler.unlink(missing_ok=True)
                    if not installation.database.primary.is_running():
                        # A server that cannot write its log stops itself.
                        await asyncio.to_thread(installation.database.primary.start)
                    repaired = time.monotonic()
                    await installation.load.acknowledgments(50)
                    installation.note_outage(began, repaired)
                await installation.check()
            report(f"disk of the primary full: {installation.outages}; {reasons(installation)}")


def reasons(installation: Installation) -> str:
    details = sorted({failure.what for failure in installation.load.journal.failures})
    return ", ".join(details)
