"""An S3 service for tests, and a proxy before it that fails as networks and services do."""

import asyncio
import contextlib
import logging
import os
from collections.abc import AsyncIterator, Iterator
from unittest import mock

import httpx

NAME = "workshop-files"
CREDENTIALS = {"AWS_ACCESS_KEY_ID": "test", "AWS_SECRET_ACCESS_KEY": "test", "AWS_REGION": "us-east-1"}


@contextlib.contextmanager
def s3_service() -> Iterator[int]:
    """The port of a service with one empty bucket."""
    from moto.s3.models import s3_backends
    from moto.server import ThreadedMotoServer

    # Every such service of this process keeps what it holds in one place.
    s3_backends.reset()
    logging.getLogger("werkzeug").setLevel(logging.ERROR)
    server = ThreadedMotoServer(ip_address="127.0.0.1", port=0, verbose=False)
    server.start()
    try:
        _, port = server.get_host_and_port()
        httpx.put(
            f"http://127.0.0.1:{port}/{NAME}", headers={"host": "s3.amazonaws.com"}, verify=False, timeout=60
        ).raise_for_status()
        yield port
    finally:
        server.stop()


def unfinished_uploads(port: int) -> int:
    """How many uploads in parts were begun and neither completed nor given up."""
    listed = httpx.get(
        f"http://127.0.0.1:{port}/{NAME}?uploads", headers={"host": "s3.amazonaws.com"}, verify=False, timeout=60
    )
    return listed.raise_for_status().text.count("<Upload>")


def objects(port: int) -> int:
    """How many objects the bucket holds."""
    listed = httpx.get(
        f"http://127.0.0.1:{port}/{NAME}?list-type=2", headers={"host": "s3.amazonaws.com"}, verify=False, timeout=60
    )
    return listed.raise_for_status().text.count("<Key>")


def environment(port: int) -> contextlib.AbstractContextManager[object]:
    """The AWS_ variables of a host whose files are in that service."""
    return mock.patch.dict(os.environ, {**CREDENTIALS, "AWS_ENDPOINT_URL": f"http://127.0.0.1:{port}"})


class Proxy:
    """Passes requests on. `failures` are spent one a request: "500", "hang", "drop" or "cut" (half of the answer)."""

    def __init__(self, service: int) -> None:
        self.failures: list[str] = []
        self.seen: list[str] = []
        self.port = 0
        self._service = service
        self._hung: set[asyncio.Task[None]] = set()

    @contextlib.asynccontextmanager
    async def running(self) -> AsyncIterator["Proxy"]:
        server = await asyncio.start_server(self._serve, "127.0.0.1", 0)
        self.port = server.sockets[0].getsockname()[1]
        try:
            yield self
        finally:
            server.close()
            for task in self._hung:
                task.cancel()
            await asyncio.gather(*self._hung, return_exceptions=True)

    async def _serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        task = asyncio.current_task()
        assert task is not None
        self._hung.add(task)
        try:
            with contextlib.suppress(OSError, asyncio.IncompleteReadError):
                await self._pass_on(await _request(reader), writer)
        finally:
            self._hung.discard(task)
            writer.close()

    async def _pass_on(self, request: bytes, writer: asyncio.StreamWriter) -> None:
        """One request a connection."""
        self.seen.append(request.partition(b" HTTP/")[0].decode())
        fault = self.failures.pop(0) if self.failures else ""
        if fault == "hang":
            await asyncio.sleep(3600)
        if fault == "drop":
            return
        if fault == "500":
            writer.write(b"HTTP/1.1 500 Internal Server Error\r\ncontent-length: 0\r\nconnection: close\r\n\r\n")
        else:
            answer = await self._answer(request)
            head, _, body = answer.partition(b"\r\n\r\n")
            writer.write(head + b"\r\n\r\n" + (body[: len(body) // 2] if fault == "cut" else body))
        await writer.drain()

    async def _answer(self, request: bytes) -> bytes:
        reader, writer = await asyncio.open_connection("127.0.0.1", self._service)
        try:
            line, _, rest = request.partition(b"\r\n")
            writer.write(line + b"\r\nConnection: close\r\n" + rest)
            await writer.drain()
            return await reader.read()
        finally:
            writer.close()


async def _request(reader: asyncio.StreamReader) -> bytes:
    head = await reader.readuntil(b"\r\n\r\n")
    lines = head.decode("latin-1").lower().split("\r\n")
    lengths = [int(line.partition(":")[2]) for line in lines if line.startswith("content-length:")]
    return head + await reader.readexactly(sum(lengths))
