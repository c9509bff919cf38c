"""What a member does with the workshop's grids."""

from msgspec import UNSET

from backbench.actions.authorization import require_member
from backbench.domain.accounts.sessions import Caller
from backbench.domain.estimating.grids import MAX_GRIDS, Grid, GridEdit, GridsList, NewGrid, unknown_icons
from backbench.domain.values.errors import Conflict, ValidationError
from backbench.domain.values.ids import NewId, with_ids
from backbench.domain.values.numbers import to_json
from backbench.domain.values.pagination import Page, PageQuery
from backbench.domain.values.times import Instant
from backbench.storage.accounts import accounts
from backbench.storage.engine.database import Read, Write
from backbench.storage.estimating import files, grids
from backbench.storage.workshops import workshops


async def show_all(db: Read, caller: Caller, workshop_id: str, query: PageQuery) -> Page:
    """GridsList as JSON; a page of it where a limit was asked for."""
    await workshops.find(db, workshop_id)
    await require_member(db, caller, workshop_id)
    shown, following = await grids.list_page(db, workshop_id, query)
    return Page(to_json(GridsList(shown)), following)


async def create(db: Write, caller: Caller, workshop_id: str, body: NewGrid, now: Instant, new_id: NewId) -> Grid:
    """Empty, with buttons, or from a template of the catalog. Conflict when the workshop has its ten grids."""
    await workshops.find(db, workshop_id)
    await require_member(db, caller, workshop_id)
    await _must_know_icons(db, workshop_id, body)
    await db.lock(f"grids {workshop_id}")
    number = await grids.count(db, workshop_id)
    if number >= MAX_GRIDS:
        raise Conflict("plan_limit", "The workshop has all its grids", limit=MAX_GRIDS, current=number)
    locale = (await accounts.find(db, caller.uid)).locale
    grid = body.to_grid(workshop_id, locale, new_id, now)
    await grids.add(db, grid)
    return grid


async def show(db: Read, caller: Caller, grid_id: str) -> Grid:
    return await _find_for(db, caller, grid_id)


async def edit(db: Write, caller: Caller, grid_id: str, body: GridEdit, now: Instant, new_id: NewId) -> Grid:
    grid = await _find_for(db, caller, grid_id)
    await _must_know_icons(db, grid.workshop_id, body)
    buttons = None if body.buttons is UNSET else with_ids(body.buttons, new_id)
    return await grids.save_edit(db, grid_id, body, buttons, now)


async def delete(db: Write, caller: Caller, grid_id: str) -> None:
    await _find_for(db, caller, grid_id)
    await grids.delete(db, grid_id)


async def _must_know_icons(db: Write, workshop_id: str, body: NewGrid | GridEdit) -> None:
    """Raises ValidationError. Held from here on: an icon that is known now is not removed before the grid is saved."""
    await db.lock(f"icons {workshop_id}")
    field_errors = unknown_icons(body.buttons, await files.icons(db, workshop_id))
    if field_errors:
        raise ValidationError(*field_errors)


async def _find_for(db: Read, caller: Caller, grid_id: str) -> Grid:
    """The grid; NotFound when there is none, NotAllowed when it is another workshop's."""
    grid = await grids.find(db, grid_id)
    await require_member(db, caller, grid.workshop_id)
    return grid
