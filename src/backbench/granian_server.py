"""Granian, the HTTP server: its options, and in this file alone the names that its documentation does not have.

They are why pyproject.toml has a ceiling for its version: `_signals`, `_reload`, `_spawn_worker`, `_respawn_workers`,
`shutdown`, `interrupt_signal`, `wrks` and the processes in it. A test starts, reloads and stops servers
(tests/test_serving.py); it fails where one has changed.
"""

import asyncio
import os
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

from granian import _signals
from granian.constants import HTTPModes, Interfaces, Loops
from granian.http import HTTP1Settings
from granian.server.mp import MPServer

from backbench import connection_limits
from backbench.integrations.workers import FOLDER_VARIABLE
from backbench.logs import log


class GranianServer(MPServer):
    """Logs workers that are replaced. SIGHUP replaces all of them, or stops a server that was started in a terminal."""

    is_reloading = False

    def __init__(self, target: str, address: str, port: int, workers: int, kill_seconds: int, is_in_terminal: bool):
        connections = connection_limits.connections_per_worker()
        super().__init__(
            target,
            factory=True,
            address=address,
            port=port,
            interface=Interfaces.ASGI,
            workers=workers,
            loop=Loops.uvloop,
            # HTTP/2 without TLS would let a client hold 16 MiB of headers per stream; browsers use it with the proxy.
            http=HTTPModes.http1,
            http1_settings=HTTP1Settings(
                header_read_timeout=round(connection_limits.SILENT_SECONDS * 1000),
                max_buffer_size=connection_limits.BUFFER_BYTES,
            ),
            websockets=False,
            backlog=connections,
            # Otherwise the backlog divided by the number of workers.
            backpressure=connections,
            respawn_failed_workers=True,
            # A reload waits for the new worker itself, however long its start takes.
            respawn_interval=0,
            workers_kill_timeout=kill_seconds,
            log_enabled=False,
        )
        # Asked at the start: a terminal that was closed is none any more.
        self.is_in_terminal = is_in_terminal

    def serve_with(self, load: Callable[[], Any]) -> None:
        """Serves the application that `load` makes in each worker, until a signal."""
        self.serve(target_loader=load, wrap_loader=False)

    def signal_handler_reload(self, *_: Any) -> None:
        # Nobody would know of a server that runs on behind a closed terminal.
        if self.is_in_terminal:
            self.signal_handler_interrupt()  # type: ignore[no-untyped-call]  # Granian's are not typed
        else:
            super().signal_handler_reload()  # type: ignore[no-untyped-call]

    def shutdown(self, exit_code: int = 0) -> None:
        """A signal to the process group, such as Ctrl-C, may end workers before the main process does: none failed."""
        try:
            super().shutdown(exit_code)  # type: ignore[no-untyped-call]
        except SystemExit:
            if not self.interrupt_signal:
                raise

    def _reload(self, *rest: Any) -> None:
        self.is_reloading = True
        super()._reload(*rest)  # type: ignore[no-untyped-call]
        self.is_reloading = False
        log.info("reloaded")

    def _spawn_worker(self, *rest: Any, **options: Any) -> Any:
        """In a reload, the start of the worker returns when it serves: then the one that it replaces is stopped."""
        spawned: Any = super()._spawn_worker(*rest, **options)
        if self.is_reloading:
            start = spawned.start

            def start_and_wait() -> None:
                start()
                self._wait_until_serving(spawned.inner)

            spawned.start = start_and_wait
        return spawned

    def _wait_until_serving(self, process: Any) -> None:
        """Without a limit, since the others serve meanwhile; until it has ended or the server is to stop."""
        marker = serving_marker(process.pid)
        while process.is_alive() and not (marker.exists() or self.interrupt_signal):
            time.sleep(0.02)
        marker.unlink(missing_ok=True)

    def _respawn_workers(self, workers: Any, *rest: Any, **options: Any) -> None:
        for index in workers:
            # None: it runs, and is replaced by a reload.
            if (exit_code := self.wrks[index].inner.exitcode) is not None:
                log.error("worker ended unexpectedly", worker=index + 1, exit_code=exit_code)
        super()._respawn_workers(workers, *rest, **options)
        for index in workers:
            log.info("worker replaced", worker=index + 1, pid=self.wrks[index].inner.pid)


def serving_marker(pid: int) -> Path:
    """The file with which a worker tells the main process that it serves."""
    return Path(os.environ[FOLDER_VARIABLE]) / f"{pid}.serves"


def handle_stop(add_handlers: Callable[[asyncio.AbstractEventLoop, Callable[[], None]], None]) -> None:
    """In a worker: calls `add_handlers` with the event loop, and a function that stops the worker, before it serves.

    The server waits for streams half a minute, and has no hook before that wait. It imports the function that installs
    its signal handlers when it starts to serve, so the function is replaced by one that adds other handlers.
    """
    install: Any = _signals.set_loop_signals

    def install_both(loop: asyncio.AbstractEventLoop) -> Any:
        stop = install(loop)
        add_handlers(loop, stop.set)
        return stop

    _signals.set_loop_signals = install_both
