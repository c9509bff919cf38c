"""Catalog: the predefined items, domains and templates, and the curated emoji."""

from functools import cache

from backbench.domain.estimating import catalog
from backbench.domain.values import emoji
from backbench.domain.values.numbers import to_json


async def get() -> bytes:
    """Read the catalog: domains, items and templates in both languages."""
    return _catalog()


async def list_emoji() -> bytes:
    """List the emoji allowed on buttons and as a workshop's logo."""
    return _emoji()


# Encoded once: both are large and never change.
@cache
def _catalog() -> bytes:
    return to_json(catalog.catalog())


@cache
def _emoji() -> bytes:
    return to_json(emoji.emoji_set())
