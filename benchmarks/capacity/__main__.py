"""`python -m benchmarks.capacity [FILE]`: computes the tables of benchmarks/capacity/README.md.

FILE is what `python -m benchmarks capacity --json FILE` has written: its figures become the stored inputs.
"""

import sys
from pathlib import Path

import msgspec

from benchmarks.capacity import inputs, page


def main() -> None:
    for file in sys.argv[1:]:
        measured = inputs.from_run(msgspec.json.decode(Path(file).read_bytes()))
        inputs.FILE.write_bytes(msgspec.json.format(msgspec.json.encode(measured), indent=2) + b"\n")
    page.PAGE.write_text(page.with_blocks(page.PAGE.read_text("utf-8"), inputs.stored()), "utf-8")


if __name__ == "__main__":
    main()
