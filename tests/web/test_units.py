"""Unit tests of the web app's modules, run by Deno: they need no browser."""

import os
import subprocess
import sysconfig
from pathlib import Path

ROOT = Path(__file__).parents[2]
# Pages that run at the same time have copies of the modules there.
WRITES = "--allow-write=build"
DENO = Path(sysconfig.get_path("scripts")) / "deno"


def test_the_modules_of_the_web_app_pass_their_unit_tests() -> None:
    # Types are checked by `make lint`.
    options = ["--quiet", "--no-check", "--no-remote", "--parallel", "--allow-read", WRITES]
    command = [str(DENO), "test", *options, "tests/web/unit"]
    # West of UTC, where a date without a time is easily taken for the day before.
    zone = {"TZ": "America/New_York"}
    deno = {"DENO_DIR": str(ROOT / "build" / "deno"), "DENO_NO_UPDATE_CHECK": "1", "NO_COLOR": "1"}
    environment = os.environ | deno | zone
    tested = subprocess.run(command, cwd=ROOT, env=environment, capture_output=True, text=True, check=False)
    assert tested.returncode == 0, tested.stdout + tested.stderr
