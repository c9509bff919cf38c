"""Hosts: names that cannot be pointed at this server from outside, against DNS rebinding."""

import asyncio
import ipaddress
from contextlib import aclosing

from backbench.http.requests import Deadlines, Message, Receive, Send
from backbench.http.responses import Header, Response

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


CLOSE: Header = (b"connection", b"close")
# The client must take so much within `Deadlines.piece`: a slow connection needs longer for the pieces of a generator.
_SENT_AT_ONCE = 32 * 1024


class ResponseUnread(Exception):
    """The client did not read a streamed response in time."""


async def send_response(response: Response, send: Send, deadlines: Deadlines, *, with_body: bool) -> None:
    """Raises ResponseUnread where the client does not take a piece in time; the pieces are closed then."""
    await send({"type": "http.response.start", "status": response.status, "headers": response.headers})
    if response.pieces is not None:
        async with aclosing(response.pieces) as pieces:
            async for piece in pieces:
                # For HEAD the generator is closed too, which closes the snapshot or file that it reads.
                if not with_body:
                    break
                for start in range(0, len(piece), _SENT_AT_ONCE):
                    body = piece[start : start + _SENT_AT_ONCE]
                    await _send_piece({"type": "http.response.body", "body": body, "more_body": True}, send, deadlines)
    await send({"type": "http.response.body", "body": response.body if with_body else b""})


async def _send_piece(message: Message, send: Send, deadlines: Deadlines) -> None:
    try:
        async with asyncio.timeout(deadlines.piece):
            await send(message)
    except TimeoutError:
        raise ResponseUnread from None


async def discard_rest(receive: Receive, deadlines: Deadlines) -> None:
    """Reads and discards some of a body that the response did not need.

    The server resets a connection that it closes with bytes unread, and the client could lose the response.
    """
    left = deadlines.max_lingering
    try:
        async with asyncio.timeout(deadlines.linger):
            while left > 0:
                message = await receive()
                if message["type"] == "http.disconnect" or not message.get("more_body", False):
                    return
                left -= len(message.get("body", b""))
    except TimeoutError:
        return
