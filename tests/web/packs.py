"""The modules of the web app as the tests run them in Deno: put together into few packs, with replacements."""

import json
from collections.abc import Mapping, Sequence
from pathlib import Path

from backbench.site.modules import compact
from backbench.site.packs import packed

APP = Path(__file__).parents[2] / "src/backbench/web/app"
# The database of the tests in the place of the library.
_FAKES = {"vendor/idb.js": "export const { openDB, deleteDB } = fakeIdb;"}


def write_packs(target: Path, starts: Sequence[Sequence[str]], replaced: Mapping[str, str]) -> None:
    """Writes the packs of the modules that the starts need, by their paths, as JSON. `replaced` are texts of modules
    in the place of the app's, or more of them."""
    modules = {path.relative_to(APP).as_posix(): path.read_text("utf-8") for path in APP.rglob("*.js")}
    sources = {**modules, **_FAKES, **replaced}
    packs = packed(starts, {path: compact(code.encode()) for path, code in sources.items()})
    target.parent.mkdir(parents=True, exist_ok=True)
    target.write_text(json.dumps({path: code.decode() for path, code in packs.items()}), "utf-8")
