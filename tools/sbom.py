"""SBOM: writes build/sbom.cdx.json, the libraries of requirements/run.txt with licences and dependencies (CycloneDX).

cyclonedx-py describes an environment. This gives it one that holds the metadata of the locked libraries alone, linked
from the environment it runs in: nothing is fetched, and the tools for development stay out. Libraries that are locked
for other platforms are not listed.
"""

import re
import subprocess
import sys
import sysconfig
import tempfile
import venv
from pathlib import Path

from backbench import __version__

ROOT = Path(__file__).parent.parent
LOCK = ROOT / "requirements" / "run.txt"
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


def _link_metadata(packages: Path) -> None:
    """Links the metadata of the locked libraries that are installed here."""
    locked = set(_PIN.findall(LOCK.read_text("utf-8")))
    for metadata in Path(sysconfig.get_path("purelib")).glob("*.dist-info"):
        name = metadata.name.partition("-")[0]
        if re.sub(r"[-_.]+", "-", name).lower() in locked:
            (packages / metadata.name).symlink_to(metadata)


if __name__ == "__main__":
    main()
