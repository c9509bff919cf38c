"""Requests to addresses that users have given: to the public internet alone."""

import ipaddress
import socket
import ssl
from collections.abc import Iterable, Mapping
from functools import cache
from time import monotonic
from typing import Annotated, Any
from urllib.parse import urlsplit

import httpcore2
from msgspec import Meta

from backbench.values.errors import FieldError, ValidationError

Url = Annotated[str, Meta(min_length=8, max_length=2000, pattern=r"^https?://[!-~]+$")]
Address = ipaddress.IPv4Address | ipaddress.IPv6Address
# The part of IPv6 that is given out, less what leads elsewhere: Teredo and documentation, and 6to4.
_GIVEN_OUT = ipaddress.ip_network("2000::/3")
# What a version of Python knows of them does not count. From the registry of special purposes (RFC 6890 and later
# ones): this network, private, shared, loopback, link-local, protocol assignments, documentation, former 6to4 relays,
# benchmarks, multicast and reserved; and an address at which a provider's machines find their own settings.
_NOT_PUBLIC = tuple(
    map(
        ipaddress.ip_network,
        (
            "0.0.0.0/8",
            "10.0.0.0/8",
            "100.64.0.0/10",
            "127.0.0.0/8",
            "169.254.0.0/16",
            "172.16.0.0/12",
            "192.0.0.0/24",
            "192.0.2.0/24",
            "192.88.99.0/24",
            "192.168.0.0/16",
            "198.18.0.0/15",
            "198.51.100.0/24",
            "203.0.113.0/24",
            "224.0.0.0/3",
            "168.63.129.16/32",
        ),
    )
)
_TRANSLATED = tuple(map(ipaddress.ip_network, ("2001::/23", "2001:db8::/32", "2002::/16", "3fff::/20")))


def is_allowed(address: Address, *, allows_loopback: bool) -> bool:
    """Whether the service may connect to the address: a public one, and one of this machine where that is set."""
    return is_public(address) or (allows_loopback and address.is_loopback)


def is_public(address: Address) -> bool:
    """Not private, loopback, link-local, shared, reserved, multicast, or an IPv4 address in IPv6."""
    if isinstance(address, ipaddress.IPv4Address):
        return not any(address in network for network in _NOT_PUBLIC)
    return address in _GIVEN_OUT and not any(address in network for network in _TRANSLATED)


def require_public(url: str, pointer: str, *, allows_loopback: bool) -> None:
    """Raises ValidationError at `pointer`. A name is checked when it is resolved: this finds mistakes.

    `allows_loopback` is for tests: then addresses of this machine are accepted, and http.
    """
    try:
        parts = urlsplit(url)
        host, _ = parts.hostname, parts.port
    except ValueError:
        raise ValidationError(FieldError(pointer, "not_valid", "Expected an address")) from None
    has_scheme = parts.scheme == "https" or allows_loopback
    if not has_scheme or parts.username is not None or not host:
        raise ValidationError(FieldError(pointer, "not_valid", "Expected an address that begins with https://"))
    if not _may_be_allowed(host, allows_loopback=allows_loopback):
        raise ValidationError(FieldError(pointer, "not_public", "Expected an address of the public internet"))


def _may_be_allowed(host: str, *, allows_loopback: bool) -> bool:
    if host == "localhost" or host.endswith(".localhost"):
        return allows_loopback
    try:
        return is_allowed(ipaddress.ip_address(host), allows_loopback=allows_loopback)
    except ValueError:
        # A name, but none that only looks like one: 127.1 and 0x7f000001 are addresses to some programs.
        return not host.rpartition(".")[2].isdigit() and not host.lower().startswith("0x") and not host.isdigit()


class RequestFailed(Exception):
    """There was no response. The message is for the log."""


class PublicRequests:
    """`allows_loopback` is for tests: then addresses of this machine may be connected to as well."""

    def __init__(self, *, allows_loopback: bool = False) -> None:
        self._allows_loopback = allows_loopback

    def post(self, url: str, content: bytes, headers: Mapping[str, str]) -> int:
        """The status of the response; its body is not read. Blocking. Raises RequestFailed."""
        # Most servers have no webhooks.
        from backbench.integrations import public_requests

        return public_requests.post(url, content, headers, allows_loopback=self._allows_loopback)


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
