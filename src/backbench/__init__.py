"""Backbench: the back office for small craft workshops."""

__version__ = "0.2.0"
