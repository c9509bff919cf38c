"""Installs Backbench into .venv from a locked, hashed requirements file: `setup.py core`, `run` or `dev`.

uv installs, because pip takes ten times as long. pip fetches uv, and installs everything where uv has no wheel, fails,
or has no equivalent for a setting of pip. What only serves is kept small: without uv and the symbols of shared objects.
Only the standard library, so that a bare Python suffices.
"""

from __future__ import annotations

import ast
import contextlib
import errno
import os
import re
import shutil
import subprocess
import sys
import sysconfig
import threading
import time
import venv
from concurrent.futures import ThreadPoolExecutor
from importlib.util import find_spec
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import NamedTuple, TextIO

ROOT = Path(__file__).resolve().parent.parent
REQUIREMENTS = ROOT / "requirements"
# Has the build backend, so that installing this project in place fetches nothing. dev.txt contains it.
BUILD = REQUIREMENTS / "build.txt"
ENVIRONMENT = ROOT / ".venv"
PYTHON = ENVIRONMENT / "bin" / "python"
UV = ENVIRONMENT / "bin" / "uv"
OLDEST = (3, 11)
NEWEST_MINOR = 14
# Of the distribution, which optimizes it.
SYSTEM_PYTHON = Path("/usr/bin/python3")

OFFLINE = (
    "The package index cannot be reached. Installing needs the network, once: connect, then run the command again."
)
FAILED = "Backbench could not be installed; the installer's output is above. Installing needs the network, once."


class Lock(NamedTuple):
    """Locked requirements files. `megabytes` is what is downloaded, with uv, on Linux x86-64.

    `is_for_development`: uv stays, for `make lock`, as do symbols, and uv writes the bytecode of all packages, as pip
    does, and not Python when it first imports them: tests start hundreds of processes and measure their memory.
    """

    files: list[Path]
    megabytes: int
    duration: str
    is_for_development: bool = False

    @property
    def packages(self) -> int:
        pins = (re.findall(r"^[a-z0-9][a-z0-9.-]*==", file.read_text("utf-8"), re.MULTILINE) for file in self.files)
        return sum(map(len, pins))

    @property
    def options(self) -> list[str]:
        return ["--require-hashes", *(f"--requirement={file}" for file in self.files)]


LOCKS = {
    "core": Lock([BUILD, REQUIREMENTS / "core.txt"], 89, "10 to 30 seconds"),
    "run": Lock([BUILD, REQUIREMENTS / "run.txt"], 109, "10 to 40 seconds"),
    "dev": Lock([REQUIREMENTS / "dev.txt"], 332, "one to two minutes", is_for_development=True),
}

PIP_OPTIONS = ["--disable-pip-version-check", "--no-input", "--progress-bar", "off"]
# Settings of pip, and the variable that gives the same setting to uv.
UV_VARIABLES = {
    "cert": "SSL_CERT_FILE",
    "client-cert": "SSL_CLIENT_CERT",
    "default-timeout": "UV_HTTP_TIMEOUT",
    "extra-index-url": "UV_INDEX",
    "find-links": "UV_FIND_LINKS",
    "index-url": "UV_DEFAULT_INDEX",
    "proxy": "ALL_PROXY",
    "timeout": "UV_HTTP_TIMEOUT",
    "trusted-host": "UV_INSECURE_HOST",
}
# Settings of pip that change neither where packages come from nor which are taken: the lock pins version and hash.
NEUTRAL_SETTINGS = {
    "break-system-packages",
    "cache-dir",
    "config-file",
    "constraint",
    "disable-pip-version-check",
    "no-cache-dir",
    "no-color",
    "no-input",
    "no-python-version-warning",
    "no-warn-script-location",
    "progress-bar",
    "quiet",
    "require-virtualenv",
    "retries",
    "root-user-action",
    "verbose",
}


class Failed(Exception):
    """An installer ended with an error; holds its output."""

    @property
    def is_offline(self) -> bool:
        """Whether the installer could not reach the package index."""
        output = str(self)
        return "Retrying (" in output and "DO NOT MATCH THE HASHES" not in output


class Progress:
    """One line about the installation. On a terminal it shows the seconds and the installer's current step."""

    def __init__(self, text: str, stream: TextIO) -> None:
        self.step = ""
        self._text = text
        self._stream = stream
        self._is_terminal = stream.isatty()
        self._started = time.monotonic()
        self._ended = threading.Event()
        self._drawing = threading.Thread(target=self._draw, daemon=True)

    def __enter__(self) -> Progress:
        if self._is_terminal:
            self._drawing.start()
        else:
            self._stream.write(f"{self._text} …\n")
            self._stream.flush()
        return self

    def __exit__(self, kind: type[BaseException] | None, *_: object) -> None:
        if self._is_terminal:
            self._ended.set()
            self._drawing.join()
            self._show("stopped" if kind else "done", "\n")

    def _draw(self) -> None:
        while not self._ended.is_set():
            self._show(self.step)
            self._ended.wait(0.25)

    def _show(self, step: str, end: str = "") -> None:
        """Redraws the line: no wider than the terminal, or it could not be drawn over."""
        width = shutil.get_terminal_size().columns - 1
        seconds = f": {round(time.monotonic() - self._started)} s "
        step = step[: max(8, width - len(self._text) - len(seconds))]
        self._stream.write(f"\r\033[K{self._text[: width - len(seconds) - len(step)]}{seconds}{step}{end}")
        self._stream.flush()


