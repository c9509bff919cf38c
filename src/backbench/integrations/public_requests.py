"""Requests to addresses that users have given: to the public internet alone."""

import ipaddress
import socket
import ssl
from collections.abc import Iterable, Mapping
from functools import cache
from time import monotonic
from typing import Any

import httpcore2

from backbench.integrations.public_addresses import RequestFailed, is_allowed

_CONNECT_SECONDS = 5.0
_WHOLE_SECONDS = 15.0


def post(url: str, content: bytes, headers: Mapping[str, str], *, allows_loopback: bool) -> int:
    """The status of the response; its body is not read. Raises RequestFailed.

    `allows_loopback` is for tests: then addresses of this machine may be connected to as well.
    """
    backend = _CheckedBackend(monotonic() + _WHOLE_SECONDS, allows_loopback)
    sent = [(name.encode(), value.encode()) for name, value in headers.items()]
    timeouts = {"timeout": {"connect": _CONNECT_SECONDS, "read": _WHOLE_SECONDS, "write": _WHOLE_SECONDS}}
    try:
        with (
            httpcore2.ConnectionPool(ssl_context=_tls(), network_backend=backend) as pool,
            pool.stream("POST", url, headers=sent, content=content, extensions=timeouts) as response,
        ):
            return int(response.status)
    except (
        httpcore2.NetworkError,
        httpcore2.TimeoutException,
        httpcore2.ProtocolError,
        httpcore2.UnsupportedProtocol,
        OSError,
    ) as error:
        raise RequestFailed(f"{type(error).__name__}: {error}") from error


@cache
def _tls() -> ssl.SSLContext:
    """Made once: reading the certificates of the system takes some twenty times as long as a request."""
    return ssl.create_default_context()


class _CheckedBackend(httpcore2.NetworkBackend):
    """Connects to checked addresses, and ends each connection at `ends_at` of the monotonic clock."""

    def __init__(self, ends_at: float, allows_loopback: bool) -> None:
        self._ends_at = ends_at
        self._allows_loopback = allows_loopback
        self._sockets = httpcore2.SyncBackend()

    def connect_tcp(
        self,
        host: str,
        port: int,
        timeout: float | None = None,
        local_address: str | None = None,
        socket_options: Iterable[Any] | None = None,
    ) -> httpcore2.NetworkStream:
        address = self._checked(host, port)
        return _EndingStream(self._sockets.connect_tcp(address, port, timeout, local_address), self._ends_at)

    def _checked(self, host: str, port: int) -> str:
        try:
            found = {str(entry[4][0]) for entry in socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)}
        except (OSError, UnicodeError) as error:
            raise httpcore2.ConnectError(f"{host} is not known: {error}") from error
        parsed = [ipaddress.ip_address(address.partition("%")[0]) for address in found]
        if not all(is_allowed(address, allows_loopback=self._allows_loopback) for address in parsed):
            raise httpcore2.ConnectError(f"{host} is not of the public internet")
        # Those of IPv4 first: a server may have no way to the others.
        return min(found, key=lambda address: (":" in address, address))


class _EndingStream(httpcore2.NetworkStream):
    """A stream with an end: a receiver that sends a byte now and then would hold a thread for hours."""

    def __init__(self, stream: httpcore2.NetworkStream, ends_at: float) -> None:
        self._stream = stream
        self._ends_at = ends_at

    def read(self, max_bytes: int, timeout: float | None = None) -> bytes:
        return self._stream.read(max_bytes, self._rest(timeout))

    def write(self, buffer: bytes, timeout: float | None = None) -> None:
        self._stream.write(buffer, self._rest(timeout))

    def close(self) -> None:
        self._stream.close()

    def start_tls(
        self, ssl_context: ssl.SSLContext, server_hostname: str | None = None, timeout: float | None = None
    ) -> httpcore2.NetworkStream:
        return _EndingStream(self._stream.start_tls(ssl_context, server_hostname, self._rest(timeout)), self._ends_at)

    def get_extra_info(self, info: str) -> Any:
        return self._stream.get_extra_info(info)

    def _rest(self, timeout: float | None) -> float:
        rest = self._ends_at - monotonic()
        if rest <= 0:
            raise httpcore2.ReadTimeout("The whole exchange took too long")
        return rest if timeout is None else min(rest, timeout)
