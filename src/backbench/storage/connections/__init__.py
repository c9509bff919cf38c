"""Connections: what other programs get of a workshop, and where it is sent."""
