"""Layout: folders stay small, and no file has a name that says nothing."""

import re
import tomllib
from pathlib import Path

ROOT = Path(__file__).parents[2]
MAX_MODULES = 18
# Names under which anything could be put.
FORBIDDEN = {"base", "common", "core", "helpers", "lib", "manager", "misc", "shared", "utils"}
FOLDERS = sorted({module.parent for root in ("src/backbench", "tests") for module in (ROOT / root).rglob("*.py")})
LAYERS = ("actions", "domain", "storage")
AREAS = {
    "accounts", "billing", "connections", "customers", "estimating", "operations", "orders", "sharing",
    "workshops",
}  # fmt: skip


def name_of(folder: Path) -> str:
    return str(folder.relative_to(ROOT))


def modules(folder: Path) -> list[str]:
    return [module.stem for module in folder.glob("*.py") if module.stem not in ("__init__", "__main__", "conftest")]


def test_no_folder_has_more_modules_than_one_can_overlook() -> None:
    sizes = {name_of(folder): len(modules(folder)) for folder in FOLDERS}
    assert {name: size for name, size in sizes.items() if size > MAX_MODULES} == {}


def test_no_module_has_a_name_that_says_nothing() -> None:
    names = {name_of(folder): FORBIDDEN & {folder.name, *modules(folder)} for folder in FOLDERS}
    assert {folder: forbidden for folder, forbidden in names.items() if forbidden} == {}


def test_a_layer_has_no_other_areas() -> None:
    folders = {
        layer: {path.parent.name for path in (ROOT / "src" / "backbench" / layer).glob("*/__init__.py")}
        for layer in LAYERS
    }
    others = {"actions": set(), "domain": {"documents", "drafting", "mail", "values"}, "storage": {"engine"}}
    assert {layer: folders[layer] - AREAS - others[layer] for layer in LAYERS} == {layer: set() for layer in LAYERS}


def test_a_resource_has_the_same_area_in_each_layer() -> None:
    areas: dict[str, set[str]] = {}
    for layer in LAYERS:
        for area in AREAS:
            for module in modules(ROOT / "src" / "backbench" / layer / area):
                areas.setdefault(module, set()).add(area)
    assert {module: found for module, found in areas.items() if len(found) > 1} == {}


def test_each_area_is_named_where_the_areas_are_listed() -> None:
    """The contracts of imports, and STYLE: a new area would be in none of them."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))
    contracts = {each["name"]: each for each in project["tool"]["importlinter"]["contracts"]}
    listed = (
        contracts["Only storage.engine imports the database drivers"]["source_modules"],
        contracts["The database engine knows no resource"]["forbidden_modules"],
    )
    for modules_ in listed:
        prefix = "backbench.storage."
        assert {each.removeprefix(prefix) for each in modules_ if each.startswith(prefix)} == AREAS
    style = (ROOT / "STYLE.md").read_text("utf-8").partition("the folders are areas:")[2].partition(". A resource")[0]
    assert set(re.findall(r"`(\w+)`", style)) == AREAS
