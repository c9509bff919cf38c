"""Backbench: the back office for small craft workshops."""

__version__ = "0.1.0"
