"""Generated clients: the code of docs/guide/generated-clients.md does the main jobs against a demo server.

A long proof: it installs two generators, which need the network, and compiles what they generate.
"""

import os
import re
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import httpx
import msgspec
import pytest

from backbench.http.openapi.document import document as openapi_document
from backbench.reference import reference
from backbench.routes import OPERATIONS
from tests.support.server import running_server

ROOT = Path(__file__).parents[2]
PAGE = (ROOT / "docs" / "guide" / "generated-clients.md").read_text("utf-8")
# Status of the order, total of the estimate, number of the revision, start of the PDF; then the number of orders.
PRINTED = re.compile(r"in_progress (\S+) 1 %PDF- (\d+)\s*")


def code(language: str) -> str:
    (block,) = re.findall(rf"^```{language}\n(.*?)^```$", PAGE, re.MULTILINE | re.DOTALL)
    return str(block)


@pytest.fixture(scope="module")
def demo(tmp_path_factory: pytest.TempPathFactory) -> Iterator[dict[str, str]]:
    folder = tmp_path_factory.mktemp("demo")
    with running_server(f"sqlite:///{folder}/demo.db", "--demo", "--json", folder=folder) as server:
        printed = msgspec.json.decode(server.printed)
        yield {"API": f"{server.url}/api", "KEY": printed["apiKey"], "WORKSHOP": printed["workshopId"]}


@pytest.fixture
def folder(demo: dict[str, str], tmp_path: Path) -> Path:
    """A folder with the document."""
    (tmp_path / "openapi.json").write_bytes(httpx.get(f"{demo['API']}/openapi.json", timeout=60).content)
    return tmp_path


def run(folder: Path, *command: str | Path, **environment: str) -> str:
    own = {name: value for name, value in os.environ.items() if name != "PYTHONPATH"}
    ran = subprocess.run(command, cwd=folder, env=own | environment, capture_output=True, text=True)
    assert ran.returncode == 0, ran.stdout + ran.stderr
    return ran.stdout


def must_have_done_the_jobs(printed: str, demo: dict[str, str]) -> None:
    done = PRINTED.fullmatch(printed)
    assert done is not None, printed
    path, key = f"{demo['API']}/workshops/{demo['WORKSHOP']}/orders", {"Authorization": f"Bearer {demo['KEY']}"}
    # More than one page, and every order of them.
    assert int(done[2]) == len(httpx.get(path, headers=key, timeout=60).json()["orders"]) > 4
    assert float(done[1]) >= 946.13


def test_the_page_names_every_type_of_bytes() -> None:
    document = openapi_document(OPERATIONS, reference())
    operations = [each for path in document["paths"].values() for each in path.values() if "responses" in each]
    contents = [each.get("content", {}) for operation in operations for each in operation["responses"].values()]
    found = {name for content in contents for name, each in content.items() if each["schema"].get("format") == "binary"}
    assert {line.partition(":")[0].strip() for line in code("yaml").splitlines()[1:]} == found


@pytest.mark.prove
def test_a_python_client_does_the_main_jobs(folder: Path, demo: dict[str, str]) -> None:
    environment = folder / "venv"
    run(folder, sys.executable, "-m", "venv", environment)
    python = environment / "bin" / "python"
    locked = ("--require-hashes", "--requirement", ROOT / "requirements" / "clients.txt")
    run(folder, python, "-m", "pip", "install", "--quiet", "--disable-pip-version-check", *locked)
    (folder / "config.yaml").write_text(code("yaml") + "post_hooks: []\n")
    options = (
        "--path",
        "openapi.json",
        "--config",
        "config.yaml",
        "--meta",
        "none",
        "--output-path",
        "backbench_client",
    )
    output = run(folder, environment / "bin" / "openapi-python-client", "generate", "--fail-on-warning", *options)
    assert "WARNING" not in output.upper()
    must_have_done_the_jobs(run(folder, python, "-c", code("python"), **demo), demo)


@pytest.mark.prove
@pytest.mark.skipif(shutil.which("npm") is None, reason="no Node.js on this machine")
def test_a_typescript_client_does_the_main_jobs(folder: Path, demo: dict[str, str]) -> None:
    for name in ("package.json", "package-lock.json"):
        shutil.copy(Path(__file__).parent / name, folder)
    run(folder, "npm", "ci", "--no-audit", "--no-fund", "--ignore-scripts")
    run(folder, "npx", "openapi-typescript", "openapi.json", "--output", "api.d.ts")
    (folder / "jobs.ts").write_text(code("ts"))
    options = ("--strict", "--target", "es2022", "--module", "esnext", "--moduleResolution", "bundler")
    run(folder, "npx", "tsc", *options, "--lib", "es2022,dom", "jobs.ts")
    must_have_done_the_jobs(run(folder, "node", "jobs.js", **demo), demo)
