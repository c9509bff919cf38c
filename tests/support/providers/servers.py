"""Servers in this process, in place of other services. At their end none of their connections is open.

What a server leaves open, the garbage collector finds in a later test, which fails by the warning.
"""

import asyncio
import contextlib
import socket
import socketserver
import ssl
import threading
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator
from http.server import HTTPServer
from typing import Any, TypeVar

Serve = Callable[[asyncio.StreamReader, asyncio.StreamWriter], Awaitable[None]]


@contextlib.asynccontextmanager
async def protocol_server(
    protocol: Callable[[], asyncio.Protocol], *, tls: ssl.SSLContext | None = None
) -> AsyncIterator[int]:
    """Accepts connections, each with a new protocol. Yields its port.

    `asyncio.Server` ends neither its connections nor those that it has accepted and not begun.
    """
    loop = asyncio.get_running_loop()
    connections: list[socket.socket] = []
    starting: list[asyncio.Task[asyncio.Transport]] = []

    async def start(connection: socket.socket) -> asyncio.Transport:
        transport, _ = await loop.connect_accepted_socket(protocol, connection, ssl=tls)
        return transport

    def accept() -> None:
        # A client may have gone again.
        with contextlib.suppress(BlockingIOError, ConnectionAbortedError):
            connection, _ = listening.accept()
            connection.setblocking(False)
            connections.append(connection)
            starting.append(loop.create_task(start(connection)))

    with socket.create_server(("127.0.0.1", 0), backlog=128) as listening:
        listening.setblocking(False)
        loop.add_reader(listening, accept)
        try:
            yield listening.getsockname()[1]
        finally:
            loop.remove_reader(listening)
            for task in starting:
                task.cancel()
            for started in await asyncio.gather(*starting, return_exceptions=True):
                # Else a TLS handshake that failed, or one that was not over.
                if not isinstance(started, BaseException):
                    # Older releases of Python 3.11 cannot abort TLS that was closed twice.
                    with contextlib.suppress(AttributeError):
                        started.abort()
            # A transport that was aborted closes its socket in the next turn of the loop.
            await asyncio.sleep(0)
            for connection in connections:
                connection.close()


@contextlib.asynccontextmanager
async def stream_server(serve: Serve, *, tls: ssl.SSLContext | None = None) -> AsyncIterator[int]:
    """Serves each connection until `serve` returns. Yields its port. What `serve` raises fails the test."""
    serving: set[asyncio.Task[None]] = set()
    writers: list[asyncio.StreamWriter] = []
    has_ended = False

    async def serve_one(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        # Clients that disconnect are what many tests are about.
        with contextlib.suppress(OSError, asyncio.IncompleteReadError):
            try:
                await serve(reader, writer)
            except RuntimeError as error:
                # uvloop's, for what is written to a connection that the other side has ended. asyncio ignores it.
                if "the handler is closed" not in str(error):
                    raise
            finally:
                writer.close()

    def connected(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        writers.append(writer)
        if has_ended:
            # uvloop begins a connection also where what accepted it was cancelled.
            writer.transport.abort()
            return
        serving.add(asyncio.get_running_loop().create_task(serve_one(reader, writer)))

    def protocol() -> asyncio.StreamReaderProtocol:
        return asyncio.StreamReaderProtocol(asyncio.StreamReader(), connected)

    async with protocol_server(protocol, tls=tls) as port:
        try:
            yield port
        finally:
            has_ended = True
            for task in serving:
                task.cancel()
            ended = await asyncio.gather(*serving, return_exceptions=True)
            # Of a task that was cancelled before its start, too.
            for writer in writers:
                if not writer.is_closing():
                    writer.transport.abort()
    for error in ended:
        if isinstance(error, Exception):
            raise error


class ThreadingServer(socketserver.ThreadingMixIn):
    """A thread for each connection of a server of `socketserver`; all have ended when it is closed."""

    # The server waits for them.
    daemon_threads = False

    def __init__(self, *arguments: Any, **options: Any) -> None:
        self._open: set[socket.socket] = set()
        super().__init__(*arguments, **options)

    def process_request(self, request: Any, client_address: Any) -> None:
        self._open.add(request)
        super().process_request(request, client_address)

    def shutdown_request(self, request: Any) -> None:
        self._open.discard(request)
        super().shutdown_request(request)  # type: ignore[misc]  # of the server that this is mixed into

    def server_close(self) -> None:
        for request in list(self._open):
            # A thread that waits for its client reads the end. The client may have ended the connection as well.
            with contextlib.suppress(OSError):
                request.shutdown(socket.SHUT_RDWR)
        super().server_close()


class HttpServer(ThreadingServer, HTTPServer):
    """A server of `http.server`."""

    # Many clients connect at once.
    request_queue_size = 128


def wsgi_server(app: Any, **options: Any) -> Any:
    """A server of a WSGI application on a free port, for `served`; `options` are werkzeug's."""
    from werkzeug.serving import ThreadedWSGIServer

    class Server(ThreadingServer, ThreadedWSGIServer):
        pass

    return Server("127.0.0.1", 0, app, **options)


S = TypeVar("S", bound=socketserver.BaseServer)


@contextlib.contextmanager
def served(server: S) -> Iterator[S]:
    """Serves in a thread, and closes the server."""
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.05})
    thread.start()
    try:
        yield server
    finally:
        server.shutdown()
        thread.join()
        server.server_close()
