"""Makes .venv from the locked, hashed requirements. Only the standard library, so that a bare Python suffices."""

import subprocess
import sys
import venv
from importlib.util import find_spec
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
ENVIRONMENT = ROOT / ".venv"
PYTHON = ENVIRONMENT / "bin" / "python"


def pip() -> list[str]:
    """How to call pip for the environment: its own, or this Python's where ensurepip is missing (bare Debian)."""
    if find_spec("ensurepip") is not None:
        venv.create(ENVIRONMENT, with_pip=True, symlinks=True)
        return [str(PYTHON), "-m", "pip"]
    if find_spec("pip") is not None:
        venv.create(ENVIRONMENT, with_pip=False, symlinks=True)
        return [sys.executable, "-m", "pip", "--python", str(PYTHON)]
    sys.exit("This Python has neither ensurepip nor pip. On Debian: apt install python3-venv")


def main() -> None:
    if sys.version_info < (3, 11):
        sys.exit(f"Backbench needs Python 3.11 or newer; this is {sys.version.split()[0]}.")
    install = [*pip(), "install", "--quiet", "--disable-pip-version-check"]
    locked = ["--require-hashes", "--requirement", str(ROOT / "requirements" / "dev.txt")]
    subprocess.run([*install, *locked], check=True)
    # The project itself, in place; its build tools are among the locked ones, so nothing else is fetched.
    subprocess.run([*install, "--no-deps", "--no-build-isolation", "--editable", str(ROOT)], check=True)


if __name__ == "__main__":
    main()
