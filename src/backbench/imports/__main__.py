"""The import process, started by itself: `process.py` without what it would import in vain."""

import sys
from typing import Any

# As in cli.py: structlog would import rich, a fifth of the time in which the process starts.
_modules: dict[str, Any] = sys.modules
_modules.setdefault("rich", None)

from backbench.imports.process import main  # noqa: E402 - rich is to be missing before

if __name__ == "__main__":
    main(*map(int, sys.argv[1:4]))
