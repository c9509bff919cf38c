"""Makes .venv from the locked, hashed requirements. Only the standard library, so that a bare Python suffices."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import venv
from importlib.util import find_spec
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
ENVIRONMENT = ROOT / ".venv"
PYTHON = ENVIRONMENT / "bin" / "python"
OLDEST = (3, 11)
NEWEST_MINOR = 14


def take_newer_python() -> None:
    """Goes on in a newer Python of this machine where this one is too old; ends with a clear line without one."""
    if sys.version_info >= OLDEST:
        return
    for minor in range(NEWEST_MINOR, OLDEST[1] - 1, -1):
        found = shutil.which(f"python3.{minor}")
        if found is not None:
            os.execv(found, [found, *sys.argv])  # noqa: S606 - a Python found on the path, with our own arguments
    sys.exit(f"Backbench needs Python 3.11 or newer; this is {sys.version.split()[0]}.")


def pip() -> list[str]:
    """How to call pip for the environment: its own, or this Python's where ensurepip is missing (bare Debian)."""
    # An environment whose Python has been removed since is no use.
    is_broken = ENVIRONMENT.exists() and not PYTHON.exists()
    if find_spec("ensurepip") is not None:
        venv.create(ENVIRONMENT, with_pip=True, symlinks=True, clear=is_broken)
        return [str(PYTHON), "-m", "pip"]
    if find_spec("pip") is not None:
        venv.create(ENVIRONMENT, with_pip=False, symlinks=True, clear=is_broken)
        return [sys.executable, "-m", "pip", "--python", str(PYTHON)]
    sys.exit("This Python has neither ensurepip nor pip. On Debian and Ubuntu: apt install python3-venv")


def main() -> None:
    take_newer_python()
    install = [*pip(), "install", "--quiet", "--disable-pip-version-check"]
    locked = ["--require-hashes", "--requirement", str(ROOT / "requirements" / "dev.txt")]
    subprocess.run([*install, *locked], check=True)
    # The project itself, in place; its build tools are among the locked ones, so nothing else is fetched.
    subprocess.run([*install, "--no-deps", "--no-build-isolation", "--editable", str(ROOT)], check=True)


if __name__ == "__main__":
    try:
        main()
    except subprocess.CalledProcessError as error:
        # pip has said why.
        sys.exit(error.returncode)
