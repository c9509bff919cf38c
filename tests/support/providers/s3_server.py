"""Test server of an S3 service with one bucket, and a proxy that injects failures."""

import asyncio
import contextlib
import logging
import os
from collections.abc import AsyncIterator, Iterator
from typing import Any
from unittest import mock

import httpx

from tests.support.providers.servers import served, stream_server, wsgi_server

BUCKET = "workshop-files"
CREDENTIALS = {"AWS_ACCESS_KEY_ID": "test", "AWS_SECRET_ACCESS_KEY": "test", "AWS_REGION": "us-east-1"}


@contextlib.contextmanager
def running_s3_server(*, may_list: bool = True) -> Iterator[int]:
    """Starts a service with one empty bucket. Yields its port.

    Without `may_list` it refuses a missing object, as Amazon's does where the credentials may not list the bucket.
    """
    from moto.moto_server.werkzeug_app import DomainDispatcherApplication, MotoRequestHandler, create_backend_app
    from moto.s3.models import s3_backends

    # All services of this process share one store.
    s3_backends.reset()
    logging.getLogger("werkzeug").setLevel(logging.ERROR)
    dispatcher = DomainDispatcherApplication(create_backend_app)
    app = dispatcher if may_list else _refusing_missing(dispatcher)
    with served(wsgi_server(app, handler=MotoRequestHandler)) as server:
        port = server.server_port
        httpx.put(
            f"http://127.0.0.1:{port}/{BUCKET}", headers={"host": "s3.amazonaws.com"}, verify=False, timeout=60
        ).raise_for_status()
        yield port


def _refusing_missing(app: Any) -> Any:
    def answer(environ: Any, start_response: Any) -> Any:
        def start(status: str, *others: Any) -> Any:
            return start_response("403 Forbidden" if status.startswith("404") else status, *others)

        return app(environ, start)

    return answer


def unfinished_uploads(port: int) -> int:
    """The number of multipart uploads neither completed nor aborted."""
    listed = httpx.get(
        f"http://127.0.0.1:{port}/{BUCKET}?uploads", headers={"host": "s3.amazonaws.com"}, verify=False, timeout=60
    )
    return listed.raise_for_status().text.count("<Upload>")


def object_count(port: int) -> int:
    """The number of objects in the bucket."""
    listed = httpx.get(
        f"http://127.0.0.1:{port}/{BUCKET}?list-type=2", headers={"host": "s3.amazonaws.com"}, verify=False, timeout=60
    )
    return listed.raise_for_status().text.count("<Key>")


def environment(port: int) -> contextlib.AbstractContextManager[object]:
    """The AWS_ environment variables of a host that uses the service."""
    return mock.patch.dict(os.environ, {**CREDENTIALS, "AWS_ENDPOINT_URL": f"http://127.0.0.1:{port}"})


class FaultyProxy:
    """Forwards requests to the service. `failures` has one for each next request: "500", "hang", "drop" (closes the
    connection) or "cut" (half of the response); `seen` has the request lines."""

    def __init__(self, service: int) -> None:
        self.failures: list[str] = []
        self.seen: list[str] = []
        self.port = 0
        self._service = service

    @contextlib.asynccontextmanager
    async def running(self) -> AsyncIterator["FaultyProxy"]:
        async with stream_server(self._serve) as self.port:
            yield self

    async def _serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        await self._forward(await _read_request(reader), writer)

    async def _forward(self, request: bytes, writer: asyncio.StreamWriter) -> None:
        """Forwards one request per connection."""
        self.seen.append(request.partition(b" HTTP/")[0].decode())
        failure = self.failures.pop(0) if self.failures else ""
        if failure == "hang":
            await asyncio.sleep(3600)
        if failure == "drop":
            return
        if failure == "500":
            writer.write(b"HTTP/1.1 500 Internal Server Error\r\ncontent-length: 0\r\nconnection: close\r\n\r\n")
        else:
            response = await self._send_to_service(request)
            head, _, body = response.partition(b"\r\n\r\n")
            writer.write(head + b"\r\n\r\n" + (body[: len(body) // 2] if failure == "cut" else body))
        await writer.drain()

    async def _send_to_service(self, request: bytes) -> bytes:
        reader, writer = await asyncio.open_connection("127.0.0.1", self._service)
        try:
            line, _, rest = request.partition(b"\r\n")
            writer.write(line + b"\r\nConnection: close\r\n" + rest)
            await writer.drain()
            return await reader.read()
        finally:
            writer.close()


async def _read_request(reader: asyncio.StreamReader) -> bytes:
    head = await reader.readuntil(b"\r\n\r\n")
    lines = head.decode("latin-1").lower().split("\r\n")
    lengths = [int(line.partition(":")[2]) for line in lines if line.startswith("content-length:")]
    return head + await reader.readexactly(sum(lengths))
