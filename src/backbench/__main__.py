"""`python -m backbench` is the `backbench` command."""

from backbench.cli import main

if __name__ == "__main__":
    main()
