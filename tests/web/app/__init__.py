"""Journeys through the web app, in a real browser with a phone's screen."""
