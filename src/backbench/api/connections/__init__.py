"""Connections to other programs: feeds of calendars, and tools of agents over the operations of the API."""
