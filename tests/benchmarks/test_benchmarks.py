"""Benchmarks: counting of responses, rejection of unexpected ones, and equal rules for the peer."""

import contextlib
import subprocess
import sys
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler
from pathlib import Path
from typing import Any

import msgspec
import pytest
from benchmarks.__main__ import SUITES, _runs
from benchmarks.closed_loop import UnexpectedResponse, closed_loop, percentile, request, send_all, send_sequentially
from benchmarks.config import QUICK, Config
from benchmarks.figures import Bound, Figure, table
from benchmarks.open_loop import BackgroundLoad, open_loop
from benchmarks.suites import estimates, scale
from msgspec.structs import replace

from benchmarks import pocketbase_server
from tests.support.providers.servers import HttpServer, served

ROOT = Path(__file__).parents[2]


class Echo(BaseHTTPRequestHandler):
    """Responds with the path: whole, in two pieces, chunked, empty, or with status 404."""

    protocol_version = "HTTP/1.1"

    def handle(self) -> None:
        # The load generator closes its connections when its time is over.
        with contextlib.suppress(ConnectionResetError):
            super().handle()

    def do_GET(self) -> None:
        body = self.path.encode()
        if self.path.startswith("/chunks"):
            pieces = b"".join(b"%x\r\n%s\r\n" % (len(piece), piece) for piece in (body[:3], body[3:], b""))
            self._send(b"transfer-encoding: chunked", pieces)
        elif self.path.startswith("/halves"):
            self._send(b"content-length: %d" % len(body), body[:4])
            self.wfile.write(body[4:])
        elif self.path == "/nothing":
            self._send(b"content-length: 0", b"")
        else:
            self._send(b"Content-Length: %d" % len(body), body, 404 if self.path == "/missing" else 200)

    def _send(self, length: bytes, sent: bytes, status: int = 200) -> None:
        self.wfile.write(b"HTTP/1.1 %d Status\r\n%s\r\n\r\n%s" % (status, length, sent))
        self.wfile.flush()

    def log_message(self, format: str, *args: Any) -> None:  # noqa: A002 - the name is the standard library's
        pass


@pytest.fixture(scope="module")
def port() -> Iterator[int]:
    """The port of Echo."""
    with served(HttpServer(("127.0.0.1", 0), Echo)) as server:
        yield server.server_port


@pytest.mark.parametrize("shape", ["whole", "halves", "chunks"])
def test_whole_split_and_chunked_responses_are_read_completely(port: int, shape: str) -> None:
    paths = [f"/{shape}/{number}" for number in range(40)]
    bodies = send_all(port, [request("GET", path) for path in paths], 200)
    assert bodies == [path.encode() for path in paths]


def test_a_round_counts_responses_and_samples_them(port: int) -> None:
    requests = [request("GET", f"/whole/{number}") for number in range(3)]
    measured = closed_loop(port, requests, 200, 0.3)
    assert measured.responses == len(measured.latencies) > 0
    assert measured.samples
    assert all(exchange.body in exchange.request for exchange in measured.samples)


def test_sequential_requests_wait_for_each_response(port: int) -> None:
    paths = [f"/whole/{number}" for number in range(20)]
    measured = send_sequentially(port, [request("GET", path) for path in paths], 200)
    assert [exchange.body.decode() for exchange in measured.samples] == paths
    assert sum(measured.latencies) <= measured.elapsed


@pytest.mark.parametrize("path", ["/missing", "/nothing"])
def test_an_unexpected_response_ends_the_run(port: int, path: str) -> None:
    with pytest.raises(UnexpectedResponse):
        closed_loop(port, [request("GET", path)], 200, 0.2)


def test_background_load_is_not_part_of_the_latencies(port: int) -> None:
    background_responses = 0
    for _ in range(100):
        measured = open_loop(port, [request("GET", "/whole")], 100, 0.3, BackgroundLoad(5, [request("GET", "/halves")]))
        assert len(measured.latencies) == 30
        background_responses += measured.background_responses
        # On a busy machine a run can end before the first of them arrives.
        if background_responses:
            break
    assert background_responses > 0


def test_a_percentile_is_a_measured_time() -> None:
    times = [float(number) for number in range(1, 201)]
    assert (percentile(times, 50), percentile(times, 99), percentile([7.0], 99)) == (100.0, 198.0, 7.0)


