"""Capacity: what an operation, a row and a connection cost, and what an installation of a given size needs."""
