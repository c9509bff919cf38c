"""Installation: the wheel is complete, setup.py installs with uv or pip, and errors are one clear line."""

import hashlib
import io
import json
import os
import re
import shutil
import subprocess
import sys
import sysconfig
import tomllib
import venv
import zipfile
from pathlib import Path
from typing import Any

import pytest
from tools import setup

from backbench import __version__
from tests.support.server import running_server
from tests.support.violations import violations

ROOT = Path(__file__).parents[2]


# hatchling, without compression: it takes longer than all the rest, and what is packed is the same.
HATCHLING = """
import zlib
compressor = zlib.compressobj
zlib.compressobj = lambda level, *others: compressor(0, *others)
from hatchling.cli import hatchling
hatchling()
"""


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Built from the sdist, as an index builds it."""
    folder = tmp_path_factory.mktemp("wheel")
    build = [sys.executable, "-c", HATCHLING, "build", "--directory", str(folder), "--target"]
    source_is = os.environ | {"REPOSITORY": "https://code.example/backbench"}
    subprocess.run([*build, "sdist"], cwd=ROOT, check=True, capture_output=True, env=source_is)
    subprocess.run(["tar", "-xf", next(folder.glob("*.tar.gz")), "-C", folder], check=True)
    source = folder / f"backbench-{__version__}"
    subprocess.run([*build, "wheel"], cwd=source, check=True, capture_output=True)
    return next(folder.glob("*.whl"))


@pytest.fixture(scope="module")
def installed(wheel: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The Python of an environment with the wheel and the dependencies of this environment. Nothing is downloaded."""
    home = tmp_path_factory.mktemp("installed")
    venv.create(home, with_pip=False, symlinks=True)
    packages = Path(sysconfig.get_path("purelib", vars={"base": str(home)}))
    with zipfile.ZipFile(wheel) as archive:
        archive.extractall(packages)
    # The .pth file of the editable project of this environment is not read from there.
    (packages / "dependencies.pth").write_text(sysconfig.get_path("purelib") + "\n")
    return home / "bin" / "python"


def test_the_wheel_contains_all_data_files(wheel: Path) -> None:
    package = ROOT / "src" / "backbench"
    own = {
        f"backbench/{path.relative_to(package).as_posix()}"
        for path in package.rglob("*")
        if path.is_file() and path.suffix not in (".py", ".pyc")
    }
    with zipfile.ZipFile(wheel) as archive:
        assert own - set(archive.namelist()) == set()


def test_the_installed_command_runs_the_wheel(installed: Path, tmp_path: Path) -> None:
    where = "import backbench; print(backbench.__file__)"
    printed = subprocess.run([installed, "-c", where], cwd=tmp_path, capture_output=True, text=True, check=True)
    assert Path(printed.stdout.strip()).is_relative_to(installed.parent.parent)
    version = [str(installed), "-m", "backbench", "version"]
    shown = subprocess.run(version, cwd=tmp_path, capture_output=True, text=True, check=True).stdout
    commit = subprocess.run(["git", "rev-parse", "HEAD"], cwd=ROOT, capture_output=True, text=True, check=True).stdout
    first, source = shown.splitlines()
    assert re.fullmatch(rf"{re.escape(__version__)} \(commit {commit[:12]}(-dirty)?\)", first)
    assert source == "https://code.example/backbench"


def test_the_installed_service_has_its_schema_catalog_and_site(installed: Path, tmp_path: Path) -> None:
    url = f"sqlite:///{tmp_path}/backbench.db"
    with running_server(url, "--demo", python=installed, folder=tmp_path) as server:
        assert f"Open {server.url} and sign in" in server.printed
        client = server.client()
        shell = client.get(server.url)
        assert shell.headers["content-type"].startswith("text/html")
        for address in re.findall(r'(?:href|src)="([^"]+)"', shell.text):
            assert client.get(server.url + address).status_code == 200, address
        assert client.get("/openapi.json").json()["info"]["version"] == "0.40.0"


# setup.py

