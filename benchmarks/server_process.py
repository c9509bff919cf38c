"""Server processes: start, wait until ready, measure processor time and memory, stop."""

import contextlib
import http.client
import os
import signal
import socket
import subprocess
import time
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

import msgspec
from msgspec import Struct

_START_SECONDS = 30.0
_STOP_SECONDS = 20.0
_POLL_SECONDS = 0.001


class Response(Struct, frozen=True):
    """The response to `Server.call`."""

    status: int
    headers: list[tuple[str, str]]
    body: bytes

    def json(self) -> Any:
        return msgspec.json.decode(self.body)

    @property
    def cookies(self) -> dict[str, str]:
        lines = [value for name, value in self.headers if name.lower() == "set-cookie"]
        pairs = [line.partition(";")[0].partition("=") for line in lines]
        return {name: value for name, _, value in pairs}


class Server(Struct, frozen=True):
    port: int
    process: subprocess.Popen[bytes]
    # Seconds from the start of the process to the first successful response.
    ready_after: float

    def call(self, method: str, path: str, body: Any = None, headers: Mapping[str, str] | None = None) -> Response:
        """Sends one request on a new connection. Raises RuntimeError unless the status is 2xx."""
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=60)
        with contextlib.closing(connection):
            sent = dict(headers or {})
            if body is not None:
                sent["content-type"] = "application/json"
            connection.request(method, path, None if body is None else msgspec.json.encode(body), sent)
            received = connection.getresponse()
            response = Response(received.status, received.getheaders(), received.read())
        if not 200 <= response.status < 300:
            raise RuntimeError(f"{method} {path}: {response.status} {response.body[:500]!r}")
        return response

    @property
    def workers(self) -> list[int]:
        """The worker processes: the children of the started process, or itself if it has none."""
        return children(self.process.pid) or [self.process.pid]

    @property
    def processor_seconds(self) -> float:
        """Processor time of the workers so far; 0 on systems without /proc."""
        return sum(processor_seconds(pid) for pid in self.workers)

    @property
    def processor_seconds_with_children(self) -> float:
        """The same with the processes of the workers, which render PDFs."""
        return self.processor_seconds + sum(processor_seconds(pid) for each in self.workers for pid in children(each))

    @property
    def written_bytes(self) -> int:
        """Bytes that the workers have sent to the disk so far."""
        return sum(_written_bytes(pid) for pid in self.workers)


@contextlib.contextmanager
def running_process(
    command: Sequence[str | Path], port: int, ready: str, folder: Path, environment: Mapping[str, str] | None = None
) -> Iterator[Server]:
    """Starts `command`, waits until the path `ready` returns 200, and stops it afterwards."""
    settings = {name: value for name, value in with_bytecode().items() if not name.startswith("BACKBENCH_")}
    settings |= environment or {}
    with (folder / "server.log").open("ab") as log:
        started = time.perf_counter()
        process = subprocess.Popen(command, stdout=log, stderr=log, env=settings, cwd=folder, start_new_session=True)
        try:
            _await_ready(process, port, ready, Path(log.name))
            yield Server(port, process, time.perf_counter() - started)
        finally:
            _stop(process)


def with_bytecode() -> dict[str, str]:
    """The environment, in which Python stores the bytecode of its modules: every installation has it.

    Otherwise half of a start would be spent on compiling modules.
    """
    return {name: value for name, value in os.environ.items() if name != "PYTHONDONTWRITEBYTECODE"}


def _await_ready(process: subprocess.Popen[bytes], port: int, ready: str, log: Path) -> None:
    until = time.perf_counter() + _START_SECONDS
    while not _is_ready(port, ready):
        if process.poll() is not None or time.perf_counter() > until:
            raise RuntimeError(f"{process.args!r} is not ready:\n{log.read_text()[-2000:]}")
        time.sleep(_POLL_SECONDS)


def _is_ready(port: int, path: str) -> bool:
    connection = http.client.HTTPConnection("127.0.0.1", port, timeout=5)
    with contextlib.closing(connection):
        try:
            connection.request("GET", path)
            return connection.getresponse().status == 200
        except (OSError, http.client.HTTPException):
            return False


def _stop(process: subprocess.Popen[bytes]) -> None:
    process.send_signal(signal.SIGTERM)
    try:
        process.wait(_STOP_SECONDS)
    except subprocess.TimeoutExpired:
        # It has its own process group, which includes its workers.
        os.killpg(process.pid, signal.SIGKILL)
        process.wait()


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port: int = probe.getsockname()[1]
        return port


def children(pid: int) -> list[int]:
    """The child processes of `pid`; none on systems without /proc."""
    listed = [_text(task / "children") for task in _threads(pid)]
    found = [int(number) for line in listed for number in line.split()]
    return [child for child in found if "resource_tracker" not in _text(Path(f"/proc/{child}/cmdline"))]


def processor_seconds(pid: int) -> float:
    """Processor time of its threads so far; 0 on systems without /proc."""
    return sum(int((_text(thread / "schedstat") or "0").split()[0]) for thread in _threads(pid)) / 1e9


def _threads(pid: int) -> list[Path]:
    return list(Path(f"/proc/{pid}/task").glob("*"))


def _written_bytes(pid: int) -> int:
    lines = _text(Path(f"/proc/{pid}/io")).splitlines()
    return next((int(line.split()[1]) for line in lines if line.startswith("write_bytes:")), 0)


def _text(file: Path) -> str:
    """ "" where the process has ended, or the system has no /proc."""
    try:
        return file.read_text("utf-8", "replace")
    except (FileNotFoundError, ProcessLookupError):
        return ""


class Memory(Struct, frozen=True):
    """Memory of one process, in bytes: resident set size and proportional set size."""

    rss: int
    pss: int


def memory(pid: int) -> Memory | None:
    """None on systems without /proc."""
    rollup = Path(f"/proc/{pid}/smaps_rollup")
    if not rollup.exists():
        return None
    sizes = dict(_size(line) for line in rollup.read_text().splitlines()[1:])
    return Memory(sizes["Rss"], sizes["Pss"])


def _size(line: str) -> tuple[str, int]:
    name, kib, *_ = line.split()
    return name.rstrip(":"), int(kib) * 1024
