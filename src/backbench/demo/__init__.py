"""A workshop to try Backbench on: a joiner's, with three months behind it."""
