"""Measures Backbench side by side with its peers, in one run: `make bench`."""
