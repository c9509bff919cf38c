"""Event streams of an application in this process: opened, read event by event, and closed like a browser does."""

import asyncio
import contextlib
import json
from collections.abc import AsyncIterator
from typing import Any

from backbench.http.requests import Message, Scope
from tests.people import Person

# Ends a test that hangs. No test asserts how long an event takes by it.
_SECONDS = 60.0


class EventStream:
    """An open stream. `next_event` waits for an event: its name, its `id` and its `data`."""

    def __init__(self) -> None:
        self.status = 0
        self.headers: dict[bytes, bytes] = {}
        self.started = asyncio.Event()
        self._messages: asyncio.Queue[bytes | None] = asyncio.Queue()
        self._disconnect = asyncio.Event()
        self._text = ""

    async def receive(self) -> Message:
        if not self.started.is_set():
            return {"type": "http.request", "body": b""}
        await self._disconnect.wait()
        return {"type": "http.disconnect"}

    async def send(self, message: Message) -> None:
        if message["type"] == "http.response.start":
            self.status, self.headers = message["status"], dict(message["headers"])
            self.started.set()
        else:
            await self._messages.put(message["body"])
            if not message.get("more_body", False):
                await self._messages.put(None)

    def disconnect(self) -> None:
        self._disconnect.set()

    async def next_event(self) -> tuple[str, str, Any]:
        """The name, id and data of the next event, without an id for a heartbeat. ("end", "", None) after the last."""
        while "\n\n" not in self._text:
            piece = await asyncio.wait_for(self._messages.get(), _SECONDS)
            if piece is None:
                return "end", "", None
            self._text += piece.decode()
        block, _, self._text = self._text.partition("\n\n")
        fields = dict(line.split(": ", 1) for line in block.splitlines())
        return fields["event"], fields.get("id", ""), json.loads(fields["data"])

    async def next_change(self) -> tuple[str, str]:
        """The type and object of the next event, which must be a change."""
        name, _, data = await self.next_event()
        assert name == "change", (name, data)
        return data["type"], data["objectId"]


@contextlib.asynccontextmanager
async def event_stream(person: Person, query: str = "", **headers: str) -> AsyncIterator[EventStream]:
    """A stream of the person's workshop, after its status; disconnected afterwards."""
    opened = EventStream()
    task = asyncio.create_task(person.app.backbench(_scope(person, query, headers), opened.receive, opened.send))
    try:
        await asyncio.wait_for(opened.started.wait(), _SECONDS)
        yield opened
    finally:
        opened.disconnect()
        await asyncio.wait_for(task, _SECONDS)


def _scope(person: Person, query: str, headers: dict[str, str]) -> Scope:
    path = f"/api/workshops/{person.workshop}/events"
    sent = {"host": "127.0.0.1:8000"} | {name.replace("_", "-").lower(): value for name, value in headers.items()}
    if person.bearer is not None:
        sent["authorization"] = f"Bearer {person.bearer}"
    elif "session" in person.browser.cookies:
        sent["cookie"] = f"session={person.browser.cookies['session']}"
    return {
        "type": "http",
        "http_version": "1.1",
        "method": "GET",
        "scheme": "http",
        "path": path,
        "raw_path": path.encode(),
        "query_string": query.encode(),
        "headers": [(name.encode(), value.encode()) for name, value in sent.items()],
        "client": ("127.0.0.1", 50000),
        "server": ("127.0.0.1", 8000),
    }
