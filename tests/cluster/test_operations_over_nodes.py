"""Every test of the API on three nodes: each request of a person goes to another node than the one before."""

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

from tests.support.figures import report

ROOT = Path(__file__).parents[2]
# What they test is of one worker by design (docs/guide/several-nodes.md), or they replace a part of the application.
PER_WORKER: list[str] = []


@pytest.mark.prove
def test_every_test_of_the_api_passes_on_three_nodes() -> None:
    deselected = [option for test in PER_WORKER for option in ("--deselect", test)]
    command = [sys.executable, "-m", "pytest", "tests/api", "tests/http", "--numprocesses", "2", *deselected]
    ran = subprocess.run(command, cwd=ROOT, env=os.environ | {"TEST_NODES": "3"}, capture_output=True, text=True)
    assert ran.returncode == 0, ran.stdout[-20_000:]
    [passed] = re.findall(r"(\d+) passed", ran.stdout)
    report(f"tests of the API with three nodes in turn: {passed} passed")
