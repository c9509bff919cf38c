"""Runs of pytest on example tests in a folder, in a process of its own: for tests of how the suite itself behaves."""

import os
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).parents[3]


def run_examples(folder: Path, *options: str) -> str:
    """What pytest printed."""
    command = [sys.executable, "-m", "pytest", "-p", "no:cacheprovider", *options]
    # Importing the plugins that are installed here takes longer than the examples.
    environment = os.environ | {"PYTHONPATH": str(ROOT), "PYTEST_DISABLE_PLUGIN_AUTOLOAD": "1"}
    return subprocess.run(command, cwd=folder, env=environment, capture_output=True, text=True, check=False).stdout
