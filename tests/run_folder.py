"""The temporary folder of a test run: everything a test leaves in it is gone afterwards, however the run ends."""

import contextlib
import os
import shutil
import signal
import sys
import tempfile
from pathlib import Path

# Comes with the wheel of PostgreSQL, and without types.
import psutil  # type: ignore[import-untyped]


def begin_run() -> Path:
    """Makes the folder, and the place for temporary files of this process and of all that it starts."""
    # pytest's own folders stay where they are: it keeps those of the last runs for whoever looks into a failure.
    os.environ.setdefault("PYTEST_DEBUG_TEMPROOT", tempfile.gettempdir())
    folder = Path(tempfile.mkdtemp(prefix="backbench-tests-"))
    # PostgreSQL, which refuses to run as root, has its own folder in it.
    folder.chmod(0o755)
    # Compiled once, and not by each of the hundreds of processes that tests start.
    os.environ.pop("PYTHONDONTWRITEBYTECODE", None)
    sys.dont_write_bytecode = False
    os.environ["TMPDIR"] = tempfile.tempdir = str(folder)
    return folder


def end_run(folder: Path) -> None:
    """Stops every PostgreSQL that still runs in the folder, and deletes it."""
    # A second Ctrl-C, or the SIGTERM after it, would leave half of the folder behind.
    for number in (signal.SIGINT, signal.SIGTERM):
        signal.signal(number, signal.SIG_IGN)
    for file in [*folder.glob("*/postmaster.pid"), *folder.glob("*/*/postmaster.pid")]:
        with contextlib.suppress(OSError, ValueError, IndexError, psutil.NoSuchProcess):
            _stop(psutil.Process(int(file.read_text().split()[0])))
    shutil.rmtree(folder, ignore_errors=True)


def interrupt_workers() -> None:
    """Ends the worker processes of pytest-xdist now; left alone they would finish their tests first."""
    for worker in psutil.Process().children():
        worker.send_signal(signal.SIGTERM)


def _stop(postmaster: psutil.Process) -> None:
    if postmaster.name() != "postgres":
        # The number may belong to another process meanwhile.
        return
    # At once: nobody reads its files again.
    postmaster.send_signal(signal.SIGQUIT)
    with contextlib.suppress(psutil.TimeoutExpired):
        postmaster.wait(30)
