"""The document of pages that are tested without a browser: happy-dom and what it imports, in one file for Deno."""

import shutil
import subprocess

from tools.vendor.packages import ROOT

FOLDER = ROOT / "tests" / "web" / "dom" / "vendor"
_BUILD = ROOT / "build" / "vendor" / "dom"
_HEAD = """\
// happy-dom, MIT: see LICENSE.txt. Written by `make vendor` from package-lock.json, as one file for Deno.
// @ts-nocheck
import { createRequire as __createRequire } from "node:module"; const require = __createRequire(import.meta.url);
"""


def write() -> None:
    """By npm, with the versions and hashes of its package-lock.json."""
    shutil.rmtree(_BUILD, ignore_errors=True)
    _BUILD.mkdir(parents=True)
    for name in ("package.json", "package-lock.json"):
        shutil.copy(FOLDER / name, _BUILD)
    subprocess.run(["npm", "ci", "--silent", "--ignore-scripts"], cwd=_BUILD, check=True)  # noqa: S607
    (_BUILD / "window.js").write_text('export { Window } from "happy-dom";\n', "utf-8")
    # Pages have no web sockets.
    (_BUILD / "ws.js").write_text("export default class {}\nexport const WebSocket = null;\n", "utf-8")
    options = ["--bundle", "--minify", "--legal-comments=none", "--format=esm", "--platform=node", "--alias:ws=./ws.js"]
    command = ["node_modules/.bin/esbuild", "window.js", *options, f"--banner:js={_HEAD.strip()}"]
    made = subprocess.run(command, cwd=_BUILD, check=True, capture_output=True, text=True).stdout
    (FOLDER / "happy-dom.js").write_text(made, "utf-8")
    shutil.copy(_BUILD / "node_modules" / "happy-dom" / "LICENSE", FOLDER / "LICENSE.txt")
