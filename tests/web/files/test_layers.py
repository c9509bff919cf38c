"""Layers and sizes of the web app's modules: imports point down, and a module fits a screen or two."""

import re
from collections.abc import Iterator
from pathlib import Path

from backbench.site.modules import ModuleGraph

APP = Path(__file__).parents[3] / "src" / "backbench" / "web" / "app"
# Each folder, and those that its modules may import besides their own. The modules at the top import anything.
BELOW = {
    "screens": {"components", "words", "state", "local", "api", "domain", "vendor"},
    "components": {"words", "state", "api", "domain", "vendor"},
    "words": {"state", "domain", "vendor"},
    "state": {"local", "api", "domain", "vendor"},
    "local": {"domain", "vendor"},
    "api": {"domain", "vendor"},
    "domain": set[str](),
}
MAX_LINES = 400
MAX_FUNCTION_LINES = 60
# The app as a whole: lowered with what is taken out, and raised by what a feature is worth alone, until it has 28,500
# lines.
MAX_ALL_LINES = 33_055
MAX_FILES = 263
# The words of a language are a table.
_FUNCTION = re.compile(r"(?:export )?(?:const \w+ =(?:\s*async)? ?(?:\(|\w+ =>|$)|(?:async )?function\b)")

MODULES = {
    str(file.relative_to(APP)): file.read_text("utf-8")
    for file in sorted(APP.rglob("*.js"))
    if file.relative_to(APP).parts[0] != "vendor"
}


def test_imports_of_the_web_app_point_down() -> None:
    imports = ModuleGraph({str(file.relative_to(APP)): file.read_bytes() for file in APP.rglob("*.js")})
    wrong = {
        f"{path} imports {imported}"
        for path in MODULES
        for imported in imports.static[path] + imports.dynamic[path]
        if not may_import(path, imported)
    }
    assert wrong == set()


def may_import(path: str, imported: str) -> bool:
    folder, target = path.split("/")[0], imported.split("/")[0]
    if "/" not in path or folder == target:
        return True
    return target in BELOW[folder]


def test_modules_of_the_web_app_are_small() -> None:
    """Words are a table: a line a word."""
    modules = {path: text for path, text in MODULES.items() if not path.startswith("words/")}
    long = {f"{path}: {text.count(chr(10))} lines" for path, text in modules.items() if text.count("\n") > MAX_LINES}
    assert long == set()


def test_the_web_app_does_not_grow() -> None:
    assert sum(text.count("\n") for text in MODULES.values()) <= MAX_ALL_LINES
    assert len(MODULES) <= MAX_FILES


def test_a_form_with_numbers_does_not_go_on_without_one_that_cannot_be_read() -> None:
    """The main action of a screen or sheet asks for that; a field that was left with its reason would be dropped."""
    forms = {
        path: text
        for path, text in MODULES.items()
        if path.startswith("screens/")
        and 'kind: "main"' in text
        and re.search(r"numberField\(|[a-z]\.number\(\"", text)
    }
    assert len(forms) >= 4, forms.keys()
    assert [path for path, text in forms.items() if "hasUnreadable()" not in text] == []


def test_functions_of_the_web_app_are_small() -> None:
    long = {
        f"{path}: {lines[0]} ({len(lines)} lines)"
        for path, text in MODULES.items()
        for lines in statements(text)
        if _FUNCTION.match(lines[0]) and len(lines) > MAX_FUNCTION_LINES
    }
    assert long == set()


def statements(text: str) -> Iterator[list[str]]:
    """The lines of each statement at the top level. The formatter indents what belongs to one."""
    lines: list[str] = []
    for line in text.splitlines():
        if line and not line.startswith((" ", "}", ")", "]")) and lines:
            yield lines
            lines = []
        if line:
            lines.append(line)
    yield lines


def test_layers_are_checked_in_both_directions() -> None:
    assert may_import("screens/board.js", "components/ticket.js")
    assert may_import("components/sign.js", "state/connection.js")
    assert may_import("routes.js", "screens/board.js")
    assert not may_import("components/ticket.js", "screens/board.js")
    assert not may_import("state/orders.js", "words/words.js")
    assert not may_import("local/database.js", "api/client.js")
    assert not may_import("domain/money.js", "vendor/signals.js")


def test_statements_include_all_their_lines() -> None:
    text = 'import { a } from "./a.js";\n\nexport const b = (c) => {\n  d();\n\n  e();\n};\nconst f = {\n  g: 1,\n};\n'
    assert [len(lines) for lines in statements(text)] == [1, 4, 3]
