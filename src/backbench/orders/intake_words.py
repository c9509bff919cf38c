"""Intake words: for each craft of the catalog the usual things, words for their condition, and photos to take."""

import functools

from msgspec import Struct

from backbench.engine.database import Read
from backbench.estimating.catalog import intake_words
from backbench.values.text import LocalizedText


class CraftWords(Struct, frozen=True, rename="camel"):
    domain_slug: str
    things: tuple[LocalizedText, ...]
    conditions: tuple[LocalizedText, ...]
    photos: tuple[LocalizedText, ...]


class IntakeWords(Struct, frozen=True):
    crafts: tuple[CraftWords, ...]


@functools.cache
def catalog_words() -> IntakeWords:
    """Of every craft, in the order of the catalog."""
    return IntakeWords(
        tuple(
            CraftWords(slug, *(_localized(words[name]) for name in ("things", "conditions", "photos")))
            for slug, words in sorted(intake_words().items())
        )
    )


def _localized(entries: list[str]) -> tuple[LocalizedText, ...]:
    pairs = [entry.split(" | ") for entry in entries]
    return tuple(LocalizedText(en=english, pl=polish) for english, polish in pairs)


# Verbs


async def get(db: Read) -> IntakeWords:
    """Read the words for the intake of an order, of each craft."""
    return catalog_words()
