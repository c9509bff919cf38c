"""Temporary folder of a test run, deleted with all that is in it however the run ends."""

import compileall
import contextlib
import fcntl
import os
import shutil
import signal
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path

# A dependency of the PostgreSQL wheel; has no types.
import psutil  # type: ignore[import-untyped]

import backbench

# In the folder of the run: a file for each port that a test was given.
PORTS_FOLDER = "ports"
# Databases in memory: a copy of a PostgreSQL database is 640 files, which takes a tenth of the processor time, and
# no commit waits for a disk. A run has three gigabytes of them at a time at most.
MEMORY = Path("/dev/shm")
_NEEDED_BYTES = 4 * 2**30
_PREFIX = "backbench-tests-"
_IN_USE = "in-use"


def begin_run() -> Path:
    """Creates the folder, and makes it the TMPDIR of this process and of the processes that it starts."""
    parent = str(MEMORY) if _fits_in_memory() else tempfile.gettempdir()
    # pytest keeps the folders of failed tests, to examine them.
    os.environ.setdefault("PYTEST_DEBUG_TEMPROOT", parent)
    delete_left(Path(parent))
    folder = Path(tempfile.mkdtemp(prefix=_PREFIX, dir=parent))
    # Locked until this process ends, however it does.
    fcntl.flock(os.open(folder / _IN_USE, os.O_CREAT | os.O_WRONLY), fcntl.LOCK_EX)
    # PostgreSQL does not run as root and needs access to its folder in this one.
    folder.chmod(0o755)
    (folder / PORTS_FOLDER).mkdir()
    # Bytecode is cached, so that the hundreds of processes which tests start do not compile again.
    os.environ.pop("PYTHONDONTWRITEBYTECODE", None)
    sys.dont_write_bytecode = False
    _delete_bytecode_without_hook()
    # Compiled once, before the processes start: one that compiles takes longer and uses more memory.
    compileall.compile_dir(Path(backbench.__file__).parent, quiet=2)
    os.environ["TMPDIR"] = tempfile.tempdir = str(folder)
    return folder


@contextlib.contextmanager
def adding_user() -> Iterator[None]:
    """To be held while the PostgreSQL wheel looks for the user whom its servers run as.

    Where root runs the tests for the first time it adds the user, which fails in a second process meanwhile.
    """
    with (Path(tempfile.gettempdir()) / "adding-user").open("w") as file:
        fcntl.flock(file, fcntl.LOCK_EX)
        yield


def _fits_in_memory() -> bool:
    """Not in a container with the usual 64 MB, nor where no program may be started from memory."""
    return (
        MEMORY.is_dir()
        and not os.statvfs(MEMORY).f_flag & os.ST_NOEXEC
        and shutil.disk_usage(MEMORY).free >= _NEEDED_BYTES
        and bool(psutil.virtual_memory().available >= 2 * _NEEDED_BYTES)
    )


def _delete_bytecode_without_hook() -> None:
    """Test modules compiled before `enable_assertion_pass_hook` was set: pytest would use them as they are."""
    for file in Path(__file__).parents[1].rglob("*-pytest-*.pyc"):
        if b"_check_if_assertion_pass_impl" not in file.read_bytes():
            file.unlink(missing_ok=True)


def end_run(folder: Path) -> None:
    """Stops every PostgreSQL server that runs in the folder, and deletes the folder."""
    # A second Ctrl-C, or the SIGTERM after it, would interrupt the deletion.
    for number in (signal.SIGINT, signal.SIGTERM):
        signal.signal(number, signal.SIG_IGN)
    _delete(folder)


def delete_left(parent: Path) -> None:
    """Deletes the folders of runs that were killed: they take memory."""
    for lock in parent.glob(f"{_PREFIX}*/{_IN_USE}"):
        with lock.open("wb") as file, contextlib.suppress(BlockingIOError):
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
            _delete(lock.parent)


def _delete(folder: Path) -> None:
    for file in [*folder.glob("*/postmaster.pid"), *folder.glob("*/*/postmaster.pid")]:
        with contextlib.suppress(OSError, ValueError, IndexError, psutil.NoSuchProcess):
            _stop(psutil.Process(int(file.read_text().split()[0])))
    shutil.rmtree(folder, ignore_errors=True)


def interrupt_workers() -> None:
    """Stops the worker processes of pytest-xdist, which would otherwise finish their tests first."""
    for worker in psutil.Process().children():
        worker.send_signal(signal.SIGTERM)


def _stop(postmaster: psutil.Process) -> None:
    if postmaster.name() != "postgres":
        # Another process may have the id meanwhile.
        return
    # Immediate shutdown: its files are deleted anyway.
    postmaster.send_signal(signal.SIGQUIT)
    with contextlib.suppress(psutil.TimeoutExpired):
        postmaster.wait(30)
