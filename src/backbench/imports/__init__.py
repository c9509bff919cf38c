"""Imports: files of other programs become customers, orders and tiles, by a proposal that people correct."""
