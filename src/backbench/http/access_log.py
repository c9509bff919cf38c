"""Access log: one line for each response, without query, headers or body, which may hold secrets."""

import re
import time
from collections.abc import Sequence

from backbench.http.requests import ASGIApp, Message, Network, Receive, Request, Scope, Send
from backbench.logs import log

_MAX_PATH_LENGTH = 200
# Tokens begin with what they are for. One in a path, as in the address of a calendar feed, is not logged.
_TOKEN = re.compile(r"\b(bb[a-z]_)[^/]+")


class AccessLog:
    """ASGI middleware around the whole application; used only where the setting is on."""

    def __init__(self, app: ASGIApp, trusted_proxies: Sequence[Network]) -> None:
        self._app = app
        self._trusted_proxies = trusted_proxies

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        began = time.perf_counter()
        status, sent, request_id = 0, 0, ""

        async def count(message: Message) -> None:
            nonlocal status, sent, request_id
            if message["type"] == "http.response.start":
                status = message["status"]
                request_id = dict(message["headers"]).get(b"x-request-id", b"").decode()
            elif message["type"] == "http.response.body":
                sent += len(message.get("body", b""))
            await send(message)

        try:
            await self._app(scope, receive, count)
        finally:
            # In the log a response that was broken off has the status and the bytes that were sent.
            log.info(
                "request",
                method=scope["method"],
                path=_TOKEN.sub(r"\1…", scope["path"])[:_MAX_PATH_LENGTH],
                status=status,
                bytes=sent,
                seconds=round(time.perf_counter() - began, 4),
                address=Request(scope, receive).address(self._trusted_proxies),
                request_id=request_id,
            )
