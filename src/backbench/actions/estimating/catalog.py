"""Catalog: the predefined items, domains and templates, and the curated emoji."""

from functools import cache

from backbench.domain.estimating import catalog, catalog_keywords
from backbench.domain.values import emoji
from backbench.domain.values.numbers import to_json


async def get() -> bytes:
    """Read the catalog: domains, items and templates in both languages."""
    return _catalog()


async def list_emoji() -> bytes:
    """List the emoji allowed on buttons and as a workshop's logo."""
    return _emoji()


async def list_keywords() -> bytes:
    """List the keywords of items and emoji, and labels of items that fit on a button."""
    return _keywords()


# Encoded once: all are large and never change.
@cache
def _catalog() -> bytes:
    return to_json(catalog.catalog())


@cache
def _emoji() -> bytes:
    return to_json(emoji.emoji_set())


@cache
def _keywords() -> bytes:
    return to_json(catalog_keywords.catalog_keywords())
