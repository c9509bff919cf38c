"""Grids of a workshop: list, create, read, update and delete."""

from msgspec import UNSET

from backbench.actions.authorization import member_of, require_member
from backbench.domain.accounts.sessions import Caller
from backbench.domain.estimating.grids import MAX_GRIDS, Grid, GridEdit, NewGrid, unknown_icons
from backbench.domain.values.errors import Conflict, ValidationError
from backbench.domain.values.ids import NewId, with_ids
from backbench.domain.values.pagination import Page, PageQuery
from backbench.domain.values.times import Instant
from backbench.storage.accounts import accounts
from backbench.storage.engine.database import Read, Write
from backbench.storage.estimating import files, grids


async def list_all(db: Read, caller: Caller, workshop_id: str, query: PageQuery) -> Page[Grid]:
    """List the grids of a workshop, newest first."""
    await member_of(db, caller, workshop_id)
    return await grids.list_page(db, workshop_id, query)


async def create(db: Write, caller: Caller, workshop_id: str, body: NewGrid, now: Instant, new_id: NewId) -> Grid:
    """Create a grid: empty, with buttons, or from a template of the catalog.

    Raises Conflict `plan_limit` where the workshop has ten grids already.
    """
    await member_of(db, caller, workshop_id)
    await _require_known_icons(db, workshop_id, body)
    await db.lock(f"grids {workshop_id}")
    number = await grids.count(db, workshop_id)
    if number >= MAX_GRIDS:
        raise Conflict("plan_limit", f"A workshop can have at most {MAX_GRIDS} grids", limit=MAX_GRIDS, current=number)
    locale = (await accounts.find(db, caller.uid)).locale
    grid = body.to_grid(workshop_id, locale, new_id, now)
    await grids.add(db, grid)
    return grid


async def get(db: Read, caller: Caller, grid_id: str) -> Grid:
    """Read a grid with its buttons."""
    return await _find_for(db, caller, grid_id)


async def update(db: Write, caller: Caller, grid_id: str, body: GridEdit, now: Instant, new_id: NewId) -> Grid:
    """Change a grid. `buttons` replaces the whole list; buttons keep the ids they are sent with."""
    grid = await _find_for(db, caller, grid_id)
    await _require_known_icons(db, grid.workshop_id, body)
    buttons = None if body.buttons is UNSET else with_ids(body.buttons, new_id)
    return await grids.save_edit(db, grid_id, body, buttons, now)


async def delete(db: Write, caller: Caller, grid_id: str) -> Grid:
    """Delete a grid. Icons that its buttons use stay among the workshop's files."""
    grid = await _find_for(db, caller, grid_id)
    await grids.delete(db, grid_id)
    return grid


async def _require_known_icons(db: Write, workshop_id: str, body: NewGrid | GridEdit) -> None:
    """Raises ValidationError. The lock keeps a known icon from being deleted before the grid is saved."""
    await db.lock(f"icons {workshop_id}")
    field_errors = unknown_icons(body.buttons, await files.list_icon_ids(db, workshop_id))
    if field_errors:
        raise ValidationError(*field_errors)


async def _find_for(db: Read, caller: Caller, grid_id: str) -> Grid:
    """The grid. Raises NotFound, and Forbidden when it is another workshop's."""
    grid = await grids.find(db, grid_id)
    await require_member(db, caller, grid.workshop_id)
    return grid
