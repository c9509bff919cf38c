"""Journeys of orders, their photos and their money."""
