"""Endpoints of orders that need HTTP itself."""
