"""Sending: a response to a client that may read slowly, or still send its body."""

import asyncio
from contextlib import aclosing

from backbench.http.asgi import Message, Receive, Send
from backbench.http.responses import Header, Response
from backbench.http.transport.deadlines import Deadlines

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
