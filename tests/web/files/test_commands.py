"""Commands of the web app: what only reads and follows a write cannot make the write fail.

The person would press again, and it would be done twice.
"""

import re
from collections.abc import Iterator
from typing import NamedTuple

from backbench.site.modules import resolved
from tests.web.files.test_layers import MODULES, statements

# Where what was read is needed, the write is not repeated with it.
_NEEDED = {
    "screens/send/preparing.js: prepare",  # The number of the revision, and the link that is to show it.
    "screens/send/preparing.js: finish",  # The file; the draft of a message before it stores nothing.
    "screens/send/sharing.js: record",  # What was handed over is noted before the list is read.
}
_WRITE = r'"(?:POST|PUT|PATCH|DELETE) /'
_NAME = re.compile(r"(?:export )?(?:const|(?:async )?function) (\w+)")
_IMPORT = re.compile(r'import \{([^}]*)\} from "([^"]+)";')


class Function(NamedTuple):
    module: str
    name: str
    text: str


def functions(modules: dict[str, str]) -> Iterator[Function]:
    for module, text in modules.items():
        for lines in statements(text):
            found = _NAME.match(lines[0])
            if found is not None:
                yield Function(module, found[1], without_softly("\n".join(lines)))


def without_softly(text: str) -> str:
    """Without the reads that may fail, and those that nothing waits for."""
    while (found := re.search(r"\b(?:softly|void \w+)\(", text)) is not None:
        end = found.end() + closing(text[found.end() :], "(", ")")
        text = text[: found.start()] + text[end + 1 :]
    return text


def closing(text: str, opening: str, ending: str) -> int:
    """Where what was opened before the text ends."""
    depth = 1
    for at, each in enumerate(text):
        depth += (each == opening) - (each == ending)
        if depth == 0:
            return at
    return len(text)


def called(function: Function, names: set[tuple[str, str]], modules: dict[str, str]) -> set[str]:
    """The names of those of the functions that the module of the function has or imports."""
    known = {name for module, name in names if module == function.module}
    for imported, path in _IMPORT.findall(modules[function.module]):
        module = resolved(function.module, path)
        known |= {name for name in re.findall(r"\w+", imported) if (module, name) in names}
    return known


def pattern(names: set[str]) -> str:
    return rf"(?<![.\w])(?:{'|'.join(sorted(names))})\(" if names else "(?!)"


def doing(what: str, all_: list[Function], modules: dict[str, str]) -> set[tuple[str, str]]:
    """The functions that do it themselves, or call one that does."""
    found = {(each.module, each.name) for each in all_ if re.search(what, each.text)}
    while True:
        more = {
            (each.module, each.name)
            for each in all_
            if re.search(pattern(called(each, found, modules) - {each.name}), each.text)
        }
        if more <= found:
            return found
        found |= more


def after(text: str, at: int) -> str:
    """What follows within the function that begins a write here: to the end of its block, or of its expression."""
    before = re.split(r"[;{}]", text[:at])[-1]
    rest = text[at : at + closing(text[at:], "{", "}")]
    return rest.split(";")[0] if "=>" in before else rest


def reads_after_writes(modules: dict[str, str]) -> set[str]:
    all_ = list(functions(modules))
    reading, writing = doing('"GET /', all_, modules), doing(_WRITE, all_, modules)
    wrong = set()
    for each in all_:
        reads = f'"GET /|{pattern(called(each, reading - writing, modules))}'
        writes = f"{_WRITE}|{pattern(called(each, writing, modules) - {each.name})}"
        for write in re.finditer(writes, each.text):
            if re.search(reads, after(each.text, write.end())):
                wrong.add(f"{each.module}: {each.name}")
    return wrong


def test_a_read_that_fails_does_not_undo_the_command_before_it() -> None:
    modules = {path: text for path, text in MODULES.items() if path.startswith(("state/", "screens/"))}
    assert reads_after_writes(modules) - _NEEDED == set()


def test_reads_after_writes_are_found_in_each_form() -> None:
    read = 'export async function load() {\n  await call("GET /links");\n}\n'
    modules = {
        "state/a.js": read + 'export async function add() {\n  await call("POST /links");\n  await load();\n}\n',
        "state/b.js": read
        + 'export async function add() {\n  await call("POST /links");\n  await softly(() => load());\n}\n',
        "screens/a.js": 'import { add } from "../state/b.js";\nimport { load } from "../state/a.js";\n'
        "function A() {\n  const done = () => run(() => add(id).then(() => load()));\n}\n",
        "screens/b.js": 'import { add } from "../state/b.js";\nimport { load } from "../state/a.js";\n'
        "function B() {\n  const done = () => run(() => add(id));\n  useAnswer(() => load());\n}\n",
    }
    assert reads_after_writes(modules) == {"state/a.js: add", "screens/a.js: A"}
