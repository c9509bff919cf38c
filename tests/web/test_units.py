"""Unit tests of the web app's modules, run by Deno: they need no browser.

Pages in these tests run copies of the app's own modules, put together into few files. `python -m tests.web.test_units`
writes those for tests that are run by hand.
"""

import os
import subprocess
import sysconfig
from pathlib import Path

from tests.web.packs import write_packs

ROOT = Path(__file__).parents[2]
DENO = Path(sysconfig.get_path("scripts")) / "deno"
_START = "page_modules.js"


def write_modules() -> None:
    start = (ROOT / "tests/web/unit" / _START).read_text("utf-8").replace("../../../src/backbench/web/app/", "./")
    write_packs(ROOT / "build/pages/packs.json", [[_START]], {_START: start})


def test_the_modules_of_the_web_app_pass_their_unit_tests() -> None:
    write_modules()
    # Types are checked by `make lint`.
    options = ["--quiet", "--no-check", "--no-remote", "--allow-read"]
    command = [str(DENO), "test", *options, "tests/web/unit/all.js"]
    # West of UTC, where a date without a time is easily taken for the day before.
    zone = {"TZ": "America/New_York"}
    deno = {"DENO_DIR": str(ROOT / "build" / "deno"), "DENO_NO_UPDATE_CHECK": "1", "NO_COLOR": "1"}
    environment = os.environ | deno | zone
    tested = subprocess.run(command, cwd=ROOT, env=environment, capture_output=True, text=True, check=False)
    assert tested.returncode == 0, tested.stdout + tested.stderr
    assert "ok | 0 passed" not in tested.stdout


if __name__ == "__main__":
    write_modules()
