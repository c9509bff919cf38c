"""`python -m backbench` is the `backbench` command."""

import sys

from backbench.cli import main

if __name__ == "__main__":
    sys.exit(main())
