"""Serving: runs the application in worker processes until a signal."""

import asyncio
import contextlib
import ctypes
import gc
import multiprocessing
import os
import signal
import sys
import threading
from collections.abc import Callable
from functools import partial
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from backbench import __version__
from backbench.app import Backbench
from backbench.connection_limits import is_listening, limit_unread_responses
from backbench.engine.urls import name_of, open_database
from backbench.granian_server import GranianServer, handle_stop, serving_marker
from backbench.http.access_log import AccessLog
from backbench.integrations.blobs import place_of
from backbench.integrations.workers import FOLDER_VARIABLE
from backbench.logs import log, set_up
from backbench.service_manager import notify
from backbench.settings import Settings, local_url

_DRAIN_SECONDS = 30
_STOP_SIGNALS = (signal.SIGINT, signal.SIGTERM)


def run(settings: Settings, address: str, workers: int, build: Callable[[], Any] | None = None) -> None:
    """Returns after SIGINT or SIGTERM, in a terminal also after SIGHUP.

    First the requests in progress are finished, or 30 seconds pass.

    Between the signal and these seconds, requests are accepted for `stop_delay` of the settings
    (docs/decisions/availability.md).

    `build` makes the application in each worker; benchmarks pass another one.
    """
    os.register_at_fork(before=_block_signals, after_in_parent=_unblock_signals)
    set_up(settings.log_level)
    with TemporaryDirectory(prefix="backbench-workers-", ignore_cleanup_errors=True) as folder:
        os.environ[FOLDER_VARIABLE] = folder
        _serve(settings, address, workers, build)


def _serve(settings: Settings, address: str, workers: int, build: Callable[[], Any] | None) -> None:
    kill_seconds = settings.stop_delay + _DRAIN_SECONDS
    if sys.platform == "linux":
        # Forks share what is loaded. Python 3.14 has another default.
        multiprocessing.set_start_method("fork", force=True)
    server = GranianServer(
        "backbench.serving:worker", address, settings.port, workers, kill_seconds, sys.stderr.isatty()
    )
    # What is loaded now is not searched for garbage again: the search writes to each object, and written pages are no
    # longer shared with the workers.
    gc.collect()
    gc.freeze()
    _return_freed_memory()
    server.on_startup(lambda: _log_start(settings, address, workers))
    try:
        # With the settings of this process: an edited file takes effect for all workers together, at the next start.
        server.serve_with(build or partial(worker, settings))
    except SystemExit as end:
        log.error("stopped because workers cannot start", status=end.code)
        raise
    log.info("stopped")


def _log_start(settings: Settings, address: str, workers: int) -> None:
    log.info(
        "started",
        version=__version__,
        address=local_url(address, settings.port),
        public_url=settings.public_url,
        database=name_of(settings.database_url),
        files=place_of(settings.files_url),
        workers=workers,
    )


def worker(settings: Settings) -> Backbench | AccessLog:
    """The application of a worker process."""
    _block_signals()
    threading.Thread(target=_exit_with_parent, name="parent", daemon=True).start()
    set_up(settings.log_level)
    # The command created the database: if a worker finds no file it was lost, and must not be created again.
    db = open_database(settings.database_url, must_exist=True)
    application = _Worker(settings, db, worker_folder=Path(os.environ[FOLDER_VARIABLE]))
    _before_stop(application, settings.stop_delay)
    return AccessLog(application, settings.trusted_proxies) if settings.access_log else application


class _Worker(Backbench):
    """Unblocks signals once the server handles them; a blocked signal stays pending instead of being lost."""

    async def start(self) -> None:
        await super().start()
        # The server runs the event loop once for this start, and again to serve; a signal between the two is lost.
        loop = asyncio.get_running_loop()
        loop.call_later(0.2, self._begin_to_serve, loop)
        limit_unread_responses(loop)

    def _begin_to_serve(self, loop: asyncio.AbstractEventLoop) -> None:
        if not is_listening():
            loop.call_later(0.01, self._begin_to_serve, loop)
            return
        _unblock_signals()
        serving_marker(os.getpid()).touch()
        # By a worker: before there is one, connections are refused.
        notify("READY=1", "STATUS=serving")
        threading.Thread(target=self._prepare, name="prepare", daemon=True).start()

    def _prepare(self) -> None:
        self.prepare()
        _return_freed_memory()


def _return_freed_memory() -> None:
    """To the system: glibc keeps what was freed, a tenth of a process after its start."""
    with contextlib.suppress(AttributeError):  # Only glibc has it.
        ctypes.CDLL(None).malloc_trim(0)


def _before_stop(application: Backbench, delay: float) -> None:
    """On a signal: not ready for `delay` seconds, then event streams end, then the server stops."""

    def add_handlers(loop: asyncio.AbstractEventLoop, stop: Callable[[], None]) -> None:
        is_stopping = False

        def end() -> None:
            application.live_changes.end_streams()
            stop()

        def on_signal() -> None:
            nonlocal is_stopping
            if not delay:
                end()
            # A second signal is not a wish for more haste: a service manager and the main process send one each.
            elif not is_stopping:
                is_stopping = True
                application.stop_soon()
                loop.call_later(delay, end)

        for number in _STOP_SIGNALS:
            loop.add_signal_handler(number, on_signal)

    handle_stop(add_handlers)


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
