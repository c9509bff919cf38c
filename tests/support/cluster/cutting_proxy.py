"""A TCP proxy before PostgreSQL that cuts a connection at a chosen message of the client."""

import asyncio
import contextlib
import re
from collections.abc import AsyncIterator
from urllib.parse import unquote

from tests.support.providers.servers import stream_server

_ERRORS = (ConnectionError, asyncio.IncompleteReadError)


class CuttingProxy:
    """`cut_at`: parts of successive messages of one connection, which is cut at the last of them, once.

    With `is_answered` that message reaches the server, and only its answer does not arrive. `refused` connections
    are closed at once, as many as it says; `connections` counts all of them. `round_trips` counts how often the client
    ends what it sends before it waits.
    """

    def __init__(self, socket_path: str) -> None:
        self._socket_path = socket_path
        self.cut_at: list[bytes] = []
        self.is_answered = False
        self.refused = 0
        self.connections = 0
        self.round_trips = 0
        self._open: set[asyncio.StreamWriter] = set()

    def cut_all(self) -> None:
        for writer in self._open:
            writer.transport.abort()

    def announce_end(self) -> None:
        """What a server sends before it ends its connections, without their end."""
        fields = b"SFATAL\0VFATAL\0C57P01\0Mterminating connection due to administrator command\0\0"
        for writer in self._open:
            writer.write(b"E" + (len(fields) + 4).to_bytes(4) + fields)

    async def serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self.connections += 1
        try:
            await self._serve(reader, writer)
        finally:
            # Also where the server was not reached: the client would wait for its own time-out.
            writer.transport.abort()

    async def _serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        if self.refused:
            self.refused -= 1
            return
        self._open.add(writer)
        server_reader, server_writer = await asyncio.open_unix_connection(self._socket_path)
        answers = asyncio.create_task(self._answer(server_reader, writer))
        try:
            with contextlib.suppress(*_ERRORS):
                await self._pass_on(reader, writer, server_writer)
            self._open.discard(writer)
            # The server has what was passed on, and ends the connection after it.
            server_writer.write_eof()
            await answers
        finally:
            answers.cancel()
            server_writer.transport.abort()

    async def _answer(self, server: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        with contextlib.suppress(*_ERRORS):
            while part := await server.read(65536):
                if writer in self._open:
                    writer.write(part)
        if writer in self._open:
            writer.close()

    async def _pass_on(
        self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter, server: asyncio.StreamWriter
    ) -> None:
        """Returns at the cut, or raises at the end of the connection."""
        size = await reader.readexactly(4)
        server.write(size + await reader.readexactly(int.from_bytes(size) - 4))
        rest = list(self.cut_at)
        while True:
            kind = await reader.readexactly(1)
            size = await reader.readexactly(4)
            body = await reader.readexactly(int.from_bytes(size) - 4)
            self.round_trips += kind in (b"S", b"Q", b"H")
            if not rest:
                rest = list(self.cut_at)
            if rest and self.cut_at and rest[0] in body:
                rest.pop(0)
                if not rest:
                    self.cut_at = []
                    # From here on no answer is passed back.
                    self._open.discard(writer)
                    if self.is_answered:
                        server.write(kind + size + body)
                    return
            server.write(kind + size + body)
            await server.drain()


@contextlib.asynccontextmanager
async def cutting_proxy(url: str) -> AsyncIterator[tuple[CuttingProxy, str]]:
    """The proxy before the tests' server, and the URL of the same database through it."""
    found = re.fullmatch(r"postgresql://([^:@]*)[^/]*/(\w+)\?host=(.+)", url)
    assert found is not None, url
    proxy = CuttingProxy(f"{unquote(found[3])}/.s.PGSQL.5432")
    async with stream_server(proxy.serve) as port:
        yield proxy, f"postgresql://{found[1]}@127.0.0.1:{port}/{found[2]}?sslmode=disable"
