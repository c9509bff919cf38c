"""Grids: screens of priced buttons from which an estimate is assembled."""

from collections.abc import Collection, Iterable
from typing import Annotated, Literal

from msgspec import UNSET, Meta, Struct, UnsetType, structs

from backbench.domain.estimating import catalog
from backbench.domain.estimating.catalog import GridTemplate
from backbench.domain.estimating.estimates import ZERO, Identifier, ItemId, Label, UnitPrice, duplicate_ids
from backbench.domain.values.emoji import Emoji
from backbench.domain.values.enums import LineItemUnit, UserLocale
from backbench.domain.values.errors import FieldError
from backbench.domain.values.ids import NewId, with_ids
from backbench.domain.values.numbers import Number
from backbench.domain.values.scalars import HexColor, Name
from backbench.domain.values.text import LocalizedText
from backbench.domain.values.times import Instant

GridIconSize = Literal["small", "medium", "large"]
MAX_GRIDS = 10
MAX_BUTTONS = 200


class GridButton(Struct, frozen=True, rename="camel"):
    id: str
    emoji: str
    label: str
    unit: LineItemUnit
    unit_price: Number
    background_color: str | UnsetType = UNSET
    icon_file_id: str | UnsetType = UNSET


class NewGridButton(Struct, frozen=True, rename="camel", forbid_unknown_fields=True):
    """A button of a request: with the id of an existing button, or without an id for a new one."""

    emoji: Emoji
    label: Label
    unit: LineItemUnit
    unit_price: UnitPrice
    id: ItemId | UnsetType = UNSET
    background_color: HexColor | UnsetType = UNSET
    icon_file_id: Identifier | UnsetType = UNSET

    def with_id(self, id_: str) -> GridButton:
        return GridButton(
            id=id_,
            emoji=self.emoji,
            label=self.label,
            unit=self.unit,
            unit_price=self.unit_price,
            background_color=self.background_color,
            icon_file_id=self.icon_file_id,
        )


NewGridButtons = Annotated[list[NewGridButton], Meta(max_length=MAX_BUTTONS)]


class Grid(Struct, frozen=True, rename="camel"):
    id: str
    workshop_id: str
    name: str
    icon_size: GridIconSize
    created_at: Instant
    updated_at: Instant
    buttons: list[GridButton]


class GridsList(Struct, frozen=True):
    grids: list[Grid]


class NewGrid(Struct, frozen=True, rename="camel", forbid_unknown_fields=True):
    """Either `buttons` or `template_slug`, or neither for an empty grid. A template has a name of its own.

    `locale` is the language of a template's name and labels: that of the caller, unless it is sent.
    """

    name: Name | UnsetType = UNSET
    icon_size: GridIconSize = "medium"
    buttons: NewGridButtons | UnsetType = UNSET
    template_slug: Identifier | UnsetType = UNSET
    locale: UserLocale | UnsetType = UNSET

    def field_errors(self) -> list[FieldError]:
        found = [] if self.buttons is UNSET else duplicate_ids(self.buttons, "/buttons")
        if self.name is UNSET and self.template_slug is UNSET:
            found.append(FieldError("/name", "required", "Required unless templateSlug is sent"))
        if self.template_slug is not UNSET:
            if self.buttons is not UNSET:
                found.append(FieldError("/templateSlug", "one_of", "Expected buttons or templateSlug, not both"))
            if catalog.template(self.template_slug) is None:
                found.append(FieldError("/templateSlug", "unknown", "No such template in the catalog"))
        return found

    def to_grid(self, workshop_id: str, locale: UserLocale, new_id: NewId, at: Instant) -> Grid:
        """The new grid. The name and labels of a template are in `locale`, the language of the caller, by default."""
        language = locale if self.locale is UNSET else self.locale
        template = None if self.template_slug is UNSET else catalog.template(self.template_slug)
        name = "" if self.name is UNSET else self.name
        if template is not None:
            buttons = from_template(template, language, new_id)
            name = name or in_language(template.name, language)
        else:
            buttons = [] if self.buttons is UNSET else with_ids(self.buttons, new_id)
        return Grid(new_id(), workshop_id, name, self.icon_size, at, at, buttons)


