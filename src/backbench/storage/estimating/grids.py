"""Grids in the database."""

from collections.abc import Sequence

from backbench.domain.estimating.grids import Grid
from backbench.domain.values.errors import NotFound
from backbench.domain.values.pagination import Page, PageQuery
from backbench.storage.engine.cursors import decode_cursor, decode_number, encode_cursor
from backbench.storage.engine.database import Read, Write
from backbench.storage.engine.objects import Loaded
from backbench.storage.engine.rows import columns

COLUMNS = columns(Grid)
# A workshop has few grids: a page is cut from all of them.
_PLACED = f"""
    SELECT {COLUMNS}, position FROM grids WHERE workshop_id = :workshop_id
    ORDER BY position, created_at DESC, id DESC"""


class _PlacedGrid(Grid, frozen=True):
    position: int

    @property
    def grid(self) -> Grid:
        return Grid(*(getattr(self, name) for name in Grid.__struct_fields__))

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


async def list_all(db: Read, workshop_id: str) -> list[Grid]:
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


async def delete(db: Write, grid_id: str) -> None:
    """Raises NotFound, where another request has deleted it meanwhile too."""
    if not await db.run("DELETE FROM grids WHERE id = :id", id=grid_id):
        raise NotFound
