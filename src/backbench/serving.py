"""Granian: runs the application in worker processes until a signal."""

import asyncio
import multiprocessing
import os
import signal
import threading
from pathlib import Path
from tempfile import TemporaryDirectory

from granian import Granian
from granian.constants import Interfaces, Loops

from backbench.app import Backbench
from backbench.integrations.worker_files import FOLDER_VARIABLE
from backbench.logs import set_up
from backbench.settings import load
from backbench.storage.engine.urls import open_database

_DRAIN_SECONDS = 30
_STOP_SIGNALS = (signal.SIGINT, signal.SIGTERM)


def run(host: str, port: int, workers: int) -> None:
    """Returns after SIGINT or SIGTERM, once the requests in progress are finished or 30 seconds have passed."""
    os.register_at_fork(before=_block_signals, after_in_parent=_unblock_signals)
    with TemporaryDirectory(prefix="backbench-workers-", ignore_cleanup_errors=True) as folder:
        os.environ[FOLDER_VARIABLE] = folder
        _serve(host, port, workers)


def _serve(host: str, port: int, workers: int) -> None:
    Granian(
        "backbench.serving:worker",
        factory=True,
        address=host,
        port=port,
        interface=Interfaces.ASGI,
        workers=workers,
        loop=Loops.uvloop,
        websockets=False,
        respawn_failed_workers=True,
        workers_kill_timeout=_DRAIN_SECONDS,
        log_enabled=False,
    ).serve()


def worker() -> Backbench:
    """The application of a worker process."""
    _block_signals()
    threading.Thread(target=_exit_with_parent, name="parent", daemon=True).start()
    settings = load()
    set_up(settings.log_level)
    # The command created the database: if a worker finds no file it was lost, and must not be created again.
    db = open_database(settings.database_url, must_exist=True)
    return _Worker(settings, db, worker_folder=Path(os.environ[FOLDER_VARIABLE]))


class _Worker(Backbench):
    """Unblocks signals once the server handles them; a blocked signal stays pending instead of being lost."""

    async def start(self) -> None:
        await super().start()
        # The server runs the event loop once for this start, and again to serve; a signal between the two is lost.
        # After 0.2 s it serves.
        asyncio.get_running_loop().call_later(0.2, _unblock_signals)


def _block_signals() -> None:
    signal.pthread_sigmask(signal.SIG_BLOCK, _STOP_SIGNALS)


def _unblock_signals() -> None:
    signal.pthread_sigmask(signal.SIG_UNBLOCK, _STOP_SIGNALS)


def _exit_with_parent() -> None:
    """Kills this process when its parent ends: otherwise it would keep the port, and the next start would fail."""
    parent = multiprocessing.parent_process()
    if parent is not None:
        parent.join()
        os.kill(os.getpid(), signal.SIGKILL)
