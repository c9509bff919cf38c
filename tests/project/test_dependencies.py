"""Dependencies: checked against known vulnerabilities, and listed in the SBOM."""

import json
import re
import threading
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

import pytest
from cyclonedx.schema import SchemaVersion
from cyclonedx.validation.json import JsonStrictValidator
from tools import audit, sbom

# Locked for other platforms.
ELSEWHERE = {"colorama", "httpx2-jsfetch"}


class Advisories(ThreadingHTTPServer):
    """A service that speaks OSV and knows what it is told of: packages by name. `status` is what it answers with."""

    def __init__(self) -> None:
        super().__init__(("127.0.0.1", 0), _Asked)
        self.url = f"http://127.0.0.1:{self.server_address[1]}/v1/query"
        self.bad: set[str] = set()
        self.status = 200
        self.asked: list[str] = []


class _Asked(BaseHTTPRequestHandler):
    server: Advisories

    def do_GET(self) -> None:
        self._answer(405, {})

    def do_POST(self) -> None:
        query = json.loads(self.rfile.read(int(self.headers["content-length"])))
        name = query["package"]["name"]
        self.server.asked.append(f"{name}=={query['version']}")
        advisory = {"id": "GHSA-oak", "summary": f"{name} has woodworm", "aliases": [], "affected": []}
        self._answer(self.server.status, {"vulns": [advisory]} if name in self.server.bad else {})

    def _answer(self, status: int, body: Any) -> None:
        content = json.dumps(body).encode()
        self.send_response(status)
        self.send_header("content-length", str(len(content)))
        self.end_headers()
        self.wfile.write(content)

    def log_message(self, format: str, *args: Any) -> None:  # noqa: A002 - the name that the library gives it
        """Says nothing."""


@pytest.fixture
def advisories(monkeypatch: pytest.MonkeyPatch) -> Iterator[Advisories]:
    monkeypatch.setenv("NO_PROXY", "127.0.0.1")
    monkeypatch.setenv("no_proxy", "127.0.0.1")
    with Advisories() as service:
        thread = threading.Thread(target=service.serve_forever, kwargs={"poll_interval": 0.05})
        thread.start()
        yield service
        service.shutdown()
        thread.join()


@pytest.fixture
def lock(tmp_path: Path) -> Path:
    """Two of the pins that we have."""
    file = tmp_path / "run.txt"
    hashed = "--hash=sha256:" + "0" * 64
    file.write_text(f"starlette==1.10.0 \\\n    {hashed}\nmsgspec==0.22.0 \\\n    {hashed}\n")
    return file


def test_every_pinned_package_is_checked(advisories: Advisories, lock: Path) -> None:
    assert audit.main(advisories.url, lock) == 0
    assert sorted(advisories.asked) == ["msgspec==0.22.0", "starlette==1.10.0"]


def test_an_advisory_fails_the_check_and_is_printed(
    advisories: Advisories, lock: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    advisories.bad = {"starlette"}
    assert audit.main(advisories.url, lock) == 1
    assert "GHSA-oak" in capsys.readouterr().out


def test_an_unreachable_advisory_service_skips_the_check_with_a_message(
    lock: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    nowhere = "http://127.0.0.1:9/v1/query"
    assert audit.main(nowhere, lock) == 0
    assert capsys.readouterr().err == f"audit: skipped, the advisories at {nowhere} cannot be reached from here\n"


def test_a_failing_advisory_service_fails_the_check(advisories: Advisories, lock: Path) -> None:
    advisories.status = 500
    assert audit.main(advisories.url, lock) == 1


@pytest.fixture(scope="module")
def listed(tmp_path_factory: pytest.TempPathFactory) -> Any:
    file = tmp_path_factory.mktemp("sbom") / "sbom.cdx.json"
    sbom.main(file)
    return json.loads(file.read_text("utf-8"))


def test_the_sbom_lists_exactly_the_locked_libraries(listed: Any) -> None:
    # Links are left out: checking their syntax takes ten seconds.
    components = [{**each, "externalReferences": []} for each in listed["components"]]
    document = json.dumps({**listed, "components": components})
    assert JsonStrictValidator(SchemaVersion.V1_6).validate_str(document) is None
    pins = set(re.findall(r"^([a-z0-9.-]+)==([^ ;]+)", sbom.LOCK.read_text("utf-8"), re.MULTILINE))
    found = {(re.sub(r"[-_.]+", "-", each["name"]).lower(), each["version"]) for each in listed["components"]}
    assert found == {(name, version) for name, version in pins if name not in ELSEWHERE}
    assert (listed["metadata"]["component"]["name"], listed["metadata"]["component"]["version"]) == (
        "backbench",
        "0.1.0",
    )


def test_the_sbom_lists_dependencies(listed: Any) -> None:
    needs = {entry["ref"].partition("==")[0]: entry.get("dependsOn", []) for entry in listed["dependencies"]}
    assert any(ref.startswith("starlette==") for ref in needs["root-component"])
    assert any(ref.startswith("anyio==") for ref in needs["starlette"])
    needed = {ref for each in needs.values() for ref in each}
    assert {component["bom-ref"] for component in listed["components"]} == needed


def test_the_sbom_lists_licences(listed: Any) -> None:
    # tiktoken states none in its metadata.
    assert {component["name"] for component in listed["components"] if "licenses" not in component} <= {"tiktoken"}


def test_the_same_lock_gives_the_same_sbom(listed: Any, tmp_path: Path) -> None:
    sbom.main(tmp_path / "again.json")
    assert json.loads((tmp_path / "again.json").read_text("utf-8")) == listed
