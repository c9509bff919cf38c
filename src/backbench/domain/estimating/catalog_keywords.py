"""Catalog keywords: what to search items and emoji by in both languages, and labels of items that fit on a button."""

import functools
from collections.abc import Iterable, Mapping
from typing import Any

from msgspec import Struct

from backbench.domain.estimating.catalog_files import crafts, shared_keywords
from backbench.domain.values.emoji import emoji_keywords
from backbench.domain.values.text import LocalizedKeywords, LocalizedText

SHORT_LABEL_LENGTH = 28


class ItemKeywords(Struct, frozen=True, rename="camel"):
    """`short_label` is the label where that has 28 characters or fewer."""

    id: str
    short_label: LocalizedText
    keywords: LocalizedKeywords


class EmojiKeywords(Struct, frozen=True, rename="camel"):
    emoji: str
    keywords: LocalizedKeywords


class CatalogKeywords(Struct, frozen=True, rename="camel"):
    items: tuple[ItemKeywords, ...]
    emoji: tuple[EmojiKeywords, ...]


@functools.cache
def catalog_keywords() -> CatalogKeywords:
    """For every item and every emoji, in the order of the catalog."""
    items = [_item_keywords(slug, item) for slug, craft in crafts().items() for item in craft["items"]]
    emoji = [EmojiKeywords(each, keywords) for each, keywords in emoji_keywords()]
    return CatalogKeywords(tuple(items), tuple(emoji))


def _item_keywords(slug: str, item: Mapping[str, Any]) -> ItemKeywords:
    short = {**item["label"], **item.get("shortLabel", {})}
    return ItemKeywords(
        item["id"],
        LocalizedText(en=short["en"], pl=short["pl"]),
        LocalizedKeywords(en=_of_item(slug, item, "en"), pl=_of_item(slug, item, "pl")),
    )


def _of_item(slug: str, item: Mapping[str, Any], language: str) -> tuple[str, ...]:
    """The item's own keywords, then those of its tags and of its craft. The tags themselves are English keywords."""
    shared = shared_keywords()
    found: list[str] = [*item.get("keywords", {}).get(language, [])]
    for tag in item["tags"]:
        found += [tag.replace("-", " ")] if language == "en" else []
        found += shared["tags"][tag][language]
    return _without_repetition([*found, *shared["domains"][slug][language]])


def _without_repetition(keywords: Iterable[str]) -> tuple[str, ...]:
    return tuple(dict.fromkeys(keywords))
