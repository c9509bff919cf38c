"""Grids: screens of priced buttons from which an estimate is assembled."""

from collections.abc import Collection, Iterable, Sequence
from typing import Annotated, Literal

from msgspec import UNSET, Meta, Struct, UnsetType

from backbench.accounts import accounts
from backbench.engine.database import Read, Write
from backbench.engine.lists import decode_cursor, decode_number, encode_cursor
from backbench.engine.objects import Loaded
from backbench.engine.rows import columns
from backbench.estimating import catalog
from backbench.estimating.catalog import GridTemplate
from backbench.estimating.estimates import ZERO, ItemId, UnitPrice, duplicate_ids
from backbench.estimating.line_items import Label
from backbench.values.calls import Call
from backbench.values.emoji import Emoji
from backbench.values.enums import LineItemUnit, UserLocale
from backbench.values.errors import Conflict, FieldError, NotFound, ValidationError
from backbench.values.ids import Identifier, NewId
from backbench.values.numbers import Number
from backbench.values.pagination import Page, PageQuery
from backbench.values.scalars import HexColor, Name
from backbench.values.shapes import edited, made_of, with_ids
from backbench.values.text import LocalizedText
from backbench.values.times import Instant
from backbench.workshops.audit import Unchanged

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
            buttons = [] if self.buttons is UNSET else with_ids(GridButton, self.buttons, new_id)
        return Grid(new_id(), workshop_id, name, self.icon_size, at, at, buttons)


class GridEdit(Struct, frozen=True, rename="camel", forbid_unknown_fields=True):
    """`buttons` replaces the list."""

    name: Name | UnsetType = UNSET
    icon_size: GridIconSize | UnsetType = UNSET
    buttons: NewGridButtons | UnsetType = UNSET

    at_least_one = True

    def field_errors(self) -> list[FieldError]:
        return [] if self.buttons is UNSET else duplicate_ids(self.buttons, "/buttons")


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


# Statements


COLUMNS = columns(Grid)
# A workshop has few grids: a page is cut from all of them.
_PLACED = f"""
    SELECT {COLUMNS}, position FROM grids WHERE workshop_id = :workshop_id
    ORDER BY position, created_at DESC, id DESC"""


class _PlacedGrid(Grid, frozen=True):
    position: int

    @property
    def grid(self) -> Grid:
        return made_of(Grid, self)

    @property
    def cursor(self) -> str:
        return encode_cursor(f"{self.position}/{self.created_at}", self.id)

    def is_after(self, place: tuple[int, str, str]) -> bool:
        """Whether it comes after a position, a time and an id, also when the grid of these was deleted."""
        position, created_at, id_ = place
        if self.position != position:
            return self.position > position
        return (self.created_at, self.id) < (created_at, id_)


def _decoded(cursor: str) -> tuple[int, str, str]:
    """The position, the time and the id in the cursor. Raises ValidationError."""
    place, id_ = decode_cursor(cursor)
    number, _, created_at = place.partition("/")
    return decode_number(number), created_at, id_


# The grid of a path.
GRID = Loaded(Grid, "grid", "grids g", key="grid_id")


async def list_page(db: Read, workshop_id: str, page: PageQuery) -> Page[Grid]:
    """The workshop's grids in their order."""
    after = None if page.cursor is None else _decoded(page.cursor)
    rows = await db.all(_PlacedGrid, _PLACED, workshop_id=workshop_id)
    if after is not None:
        rows = [row for row in rows if row.is_after(after)]
    items = [row.grid for row in rows[: page.limit]]
    return Page(items, rows[len(items) - 1].cursor if len(items) < len(rows) else None)


async def list_stored(db: Read, workshop_id: str) -> list[Grid]:
    """Every grid of the workshop in their order."""
    return [row.grid for row in await db.all(_PlacedGrid, _PLACED, workshop_id=workshop_id)]


async def list_ids(db: Read, workshop_id: str) -> list[str]:
    return await db.all(str, "SELECT id FROM grids WHERE workshop_id = :workshop_id", workshop_id=workshop_id)


async def save_order(db: Write, grid_ids: Sequence[str]) -> int:
    """Positions from 1: grids that are added later have 0 and come first. Returns how many were changed."""
    changed = 0
    for position, grid_id in enumerate(grid_ids, start=1):
        sql = "UPDATE grids SET position = :position WHERE id = :id AND position <> :position"
        changed += await db.run(sql, id=grid_id, position=position)
    return changed


async def count(db: Read, workshop_id: str) -> int:
    number: int = await db.value("SELECT count(*) FROM grids WHERE workshop_id = :workshop_id", workshop_id=workshop_id)
    return number


