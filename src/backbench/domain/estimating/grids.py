"""Grids: screens of priced buttons from which an estimate is assembled."""

from typing import Annotated, Literal

from msgspec import UNSET, Meta, Struct, UnsetType

from backbench.domain.estimating import catalog
from backbench.domain.estimating.catalog import GridTemplate
from backbench.domain.estimating.estimates import ZERO, Identifier, Label, UnitPrice, duplicate_ids
from backbench.domain.values.emoji import Emoji
from backbench.domain.values.enums import LineItemUnit, UserLocale
from backbench.domain.values.errors import FieldError
from backbench.domain.values.ids import NewId, with_ids
from backbench.domain.values.numbers import Number
from backbench.domain.values.scalars import HexColor, Name
from backbench.domain.values.times import Instant

GridIconSize = Literal["small", "medium", "large"]
MAX_GRIDS = 10


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
    id: Identifier | UnsetType = UNSET
    background_color: HexColor | UnsetType = UNSET
    icon_file_id: Identifier | UnsetType = UNSET

    def with_id(self, default_id: str) -> GridButton:
        return GridButton(
            id=default_id if self.id is UNSET else self.id,
            emoji=self.emoji,
            label=self.label,
            unit=self.unit,
            unit_price=self.unit_price,
            background_color=self.background_color,
            icon_file_id=self.icon_file_id,
        )


NewGridButtons = Annotated[list[NewGridButton], Meta(max_length=200)]


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
    """Either `buttons` or `template_slug`, or neither for an empty grid."""

    name: Name
    icon_size: GridIconSize = "medium"
    buttons: NewGridButtons | UnsetType = UNSET
    template_slug: Identifier | UnsetType = UNSET

    def field_errors(self) -> list[FieldError]:
        found = [] if self.buttons is UNSET else duplicate_ids(self.buttons, "/buttons")
        if self.template_slug is not UNSET:
            if self.buttons is not UNSET:
                found.append(FieldError("/templateSlug", "one_of", "Expected buttons or templateSlug, not both"))
            if catalog.template(self.template_slug) is None:
                found.append(FieldError("/templateSlug", "unknown", "No such template in the catalog"))
        return found

    def to_grid(self, workshop_id: str, locale: UserLocale, new_id: NewId, at: Instant) -> Grid:
        """The new grid. The labels of a template are in `locale`, the language of the caller."""
        template = None if self.template_slug is UNSET else catalog.template(self.template_slug)
        if template is not None:
            buttons = from_template(template, locale, new_id)
        else:
            buttons = [] if self.buttons is UNSET else with_ids(self.buttons, new_id)
        return Grid(new_id(), workshop_id, self.name, self.icon_size, at, at, buttons)


class GridEdit(Struct, frozen=True, rename="camel", forbid_unknown_fields=True):
    """`buttons` replaces the list."""

    name: Name | UnsetType = UNSET
    icon_size: GridIconSize | UnsetType = UNSET
    buttons: NewGridButtons | UnsetType = UNSET

    at_least_one = True

    def field_errors(self) -> list[FieldError]:
        return [] if self.buttons is UNSET else duplicate_ids(self.buttons, "/buttons")


def from_template(template: GridTemplate, locale: UserLocale, new_id: NewId) -> list[GridButton]:
    """A button for each item of the template, with a price of 0."""
    items = [item for item_id in template.item_ids if (item := catalog.item(item_id)) is not None]
    return [
        GridButton(new_id(), item.emoji, item.label.pl if locale == "pl" else item.label.en, item.unit, ZERO)
        for item in items
    ]


def unknown_icons(entries: list[NewGridButton] | UnsetType, icons: set[str]) -> list[FieldError]:
    """An error for every button whose icon is not in `icons`, the icons of the workshop."""
    return [
        FieldError(f"/buttons/{index}/iconFileId", "unknown", "Not an icon of this workshop")
        for index, entry in enumerate(() if entries is UNSET else entries)
        if entry.icon_file_id is not UNSET and entry.icon_file_id not in icons
    ]
