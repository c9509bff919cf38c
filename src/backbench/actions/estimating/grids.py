"""Grids of a workshop: list, create, read, update and delete."""

from msgspec import UNSET

from backbench.domain.accounts.calls import Call
from backbench.domain.estimating.grids import (
    MAX_BUTTONS,
    MAX_GRIDS,
    AddedButtons,
    Grid,
    GridEdit,
    GridOrder,
    GridsList,
    NewGrid,
    unknown_icons,
)
from backbench.domain.values.errors import Conflict, ValidationError
from backbench.domain.values.ids import with_ids
from backbench.domain.values.pagination import Page, PageQuery
from backbench.domain.workshops.audit import Unchanged
from backbench.storage.accounts import accounts
from backbench.storage.engine.database import Read, Write
from backbench.storage.estimating import files, grids


async def list_all(db: Read, workshop_id: str, query: PageQuery) -> Page[Grid]:
    """List the grids of a workshop in their order. Those without a position come first, newest first."""
    return await grids.list_page(db, workshop_id, query)


async def create(db: Write, call: Call, workshop_id: str, body: NewGrid) -> Grid:
    """Create a grid: empty, with buttons, or from a template of the catalog.

    Raises Conflict `plan_limit` where the workshop has ten grids already.
    """
    await _require_known_icons(db, workshop_id, body)
    await db.lock(f"grids {workshop_id}")
    number = await grids.count(db, workshop_id)
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
    after = body.apply(grid, grid.buttons if body.buttons is UNSET else with_ids(body.buttons, call.new_id))
    if after == grid:
        return Unchanged(grid)
    changes = {name: getattr(after, name) for name in ("name", "icon_size", "buttons")}
    return await db.save("grids", grid, **changes, updated_at=call.now)


async def reorder(db: Write, workshop_id: str, body: GridOrder) -> GridsList | Unchanged[GridsList]:
    """Set the order of the grids of a workshop. Grids that are created later come before them."""
    await db.lock(f"grids {workshop_id}")
    field_errors = body.errors(await grids.list_ids(db, workshop_id))
    if field_errors:
        raise ValidationError(*field_errors)
    is_changed = await grids.save_order(db, body.grid_ids)
    ordered = GridsList(await grids.list_all(db, workshop_id))
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
    await grids.delete(db, grid.id)


async def _require_known_icons(db: Write, workshop_id: str, body: NewGrid | GridEdit) -> None:
    """Raises ValidationError. The lock keeps a known icon from being deleted before the grid is saved."""
    await db.lock(f"icons {workshop_id}")
    field_errors = unknown_icons(body.buttons, await files.list_icon_ids(db, workshop_id))
    if field_errors:
        raise ValidationError(*field_errors)
