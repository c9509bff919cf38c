"""Catalog: predefined items and grid templates for each craft.

The catalog ships with the package as files. It is read on first use and cached.
"""

import functools

import msgspec
from msgspec import Struct

from backbench.domain.estimating.catalog_files import crafts
from backbench.domain.values.enums import LineItemUnit
from backbench.domain.values.text import LocalizedText


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
