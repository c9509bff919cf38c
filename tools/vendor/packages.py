"""Packages of npm: fetched once into build/vendor, checked against the sha512 of VENDORED.toml, read in memory."""

import base64
import hashlib
import subprocess
import tarfile
from functools import cache
from pathlib import Path
from typing import NamedTuple

ROOT = Path(__file__).parents[2]
_CACHE = ROOT / "build" / "vendor"


class Package(NamedTuple):
    """A row of the packages in VENDORED.toml."""

    name: str
    version: str
    licence: str
    sha512: str

    @property
    def title(self) -> str:
        return f"{self.name} {self.version}"

    def read(self, path: str) -> bytes:
        """A file of the package."""
        found = _files(self._tarball()).get(path)
        if found is None:
            raise SystemExit(f"{self.title} has no file {path}.")
        return found

    def licence_text(self) -> str:
        return self.read("LICENSE").decode().strip()

    def _tarball(self) -> Path:
        file = _CACHE / f"{self.name.strip('@').replace('/', '-')}-{self.version}.tgz"
        if not file.exists():
            _CACHE.mkdir(parents=True, exist_ok=True)
            wanted = f"{self.name}@{self.version}"
            subprocess.run(["npm", "pack", "--silent", wanted], cwd=_CACHE, check=True, stdout=subprocess.DEVNULL)  # noqa: S607
        found = base64.b64encode(hashlib.sha512(file.read_bytes()).digest()).decode()
        if found != self.sha512:
            raise SystemExit(f"{self.title} has the sha512 {found}, VENDORED.toml expects {self.sha512}.")
        return file


@cache
def _files(tarball: Path) -> dict[str, bytes]:
    """The files by their path below the first folder, which is "package" in most tarballs, but not in all."""
    with tarfile.open(tarball) as archive:
        opened = ((member.name.partition("/")[2], archive.extractfile(member)) for member in archive)
        return {path: file.read() for path, file in opened if file is not None}
