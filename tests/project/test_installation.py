"""Installing: what is shipped runs on its own, and a machine that cannot is told why."""

import os
import subprocess
import sys
import sysconfig
import venv
import zipfile
from pathlib import Path

import httpx
import pytest

from tests.support.server import running_server

ROOT = Path(__file__).parents[2]


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("wheel")
    build = [sys.executable, "-m", "hatchling", "build", "--target", "wheel", "--directory", str(folder)]
    subprocess.run(build, cwd=ROOT, check=True, capture_output=True)
    return next(folder.glob("*.whl"))


@pytest.fixture(scope="module")
def installed(wheel: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The Python of an environment with the wheel; what it depends on is lent by this one. Nothing is fetched."""
    home = tmp_path_factory.mktemp("installed")
    venv.create(home, with_pip=False, symlinks=True)
    packages = Path(sysconfig.get_path("purelib", vars={"base": str(home)}))
    with zipfile.ZipFile(wheel) as archive:
        archive.extractall(packages)
    # The editable project of this environment is named in a .pth of its own, which is not read from here.
    (packages / "lent.pth").write_text(sysconfig.get_path("purelib") + "\n")
    return home / "bin" / "python"


def test_the_wheel_holds_everything_that_is_not_a_module(wheel: Path) -> None:
    package = ROOT / "src" / "backbench"
    own = {
        f"backbench/{path.relative_to(package).as_posix()}"
        for path in package.rglob("*")
        if path.is_file() and path.suffix not in (".py", ".pyc")
    }
    with zipfile.ZipFile(wheel) as archive:
        assert own - set(archive.namelist()) == set()


def test_the_installed_command_is_the_wheels_own(installed: Path, tmp_path: Path) -> None:
    where = "import backbench; print(backbench.__file__)"
    told = subprocess.run([installed, "-c", where], cwd=tmp_path, capture_output=True, text=True, check=True)
    assert Path(told.stdout.strip()).is_relative_to(installed.parent.parent)
    version = [str(installed), "-m", "backbench", "version"]
    assert subprocess.run(version, cwd=tmp_path, capture_output=True, check=True).stdout.strip() == b"0.1.0"


def test_the_installed_service_brings_its_schema_its_catalog_and_its_site(installed: Path, tmp_path: Path) -> None:
    url = f"sqlite:///{tmp_path}/backbench.db"
    with running_server(url, "--demo", python=installed, folder=tmp_path) as server:
        assert "Demo workshop at" in server.printed
        assert httpx.get(server.url).headers["content-type"].startswith("text/html")
        assert httpx.get(f"{server.url}/api/openapi.json").json()["info"]["version"] == "0.40.0"


def without(*modules: str) -> str:
    """What makes Python believe that it lacks the modules, as Debian's does before python3-venv is installed."""
    return (
        "import importlib.util as u, runpy, sys; found = u.find_spec; "
        f"u.find_spec = lambda name, *rest: None if name in {modules} else found(name, *rest); "
        f"runpy.run_path({str(ROOT / 'tools' / 'setup.py')!r}, run_name='__main__')"
    )


def test_a_python_that_cannot_install_is_told_what_to_install() -> None:
    told = subprocess.run([sys.executable, "-c", without("ensurepip", "pip")], capture_output=True, text=True)
    assert told.returncode == 1
    assert told.stderr == "This Python has neither ensurepip nor pip. On Debian and Ubuntu: apt install python3-venv\n"


def test_a_python_that_is_too_old_is_told_so(tmp_path: Path) -> None:
    aged = f"import sys; sys.version_info = (3, 10); sys.version = '3.10.1 (old)'; {without()}"
    # Nowhere to look for a newer one.
    environment = {**os.environ, "PATH": str(tmp_path)}
    told = subprocess.run([sys.executable, "-c", aged], env=environment, capture_output=True, text=True)
    assert told.returncode == 1
    assert told.stderr == "Backbench needs Python 3.11 or newer; this is 3.10.1.\n"


def test_the_locks_pin_everything_and_name_no_address() -> None:
    for lock in ("run.txt", "dev.txt"):
        text = (ROOT / "requirements" / lock).read_text()
        entries = [line for line in text.splitlines() if line and not line.startswith((" ", "#"))]
        assert entries
        assert all("==" in entry for entry in entries)
        assert text.count("--hash=sha256:") >= len(entries)
        assert "://" not in "".join(line for line in text.splitlines() if not line.strip().startswith("#"))
