"""Revision: the commit that this Backbench was built from, or that its checkout is at, and where its source is."""

import subprocess
from pathlib import Path

import backbench


def commit() -> str | None:
    """None where it is not known: installed from an archive without a repository."""
    return _built("commit.txt") or _of_checkout(Path(backbench.__file__).parents[2])


def repository() -> str | None:
    """The address that who built the package has set."""
    return _built("repository.txt")


def _built(name: str) -> str | None:
    """What tools/commit_hook.py wrote when the package was built."""
    try:
        return (Path(backbench.__file__).parent / name).read_text("utf-8").strip()
    except FileNotFoundError:
        return None


def _of_checkout(root: Path) -> str | None:
    # Not a repository in which the package happens to lie, such as one with its virtual environment.
    if not (root / ".git").exists():
        return None
    command = ["git", "describe", "--always", "--dirty", "--abbrev=12", "--exclude=*"]
    try:
        return subprocess.run(command, cwd=root, capture_output=True, text=True, check=True).stdout.strip()  # noqa: S603 - a fixed command
    except (OSError, subprocess.CalledProcessError):
        return None
