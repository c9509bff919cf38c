"""Runs the application on its server, until a signal."""

import asyncio
import multiprocessing
import os
import signal
import threading

from granian import Granian
from granian.constants import Interfaces, Loops

from backbench.app import Backbench
from backbench.logs import set_up
from backbench.settings import load
from backbench.storage.engine.urls import open_database

_DRAIN_SECONDS = 30
_ENDING = (signal.SIGINT, signal.SIGTERM)


def run(host: str, port: int, workers: int) -> None:
    """Returns when a signal has come and the requests under way are answered, or have had half a minute."""
    os.register_at_fork(before=_hold_signals, after_in_parent=_heed_signals)
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
    """What a worker process serves."""
    _hold_signals()
    threading.Thread(target=_end_with_parent, name="parent", daemon=True).start()
    settings = load()
    set_up(settings.log_level)
    # The command has set the database up: a file that a worker misses is lost, and must not be begun anew.
    return _Worker(settings, open_database(settings.database_url, must_exist=True))


class _Worker(Backbench):
    """Heeds signals from when its server does: what comes earlier waits, where it would be lost."""

    async def start(self) -> None:
        await super().start()
        # The server runs the loop once for this start, and from then on to serve: signals that fall between the
        # two reach nobody. A fifth of a second later it serves.
        asyncio.get_running_loop().call_later(0.2, _heed_signals)


def _hold_signals() -> None:
    signal.pthread_sigmask(signal.SIG_BLOCK, _ENDING)


def _heed_signals() -> None:
    signal.pthread_sigmask(signal.SIG_UNBLOCK, _ENDING)


def _end_with_parent() -> None:
    """A worker whose parent was killed would hold the port, and the next start would find it taken."""
    parent = multiprocessing.parent_process()
    if parent is not None:
        parent.join()
        os.kill(os.getpid(), signal.SIGKILL)
