"""Unit tests of the web app's modules, run by Deno: they need no browser.

Pages in these tests run copies of the app's own modules, put together into few files. `python -m tests.web.test_units`
writes those for tests that are run by hand.
"""

import json
import os
import subprocess
import sysconfig
from pathlib import Path

from backbench.site.modules import compact
from backbench.site.packs import packed

ROOT = Path(__file__).parents[2]
DENO = Path(sysconfig.get_path("scripts")) / "deno"
# Pages have their copies of the modules there.
_WRITES = "--allow-write=build"
_APP = ROOT / "src/backbench/web/app"
_START = "page_modules.js"
# The tests' own database in the place of the library.
_FAKES = {"vendor/idb.js": "export const { openDB, deleteDB } = fakeIdb;"}


def write_packs() -> None:
    modules = {path.relative_to(_APP).as_posix(): path.read_text("utf-8") for path in _APP.rglob("*.js")}
    start = (ROOT / "tests/web/unit" / _START).read_text("utf-8").replace("../../../src/backbench/web/app/", "./")
    sources = {**modules, **_FAKES, _START: start}
    packs = packed([[_START]], {path: compact(code.encode()) for path, code in sources.items()})
    target = ROOT / "build/pages/packs.json"
    target.parent.mkdir(parents=True, exist_ok=True)
    target.write_text(json.dumps({path: code.decode() for path, code in packs.items()}), "utf-8")


def test_the_modules_of_the_web_app_pass_their_unit_tests() -> None:
    write_packs()
    # Types are checked by `make lint`.
    options = ["--quiet", "--no-check", "--no-remote", "--parallel", "--allow-read", _WRITES]
    command = [str(DENO), "test", *options, "tests/web/unit"]
    # West of UTC, where a date without a time is easily taken for the day before.
    zone = {"TZ": "America/New_York"}
    deno = {"DENO_DIR": str(ROOT / "build" / "deno"), "DENO_NO_UPDATE_CHECK": "1", "NO_COLOR": "1"}
    environment = os.environ | deno | zone
    tested = subprocess.run(command, cwd=ROOT, env=environment, capture_output=True, text=True, check=False)
    assert tested.returncode == 0, tested.stdout + tested.stderr


if __name__ == "__main__":
    write_packs()
