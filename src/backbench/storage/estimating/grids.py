"""Grids in the database."""

from backbench.domain.estimating.grids import Grid, GridButton, GridEdit
from backbench.domain.values.errors import NotFound
from backbench.domain.values.numbers import to_json_text
from backbench.domain.values.pagination import UNPAGED, PageQuery
from backbench.domain.values.times import Instant
from backbench.storage.engine.cursors import newest
from backbench.storage.engine.database import Read, Write
from backbench.storage.engine.parameters import json_or_none, or_none

_COLUMNS = "id, workshop_id, name, icon_size, created_at, updated_at, buttons"


async def find(db: Read, grid_id: str) -> Grid:
    grid = await db.one(Grid, f"SELECT {_COLUMNS} FROM grids WHERE id = :id", id=grid_id)
    if grid is None:
        raise NotFound
    return grid


async def list_page(db: Read, workshop_id: str, part: PageQuery) -> tuple[list[Grid], str | None]:
    """The workshop's grids, newest first, and the cursor that leads on."""
    select = f"SELECT {_COLUMNS} FROM grids WHERE workshop_id = :workshop_id"
    return await newest(db, Grid, select, part, workshop_id=workshop_id)


async def list_all(db: Read, workshop_id: str) -> list[Grid]:
    """Newest first."""
    return (await list_page(db, workshop_id, UNPAGED))[0]


async def count(db: Read, workshop_id: str) -> int:
    number: int = await db.value("SELECT count(*) FROM grids WHERE workshop_id = :workshop_id", workshop_id=workshop_id)
    return number


async def using_icon(db: Read, workshop_id: str, file_id: str) -> list[str]:
    """The ids of the workshop's grids with a button that shows the icon."""
    # As it stands in the JSON text. Inside a label the quotation marks would be escaped, so nothing else matches.
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
        INSERT INTO grids ({_COLUMNS})
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
    """Only what was sent is written; `buttons` replaces the list where it is given."""
    grid = await db.one(
        Grid,
        f"""
        UPDATE grids SET name = coalesce(:name, name), icon_size = coalesce(:icon_size, icon_size),
            buttons = coalesce(:buttons, buttons), updated_at = :at
        WHERE id = :id RETURNING {_COLUMNS}
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
