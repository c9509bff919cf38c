"""Grids in the database."""

from backbench.domain.estimating.grids import Grid, GridButton, GridEdit
from backbench.domain.values.errors import NotFound
from backbench.domain.values.numbers import to_json_text
from backbench.domain.values.pagination import Page, PageQuery
from backbench.domain.values.times import Instant
from backbench.storage.engine.database import Read, Write
from backbench.storage.engine.lists import list_all_newest_first, list_newest_first
from backbench.storage.engine.parameters import json_or_none, or_none

COLUMNS = "id, workshop_id, name, icon_size, created_at, updated_at, buttons"
_OF_WORKSHOP = f"SELECT {COLUMNS} FROM grids WHERE workshop_id = :workshop_id"


async def find(db: Read, grid_id: str) -> Grid:
    """Raises NotFound."""
    grid = await db.one(Grid, f"SELECT {COLUMNS} FROM grids WHERE id = :id", id=grid_id)
    if grid is None:
        raise NotFound
    return grid


async def list_page(db: Read, workshop_id: str, page: PageQuery) -> Page[Grid]:
    """The workshop's grids, newest first."""
    return await list_newest_first(db, Grid, _OF_WORKSHOP, page, workshop_id=workshop_id)


async def list_all(db: Read, workshop_id: str) -> list[Grid]:
    """Every grid of the workshop, newest first."""
    return await list_all_newest_first(db, Grid, _OF_WORKSHOP, workshop_id=workshop_id)


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


async def add(db: Write, grid: Grid) -> None:
    await db.run(
        f"""
        INSERT INTO grids ({COLUMNS})
        VALUES (:id, :workshop_id, :name, :icon_size, :created_at, :updated_at, :buttons)
        """,
        id=grid.id,
        workshop_id=grid.workshop_id,
        name=grid.name,
        icon_size=grid.icon_size,
        created_at=grid.created_at,
        updated_at=grid.updated_at,
        buttons=to_json_text(grid.buttons),
    )


async def save_edit(db: Write, grid_id: str, edit: GridEdit, buttons: list[GridButton] | None, at: Instant) -> Grid:
    """Writes only the members that were sent; `buttons` replaces the list if it is not None. Raises NotFound."""
    grid = await db.one(
        Grid,
        f"""
        UPDATE grids SET name = coalesce(:name, name), icon_size = coalesce(:icon_size, icon_size),
            buttons = coalesce(:buttons, buttons), updated_at = :at
        WHERE id = :id RETURNING {COLUMNS}
        """,
        id=grid_id,
        name=or_none(edit.name),
        icon_size=or_none(edit.icon_size),
        buttons=json_or_none(buttons),
        at=at,
    )
    if grid is None:
        raise NotFound
    return grid


async def delete(db: Write, grid_id: str) -> None:
    await db.run("DELETE FROM grids WHERE id = :id", id=grid_id)
