"""Requests at the level of ASGI: the test decides when the client disconnects."""

import asyncio
from typing import Any

from backbench.http.requests import Message
from tests.people import Person


class AsgiRequest:
    """A GET of a signed-in person. `disconnect` ends its connection; `messages` is what was sent to it."""

    def __init__(self, person: Person, path: str, **headers: str) -> None:
        self.messages: list[Message] = []
        self.disconnect = asyncio.Event()
        self._person = person
        self._path = path
        self._headers = headers
        self._has_body = True

    async def run(self) -> None:
        await asyncio.wait_for(self._person.app.backbench(self._scope(), self._receive, self._send), 60)

    @property
    def status(self) -> int:
        status: int = self.messages[0]["status"]
        return status

    @property
    def body(self) -> bytes:
        return b"".join(message.get("body", b"") for message in self.messages[1:])

    async def _send(self, message: Message) -> None:
        self.messages.append(message)
        # As a server does between two writes.
        await asyncio.sleep(0)

    async def _receive(self) -> Message:
        if self._has_body:
            self._has_body = False
            return {"type": "http.request", "body": b"", "more_body": False}
        await self.disconnect.wait()
        return {"type": "http.disconnect"}

    def _scope(self) -> dict[str, Any]:
        cookies = "; ".join(f"{name}={value}" for name, value in self._person.browser.cookies.items())
        path, _, query = self._path.partition("?")
        headers = {"host": "127.0.0.1:8000", "cookie": cookies, **self._headers}
        return {
            "type": "http",
            "method": "GET",
            "path": path,
            "raw_path": path.encode(),
            "query_string": query.encode(),
            "http_version": "1.1",
            "headers": [(name.replace("_", "-").encode(), value.encode()) for name, value in headers.items()],
            "client": ("127.0.0.1", 50000),
        }
