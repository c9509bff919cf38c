"""Imports: files of other programs read into tables, columns mapped to fields, and rows made into records."""
