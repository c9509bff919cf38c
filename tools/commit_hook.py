"""Build hook of hatchling: writes the commit into wheel and sdist, as `commit.txt`; `backbench version` prints it.

The commit is that of the checkout, or the variable REVISION where there is none, as in the build of the image. An sdist
brings its own.
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
        if commit:
            file = Path(self.directory) / "commit.txt"
            file.parent.mkdir(parents=True, exist_ok=True)
            file.write_text(f"{commit}\n")
            build_data["force_include"][str(file)] = (
                f"{'src/' if self.target_name == 'sdist' else ''}backbench/commit.txt"
            )


def _commit(root: Path) -> str:
    """Empty outside a checkout."""
    command = ["git", "describe", "--always", "--dirty", "--abbrev=12", "--exclude=*"]
    try:
        return subprocess.run(command, cwd=root, capture_output=True, text=True, check=True).stdout.strip()
    except (OSError, subprocess.CalledProcessError):
        return ""
