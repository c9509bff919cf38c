"""A receiver of another service: a web server of the test. And a clock that a test sets ahead."""

import contextlib
import json
import threading
from http.server import BaseHTTPRequestHandler
from typing import Any

from backbench.values import times
from backbench.values.times import Instant
from tests.support.providers.servers import HttpServer, served


class Receiver:
    """A web server that keeps what it is sent, and responds with `status`, or not at all while it hangs.

    `firsts` are the statuses of the first responses, which do not hang.
    """

    def __init__(self, host: str = "127.0.0.1", port: int = 0) -> None:
        self.status = 204
        self.firsts: list[int] = []
        self.received: list[tuple[dict[str, str], bytes]] = []
        self.paths: list[str] = []
        self.goes_on = threading.Event()
        self.goes_on.set()
        receiver = self

        class Handler(BaseHTTPRequestHandler):
            def do_POST(self) -> None:
                body = self.rfile.read(int(self.headers["content-length"]))
                receiver.paths.append(self.path)
                receiver.received.append((dict(self.headers), body))
                status = receiver.firsts.pop(0) if receiver.firsts else None
                if status is None:
                    receiver.goes_on.wait(60)
                self.send_response(status or receiver.status)
                self.send_header("location", "http://127.0.0.1:1/")
                self.send_header("content-length", "0")
                self.end_headers()

            def log_message(self, *_: Any) -> None:
                """Not to the terminal."""

        self._serving = contextlib.ExitStack()
        self.port = self._serving.enter_context(served(HttpServer((host, port), Handler))).server_port
        self.url = f"http://{host}:{self.port}/hook"

    @property
    def types(self) -> list[str]:
        """Of the messages of webhooks, which are JSON."""
        return [json.loads(body)["type"] for _, body in self.received]

    def close(self) -> None:
        self.goes_on.set()
        self._serving.close()


class Clock:
    def __init__(self) -> None:
        self.ahead = 0.0

    def __call__(self) -> Instant:
        return times.later(times.now(), self.ahead)
