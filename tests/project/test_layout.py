"""Layout: folders stay small, and no file has a name that says nothing."""

from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
MAX_MODULES = 18
# Names under which anything could be put.
FORBIDDEN = {"base", "common", "core", "helpers", "lib", "manager", "misc", "services", "shared", "tools", "utils"}
FOLDERS = sorted({module.parent for root in ("src/backbench", "tests") for module in (ROOT / root).rglob("*.py")})
LAYERS = ("actions", "domain", "storage")
AREAS = {"accounts", "billing", "estimating", "operations", "orders", "sharing", "workshops"}


def modules(folder: Path) -> list[str]:
    return [module.stem for module in folder.glob("*.py") if module.stem not in ("__init__", "__main__", "conftest")]


@pytest.mark.parametrize("folder", FOLDERS, ids=lambda folder: str(folder.relative_to(ROOT)))
def test_no_folder_has_more_modules_than_one_can_overlook(folder: Path) -> None:
    assert len(modules(folder)) <= MAX_MODULES


@pytest.mark.parametrize("folder", FOLDERS, ids=lambda folder: str(folder.relative_to(ROOT)))
def test_no_module_has_a_name_that_says_nothing(folder: Path) -> None:
    assert FORBIDDEN & {folder.name, *modules(folder)} == set()


@pytest.mark.parametrize("layer", LAYERS)
def test_a_layer_has_no_other_areas(layer: str) -> None:
    folders = {path.parent.name for path in (ROOT / "src" / "backbench" / layer).glob("*/__init__.py")}
    others = {"actions": set(), "domain": {"documents", "drafting", "mail", "values"}, "storage": {"engine"}}
    assert folders <= AREAS | others[layer]


def test_a_resource_has_the_same_area_in_each_layer() -> None:
    areas: dict[str, set[str]] = {}
    for layer in LAYERS:
        for area in AREAS:
            for module in modules(ROOT / "src" / "backbench" / layer / area):
                areas.setdefault(module, set()).add(area)
    assert {module: found for module, found in areas.items() if len(found) > 1} == {}