@pytest.mark.parametrize(("ratio", "verdict"), [(5.1, "met"), (3.4, "above the floor"), (2.9, "MISSED")])
def test_a_figure_is_compared_with_its_goal_and_floor(ratio: float, verdict: str) -> None:
    figure = Figure("orders", "GET one order", "5/s", value=ratio, bound=Bound(5, 3))
    assert figure.verdict == verdict
    assert f"| ≥ 5  | ≥ 3   | {verdict}" in table([figure])


def test_pocketbase_restricts_orders_to_members_too(tmp_path: Path) -> None:
    with pocketbase_server.running_server(tmp_path) as server:
        admin = pocketbase_server.prepare(server)
        anna = pocketbase_server.add_user(server, admin, "anna@example.com")
        marek = pocketbase_server.add_user(server, admin, "marek@example.com")
        own = pocketbase_server.read_requests(server, anna, 3)
        assert len(send_all(server.port, own, 200)) == 3
        with pytest.raises(UnexpectedResponse, match="404 Not Found"):
            send_all(server.port, [read.replace(anna.token.encode(), marek.token.encode()) for read in own], 200)


@pytest.mark.prove
def test_one_command_runs_a_suite(tmp_path: Path) -> None:
    written = tmp_path / "figures.json"
    command = [sys.executable, "-m", "benchmarks", "bare-asgi", "--rounds=1", "--seconds=0.2", f"--json={written}"]
    printed = subprocess.run(command, cwd=ROOT, check=True, capture_output=True, text=True, timeout=300).stdout
    run = msgspec.json.decode(written.read_bytes())
    assert [figure["name"].split(",")[0] for figure in run["figures"]] == [
        "GET one order",
        "GET a list of 200 orders",
        "POST an order",
        "PATCH an order's status",
    ]
    assert all(figure["value"] > 0 and figure["name"] in printed for figure in run["figures"])


def test_an_ended_run_writes_what_it_has_measured(tmp_path: Path) -> None:
    written = tmp_path / "figures.json"
    command = [sys.executable, "-m", "benchmarks", "size", "idle", "--quick", f"--json={written}"]
    with subprocess.Popen(command, cwd=ROOT, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as run:
        assert run.stderr is not None
        next(line for line in run.stderr if line.startswith("-- idle"))
        run.terminate()
        printed, _ = run.communicate(timeout=60)
    assert run.returncode == 1
    assert "| lines of Python" in printed
    assert "FAILED: idle: ended by SIGTERM" in printed
    assert [figure["suite"] for figure in msgspec.json.decode(written.read_bytes())["figures"]] == ["size"] * 3


def test_a_failed_suite_does_not_end_the_run(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(_config: Config, _folder: Path) -> Iterator[Figure]:
        yield Figure("failing", "the first", "1/s")
        raise RuntimeError("no server")

    monkeypatch.setitem(SUITES, "failing", fail)
    runs = list(_runs(["failing", "size"], QUICK, tmp_path))
    assert [len(run.figures) for run in runs] == [1, 4]
    assert runs[-1].failures == ["failing: RuntimeError: no server"]


@pytest.mark.prove
def test_estimates_are_saved_confirmed_and_exported(tmp_path: Path) -> None:
    config = replace(QUICK, rounds=1, seconds=0.1, pdf_exports=2)
    found = list(estimates.measure(config, tmp_path))
    figures = [entry for entry in found if isinstance(entry, Figure)]
    assert [figure.name.split(" ")[0] for figure in figures] == ["PATCH", "PATCH", "PATCH", "confirm", "30", "30"]
    assert all(number > 0 for figure in figures for name, number in figure.numbers.items() if name != "busy")
    assert [figure.bound for figure in figures if figure.bound] == [Bound(25, is_ceiling=True)] * 2


@pytest.mark.prove
def test_many_workshops_are_measured_next_to_one_on_both_engines(tmp_path: Path) -> None:
    config = replace(QUICK, rounds=1, seconds=0.2, paced_seconds=0.5, workshops=50)
    figures = [entry for entry in scale.measure(config, tmp_path) if isinstance(entry, Figure)]
    for engine in ("SQLite", "PostgreSQL"):
        names = [figure.name for figure in figures if figure.name.startswith(engine)]
        for measured in ("--workers 1: GET one", "--workers 2: PATCH", "1: 50 phones", "backup of 50", "restore of 50"):
            assert any(measured in name for name in names), measured
    assert all(number > 0 for figure in figures for number in figure.numbers.values())
