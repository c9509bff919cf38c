"""Dependencies: checked against known vulnerabilities, and listed in the SBOM."""

import json
import re
import tomllib
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler
from pathlib import Path
from typing import Any

import pytest
from cyclonedx.schema import SchemaVersion
from cyclonedx.validation.json import JsonStrictValidator
from tools import audit, sbom

from backbench import __version__
from tests.support.providers.servers import HttpServer, served

# Locked for other platforms.
OTHER_PLATFORMS = {"colorama", "httpx2-jsfetch"}


class Advisories(HttpServer):
    """Test server of the OSV API: `vulnerable` are names of packages with an advisory, `status` is its HTTP status."""

    def __init__(self) -> None:
        super().__init__(("127.0.0.1", 0), _Handler)
        self.url = f"http://127.0.0.1:{self.server_address[1]}/v1/query"
        self.vulnerable: set[str] = set()
        self.status = 200
        self.queries: list[str] = []


class _Handler(BaseHTTPRequestHandler):
    server: Advisories

    def do_GET(self) -> None:
        self._respond(405, {})

    def do_POST(self) -> None:
        query = json.loads(self.rfile.read(int(self.headers["content-length"])))
        name = query["package"]["name"]
        self.server.queries.append(f"{name}=={query['version']}")
        advisory = {"id": "GHSA-oak", "summary": f"{name} has woodworm", "aliases": [], "affected": []}
        self._respond(self.server.status, {"vulns": [advisory]} if name in self.server.vulnerable else {})

    def _respond(self, status: int, body: Any) -> None:
        content = json.dumps(body).encode()
        self.send_response(status)
        self.send_header("content-length", str(len(content)))
        self.end_headers()
        self.wfile.write(content)

    def log_message(self, format: str, *args: Any) -> None:  # noqa: A002 - the parameter name of the base class
        """Logs nothing."""


@pytest.fixture
def advisories(monkeypatch: pytest.MonkeyPatch) -> Iterator[Advisories]:
    monkeypatch.setenv("NO_PROXY", "127.0.0.1")
    monkeypatch.setenv("no_proxy", "127.0.0.1")
    with served(Advisories()) as service:
        yield service


@pytest.fixture
def lock(tmp_path: Path) -> Path:
    """A lock file with two pinned packages."""
    file = tmp_path / "run.txt"
    hashed = "--hash=sha256:" + "0" * 64
    file.write_text(f"starlette==1.10.0 \\\n    {hashed}\nmsgspec==0.22.0 \\\n    {hashed}\n")
    return file


def test_every_pinned_package_is_checked(advisories: Advisories, lock: Path) -> None:
    assert audit.main(advisories.url, lock) == 0
    assert sorted(advisories.queries) == ["msgspec==0.22.0", "starlette==1.10.0"]


def test_an_advisory_fails_the_check_and_is_printed(
    advisories: Advisories, lock: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    advisories.vulnerable = {"starlette"}
    assert audit.main(advisories.url, lock) == 1
    assert "GHSA-oak" in capsys.readouterr().out


def test_an_unreachable_advisory_service_skips_the_check_with_a_message(
    lock: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    unreachable = "http://127.0.0.1:9/v1/query"
    assert audit.main(unreachable, lock) == 0
    assert capsys.readouterr().err == f"audit: skipped, the advisories at {unreachable} cannot be reached from here\n"


def test_a_failing_advisory_service_fails_the_check(advisories: Advisories, lock: Path) -> None:
    advisories.status = 500
    assert audit.main(advisories.url, lock) == 1


@pytest.fixture(scope="module")
def sbom_document(tmp_path_factory: pytest.TempPathFactory) -> Any:
    file = tmp_path_factory.mktemp("sbom") / "sbom.cdx.json"
    sbom.main(file)
    return json.loads(file.read_text("utf-8"))


def test_the_sbom_lists_exactly_the_locked_libraries(sbom_document: Any) -> None:
    # Links are left out: checking their syntax takes ten seconds.
    components = [{**each, "externalReferences": []} for each in sbom_document["components"]]
    document = json.dumps({**sbom_document, "components": components})
    assert JsonStrictValidator(SchemaVersion.V1_6).validate_str(document) is None
    pins = set(re.findall(r"^([a-z0-9.-]+)==([^ ;]+)", sbom.LOCK.read_text("utf-8"), re.MULTILINE))
    libraries = [each for each in sbom_document["components"] if not each["bom-ref"].startswith("npm:")]
    listed = {(re.sub(r"[-_.]+", "-", each["name"]).lower(), each["version"]) for each in libraries}
    assert listed == {(name, version) for name, version in pins if name not in OTHER_PLATFORMS}
    assert (sbom_document["metadata"]["component"]["name"], sbom_document["metadata"]["component"]["version"]) == (
        "backbench",
        __version__,
    )


def test_the_sbom_lists_the_vendored_packages(sbom_document: Any) -> None:
    packages = {each["bom-ref"]: each for each in sbom_document["components"] if each["bom-ref"].startswith("npm:")}
    rows = tomllib.loads(sbom.VENDORED.read_text("utf-8"))["packages"].values()
    assert packages.keys() == {f"npm:{row['name']}=={row['version']}" for row in rows}
    signals = packages["npm:@preact/signals==2.11.4"]
    assert (signals["purl"], signals["licenses"]) == (
        "pkg:npm/%40preact/signals@2.11.4",
        [{"license": {"id": "MIT"}}],
    )


def test_the_sbom_lists_dependencies(sbom_document: Any) -> None:
    dependencies = {
        entry["ref"].partition("==")[0]: entry.get("dependsOn", []) for entry in sbom_document["dependencies"]
    }
    assert any(ref.startswith("typer==") for ref in dependencies["root-component"])
    assert any(ref.startswith("rich==") for ref in dependencies["typer"])
    referenced = {ref for each in dependencies.values() for ref in each}
    assert {component["bom-ref"] for component in sbom_document["components"]} == referenced


def test_the_sbom_lists_licences(sbom_document: Any) -> None:
    # tiktoken states none in its metadata, and pypdfium2 its licences (BSD-3-Clause, Apache-2.0) as no SPDX expression.
    assert {component["name"] for component in sbom_document["components"] if "licenses" not in component} <= {
        "tiktoken",
        "pypdfium2",
    }


def test_the_same_lock_gives_the_same_sbom(sbom_document: Any, tmp_path: Path) -> None:
    sbom.main(tmp_path / "again.json")
    assert json.loads((tmp_path / "again.json").read_text("utf-8")) == sbom_document
