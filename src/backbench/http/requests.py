"""Requests: the types of ASGI, deadlines for slow clients, headers, body, client and host."""

import asyncio
import ipaddress
from collections.abc import AsyncIterator, Awaitable, Callable, Coroutine, Mapping, MutableMapping, Sequence
from typing import Any

from msgspec import Struct

from backbench.values.calls import Client
from backbench.values.errors import BodyTooSlow, TooLarge, UnsupportedMedia
from backbench.values.ids import NIL_ID
from backbench.values.limits import Quotas

Scope = MutableMapping[str, Any]
Message = MutableMapping[str, Any]
Receive = Callable[[], Awaitable[Message]]
Send = Callable[[Message], Awaitable[None]]
ASGIApp = Callable[[Scope, Receive, Send], Awaitable[None]]


class Deadlines(Struct, frozen=True):
    """In seconds, and bytes. The contract names these figures, so they are no settings; tests pass shorter ones."""

    # A JSON body, from its first byte to its last.
    body: float = 10.0
    # Between two pieces of an upload.
    stall: float = 30.0
    # An upload brings at least `upload_rate` bytes a second over each `window` spent waiting for it.
    window: float = 30.0
    upload_rate: int = 64 * 1024
    # Until the client has taken a piece of a streamed response.
    piece: float = 30.0
    # For the rest of a body that was not read, and its bytes: so long the client can still read the response.
    linger: float = 5.0
    max_lingering: int = 4 * 1024 * 1024


DEADLINES = Deadlines()


class _Deadline:
    """Cancels tasks that wait for longer than `seconds`.

    All of them have the same time, so they end in the order in which they began, and one timer serves them all. A timer
    for each body would take longer than a statement of its request.
    """

    def __init__(self, loop: asyncio.AbstractEventLoop, seconds: float) -> None:
        self.loop = loop
        self._seconds = seconds
        # When each ends, the earliest first.
        self._waiting: dict[asyncio.Task[Any], float] = {}
        self._late: set[asyncio.Task[Any]] = set()
        self._timer: asyncio.TimerHandle | None = None

    async def limit(self, arriving: Awaitable[bytes]) -> bytes:
        """Raises BodyTooSlow when the seconds have passed."""
        task = asyncio.current_task(self.loop)
        assert task is not None
        self._waiting[task] = self.loop.time() + self._seconds
        if self._timer is None:
            self._timer = self.loop.call_later(self._seconds, self._cancel_late)
        try:
            return await arriving
        except asyncio.CancelledError:
            # Cancelled by this deadline, and by nobody else as well.
            if task in self._late and task.uncancel() == 0:
                raise BodyTooSlow(f"The body did not arrive within {self._seconds:g} seconds") from None
            raise
        finally:
            self._waiting.pop(task, None)
            self._late.discard(task)

    def _cancel_late(self) -> None:
        self._timer = None
        now = self.loop.time()
        while self._waiting:
            task, ends_at = next(iter(self._waiting.items()))
            if ends_at > now:
                self._timer = self.loop.call_later(ends_at - now, self._cancel_late)
                return
            del self._waiting[task]
            self._late.add(task)
            task.cancel()


_deadlines: dict[float, _Deadline] = {}


def within(seconds: float, arriving: Awaitable[bytes]) -> Coroutine[Any, Any, bytes]:
    """What arrives. Raises BodyTooSlow when the seconds have passed."""
    loop = asyncio.get_running_loop()
    deadline = _deadlines.get(seconds)
    if deadline is None or deadline.loop is not loop:
        deadline = _deadlines[seconds] = _Deadline(loop, seconds)
    return deadline.limit(arriving)


