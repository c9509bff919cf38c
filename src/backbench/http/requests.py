"""Requests: headers, cookies, client address, and the body within a size limit."""

import ipaddress
from collections.abc import AsyncIterator, Callable, Mapping, Sequence
from typing import Any

from starlette.types import Receive, Scope

from backbench.domain.accounts.clients import Client
from backbench.domain.values.errors import TooLarge, UnsupportedMedia
from backbench.domain.values.ids import NIL_ID
from backbench.domain.values.quotas import Quotas

Network = ipaddress.IPv4Network | ipaddress.IPv6Network

MAX_JSON_SIZE = 256 * 1024
_MAX_USER_AGENT_LENGTH = 400


class ClientDisconnected(Exception):
    """The client disconnected before its body was complete."""


class Request:
    __slots__ = ("_receive", "changed_workshop", "digest", "headers", "method", "params", "quotas", "scope", "uid")

    def __init__(self, scope: Scope, receive: Receive) -> None:
        self.scope = scope
        self.method: str = scope["method"]
        self.headers: dict[bytes, bytes] = dict(scope["headers"])
        self.params: dict[str, str] = {}
        # The id of the account, once authenticated: for the log.
        self.uid: str | None = None
        # The rate limits that the request was counted under, for the response headers.
        self.quotas: Quotas = {}
        # The workshop that it changed, once the change is in the transaction.
        self.changed_workshop: str | None = None
        # The fingerprint of a body that is streamed, once it has been read.
        self.digest: Callable[[], str] | None = None
        self._receive = receive

    def header(self, name: bytes) -> str | None:
        value = self.headers.get(name)
        return None if value is None else value.decode("latin-1")

    def cookie(self, name: bytes) -> str | None:
        # HTTP/2 clients may send each cookie in its own header; a dict would hold only the last.
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

    async def body(self, limit: int = MAX_JSON_SIZE) -> bytes:
        """The whole body. Raises TooLarge as soon as it exceeds `limit` bytes."""
        declared = self.headers.get(b"content-length", b"")
        length = int(declared) if declared.isdigit() else -1
        if length > limit:
            raise TooLarge(limit)
        message = await self._receive()
        body: bytes = message.get("body", b"")
        # The server marks the end of a body with another message; a complete body need not wait for it.
        if len(body) == length:
            return body
        return await self._gather(message, limit)

    async def _gather(self, message: Mapping[str, Any], limit: int) -> bytes:
        pieces: list[bytes] = []
        size = 0
        while True:
            if message["type"] == "http.disconnect":
                raise ClientDisconnected
            pieces.append(message.get("body", b""))
            size += len(pieces[-1])
            if size > limit:
                raise TooLarge(limit)
            if not message.get("more_body", False):
                return b"".join(pieces)
            message = await self._receive()

    async def pieces(self) -> AsyncIterator[bytes]:
        """The body as it arrives, of any size."""
        while True:
            message = await self._receive()
            if message["type"] == "http.disconnect":
                raise ClientDisconnected
            yield message.get("body", b"")
            if not message.get("more_body", False):
                return

    async def disconnected(self) -> None:
        """Returns when the client has disconnected. For a request whose body has been read, or has none."""
        while (await self._receive())["type"] != "http.disconnect":
            pass

    async def json_body(self) -> bytes:
        """The body of an operation that takes JSON. Raises UnsupportedMedia before TooLarge."""
        if b"content-encoding" in self.headers:
            raise UnsupportedMedia("Send the body without Content-Encoding")
        declared = self.headers.get(b"content-type", b"").partition(b";")[0].strip().lower()
        if declared != b"application/json":
            raise UnsupportedMedia("Send the body as application/json")
        return await self.body()

    def link_to_next(self, cursor: str) -> bytes:
        """A Link header to the next page: the same query with the next cursor."""
        query: bytes = self.scope["query_string"]
        others = [pair for pair in query.split(b"&") if pair and not pair.startswith(b"cursor=")]
        next_query = b"&".join([*others, b"cursor=" + cursor.encode()])
        path: bytes = self.scope.get("raw_path") or self.scope["path"].encode()
        return b'<%s?%s>; rel="next"' % (path, next_query)

    def client(self, trusted: Sequence[Network]) -> Client:
        agent = (self.header(b"user-agent") or "")[:_MAX_USER_AGENT_LENGTH]
        return Client(
            address=self.address(trusted),
            user_agent="".join(character for character in agent if character.isprintable()),
            session=None if b"authorization" in self.headers else self.cookie(b"session"),
            quotas=self.quotas,
        )

    def address(self, trusted: Sequence[Network]) -> str:
        """The client's address: the peer's, or the rightmost hop that is no trusted proxy. IPv6 is grouped by /64."""
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
    """Replaces what cannot be an id (too long, not printable ASCII) by one that matches nothing."""
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
