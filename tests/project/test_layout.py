"""Layout: modules import each other in one direction, and no file has a name that says nothing."""

import ast
from functools import cache
from graphlib import CycleError, TopologicalSorter
from pathlib import Path

ROOT = Path(__file__).parents[2]
PACKAGE = ROOT / "src" / "backbench"
# Names under which anything could be put.
FORBIDDEN = {"base", "common", "core", "helpers", "lib", "manager", "misc", "shared", "utils"}
FOLDERS = sorted({module.parent for root in ("src/backbench", "tests") for module in (ROOT / root).rglob("*.py")})
# What knows no noun.
LIBRARIES = {"documents", "engine", "integrations", "logs", "values", "words"}


def name_of(module: Path) -> str:
    return ".".join(module.relative_to(PACKAGE.parent).with_suffix("").parts).removesuffix(".__init__")


MODULES = {name_of(module): module for module in PACKAGE.rglob("*.py")}


@cache
def imports_of(module: str) -> set[str]:
    """The modules that it imports when it is loaded."""
    found: set[str] = set()
    for node in ast.parse(MODULES[module].read_text("utf-8")).body:
        if isinstance(node, ast.ImportFrom) and node.module is not None:
            for alias in node.names:
                named = f"{node.module}.{alias.name}"
                found.add(named if named in MODULES else node.module)
        elif isinstance(node, ast.Import):
            found.update(alias.name for alias in node.names)
    return {each for each in found if each in MODULES and each != module}


def test_no_module_imports_itself_through_others() -> None:
    """Between modules, not folders: orders and customers name each other."""
    cycle: list[str] = []
    try:
        TopologicalSorter({module: imports_of(module) for module in MODULES}).prepare()
    except CycleError as error:
        cycle = error.args[1]
    assert cycle == []


def test_libraries_know_no_noun() -> None:
    for module in MODULES:
        library, known = module.split(".")[1:2], {each.split(".")[1] for each in imports_of(module) if "." in each}
        if library and library[0] in LIBRARIES:
            assert known <= LIBRARIES, (module, sorted(known - LIBRARIES))


def test_no_module_has_a_name_that_says_nothing() -> None:
    names = {
        str(folder.relative_to(ROOT)): FORBIDDEN & {folder.name, *(module.stem for module in folder.glob("*.py"))}
        for folder in FOLDERS
    }
    assert {folder: forbidden for folder, forbidden in names.items() if forbidden} == {}
