"""Connections in the web app."""
