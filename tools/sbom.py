"""SBOM: writes build/sbom.cdx.json (CycloneDX), the libraries of requirements/run.txt and the vendored files.

cyclonedx-py describes an environment. This gives it one that holds the metadata of the locked libraries alone, linked
from the environment it runs in: nothing is fetched, and the tools for development stay out. Libraries that are locked
for other platforms are not listed. What the web app has of other projects is in VENDORED.toml.
"""

import base64
import json
import re
import subprocess
import sys
import sysconfig
import tempfile
import tomllib
import venv
from pathlib import Path
from typing import Any

from backbench import __version__

ROOT = Path(__file__).parent.parent
LOCK = ROOT / "requirements" / "run.txt"
VENDORED = ROOT / "src" / "backbench" / "web" / "app" / "vendor" / "VENDORED.toml"
SBOM = ROOT / "build" / "sbom.cdx.json"
_PIN = re.compile(r"^([a-z0-9.-]+)==", re.MULTILINE)


def main(file: Path = SBOM) -> None:
    file.parent.mkdir(exist_ok=True)
    with tempfile.TemporaryDirectory() as folder:
        environment = Path(folder)
        venv.create(environment, with_pip=False, symlinks=True)
        _link_metadata(Path(sysconfig.get_path("purelib", vars={"base": folder})))
        project = environment / "pyproject.toml"
        text = (ROOT / "pyproject.toml").read_text("utf-8")
        # cyclonedx-py reads the version only where it is written in the file.
        project.write_text(text.replace('dynamic = ["version"]', f'version = "{__version__}"'), "utf-8")
        command = [sys.executable, "-m", "cyclonedx_py", "environment", str(environment), "--pyproject", str(project)]
        # Validation takes twenty times as long as all the rest; a test does it.
        options = ["--output-reproducible", "--no-validate", "--output-format", "JSON", "--output-file", str(file)]
        subprocess.run([*command, *options], check=True, capture_output=True)
    document = json.loads(file.read_text("utf-8"))
    _add_vendored(document)
    file.write_text(json.dumps(document, indent=2) + "\n", "utf-8")


def _link_metadata(packages: Path) -> None:
    """Links the metadata of the locked libraries that are installed here."""
    locked = set(_PIN.findall(LOCK.read_text("utf-8")))
    for metadata in Path(sysconfig.get_path("purelib")).glob("*.dist-info"):
        name = metadata.name.partition("-")[0]
        if re.sub(r"[-_.]+", "-", name).lower() in locked:
            (packages / metadata.name).symlink_to(metadata)


def _add_vendored(document: dict[str, Any]) -> None:
    """Adds the packages of VENDORED.toml, which this project depends on directly."""
    components = [_component(row) for row in tomllib.loads(VENDORED.read_text("utf-8"))["packages"].values()]
    added = [component["bom-ref"] for component in components]
    document["components"] += components
    project = document["metadata"]["component"]["bom-ref"]
    for entry in document["dependencies"]:
        if entry["ref"] == project:
            entry["dependsOn"] = sorted([*entry.get("dependsOn", []), *added])
    document["dependencies"] += [{"ref": ref} for ref in added]


def _component(row: dict[str, str]) -> dict[str, Any]:
    return {
        "bom-ref": f"npm:{row['name']}=={row['version']}",
        "type": "library",
        "name": row["name"],
        "version": row["version"],
        "purl": f"pkg:npm/{row['name'].replace('@', '%40')}@{row['version']}",
        "licenses": [{"license": {"id": row["licence"]}}],
        "hashes": [{"alg": "SHA-512", "content": base64.b64decode(row["sha512"]).hex()}],
    }


if __name__ == "__main__":
    main()
