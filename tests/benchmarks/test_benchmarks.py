"""The benchmark's own promises: it counts what was answered, refuses to count anything else, and treats peers alike."""

import contextlib
import subprocess
import sys
import threading
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

import msgspec
import pytest
from benchmarks.effort import QUICK
from benchmarks.figures import Bound, Figure, table
from benchmarks.load import Wrong, ask_all, hammer, one_by_one, percentile, request
from benchmarks.pacing import Crowd, paced
from benchmarks.parts import estimates
from msgspec.structs import replace

from benchmarks import pocketbase

ROOT = Path(__file__).parents[2]


class Echo(BaseHTTPRequestHandler):
    """Answers with the path: in one piece, in two, in chunks, with nothing or with the wrong status."""

    protocol_version = "HTTP/1.1"

    def handle(self) -> None:
        # The load hangs up without a word when its time is over.
        with contextlib.suppress(ConnectionResetError):
            super().handle()

    def do_GET(self) -> None:
        body = self.path.encode()
        if self.path.startswith("/chunks"):
            pieces = b"".join(b"%x\r\n%s\r\n" % (len(piece), piece) for piece in (body[:3], body[3:], b""))
            self._say(b"transfer-encoding: chunked", pieces)
        elif self.path.startswith("/halves"):
            self._say(b"content-length: %d" % len(body), body[:4])
            self.wfile.write(body[4:])
        elif self.path == "/nothing":
            self._say(b"content-length: 0", b"")
        else:
            self._say(b"Content-Length: %d" % len(body), body, 404 if self.path == "/missing" else 200)

    def _say(self, length: bytes, sent: bytes, status: int = 200) -> None:
        self.wfile.write(b"HTTP/1.1 %d Said\r\n%s\r\n\r\n%s" % (status, length, sent))
        self.wfile.flush()

    def log_message(self, format: str, *args: Any) -> None:  # noqa: A002 - the name is the standard library's
        pass


class Quiet(ThreadingHTTPServer):
    daemon_threads = True
    request_queue_size = 128


@pytest.fixture(scope="module")
def port() -> Iterator[int]:
    """Where Echo answers."""
    with Quiet(("127.0.0.1", 0), Echo) as server, contextlib.ExitStack() as stack:
        threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01}, daemon=True).start()
        stack.callback(server.shutdown)
        yield server.server_address[1]


@pytest.mark.parametrize("shape", ["whole", "halves", "chunks"])
def test_every_shape_of_an_answer_is_read_to_its_end(port: int, shape: str) -> None:
    paths = [f"/{shape}/{number}" for number in range(40)]
    bodies = ask_all(port, [request("GET", path) for path in paths], 200)
    assert bodies == [path.encode() for path in paths]


def test_a_round_counts_answers_and_keeps_samples_of_them(port: int) -> None:
    asked = [request("GET", f"/whole/{number}") for number in range(3)]
    measured = hammer(port, asked, 200, 0.3)
    assert measured.answers == len(measured.times) > 0
    assert measured.samples
    assert all(exchange.body in exchange.request for exchange in measured.samples)


def test_one_person_waits_for_each_answer_before_they_ask_again(port: int) -> None:
    paths = [f"/whole/{number}" for number in range(20)]
    measured = one_by_one(port, [request("GET", path) for path in paths], 200)
    assert [exchange.body.decode() for exchange in measured.samples] == paths
    assert sum(measured.times) <= measured.elapsed


@pytest.mark.parametrize("path", ["/missing", "/nothing"])
def test_an_answer_that_is_not_the_expected_one_ends_the_run(port: int, path: str) -> None:
    with pytest.raises(Wrong):
        hammer(port, [request("GET", path)], 200, 0.2)


def test_a_crowd_is_not_counted_among_those_who_are_timed(port: int) -> None:
    measured = paced(port, [request("GET", "/whole")], 100, 0.3, Crowd(5, request("GET", "/halves")))
    assert len(measured.times) == 30
    assert measured.signed_in > 0


def test_a_percentile_is_a_time_that_was_measured() -> None:
    times = [float(number) for number in range(1, 201)]
    assert (percentile(times, 50), percentile(times, 99), percentile([7.0], 99)) == (100.0, 198.0, 7.0)


@pytest.mark.parametrize(("ratio", "verdict"), [(5.1, "met"), (3.4, "above the floor"), (2.9, "MISSED")])
def test_a_figure_is_held_against_its_goal_and_its_floor(ratio: float, verdict: str) -> None:
    figure = Figure("peer", "GET one order", "5/s", value=ratio, bound=Bound(5, 3))
    assert figure.verdict == verdict
    assert f"| ≥ 5  | ≥ 3   | {verdict}" in table([figure])


def test_pocketbase_lets_only_members_at_orders_like_we_do(tmp_path: Path) -> None:
    with pocketbase.served(tmp_path) as server:
        host = pocketbase.prepare(server)
        anna = pocketbase.person(server, host, "anna@example.com")
        marek = pocketbase.person(server, host, "marek@example.com")
        hers = pocketbase.reading(server, anna, 3)
        assert len(ask_all(server.port, hers, 200)) == 3
        with pytest.raises(Wrong, match="404 Not Found"):
            ask_all(server.port, [asked.replace(anna.token.encode(), marek.token.encode()) for asked in hers], 200)


def test_a_part_is_measured_by_one_command(tmp_path: Path) -> None:
    kept = tmp_path / "figures.json"
    command = [sys.executable, "-m", "benchmarks", "raw", "--rounds=1", "--seconds=0.2", f"--json={kept}"]
    printed = subprocess.run(command, cwd=ROOT, check=True, capture_output=True, text=True, timeout=300).stdout
    run = msgspec.json.decode(kept.read_bytes())
    (figure,) = run["figures"]
    assert figure["value"] > 0
    assert figure["what"] in printed


def test_saving_and_printing_estimates_is_measured(tmp_path: Path) -> None:
    effort = replace(QUICK, rounds=1, seconds=0.2, papers=3)
    found = list(estimates.measure(effort, tmp_path))
    figures = [entry for entry in found if isinstance(entry, Figure)]
    assert [figure.what.split(" ")[0] for figure in figures] == ["PATCH", "confirm", "30", "30"]
    assert all(number > 0 for figure in figures for name, number in figure.numbers.items() if name != "busy")
    assert [figure.bound for figure in figures if figure.bound] == [Bound(25, is_ceiling=True)] * 2
