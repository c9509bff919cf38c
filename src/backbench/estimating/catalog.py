"""Catalog: predefined items and grid templates for each craft.

The catalog ships with the package as files. It is read on first use and cached.
"""

import functools
from collections.abc import Iterable, Mapping
from functools import cache
from importlib.resources import files
from typing import Any

import msgspec
from msgspec import Struct

from backbench.values import emoji
from backbench.values.emoji import emoji_keywords
from backbench.values.enums import LineItemUnit
from backbench.values.numbers import to_json
from backbench.values.text import LocalizedKeywords, LocalizedText


class PredefinedGridItem(Struct, frozen=True, rename="camel"):
    id: str
    emoji: str
    label: LocalizedText
    unit: LineItemUnit
    tags: tuple[str, ...]


class PredefinedItemDomain(Struct, frozen=True, rename="camel"):
    slug: str
    label: LocalizedText


class GridTemplate(Struct, frozen=True, rename="camel"):
    """A grid for one kind of job: the items that belong on one screen."""

    slug: str
    domain_slug: str
    name: LocalizedText
    description: LocalizedText
    item_ids: tuple[str, ...]


class PredefinedItemsCatalog(Struct, frozen=True, rename="camel"):
    items: tuple[PredefinedGridItem, ...]
    domains: tuple[PredefinedItemDomain, ...]
    templates: tuple[GridTemplate, ...]


@functools.cache
def catalog() -> PredefinedItemsCatalog:
    """All items, domains and templates, grouped by craft, each group in the order of its file."""
    return msgspec.convert(
        {
            "items": [
                # The craft is the first tag: the shape has no other place for it.
                {**item, "tags": [slug, *(tag for tag in item["tags"] if tag != slug)]}
                for slug, craft in crafts().items()
                for item in craft["items"]
            ],
            "domains": [{"slug": slug, "label": craft["label"]} for slug, craft in crafts().items()],
            "templates": [
                {**template, "domainSlug": slug} for slug, craft in crafts().items() for template in craft["templates"]
            ],
        },
        PredefinedItemsCatalog,
    )


def template(slug: str) -> GridTemplate | None:
    return _templates().get(slug)


def item(item_id: str) -> PredefinedGridItem | None:
    return _items().get(item_id)


@functools.cache
def _templates() -> dict[str, GridTemplate]:
    return {each.slug: each for each in catalog().templates}


@functools.cache
def _items() -> dict[str, PredefinedGridItem]:
    return {each.id: each for each in catalog().items}


@functools.cache
def crafts() -> dict[str, dict[str, Any]]:
    """The contents of every craft's file, sorted by slug: the order of a directory listing is undefined."""
    found = [file for file in (_folder() / "crafts").iterdir() if file.name.endswith(".toml")]
    texts = sorted((file.name.removesuffix(".toml"), file.read_text(encoding="utf-8")) for file in found)
    return {slug: _parsed(text) for slug, text in texts}


@functools.cache
def shared_keywords() -> dict[str, dict[str, dict[str, list[str]]]]:
    """Keywords by language, of each craft (`domains`) and each tag (`tags`)."""
    return _parsed((_folder() / "keywords.toml").read_text(encoding="utf-8"))


@functools.cache
def intake_words() -> dict[str, dict[str, list[str]]]:
    """Words for the intake of an order by craft: `things`, `conditions` and `photos`, each "English | Polish"."""
    return _parsed((_folder() / "intake.toml").read_text(encoding="utf-8"))


def _parsed(text: str) -> dict[str, Any]:
    # At first use: many servers are never asked for the catalog.
    import tomllib

    return tomllib.loads(text)


def _folder() -> Any:
    return files("backbench") / "catalog"


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


# Verbs


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
    return to_json(catalog())


@cache
def _emoji() -> bytes:
    return to_json(emoji.emoji_set())


@cache
def _keywords() -> bytes:
    return to_json(catalog_keywords())
