"""Imports: from a file to records, and back."""
