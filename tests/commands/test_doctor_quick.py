"""`backbench doctor --quick`, the health check of containers: asks the running server, and nothing else."""

from http.server import BaseHTTPRequestHandler
from pathlib import Path

import pytest

from backbench.commands import doctor
from tests.support.command_line import CommandLine
from tests.support.providers.servers import HttpServer, served
from tests.support.server import free_port


@pytest.fixture
def office(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> CommandLine:
    # A busy machine may take longer than a supervisor waits.
    monkeypatch.setattr(doctor, "_SECONDS", 60.0)
    return CommandLine(f"sqlite:///{tmp_path}/office.db", tmp_path, monkeypatch, capsys)


def test_a_ready_server_is_healthy_and_a_lost_database_is_not(office: CommandLine) -> None:
    office.set(PORT=str(free_port()), HOST="0.0.0.0")
    with office.running_server() as server:
        # On the port of the settings, as in a container.
        office.set(PORT=str(server.port))
        result = office.run("doctor", "--quick")
        assert (result.status, result.out) == (0, f"ok     server      {server.url} is ready\n")
        (office.folder / "office.db").rename(office.folder / "lost.db")
        result = office.run("doctor", "--quick")
    assert (result.status, "is not ready: status 503" in result.out) == (1, True)


def test_no_server_is_one_finding_with_its_reason(office: CommandLine) -> None:
    port = free_port()
    office.set(PORT=str(port))
    result = office.run("doctor", "--quick", "--json")
    (found,) = result.json["findings"]
    assert (result.status, found["part"], found["state"]) == (1, "server", "wrong")
    assert found["says"] == f"http://127.0.0.1:{port} does not respond: connection refused"
    assert not list(office.folder.iterdir()), "a quick check leaves nothing behind"


class _Other(BaseHTTPRequestHandler):
    def do_GET(self) -> None:
        self.send_response(200)
        self.send_header("content-length", "5")
        self.end_headers()
        self.wfile.write(b"hello")

    def log_message(self, format: str, *args: object) -> None:  # noqa: A002 - the parameter name of the base class
        """Logs nothing."""


def test_another_program_on_the_port_is_not_healthy(office: CommandLine) -> None:
    with served(HttpServer(("127.0.0.1", 0), _Other)) as other:
        office.set(PORT=str(other.server_port))
        result = office.run("doctor", "--quick")
    assert (result.status, "is not ready: status 200, hello" in result.out) == (1, True)
