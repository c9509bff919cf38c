"""What ships with the service for everybody: the catalog of priced work and the curated emoji."""

from functools import cache

from backbench.domain.estimating import catalog
from backbench.domain.values import emoji
from backbench.domain.values.numbers import to_json


async def show() -> bytes:
    """Domains, items and templates in both languages."""
    return _catalog()


async def show_emoji() -> bytes:
    """The emoji that may stand on buttons and as a workshop's logo."""
    return _emoji()


# Put into JSON once: they are large and never change.
@cache
def _catalog() -> bytes:
    return to_json(catalog.catalog())


@cache
def _emoji() -> bytes:
    return to_json(emoji.emoji_set())