async def list_ids_using_icon(db: Read, workshop_id: str, file_id: str) -> list[str]:
    """The ids of the workshop's grids that have a button with the icon."""
    # Matches the JSON text of the member. Inside a label the quotation marks are escaped, so nothing else matches.
    return await db.all(
        str,
        """
        SELECT id FROM grids WHERE workshop_id = :workshop_id AND buttons LIKE :member
        ORDER BY created_at DESC, id DESC
        """,
        workshop_id=workshop_id,
        member=f'%"iconFileId":"{file_id}"%',
    )


async def delete_row(db: Write, grid_id: str) -> None:
    """Raises NotFound, where another request has deleted it meanwhile too."""
    if not await db.run("DELETE FROM grids WHERE id = :id", id=grid_id):
        raise NotFound


# Verbs


async def list_all(db: Read, workshop_id: str, query: PageQuery) -> Page[Grid]:
    """List the grids of a workshop in their order. Those without a position come first, newest first."""
    return await list_page(db, workshop_id, query)


async def create(db: Write, call: Call, workshop_id: str, body: NewGrid) -> Grid:
    """Create a grid: empty, with buttons, or from a template of the catalog.

    Raises Conflict `plan_limit` where the workshop has ten grids already.
    """
    await _require_known_icons(db, workshop_id, body)
    await db.lock(f"grids {workshop_id}")
    number = await count(db, workshop_id)
    if number >= MAX_GRIDS:
        raise Conflict("plan_limit", f"A workshop can have at most {MAX_GRIDS} grids", limit=MAX_GRIDS, current=number)
    locale = (await accounts.find(db, call.uid)).locale
    grid = body.to_grid(workshop_id, locale, call.new_id, call.now)
    await db.add("grids", grid)
    return grid


async def get(db: Read, grid: Grid) -> Grid:
    """Read a grid with its buttons."""
    return grid


async def update(db: Write, call: Call, grid: Grid, body: GridEdit) -> Grid | Unchanged[Grid]:
    """Change a grid. `buttons` replaces the whole list; buttons keep the ids they are sent with."""
    await _require_known_icons(db, grid.workshop_id, body)
    buttons = grid.buttons if body.buttons is UNSET else with_ids(GridButton, body.buttons, call.new_id)
    after = edited(grid, body, buttons=buttons)
    if after == grid:
        return Unchanged(grid)
    changes = {name: getattr(after, name) for name in ("name", "icon_size", "buttons")}
    return await db.save("grids", grid, **changes, updated_at=call.now)


async def reorder(db: Write, workshop_id: str, body: GridOrder) -> GridsList | Unchanged[GridsList]:
    """Set the order of the grids of a workshop. Grids that are created later come before them."""
    await db.lock(f"grids {workshop_id}")
    field_errors = body.errors(await list_ids(db, workshop_id))
    if field_errors:
        raise ValidationError(*field_errors)
    is_changed = await save_order(db, body.grid_ids)
    ordered = GridsList(await list_stored(db, workshop_id))
    return ordered if is_changed else Unchanged(ordered)


async def add_buttons(db: Write, call: Call, grid: Grid, body: AddedButtons) -> Grid:
    """Append buttons for items of the catalog to a grid, with a price of 0.

    Raises Conflict `plan_limit` where the grid would have more than 200 buttons.
    """
    buttons = [*grid.buttons, *body.to_buttons((await accounts.find(db, call.uid)).locale, call.new_id)]
    if len(buttons) > MAX_BUTTONS:
        detail = f"A grid can have at most {MAX_BUTTONS} buttons"
        raise Conflict("plan_limit", detail, limit=MAX_BUTTONS, current=len(grid.buttons))
    return await db.save("grids", grid, buttons=buttons, updated_at=call.now)


async def delete(db: Write, grid: Grid) -> None:
    """Delete a grid. Icons that its buttons use stay among the workshop's files."""
    await delete_row(db, grid.id)


async def _require_known_icons(db: Write, workshop_id: str, body: NewGrid | GridEdit) -> None:
    """Raises ValidationError. The lock keeps a known icon from being deleted before the grid is saved."""
    await db.lock(f"icons {workshop_id}")
    field_errors = unknown_icons(body.buttons, await list_icon_ids(db, workshop_id))
    if field_errors:
        raise ValidationError(*field_errors)


async def list_icon_ids(db: Read, workshop_id: str) -> set[str]:
    """The ids of the workshop's icons."""
    sql = """
        SELECT id FROM files WHERE workshop_id = :workshop_id AND category = 'grid_tile_icon' AND deleted_at IS NULL
    """
    return set(await db.all(str, sql, workshop_id=workshop_id))
