"""Localized text: the same text in both languages of the service."""

from msgspec import Struct


class LocalizedText(Struct, frozen=True, forbid_unknown_fields=True):
    en: str
    pl: str


class LocalizedKeywords(Struct, frozen=True):
    en: tuple[str, ...]
    pl: tuple[str, ...]
