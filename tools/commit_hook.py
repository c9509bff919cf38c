"""Build hook of hatchling: writes the commit and the address of the repository into wheel and sdist, as `commit.txt`
and `repository.txt`; `backbench version` prints them.

The commit is that of the checkout, or the variable REVISION where there is none, as in the build of the image. The
address is the variable REPOSITORY of who builds: none without it. An sdist brings its own.
"""

import os
import subprocess
from pathlib import Path
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface


class CommitHook(BuildHookInterface):  # type: ignore[type-arg]  # its configuration has no type
    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        if (Path(self.root) / "src" / "backbench" / "commit.txt").exists():
            return
        # An editable install is the checkout, whose commit changes: it is asked for when the command runs.
        commit = "" if version == "editable" else os.environ.get("REVISION") or _commit(Path(self.root))
        for name, fact in (("commit.txt", commit), ("repository.txt", os.environ.get("REPOSITORY"))):
            if fact:
                file = Path(self.directory) / name
                file.parent.mkdir(parents=True, exist_ok=True)
                file.write_text(f"{fact}\n")
                inside = f"{'src/' if self.target_name == 'sdist' else ''}backbench/{name}"
                build_data["force_include"][str(file)] = inside


def _commit(root: Path) -> str:
    """Empty outside a checkout."""
    command = ["git", "describe", "--always", "--dirty", "--abbrev=12", "--exclude=*"]
    try:
        return subprocess.run(command, cwd=root, capture_output=True, text=True, check=True).stdout.strip()
    except (OSError, subprocess.CalledProcessError):
        return ""
