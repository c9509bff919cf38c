"""Event streams that are open and mostly quiet: thousands of sockets in one process, read where it matters."""

import contextlib
import re
import resource
import select
import socket
from collections.abc import Iterator, Sequence

from benchmarks.closed_loop import UnexpectedResponse

_TIMEOUT_SECONDS = 60.0
# So many are opened before the first of them is read.
_AT_ONCE = 100
_READ_BYTES = 64 * 1024
_EVENT = re.compile(rb"event: (?!heartbeat)(\w+)\n")


class OpenStream:
    """An event stream on a socket."""

    def __init__(self, port: int, request: bytes) -> None:
        self._socket = socket.create_connection(("127.0.0.1", port), timeout=_TIMEOUT_SECONDS)
        self._received = b""
        self._socket.sendall(request)

    def next_event(self) -> str:
        """The name of the next event; heartbeats are skipped. Raises UnexpectedResponse where the stream has ended."""
        while (found := _EVENT.search(self._received)) is None:
            if not self._receive():
                raise UnexpectedResponse(f"the stream has ended: {self._received[:300]!r}")
        self._received = self._received[found.end() :]
        return found[1].decode()

    def is_open(self) -> bool:
        """Whether the server has not ended it. Reads what has arrived."""
        poll = select.poll()
        poll.register(self._socket, select.POLLIN)
        while poll.poll(0):
            if not self._receive():
                return False
        return True

    def close(self) -> None:
        self._socket.close()

    def _receive(self) -> bool:
        piece = self._socket.recv(_READ_BYTES)
        self._received += piece
        return bool(piece) and not piece.endswith(b"\r\n0\r\n\r\n")


@contextlib.contextmanager
def open_streams(port: int, requests: Sequence[bytes]) -> Iterator[list[OpenStream]]:
    """A stream for each request, after its first event."""
    raise_file_limit(len(requests) + 512)
    streams: list[OpenStream] = []
    try:
        for start in range(0, len(requests), _AT_ONCE):
            opened = [OpenStream(port, request) for request in requests[start : start + _AT_ONCE]]
            streams += opened
            for stream in opened:
                stream.next_event()
        yield streams
    finally:
        for stream in streams:
            stream.close()


def raise_file_limit(files: int) -> None:
    """Lets this process have so many files and sockets open, as far as the system permits."""
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    if soft < files:
        resource.setrlimit(resource.RLIMIT_NOFILE, (min(files, hard), hard))
