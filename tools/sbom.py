"""Writes what Backbench is made of: a CycloneDX list of every library it may run with, to build/sbom.cdx.json.

The locked requirements say which version and why; the installed packages say under which licence. Nothing is fetched,
and the same lock gives the same list.
"""

import json
import re
import uuid
from dataclasses import dataclass
from importlib.metadata import PackageNotFoundError, metadata
from pathlib import Path
from typing import Any

from backbench import __version__

ROOT = Path(__file__).parent.parent
LOCK = ROOT / "requirements" / "run.txt"
SBOM = ROOT / "build" / "sbom.cdx.json"
_OURSELVES = "backbench"
_PIN = re.compile(r"^([a-z0-9.-]+)==(\S+)", re.MULTILINE)
_WANTED_BY = re.compile(r"^    #(?: via|  ) ([a-z0-9][a-z0-9.-]*)", re.MULTILINE)


@dataclass(frozen=True)
class Library:
    """`wanted_by` are the names of those that ask for it."""

    name: str
    version: str
    wanted_by: frozenset[str]

    @property
    def purl(self) -> str:
        return f"pkg:pypi/{self.name}@{self.version}"


def main() -> None:
    SBOM.parent.mkdir(exist_ok=True)
    SBOM.write_text(json.dumps(sbom(LOCK.read_text("utf-8")), indent=2, ensure_ascii=False) + "\n", "utf-8")


def libraries(lock: str) -> list[Library]:
    """What the lock pins, in its order."""
    pins = list(_PIN.finditer(lock))
    ends = [*(pin.start() for pin in pins[1:]), len(lock)]
    return [
        Library(pin[1], pin[2], frozenset(_WANTED_BY.findall(lock[pin.end() : end])))
        for pin, end in zip(pins, ends, strict=True)
    ]


def sbom(lock: str) -> dict[str, Any]:
    """CycloneDX 1.6."""
    found = libraries(lock)
    ourselves = f"pkg:pypi/{_OURSELVES}@{__version__}"
    application = {"type": "application", "bom-ref": ourselves, "name": _OURSELVES, "version": __version__}
    return {
        "bomFormat": "CycloneDX",
        "specVersion": "1.6",
        "serialNumber": uuid.uuid5(uuid.NAMESPACE_URL, ourselves + lock).urn,
        "version": 1,
        "metadata": {"component": application},
        "components": [_component(library) for library in found],
        "dependencies": [
            {"ref": ourselves, "dependsOn": [library.purl for library in found if _OURSELVES in library.wanted_by]},
            *(
                {"ref": asking.purl, "dependsOn": [each.purl for each in found if asking.name in each.wanted_by]}
                for asking in found
            ),
        ],
    }


def _component(library: Library) -> dict[str, Any]:
    component: dict[str, Any] = {
        "type": "library",
        "bom-ref": library.purl,
        "name": library.name,
        "version": library.version,
        "purl": library.purl,
    }
    licences = _licences(library)
    return {**component, "licenses": licences} if licences else component


def _licences(library: Library) -> list[dict[str, Any]]:
    """As the installed package states them; none where another system's packages are meant."""
    try:
        stated = metadata(library.name)
    except PackageNotFoundError:
        return []
    expressions = stated.get_all("License-Expression") or []
    if expressions:
        return [{"expression": expressions[0]}]
    classes = [name.rpartition(" :: ")[2] for name in stated.get_all("Classifier") or [] if name.startswith("License")]
    names = classes or [name for name in stated.get_all("License") or [] if "\n" not in name]
    return [{"license": {"name": name}} for name in names]


if __name__ == "__main__":
    main()