def chosen_python() -> str:
    """The Python to install for; exits with one line if this one is too old and there is no newer one.

    An environment keeps the one that it was made with. The system's takes up to a fifth less processor time than one
    that was compiled without optimizations, as version managers do. One that PYTHON names is not replaced by these.
    """
    if sys.version_info < OLDEST:
        for minor in range(NEWEST_MINOR, OLDEST[1] - 1, -1):
            found = shutil.which(f"python3.{minor}")
            if found is not None:
                return found
        sys.exit(f"Backbench needs Python 3.11 or newer; this is {sys.version.split()[0]}.")
    if "PYTHON" in os.environ:
        return sys.executable
    if PYTHON.exists():
        return str(PYTHON.resolve())
    is_optimized = "--enable-optimizations" in (sysconfig.get_config_var("CONFIG_ARGS") or "")
    if is_optimized or is_this(SYSTEM_PYTHON) or not can_install(SYSTEM_PYTHON):
        return sys.executable
    sys.stdout.write(f"{sys.executable} was compiled without optimizations: installing for {SYSTEM_PYTHON}.\n")
    sys.stdout.write("PYTHON=… names another one.\n")
    sys.stdout.flush()
    return str(SYSTEM_PYTHON)


def is_this(python: Path) -> bool:
    return python.resolve() == Path(sys.executable).resolve()


def can_install(python: Path) -> bool:
    """Whether it is new enough and has a pip."""
    needs = f"sys.version_info >= {OLDEST} and (find_spec('pip') or find_spec('ensurepip'))"
    code = f"import sys; from importlib.util import find_spec; sys.exit(not ({needs}))"
    return python.exists() and subprocess.run([python, "-c", code], check=False, capture_output=True).returncode == 0


def pip_command() -> list[str]:
    """pip for the environment: this Python's, or the wheel of ensurepip. Nothing is installed for it.

    Installing pip into the environment, as `python -m venv` does, takes longer than all the rest.
    """
    if find_spec("pip") is not None:
        return [sys.executable, "-m", "pip", "--python", str(PYTHON)]
    ensurepip = find_spec("ensurepip")
    if ensurepip is not None and ensurepip.origin is not None:
        # Debian keeps the wheels of ensurepip in a folder of its own.
        folder = sysconfig.get_config_var("WHEEL_PKG_DIR") or Path(ensurepip.origin).parent / "_bundled"
        for wheel in sorted(Path(folder).glob("pip-*.whl")):
            return [str(PYTHON), str(wheel / "pip")]
    sys.exit("This Python has neither ensurepip nor pip. On Debian and Ubuntu: apt install python3-venv")


def pip_settings(pip: list[str]) -> dict[str, str]:
    """The settings of pip (files and PIP_* variables) that apply to `pip install`, by name."""
    listed = subprocess.run([*pip, "config", "list"], check=False, capture_output=True, text=True)
    lines = (line.partition("=") for line in listed.stdout.splitlines())
    values = {name: ast.literal_eval(value) for name, is_setting, value in lines if is_setting}
    settings = {}
    # A variable overrides the section of the command, which overrides the section for all.
    for section in ("global.", "install.", ":env:."):
        settings.update({name[len(section) :]: value for name, value in values.items() if name.startswith(section)})
    return settings


def uv_environment(settings: dict[str, str]) -> dict[str, str] | None:
    """The environment that gives uv the settings of pip; None where uv has no equivalent for one of them.

    uv reads none of pip's settings. Variables of uv that are set already take precedence.
    """
    if not settings.keys() <= UV_VARIABLES.keys() | NEUTRAL_SETTINGS:
        return None
    # Several indexes count alike, as for pip: the hashes decide which files are taken.
    wanted = {"UV_INDEX_STRATEGY": "unsafe-best-match"}
    for name, value in settings.items():
        if name in UV_VARIABLES:
            wanted[UV_VARIABLES[name]] = ("," if name == "find-links" else " ").join(value.split())
    return {**wanted, **os.environ}


def run(command: list[str], progress: Progress, environment: dict[str, str] | None = None) -> str:
    """The output of an installer, which is not shown. Raises Failed, with the output, if it fails."""
    output = []
    try:
        with subprocess.Popen(
            command,
            cwd=ROOT,
            env=environment,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            errors="replace",
        ) as installer:
            assert installer.stdout is not None
            for line in installer.stdout:
                output.append(line)
                progress.step = line.strip()
    except OSError as error:
        # Such as a uv that is not for this machine.
        raise Failed(f"{error}\n") from error
    if installer.returncode != 0:
        raise Failed("".join(output))
    return "".join(output)


