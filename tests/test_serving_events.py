"""Event streams of a real server: ended first when it stops, and given up when their clients have gone."""

import contextlib
import os
import signal
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import httpx
import pytest

from backbench.connections.live_changes import STREAMS_PER_ACCOUNT
from tests.support.databases import new_file, running_app
from tests.support.server import Server, running_server, session_headers


class Reader:
    """A signed-in client of one workshop; each of its requests has a connection of its own."""

    def __init__(self, server: Server, headers: dict[str, str], workshop: str) -> None:
        self.server = server
        self._options: Any = {"headers": headers, "timeout": 60, "trust_env": False, "verify": False}
        self._workshop = f"{server.url}/api/workshops/{workshop}"

    @contextlib.contextmanager
    def stream(self, since: str | None = None) -> Iterator[Iterator[str]]:
        """The lines of a stream."""
        params = {} if since is None else {"since": since}
        with httpx.stream("GET", f"{self._workshop}/events", params=params, **self._options) as response:
            assert response.status_code == 200
            yield response.iter_lines()

    def stream_status(self) -> int:
        """The status of a stream, which is closed again."""
        with httpx.stream("GET", f"{self._workshop}/events", **self._options) as response:
            return response.status_code

    def create_order(self) -> None:
        assert httpx.post(f"{self._workshop}/orders", json={"title": "Bench"}, **self._options).status_code == 201


def next_event(lines: Iterator[str]) -> tuple[str, str]:
    """The name and the id of the next event."""
    id_ = next(line for line in lines if line.startswith("id: ")).removeprefix("id: ")
    return next(lines).removeprefix("event: "), id_


async def new_reader(server: Server) -> Reader:
    """With an account of its own: the number of streams of one is limited."""
    async with running_app(server.database_url) as app:
        anna = await app.owner()
    return Reader(server, session_headers(anna), anna.workshop)


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    """One that goes on, though its worker may be killed and replaced."""
    with running_server(new_file(tmp_path_factory.mktemp("events"))) as running:
        yield running


@pytest.fixture
async def reader(server: Server) -> Reader:
    return await new_reader(server)


# The two workers of the default run stop as one does; `test_serving.py` stops servers with the other signal.
@pytest.mark.parametrize(
    ("number", "workers"),
    [
        pytest.param(signal.SIGTERM, 1, marks=pytest.mark.all_only),
        pytest.param(signal.SIGINT, 1, marks=pytest.mark.all_only),
        (signal.SIGTERM, 2),
    ],
)
async def test_streams_are_ended_first_when_the_server_stops(
    tmp_path: Path, number: signal.Signals, workers: int
) -> None:
    with running_server(new_file(tmp_path), workers=workers) as server:
        reader = await new_reader(server)
        with contextlib.ExitStack() as stack:
            streams = [stack.enter_context(reader.stream()) for _ in range(6)]
            for lines in streams:
                assert next_event(lines)[0] == "hello"
            server.process.send_signal(number)
            for lines in streams:
                # A stream that is broken off, as after the half minute of a stop, raises an error here.
                assert not any(line.startswith("event: ") for line in lines)
        assert server.process.wait(60) == 0, server.log


async def test_a_client_that_hangs_up_frees_its_stream(reader: Reader) -> None:
    with contextlib.ExitStack() as others:
        streams = [others.enter_context(reader.stream()) for _ in range(STREAMS_PER_ACCOUNT - 1)]
        for lines in streams:
            next_event(lines)
        with reader.stream() as lines:
            next_event(lines)
            assert reader.stream_status() == 429
        assert is_free_again(reader)


def is_free_again(reader: Reader) -> bool:
    """Asks until a stream is accepted: the server notices a little later that the client has gone."""
    deadline = time.monotonic() + 60
    while reader.stream_status() == 429:
        if time.monotonic() > deadline:
            return False
        time.sleep(0.01)
    return True


async def test_a_stream_continues_after_its_worker_was_killed(reader: Reader) -> None:
    with reader.stream() as lines:
        _, last = next_event(lines)
        [worker] = reader.server.workers()
        os.kill(worker, signal.SIGKILL)
        with pytest.raises(httpx.TransportError):
            next_event(lines)
    while True:
        with contextlib.suppress(httpx.TransportError):
            reader.create_order()
            break
    with reader.stream(since=last) as lines:
        assert next_event(lines) == ("hello", last)
        assert next_event(lines)[0] == "change"
