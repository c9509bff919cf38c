"""Packs: modules put together into few files do what they do one by one."""

import os
import subprocess
import sysconfig
from pathlib import Path

import pytest

from backbench.site.modules import compact
from backbench.site.packs import packed
from backbench.site.words import in_each_language

WEB_APP = Path(__file__).parents[3] / "src" / "backbench" / "web" / "app"
DENO = Path(sysconfig.get_path("scripts")) / "deno"
APP = {
    "main.js": b"""import { counted } from "./state/count.js";
import * as words from "./words.js";
export const shown = [words.hello, counted() + words.count()];
const load = async () => {
const first = await import("./screens/first.js");
const second = await import("./screens/second.js");
const texts = [first.screen(), second.screen(), (await second.again()).screen()];
console.log(JSON.stringify([...shown, ...texts, words.address.split("/").at(-1)]));
};
void load();
""",
    "words.js": b"""const text = "Hello";
export { text as hello };
export { counted as count } from "./state/count.js";
export const address = new URL("x", import.meta.url).pathname;""",
    "state/count.js": b"let count = 0;\nexport function counted() {\ncount += 1;\nreturn count;\n}",
    "screens/first.js": b'import { part } from "../parts/part.js";\nexport const screen = () => `first ${part()}`;',
    "screens/second.js": b"""import { part } from "../parts/part.js";
import { counted as next } from "../state/count.js";
export const screen = () => `second ${part()} ${next()}`;
export const again = () => import("./first.js");""",
    "parts/part.js": b"""import { hello } from "../words.js";
let made = 0;
export const part = () => hello + (made += 1);""",
    "unused.js": b"export const never = 1;",
}


def test_modules_in_packs_run_once_and_share_their_state(tmp_path: Path) -> None:
    packs = packed([["main.js"]], APP)
    assert list(packs) == ["main.js", "screens/first.js", "parts/part.js", "screens/second.js"]
    for folder, files in (("modules", APP), ("packs", packs)):
        for path, code in files.items():
            (tmp_path / folder / path).parent.mkdir(parents=True, exist_ok=True)
            (tmp_path / folder / path).write_bytes(code)
    expected = '["Hello",3,"first Hello1","second Hello2 3","first Hello3","x"]'
    assert output(tmp_path / "modules" / "main.js") == expected
    assert output(tmp_path / "packs" / "main.js") == expected


def test_a_module_that_is_imported_early_is_in_the_first_pack() -> None:
    packs = packed([["main.js", "screens/first.js"]], APP)
    assert list(packs) == ["main.js", "screens/second.js"]
    assert b'import("./main.js").then((pack) => pack.$screens_first)' in packs["main.js"]


def test_what_two_scripts_of_a_page_need_is_in_the_pack_of_the_first(tmp_path: Path) -> None:
    first = b'import { counted } from "./state/count.js";\nconsole.log(counted());'
    packs = packed([["first.js"], ["main.js"]], APP | {"first.js": first})
    assert list(packs)[:2] == ["first.js", "main.js"]
    assert b"$state_count = (" in packs["first.js"]
    assert b"$state_count = (" not in packs["main.js"]
    for path, code in packs.items():
        (tmp_path / path).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / path).write_bytes(code)
    # The module was run once: it counts on.
    assert output(tmp_path / "main.js").startswith('1\n["Hello",5,')


SAME_WORDS = """import { first } from "./words/common.js";
import { first as en } from "./words/en.js";
import { first as pl } from "./words/pl.js";
import { picked } from "./words/words.js";

const given = (value) => typeof value === "function" ? [0, 1, 2, 5].map((count) => value(count, 7, "x")) : value;
const texts = (words, language) => JSON.stringify(picked(words, language), (_, value) => given(value));
const halves = [[en, "en"], [pl, "pl"]].map(([words, language]) => texts(words, language) === texts(first, language));
console.log(...halves, JSON.stringify(first).length > 1.4 * JSON.stringify(pl).length);
"""


def test_the_words_of_the_first_load_are_the_same_in_one_language(tmp_path: Path) -> None:
    modules = {str(file.relative_to(WEB_APP)): file.read_bytes() for file in WEB_APP.rglob("*.js")}
    compacted = {path: compact(code) for path, code in modules.items()}
    for path, code in in_each_language(compacted).items():
        (tmp_path / path).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / path).write_bytes(code)
    (tmp_path / "same.js").write_text(SAME_WORDS)
    assert output(tmp_path / "same.js") == "true true true"


def test_a_text_whose_values_are_in_another_order_stays_with_the_english_one() -> None:
    both = b'a: ["{x} of {y}", "{y}: {x}"],\nb: ["{x} of {y}", "{x} z {y}"],'
    changed = in_each_language({"words/common.js": both})["words/pl.js"]
    assert changed == b'a: ["{x} of {y}", "{y}: {x}"],\nb: ["{x} z {y}"],'


@pytest.mark.parametrize(
    ("code", "text"),
    [
        (b'export * from "./words.js";', "statement that a pack cannot have"),
        (b"export let changing = 1;", "statement that a pack cannot have"),
        (b'import "./words.js";', "statement that a pack cannot have"),
        (b'import { a } from "./none.js";', "imports none.js, which does not exist"),
        (b'import { shown } from "./main.js";', "imports main.js, which imports it"),
    ],
)
def test_a_module_that_cannot_be_packed_stops_the_start(code: bytes, text: str) -> None:
    broken = APP | {"state/count.js": code.replace(b"./", b"../")}
    with pytest.raises(ValueError, match=f"state/count.js of the web app .*{text}"):
        packed([["main.js"]], broken)


def output(program: Path) -> str:
    environment = os.environ | {"DENO_DIR": str(program.parent / "deno"), "DENO_NO_UPDATE_CHECK": "1", "NO_COLOR": "1"}
    command = [str(DENO), "run", "--quiet", "--no-remote", "--allow-read", str(program)]
    run = subprocess.run(command, env=environment, capture_output=True, text=True, check=False)
    assert run.returncode == 0, run.stderr
    return run.stdout.strip()