def fetch_uv(lock: Lock, pip: list[str], folder: str, progress: Progress) -> str:
    """The command of the locked uv: of the environment, where it stays, or of a folder. Raises Failed."""
    requirement = REQUIREMENTS / "uv.txt"
    if UV.exists():
        with contextlib.suppress(Failed):
            version = " ".join(run([str(UV), "--version"], progress).split()[:2])
            if f"{version} ".replace(" ", "==", 1) in requirement.read_text("utf-8"):
                return str(UV)
    progress.step = "Fetching uv"
    # From a source distribution it would be compiled for many minutes.
    options = ["--only-binary", ":all:", "--no-deps", "--no-compile", "--retries", "2"]
    if not lock.is_for_development:
        options += ["--target", folder]
    run([*pip, "install", *PIP_OPTIONS, *options, "--require-hashes", "--requirement", str(requirement)], progress)
    return str(UV) if lock.is_for_development else f"{folder}/bin/uv"


def install(lock: Lock, pip: list[str], progress: Progress) -> None:
    """Installs the packages of the lock and, in place, this project. Raises Failed."""
    with TemporaryDirectory() as folder:
        is_installed = install_with_uv(lock, pip, folder, progress)
    if not is_installed:
        install_with([*pip, "install", *PIP_OPTIONS], lock, progress)
    if not lock.is_for_development:
        strip_symbols(progress)


def install_with_uv(lock: Lock, pip: list[str], folder: str, progress: Progress) -> bool:
    """Whether uv could install it. Raises Failed where the package index cannot be reached."""
    try:
        uv = fetch_uv(lock, pip, folder, progress)
    except Failed as failure:
        if failure.is_offline:
            raise
        return False
    environment = uv_environment(pip_settings(pip))
    if environment is None:
        return False
    if lock.is_for_development:
        environment["UV_COMPILE_BYTECODE"] = "1"
    try:
        install_with([uv, "pip", "install", "--python", str(PYTHON)], lock, progress, environment)
    except Failed:
        # A proxy or certificate that only pip copes with, a home that cannot be written to.
        return False
    return True


def strip_symbols(progress: Progress) -> None:
    """Removes the symbols of shared objects, where this machine has `strip` for them: a quarter of the environment."""
    strip = shutil.which("strip") if sys.platform == "linux" else None
    if strip is None:
        return
    progress.step = "Stripping symbols"
    with ThreadPoolExecutor() as threads:
        list(threads.map(lambda file: strip_file(strip, file), ENVIRONMENT.rglob("*.so*")))


def strip_file(strip: str, file: Path) -> None:
    """Replaces the file, which uv may share with its cache, by one without symbols; one without any stays as it is."""
    stripped = file.with_name(f"{file.name}.stripped")
    command = [strip, "--strip-unneeded", "-o", str(stripped), str(file)]
    # It fails for what is no shared object.
    done = subprocess.run(command, check=False, capture_output=True)
    if done.returncode == 0 and stripped.stat().st_size < file.stat().st_size:
        shutil.copymode(file, stripped)
        stripped.replace(file)
    stripped.unlink(missing_ok=True)


def install_with(
    installer: list[str], lock: Lock, progress: Progress, environment: dict[str, str] | None = None
) -> None:
    run([*installer, *lock.options], progress, environment)
    run([*installer, "--no-deps", "--no-build-isolation", "--editable", str(ROOT)], progress, environment)


def main() -> None:
    python = chosen_python()
    if not is_this(Path(python)):
        # PYTHON: it does not choose again.
        os.execve(python, [python, *sys.argv], {**os.environ, "PYTHON": python})  # noqa: S606 - our own arguments
    lock = LOCKS[sys.argv[1] if len(sys.argv) > 1 else "dev"]
    pip = pip_command()
    text = f"Installing {lock.packages} packages (about {lock.megabytes} MB, usually {lock.duration})"
    try:
        with Progress(text, sys.stdout) as progress:
            # One whose Python has been removed since is unusable; with another one, it would be of both.
            is_of_another = ENVIRONMENT.exists() and not is_this(PYTHON)
            venv.create(ENVIRONMENT, with_pip=False, symlinks=True, clear=is_of_another)
            install(lock, pip, progress)
    except Failed as failure:
        sys.exit(OFFLINE if failure.is_offline else f"{failure}{FAILED}")
    except OSError as error:
        if error.errno != errno.ENOSPC:
            raise
        sys.exit(f"Backbench could not be installed: {error.strerror}.")
    except KeyboardInterrupt:
        sys.exit(130)


if __name__ == "__main__":
    main()
