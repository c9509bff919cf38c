"""Endpoints: how a request to one operation is answered. Start at `endpoint.py`."""