class UploadPace:
    """Receives the pieces of an upload. Only the time spent waiting counts: the disk may be slower than the client."""

    def __init__(self, receive: Receive, deadlines: Deadlines) -> None:
        self._receive = receive
        self._stall = deadlines.stall
        self._window = deadlines.window
        self._rate = deadlines.upload_rate
        self._clock = asyncio.get_running_loop().time
        self._waited = 0.0
        self._received = 0

    async def next(self) -> Mapping[str, Any]:
        """The next message. Raises BodyTooSlow after a stall, and at the end of a window with too few bytes."""
        began = self._clock()
        is_behind = self._received < self._window * self._rate
        left = self._window - self._waited
        try:
            async with asyncio.timeout(min(self._stall, left) if is_behind else self._stall):
                message = await self._receive()
        except TimeoutError:
            raise BodyTooSlow(f"An upload must bring at least {self._rate // 1024} KiB a second") from None
        self._waited += self._clock() - began
        self._received += len(message.get("body", b""))
        if self._waited >= self._window:
            self._waited, self._received = 0.0, 0
        return message


Network = ipaddress.IPv4Network | ipaddress.IPv6Network
MAX_JSON_SIZE = 256 * 1024
# Arrives with the head of a request, or with the next packets.
_SMALL = 16 * 1024
# Of an operation that needs no account.
MAX_PUBLIC_JSON_SIZE = 8 * 1024
_MAX_USER_AGENT_LENGTH = 400
# The networks that a provider assigns to one customer, besides the /64 of one link.
_IPV6_NETWORKS = (56, 48)


class ClientDisconnected(Exception):
    """The client disconnected before its body was complete."""


Headers = Sequence[tuple[bytes, bytes]]


def credentials(headers: Headers) -> str | bytes | None:
    """What tells whose a request is: its `Authorization`, or else the session's cookie."""
    sent = dict(headers)
    return sent.get(b"authorization") or cookie_in(_cookies(headers), b"session")


def _cookies(headers: Headers) -> list[bytes]:
    """A client may send more than one Cookie header."""
    return [value for name, value in headers if name == b"cookie"]


def cookie_in(lines: Sequence[bytes], name: bytes) -> str | None:
    """The value of the cookie in lines of the header; None where there is none, or more than one."""
    found = None
    for pair in b";".join(lines).split(b";"):
        key, _, value = pair.strip().partition(b"=")
        if key == name:
            if found is not None:
                return None
            found = value
    return None if found is None else found.decode("latin-1")