class GridEdit(Struct, frozen=True, rename="camel", forbid_unknown_fields=True):
    """`buttons` replaces the list."""

    name: Name | UnsetType = UNSET
    icon_size: GridIconSize | UnsetType = UNSET
    buttons: NewGridButtons | UnsetType = UNSET

    at_least_one = True

    def field_errors(self) -> list[FieldError]:
        return [] if self.buttons is UNSET else duplicate_ids(self.buttons, "/buttons")

    def apply(self, grid: Grid, buttons: list[GridButton]) -> Grid:
        return structs.replace(
            grid,
            name=grid.name if self.name is UNSET else self.name,
            icon_size=grid.icon_size if self.icon_size is UNSET else self.icon_size,
            buttons=buttons,
        )


class AddedButtons(Struct, frozen=True, rename="camel", forbid_unknown_fields=True):
    """Either all items of a template, or items of the catalog. `locale` is the language of the labels."""

    template_slug: Identifier | UnsetType = UNSET
    item_ids: Annotated[list[Identifier], Meta(min_length=1, max_length=MAX_BUTTONS)] | UnsetType = UNSET
    locale: UserLocale | UnsetType = UNSET

    def field_errors(self) -> list[FieldError]:
        found = []
        if (self.template_slug is UNSET) == (self.item_ids is UNSET):
            found.append(FieldError("", "one_of", "Expected either templateSlug or itemIds"))
        if self.template_slug is not UNSET and catalog.template(self.template_slug) is None:
            found.append(FieldError("/templateSlug", "unknown", "No such template in the catalog"))
        for index, item_id in enumerate(() if self.item_ids is UNSET else self.item_ids):
            if catalog.item(item_id) is None:
                found.append(FieldError(f"/itemIds/{index}", "unknown", "No such item in the catalog"))
        return found

    def to_buttons(self, locale: UserLocale, new_id: NewId) -> list[GridButton]:
        """The buttons, in the order of the items. Labels are in `locale` by default."""
        language = locale if self.locale is UNSET else self.locale
        template = None if self.template_slug is UNSET else catalog.template(self.template_slug)
        if template is not None:
            return from_template(template, language, new_id)
        return from_items(() if self.item_ids is UNSET else self.item_ids, language, new_id)


class GridOrder(Struct, frozen=True, rename="camel", forbid_unknown_fields=True):
    grid_ids: Annotated[list[Identifier], Meta(max_length=MAX_GRIDS)]

    def errors(self, existing: Collection[str]) -> list[FieldError]:
        """An error for every id that repeats another or is no grid of the workshop, and one if any is missing."""
        found = []
        for index, grid_id in enumerate(self.grid_ids):
            if grid_id in self.grid_ids[:index]:
                found.append(FieldError(f"/gridIds/{index}", "duplicate", "Duplicate id"))
            elif grid_id not in existing:
                found.append(FieldError(f"/gridIds/{index}", "unknown", "Not a grid of this workshop"))
        missing = len(set(existing) - set(self.grid_ids))
        if missing:
            found.append(
                FieldError("/gridIds", "incomplete", f"Expected every grid of the workshop: {missing} missing")
            )
        return found


def from_template(template: GridTemplate, locale: UserLocale, new_id: NewId) -> list[GridButton]:
    """A button for each item of the template, with a price of 0."""
    return from_items(template.item_ids, locale, new_id)


def from_items(item_ids: Iterable[str], locale: UserLocale, new_id: NewId) -> list[GridButton]:
    """A button for each item of the catalog, with a price of 0."""
    items = [item for item_id in item_ids if (item := catalog.item(item_id)) is not None]
    return [GridButton(new_id(), item.emoji, in_language(item.label, locale), item.unit, ZERO) for item in items]


def in_language(text: LocalizedText, locale: UserLocale) -> str:
    return text.pl if locale == "pl" else text.en


def unknown_icons(entries: list[NewGridButton] | UnsetType, icons: set[str]) -> list[FieldError]:
    """An error for every button whose icon is not in `icons`, the icons of the workshop."""
    return [
        FieldError(f"/buttons/{index}/iconFileId", "unknown", "Not an icon of this workshop")
        for index, entry in enumerate(() if entries is UNSET else entries)
        if entry.icon_file_id is not UNSET and entry.icon_file_id not in icons
    ]
