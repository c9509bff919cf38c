"""Revision: the commit that this Backbench was built from, or that its checkout is at."""

import subprocess
from pathlib import Path

import backbench


def commit() -> str | None:
    """None where it is not known: installed from an archive without a repository."""
    package = Path(backbench.__file__).parent
    try:
        # Written by tools/commit_hook.py when the package was built.
        return (package / "commit.txt").read_text("utf-8").strip()
    except FileNotFoundError:
        return _of_checkout(package.parent.parent)


def _of_checkout(root: Path) -> str | None:
    # Not a repository in which the package happens to lie, such as one with its virtual environment.
    if not (root / ".git").exists():
        return None
    command = ["git", "describe", "--always", "--dirty", "--abbrev=12", "--exclude=*"]
    try:
        return subprocess.run(command, cwd=root, capture_output=True, text=True, check=True).stdout.strip()  # noqa: S603 - a fixed command
    except (OSError, subprocess.CalledProcessError):
        return None
