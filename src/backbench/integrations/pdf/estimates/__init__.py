"""Estimates as PDF: the layout model that the template places, and its parts."""
