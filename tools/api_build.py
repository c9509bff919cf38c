"""Build number of the API's description: raised where the document differs from the one that had the last number.

`make docs` runs this; a test fails if it was not run. Recorded examples do not count: they change with the bytes of a
picture, and no client depends on them.
"""

import hashlib
from pathlib import Path
from typing import Any

import msgspec
from msgspec import Struct

from backbench.http.openapi.document import document
from backbench.reference import reference
from backbench.reference.scopes import described, scope_rows
from backbench.routes import OPERATIONS

FILE = Path(__file__).parents[1] / "src" / "backbench" / "reference" / "build.json"


class Build(Struct, frozen=True):
    """`digest` is that of the document which got the number."""

    build: int
    digest: str


def main() -> None:
    last, digest = stored(), digest_of(document(OPERATIONS, reference(), described(scope_rows(OPERATIONS))))
    if digest != last.digest:
        build = msgspec.json.encode(Build(last.build + 1, digest))
        FILE.write_bytes(msgspec.json.format(build, indent=2) + b"\n")


def stored() -> Build:
    return msgspec.json.decode(FILE.read_bytes(), type=Build)


def digest_of(whole: dict[str, Any]) -> str:
    """SHA-256 of the document without its examples and its build number."""
    compared = _without_examples(msgspec.json.decode(msgspec.json.encode(whole)))
    del compared["info"]["x-build"]
    return hashlib.sha256(msgspec.json.encode(compared, order="sorted")).hexdigest()


def _without_examples(part: Any) -> Any:
    if isinstance(part, dict):
        return {name: _without_examples(value) for name, value in part.items() if name not in ("example", "examples")}
    return [_without_examples(each) for each in part] if isinstance(part, list) else part


if __name__ == "__main__":
    main()
