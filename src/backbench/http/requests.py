"""A request as the endpoints see it: headers looked up once, the body read with a bound."""

import ipaddress
from collections.abc import AsyncIterator, Awaitable, Callable, Mapping, Sequence
from typing import Any

from backbench.domain.accounts.clients import Client
from backbench.domain.values.errors import TooLarge, UnsupportedMedia
from backbench.domain.values.ids import NIL_ID
from backbench.domain.values.quotas import Quotas

Scope = Mapping[str, Any]
Receive = Callable[[], Awaitable[Mapping[str, Any]]]
Network = ipaddress.IPv4Network | ipaddress.IPv6Network

LARGEST_JSON = 256 * 1024
_LONGEST_USER_AGENT = 400


class ClientGone(Exception):
    """The client hung up, or broke its body off; there is nobody to answer."""


class Request:
    __slots__ = ("_receive", "digest", "headers", "method", "params", "quotas", "scope", "uid")

    def __init__(self, scope: Scope, receive: Receive) -> None:
        self.scope = scope
        self.method: str = scope["method"]
        self.headers: dict[bytes, bytes] = dict(scope["headers"])
        self.params: dict[str, str] = {}
        # Whose it is, as soon as that is known: for the log.
        self.uid: str | None = None
        # The limits that it was counted under, and what they leave: for the answer.
        self.quotas: Quotas = {}
        # What the body comes to, where it is read while it is worked on.
        self.digest: Callable[[], str] | None = None
        self._receive = receive

    def header(self, name: bytes) -> str | None:
        value = self.headers.get(name)
        return None if value is None else value.decode("latin-1")

    def cookie(self, name: bytes) -> str | None:
        # HTTP/2 clients may send each cookie in a header of its own; a dict keeps only the last of those.
        lines = (
            (self.headers.get(b"cookie", b""),)
            if self.scope["http_version"] == "1.1"
            else [value for key, value in self.scope["headers"] if key == b"cookie"]
        )
        for line in lines:
            for pair in line.split(b";"):
                key, _, value = pair.strip().partition(b"=")
                if key == name:
                    return value.decode("latin-1")
        return None

    async def body(self, largest: int = LARGEST_JSON) -> bytes:
        """The whole body. Raises TooLarge as soon as it is known to be."""
        declared = self.headers.get(b"content-length", b"")
        length = int(declared) if declared.isdigit() else -1
        if length > largest:
            raise TooLarge(largest)
        message = await self._receive()
        body: bytes = message.get("body", b"")
        # The server tells the end of a body in a message of its own; one that has its length needs no telling.
        if len(body) == length:
            return body
        return await self._gather(message, largest)

    async def _gather(self, message: Mapping[str, Any], largest: int) -> bytes:
        parts: list[bytes] = []
        size = 0
        while True:
            if message["type"] == "http.disconnect":
                raise ClientGone
            parts.append(message.get("body", b""))
            size += len(parts[-1])
            if size > largest:
                raise TooLarge(largest)
            if not message.get("more_body", False):
                return b"".join(parts)
            message = await self._receive()

    async def pieces(self) -> AsyncIterator[bytes]:
        """The body as it arrives, of any size."""
        while True:
            message = await self._receive()
            if message["type"] == "http.disconnect":
                raise ClientGone
            yield message.get("body", b"")
            if not message.get("more_body", False):
                return

    async def json_body(self) -> bytes:
        """The body of an operation that takes JSON: 415 before 413 before what stands in it."""
        if b"content-encoding" in self.headers:
            raise UnsupportedMedia("Send the body without Content-Encoding")
        declared = self.headers.get(b"content-type", b"").partition(b";")[0].strip().lower()
        if declared != b"application/json":
            raise UnsupportedMedia("Send the body as application/json")
        return await self.body()

    def link_to_next(self, cursor: str) -> bytes:
        """A Link header to where the list goes on: the same query with the next cursor."""
        query: bytes = self.scope["query_string"]
        kept = [pair for pair in query.split(b"&") if pair and not pair.startswith(b"cursor=")]
        following = b"&".join([*kept, b"cursor=" + cursor.encode()])
        path: bytes = self.scope.get("raw_path") or self.scope["path"].encode()
        return b'<%s?%s>; rel="next"' % (path, following)

    def visitor(self, trusted: Sequence[Network]) -> Client:
        agent = (self.header(b"user-agent") or "")[:_LONGEST_USER_AGENT]
        return Client(
            address=self.address(trusted),
            user_agent="".join(character for character in agent if character.isprintable()),
            session=None if b"authorization" in self.headers else self.cookie(b"session"),
            quotas=self.quotas,
        )

    def address(self, trusted: Sequence[Network]) -> str:
        """The client's address: the peer's, or the rightmost hop that is none of our proxies. IPv6 counts by /64."""
        client = self.scope.get("client")
        peer = _parsed(client[0] if client else "")
        if peer is not None and _is_in(peer, trusted):
            forwarded = [value for key, value in self.scope["headers"] if key == b"x-forwarded-for"]
            for hop in reversed(b",".join(forwarded).decode("latin-1").split(",")):
                address = _parsed(hop.strip())
                if address is None:
                    break
                peer = address
                if not _is_in(address, trusted):
                    break
        return _grouped(peer)


def known_ids(params: dict[str, str]) -> dict[str, str]:
    """What cannot be an id (wrong length, not printable ASCII) becomes one that nothing has."""
    for name, value in params.items():
        if len(value) > 64 or not value.isascii() or not value.isprintable():
            params[name] = NIL_ID
    return params


def _parsed(text: str) -> ipaddress.IPv4Address | ipaddress.IPv6Address | None:
    try:
        address = ipaddress.ip_address(text.partition("%")[0])
    except ValueError:
        return None
    mapped = getattr(address, "ipv4_mapped", None)
    return mapped or address


def _is_in(address: ipaddress.IPv4Address | ipaddress.IPv6Address, networks: Sequence[Network]) -> bool:
    return any(address.version == network.version and address in network for network in networks)


def _grouped(address: ipaddress.IPv4Address | ipaddress.IPv6Address | None) -> str:
    if address is None:
        return "unknown"
    if address.version == 6:
        return str(ipaddress.ip_network((address, 64), strict=False))
    return str(address)
