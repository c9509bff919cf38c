"""Emoji: the curated set that workshop logos and grid tiles choose from."""

import functools
from importlib.resources import files
from typing import Annotated

from msgspec import Meta, Struct

from backbench.values.scalars import Rule
from backbench.values.text import LocalizedKeywords, LocalizedText


class EmojiEntry(Struct, frozen=True, rename="camel"):
    emoji: str
    name: LocalizedText
    group: str


class EmojiSet(Struct, frozen=True, rename="camel"):
    emoji: tuple[EmojiEntry, ...]


@functools.cache
def emoji_set() -> EmojiSet:
    """The curated emoji with their names, in the order of a picker."""
    return EmojiSet(
        tuple(EmojiEntry(emoji, LocalizedText(en=en, pl=pl), group) for emoji, group, en, pl, *_ in _emoji_rows())
    )


def emoji_keywords() -> list[tuple[str, LocalizedKeywords]]:
    """Every curated emoji with its keywords, in the order of a picker. A few have none."""
    return [(row[0], LocalizedKeywords(en=_keywords(row[4]), pl=_keywords(row[5]))) for row in _emoji_rows()]


def _keywords(column: str) -> tuple[str, ...]:
    return tuple(column.split(", ")) if column else ()


def is_curated(emoji: str) -> bool:
    """Whether `emoji` is one emoji of the set, in its fully qualified spelling."""
    return emoji in _curated()


@functools.cache
def _curated() -> frozenset[str]:
    return frozenset(row[0] for row in _emoji_rows())


def _emoji_rows() -> list[list[str]]:
    text = (files("backbench") / "catalog" / "emoji.tsv").read_text(encoding="utf-8")
    return [line.split("\t") for line in text.splitlines()[1:]]


Emoji = Annotated[
    str,
    Meta(min_length=1, max_length=32),
    Rule(code="not_curated", detail="Expected one emoji of the curated set (GET /catalog/emoji)", holds=is_curated),
]