class Request:
    __slots__ = (
        "_client",
        "_cookies",
        "_deadlines",
        "_has_ended",
        "_receive",
        "changed_workshop",
        "digest",
        "headers",
        "max_json_size",
        "method",
        "params",
        "quotas",
        "scope",
        "uid",
    )

    def __init__(self, scope: Scope, receive: Receive, deadlines: Deadlines = DEADLINES) -> None:
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
        self.max_json_size = MAX_JSON_SIZE
        self._client: Client | None = None
        self._cookies: dict[bytes, str | None] = {}
        self._receive = receive
        self._deadlines = deadlines
        self._has_ended = False

    @property
    def has_unread_body(self) -> bool:
        """Whether the client may still be sending: then its connection cannot be used for another request."""
        if self._has_ended:
            return False
        return self.headers.get(b"content-length", b"0") != b"0" or b"transfer-encoding" in self.headers

    def header(self, name: bytes) -> str | None:
        value = self.headers.get(name)
        return None if value is None else value.decode("latin-1")

    def cookie(self, name: bytes) -> str | None:
        """The value of the cookie; None where there is none, or more than one.

        A sibling domain can plant a second cookie of the same name. Nothing tells which of them this server has set.
        """
        line = self.headers.get(b"cookie")
        if line is None or name in self._cookies:
            return self._cookies.get(name)
        sent = self.scope["headers"]
        found = self._cookies[name] = cookie_in([line] if len(sent) == len(self.headers) else _cookies(sent), name)
        return found

    async def body(self, limit: int = MAX_JSON_SIZE) -> bytes:
        """The whole body. Raises TooLarge as soon as it exceeds `limit` bytes, and BodyTooSlow."""
        declared = self.headers.get(b"content-length", b"")
        length = int(declared) if declared.isdigit() else -1
        if length > limit:
            raise TooLarge(limit)
        body = await within(self._deadlines.body, self._whole(length, limit))
        self._has_ended = True
        return body

    async def _whole(self, length: int, limit: int) -> bytes:
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
        """The body as it arrives, of any size. Raises BodyTooSlow."""
        pace = UploadPace(self._receive, self._deadlines)
        while True:
            message = await pace.next()
            if message["type"] == "http.disconnect":
                raise ClientDisconnected
            if not message.get("more_body", False):
                self._has_ended = True
            yield message.get("body", b"")
            if self._has_ended:
                return

    async def disconnected(self) -> None:
        """Returns when the client has disconnected. For a request whose body has been read, or has none."""
        while (await self._receive())["type"] != "http.disconnect":
            pass

    def json_body(self) -> Awaitable[bytes]:
        """The body of an operation that takes JSON. Raises UnsupportedMedia before TooLarge."""
        if b"content-encoding" in self.headers:
            raise UnsupportedMedia("Send the body without Content-Encoding")
        declared = self.headers.get(b"content-type", b"").partition(b";")[0].strip().lower()
        if declared != b"application/json":
            raise UnsupportedMedia("Send the body as application/json")
        return self.body(self.max_json_size)

    @property
    def has_small_json(self) -> bool:
        """Whether `json_body` has nothing to wait for but a body that arrives with the head, or soon after."""
        length = self.headers.get(b"content-length", b"")
        is_plain = b"content-encoding" not in self.headers and self.headers.get(b"content-type") == b"application/json"
        return is_plain and length.isdigit() and int(length) <= _SMALL

    def link_to_next(self, cursor: str) -> bytes:
        """A Link header to the next page: the same query with the next cursor."""
        query: bytes = self.scope["query_string"]
        others = [pair for pair in query.split(b"&") if pair and not pair.startswith(b"cursor=")]
        next_query = b"&".join([*others, b"cursor=" + cursor.encode()])
        path: bytes = self.scope.get("raw_path") or self.scope["path"].encode()
        return b'<%s?%s>; rel="next"' % (path, next_query)

    def client(self, trusted: Sequence[Network]) -> Client:
        if self._client is None:
            self._client = self._find_client(trusted)
        return self._client

    def _find_client(self, trusted: Sequence[Network]) -> Client:
        agent = (self.header(b"user-agent") or "")[:_MAX_USER_AGENT_LENGTH]
        address = self.address(trusted)
        return Client(
            address=address,
            networks=_networks(address),
            device=self.cookie(b"device"),
            user_agent="".join(character for character in agent if character.isprintable()),
            session=None if b"authorization" in self.headers else self.cookie(b"session"),
            member_session=self.cookie(b"session"),
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


def _networks(address: str) -> tuple[str, ...]:
    """The networks around an IPv6 address; none for IPv4."""
    if ":" not in address:
        return ()
    return tuple(str(ipaddress.ip_network(address).supernet(new_prefix=length)) for length in _IPV6_NETWORKS)


def _grouped(address: ipaddress.IPv4Address | ipaddress.IPv6Address | None) -> str:
    if address is None:
        return "unknown"
    if address.version == 6:
        return str(ipaddress.ip_network((address, 64), strict=False))
    return str(address)


# Reserved: no public DNS server resolves them (RFC 6761, RFC 6762, RFC 8375, and ICANN for `internal`).
_LOCAL_DOMAINS = ("localhost", "local", "internal", "home.arpa")


def is_local(authority: str) -> bool:
    """Whether a Host header names an IP address, or a machine of the local network, with or without a port.

    A page of another site can make its own name resolve to this machine. It cannot do so with an address or with a
    name that public DNS does not have.
    """
    host = authority.lower().rstrip(".")
    if host.startswith("["):
        host = host[1:].partition("]")[0]
    elif host.count(":") == 1:
        host = host.partition(":")[0].rstrip(".")
    try:
        ipaddress.ip_address(host)
    except ValueError:
        is_single = bool(host) and "." not in host and not host[-1].isdigit()
        return is_single or host.endswith(tuple(f".{domain}" for domain in _LOCAL_DOMAINS))
    return True