BACKEND = """
import zipfile

def build_editable(folder, config_settings=None, metadata_directory=None):
    with zipfile.ZipFile(f"{folder}/bench-1.0-py3-none-any.whl", "w") as wheel:
        wheel.writestr("bench-1.0.dist-info/METADATA", "Metadata-Version: 2.1\\nName: bench\\nVersion: 1.0\\n")
        wheel.writestr("bench-1.0.dist-info/WHEEL", "Wheel-Version: 1.0\\nRoot-Is-Purelib: true\\nTag: py3-none-any\\n")
        wheel.writestr("bench-1.0.dist-info/RECORD", "")
    return "bench-1.0-py3-none-any.whl"
"""
# Runs in the checkout. Records its arguments and environment, and exits with UV_STATUS.
UV = """#!python
import json, os, sys
if sys.argv[1:] == ["--version"]:
    sys.exit(print("uv 1.0"))
with open("uv.log", "a") as log:
    log.write(json.dumps({"arguments": sys.argv[1:], "environment": dict(os.environ)}) + "\\n")
print("warning: of no interest", file=sys.stderr)
sys.exit(int(os.environ.get("UV_STATUS", 0)))
"""


class Checkout:
    """A small project with our setup.py, and a folder of wheels that pip and uv may install: `oak` and `uv`."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.wheels = folder / "wheels"
        for name in ("tools", "requirements", "wheels", "simple"):
            (folder / name).mkdir()
        shutil.copy(ROOT / "tools" / "setup.py", folder / "tools")
        (folder / "backend.py").write_text(BACKEND)
        (folder / "pyproject.toml").write_text(
            '[build-system]\nrequires = []\nbuild-backend = "backend"\nbackend-path = ["."]\n'
        )
        self.lock("build", "# nothing\n")
        self.lock("core", self.wheel("oak", {"oak.py": ""}))
        self.lock("dev", self.wheel("ash", {"ash.py": ""}))
        self.lock("uv", self.wheel("uv", {"uv-1.0.data/scripts/uv": UV}))

    def wheel(self, name: str, files: dict[str, str]) -> str:
        """Adds a wheel. Returns its line for a lock."""
        path = self.wheels / f"{name}-1.0-py3-none-any.whl"
        with zipfile.ZipFile(path, "w") as wheel:
            for file, text in files.items():
                entry = zipfile.ZipInfo(file)
                entry.external_attr = 0o100755 << 16
                wheel.writestr(entry, text)
            about = f"{name}-1.0.dist-info"
            wheel.writestr(f"{about}/METADATA", f"Metadata-Version: 2.1\nName: {name}\nVersion: 1.0\n")
            wheel.writestr(f"{about}/WHEEL", "Wheel-Version: 1.0\nRoot-Is-Purelib: true\nTag: py3-none-any\n")
            wheel.writestr(f"{about}/RECORD", "")
        return f"{name}==1.0 \\\n    --hash=sha256:{hashlib.sha256(path.read_bytes()).hexdigest()}\n"

    def lock(self, name: str, text: str) -> None:
        (self.folder / "requirements" / f"{name}.txt").write_text(text)

    def delete_uv(self) -> None:
        """As where uv has no wheel for the machine."""
        (self.wheels / "uv-1.0-py3-none-any.whl").unlink()

    def install(self, lock: str = "core", **environment: str) -> subprocess.CompletedProcess[str]:
        # Python may cache the bytecode of pip, which is started several times.
        foreign = ("PIP_", "UV_", "PYTHONDONTWRITEBYTECODE")
        own = {name: value for name, value in os.environ.items() if not name.startswith(foreign)}
        own |= {"PIP_CONFIG_FILE": os.devnull, "PIP_INDEX_URL": f"file://{self.folder}/simple"}
        own |= {"PIP_FIND_LINKS": str(self.wheels), "NO_PROXY": "127.0.0.1", "no_proxy": "127.0.0.1"}
        # As `make` does where one is named: the system's is not taken.
        own["PYTHON"] = sys.executable
        command = [sys.executable, "tools/setup.py", lock]
        return subprocess.run(command, cwd=self.folder, env=own | environment, capture_output=True, text=True)

    @property
    def calls_of_uv(self) -> list[dict[str, Any]]:
        log = self.folder / "uv.log"
        return [json.loads(line) for line in log.read_text().splitlines()] if log.exists() else []

    def imports(self, module: str) -> bool:
        python = self.folder / ".venv" / "bin" / "python"
        return subprocess.run([python, "-c", f"import {module}"], capture_output=True).returncode == 0


@pytest.fixture
def checkout(tmp_path: Path) -> Checkout:
    return Checkout(tmp_path)


def test_uv_installs_the_lock_from_the_indexes_of_pip_and_stays_for_development_alone(checkout: Checkout) -> None:
    uv = checkout.folder / ".venv" / "bin" / "uv"
    ran = checkout.install(PIP_EXTRA_INDEX_URL="file:///one file:///two", PIP_TRUSTED_HOST="wood.example")
    assert (ran.returncode, ran.stderr) == (0, "")
    assert re.fullmatch(r"Installing 1 packages \(about \d+ MB, usually [^)]+\) …\n", ran.stdout)
    assert not uv.exists()
    locked, project = checkout.calls_of_uv
    assert "--require-hashes" in locked["arguments"]
    assert f"--requirement={checkout.folder}/requirements/core.txt" in locked["arguments"]
    assert {"--no-deps", "--no-build-isolation", "--editable"} <= set(project["arguments"])
    assert not checkout.imports("oak"), "pip installed as well"
    environment = locked["environment"]
    assert environment["UV_DEFAULT_INDEX"] == f"file://{checkout.folder}/simple"
    assert environment["UV_INDEX"] == "file:///one file:///two"
    assert environment["UV_FIND_LINKS"] == str(checkout.wheels)
    assert environment["UV_INSECURE_HOST"] == "wood.example"
    assert checkout.install("dev").returncode == 0
    assert uv.exists()
    assert [call["arguments"][0] for call in checkout.calls_of_uv] == ["pip"] * 4
    # The one that stays fails, too: pip installs in its place, and it is still there for `make lock`.
    ran = checkout.install(UV_STATUS="1")
    assert (ran.returncode, ran.stderr, ran.stdout.count("\n")) == (0, "", 1)
    assert len(checkout.calls_of_uv) == 5
    assert checkout.imports("oak")
    assert uv.exists()


def test_symbols_of_shared_objects_are_removed_and_the_cache_of_uv_keeps_its_file(tmp_path: Path) -> None:
    cached, shared, other = (tmp_path / name for name in ("cached", "oak.so", "other.so"))
    cached.write_text("code symbols")
    shared.hardlink_to(cached)
    shared.chmod(0o755)
    other.write_text("no object")
    strip = tmp_path / "strip"
    strip.write_text('#!/bin/sh\ngrep -q code "$4" && printf code > "$3"\n')
    strip.chmod(0o755)
    for file in (shared, other, shared):
        setup.strip_file(str(strip), file)
    assert (shared.read_text(), shared.stat().st_mode & 0o777) == ("code", 0o755)
    assert (cached.read_text(), other.read_text()) == ("code symbols", "no object")
    assert len(list(tmp_path.iterdir())) == 4


# Where it has no wheel, pip also finds the wrong hash below.
@pytest.mark.all_only
@pytest.mark.parametrize("reason", ["no wheel of uv", "uv fails"])
def test_pip_is_the_fallback_for_uv(checkout: Checkout, reason: str) -> None:
    if reason == "no wheel of uv":
        checkout.delete_uv()
    ran = checkout.install(UV_STATUS="1")
    assert (ran.returncode, ran.stderr, ran.stdout.count("\n")) == (0, "", 1)
    assert checkout.imports("oak")


def test_pip_is_used_for_settings_that_uv_lacks() -> None:
    assert setup.uv_environment({"index-url": "https://wood.example/simple", "no-color": "1"}) is not None
    assert setup.uv_environment({"no-binary": ":all:"}) is None
    assert setup.uv_environment({"constraint": "/etc/pip/constraints.txt"}) is not None, "the lock pins everything"


def test_variables_of_uv_override_settings_of_pip(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("UV_DEFAULT_INDEX", "https://oak.example/simple")
    environment = setup.uv_environment({"index-url": "https://wood.example/simple"})
    assert environment is not None
    assert environment["UV_DEFAULT_INDEX"] == "https://oak.example/simple"


def test_setup_without_network_prints_one_error_line(checkout: Checkout) -> None:
    ran = checkout.install(PIP_INDEX_URL="http://127.0.0.1:9/simple", PIP_FIND_LINKS="")
    assert ran.returncode == 1
    assert ran.stderr == f"{setup.OFFLINE}\n"


def test_a_package_with_another_hash_is_rejected_with_the_installers_output(checkout: Checkout) -> None:
    checkout.lock("core", f"oak==1.0 --hash=sha256:{'0' * 64}\n")
    checkout.delete_uv()
    ran = checkout.install()
    assert ran.returncode == 1
    assert "DO NOT MATCH THE HASHES" in ran.stderr
    assert ran.stderr.endswith(f"\n{setup.FAILED}\n")


class Terminal(io.StringIO):
    def isatty(self) -> bool:
        return True


def test_progress_on_a_terminal_stays_on_one_line(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COLUMNS", "40")
    terminal = Terminal()
    with setup.Progress("Installing 43 packages (about 85 MB)", terminal) as progress:
        progress.step = "Downloading typst (32.6MiB)"
    written = terminal.getvalue().split("\r\033[K")
    assert max(map(len, written)) <= 40
    assert written[-1].endswith(": 0 s done\n")
    assert terminal.getvalue().count("\n") == 1


def test_make_run_prints_only_the_output_of_backbench(tmp_path: Path) -> None:
    shutil.copy(ROOT / "Makefile", tmp_path)
    for name in ("requirements", "tools", ".venv/bin"):
        (tmp_path / name).mkdir(parents=True)
    for name in ("requirements/core.txt", "requirements/build.txt", "requirements/uv.txt", "tools/setup.py"):
        (tmp_path / name).touch()
    (tmp_path / "pyproject.toml").touch()
    backbench = tmp_path / ".venv" / "bin" / "backbench"
    backbench.write_text('#!/bin/sh\necho "$@"\n')
    backbench.chmod(0o755)
    (tmp_path / ".venv" / ".core").touch()
    environment = {name: value for name, value in os.environ.items() if not name.startswith(("MAKE", "MFLAGS"))}
    command = ["make", "run", "PORT=8001"]
    ran = subprocess.run(command, cwd=tmp_path, env=environment, capture_output=True, text=True)
    assert (ran.stdout, ran.stderr) == ("serve --demo --port 8001\n", "")


def without(*modules: str) -> str:
    """Code that runs setup.py as if Python lacked the modules, as on Debian before python3-venv is installed."""
    return (
        "import importlib.util as u, runpy, sys; found = u.find_spec; "
        f"u.find_spec = lambda name, *rest: None if name in {modules} else found(name, *rest); "
        f"runpy.run_path({str(ROOT / 'tools' / 'setup.py')!r}, run_name='__main__')"
    )


def test_setup_without_pip_states_what_to_install() -> None:
    ran = subprocess.run([sys.executable, "-c", without("ensurepip", "pip")], capture_output=True, text=True)
    assert ran.returncode == 1
    assert ran.stderr == "This Python has neither ensurepip nor pip. On Debian and Ubuntu: apt install python3-venv\n"


def python_of(folder: Path, status: int = 0) -> Path:
    """A program in place of another Python, which ends with this status."""
    folder.mkdir(parents=True)
    python = folder / "python"
    python.write_text(f"#!/bin/sh\nexit {status}\n")
    python.chmod(0o755)
    return python


def test_setup_chooses_the_python_of_the_environment_or_an_optimized_one(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.delenv("PYTHON", raising=False)
    monkeypatch.setattr(setup, "PYTHON", tmp_path / ".venv" / "bin" / "python")
    system = python_of(tmp_path / "system")
    monkeypatch.setattr(setup, "SYSTEM_PYTHON", system)
    monkeypatch.setattr(sysconfig, "get_config_var", lambda _: "--prefix=/usr --enable-optimizations")
    assert setup.chosen_python() == sys.executable
    for options in ("--prefix=/usr", None):
        monkeypatch.setattr(sysconfig, "get_config_var", lambda _, options=options: options)
        assert setup.chosen_python() == str(system)
        assert f"{sys.executable} was compiled without optimizations" in capsys.readouterr().out
    for unusable in (python_of(tmp_path / "old", 1), tmp_path / "none", Path(sys.executable)):
        monkeypatch.setattr(setup, "SYSTEM_PYTHON", unusable)
        assert setup.chosen_python() == sys.executable
    environment = python_of(tmp_path / ".venv" / "bin")
    assert setup.chosen_python() == str(environment)
    monkeypatch.setenv("PYTHON", "python3")
    assert setup.chosen_python() == sys.executable
    assert capsys.readouterr().out == ""


def test_an_environment_of_another_python_is_made_again(checkout: Checkout) -> None:
    environment = checkout.folder / ".venv"
    python_of(environment / "bin")
    (environment / "left.py").touch()
    assert checkout.install().returncode == 0
    assert (environment / "bin" / "python").resolve() == Path(sys.executable).resolve()
    assert not (environment / "left.py").exists()
    (environment / "left.py").touch()
    assert checkout.install().returncode == 0
    assert (environment / "left.py").exists()


def test_setup_continues_in_the_python_of_the_environment(checkout: Checkout) -> None:
    python = python_of(checkout.folder / ".venv" / "bin")
    python.write_text('#!/bin/sh\necho "$PYTHON: $*"\n')
    environment = {name: value for name, value in os.environ.items() if name != "PYTHON"}
    command = [sys.executable, "tools/setup.py", "core"]
    ran = subprocess.run(command, cwd=checkout.folder, env=environment, capture_output=True, text=True)
    assert (ran.returncode, ran.stdout) == (0, f"{python}: tools/setup.py core\n")


def test_setup_rejects_an_old_python(tmp_path: Path) -> None:
    code = f"import sys; sys.version_info = (3, 10); sys.version = '3.10.1 (old)'; {without()}"
    # An empty PATH, so that setup finds no newer Python.
    environment = {**os.environ, "PATH": str(tmp_path)}
    ran = subprocess.run([sys.executable, "-c", code], env=environment, capture_output=True, text=True)
    assert ran.returncode == 1
    assert ran.stderr == "Backbench needs Python 3.11 or newer; this is 3.10.1.\n"


# Locks

LOCKS = sorted((ROOT / "requirements").glob("*.txt"))
PIN = re.compile(r"^([a-z0-9.-]+)==([^ ;]+)", re.MULTILINE)
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))


def pins(lock: str) -> dict[str, str]:
    return dict(PIN.findall((ROOT / "requirements" / f"{lock}.txt").read_text("utf-8")))


def names(requirements: list[Any]) -> set[str]:
    return {re.split(r"[^a-z0-9-]", each)[0] for each in requirements if isinstance(each, str)}


def test_a_lock_pins_everything_with_hashes_and_contains_no_address() -> None:
    with violations() as case:
        for lock in LOCKS:
            with case(lock.name):
                text = lock.read_text("utf-8")
                entries = [line for line in text.splitlines() if line and not line.startswith((" ", "#"))]
                assert entries
                assert [entry for entry in entries if "==" not in entry] == []
                assert text.count("--hash=sha256:") >= len(entries)
                assert "://" not in text


def test_the_locks_agree_on_every_version() -> None:
    dev = pins("dev").items()
    assert pins("core").items() <= pins("run").items() <= dev
    assert pins("build").items() <= dev


def test_what_the_project_names_has_one_version_on_every_python() -> None:
    project = PROJECT["project"]
    lists = [
        project["dependencies"],
        *project["optional-dependencies"].values(),
        *PROJECT["dependency-groups"].values(),
    ]
    named = set().union(*map(names, lists))
    for lock in LOCKS:
        found = [name for name, _ in PIN.findall(lock.read_text("utf-8"))]
        assert [name for name in found if name in named and found.count(name) > 1] == [], lock.name


def test_the_core_lock_has_what_the_service_needs_and_no_tools() -> None:
    core = pins("core").keys()
    assert names(PROJECT["project"]["dependencies"]) <= core
    assert core & names(PROJECT["dependency-groups"]["dev"]) == set()
    assert core & pins("build").keys() == set()


# Project files


def test_the_wheel_contains_its_licence(wheel: Path) -> None:
    with zipfile.ZipFile(wheel) as archive:
        about = archive.read(f"backbench-{__version__}.dist-info/METADATA").decode()
        assert archive.read(f"backbench-{__version__}.dist-info/licenses/LICENSE") == (ROOT / "LICENSE").read_bytes()
    assert "\nLicense-Expression: MIT\n" in about


def test_the_readme_links_to_the_project_files() -> None:
    linked = set(re.findall(r"\]\(([^)]+)\)", (ROOT / "README.md").read_text("utf-8")))
    assert {"LICENSE", "SECURITY.md", "CONTRIBUTING.md", "CHANGELOG.md"} <= linked


def test_the_changelog_has_only_the_standard_sections() -> None:
    text = (ROOT / "CHANGELOG.md").read_text("utf-8")
    assert re.findall(r"^## (.+)$", text, re.MULTILINE)[0] == "[Unreleased]"
    sections = {"Added", "Changed", "Deprecated", "Removed", "Fixed", "Security"}
    assert set(re.findall(r"^### (.+)$", text, re.MULTILINE)) <= sections
