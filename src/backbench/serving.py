"""Runs the application on its server, until a signal."""

import multiprocessing
import os
import signal
import threading

from granian import Granian
from granian.constants import Interfaces, Loops

from backbench.app import Backbench, served

_DRAIN_SECONDS = 30


def run(host: str, port: int, workers: int) -> None:
    """Returns when a signal has come and the requests under way are answered, or have had half a minute."""
    os.register_at_fork(after_in_child=_heed_signals)
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
    threading.Thread(target=_end_with_parent, name="parent", daemon=True).start()
    return served()


def _heed_signals() -> None:
    """Until its server listens for them, a worker would keep the signal handlers it was forked with and stay."""
    for number in (signal.SIGINT, signal.SIGTERM):
        signal.signal(number, signal.SIG_DFL)


def _end_with_parent() -> None:
    """A worker whose parent was killed would hold the port, and the next start would find it taken."""
    parent = multiprocessing.parent_process()
    if parent is not None:
        parent.join()
        os.kill(os.getpid(), signal.SIGKILL)
