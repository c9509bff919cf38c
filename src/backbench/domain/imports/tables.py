"""Tables: what a file holds, in any format: headings and rows of texts."""

from collections.abc import Sequence

from msgspec import Struct

MAX_ROWS = 50_000
MAX_COLUMNS = 100
MAX_CELL_LENGTH = 10_000
# A table is at most so many rows down: titles and empty lines come before it.
_HEADING_ROWS = 20


class UnreadableFile(Exception):
    """The file cannot be read as a table. `code` is stable."""

    def __init__(self, code: str, detail: str) -> None:
        super().__init__(detail)
        self.code = code
        self.detail = detail


class Row(Struct, frozen=True, array_like=True):
    """`number` is that of the file, from 1, as a spreadsheet shows it."""

    number: int
    cells: list[str]


class Table(Struct, frozen=True):
    """Every row has as many cells as there are columns."""

    columns: list[str]
    rows: list[Row]


def table_of(rows: Sequence[Row], known_headings: frozenset[str]) -> Table:
    """The table in the rows: from the row of headings on, without empty rows. Raises UnreadableFile.

    `known_headings` are folded. Rows without any of them, but with an email address or a number, are data already:
    such a file has no headings.
    """
    filled = [row for row in rows if any(row.cells)]
    if not filled:
        raise UnreadableFile("empty", "The file has no rows")
    at = _heading_at(filled, known_headings)
    heading, data = (None, filled) if at is None else (filled[at], filled[at + 1 :])
    if not data:
        raise UnreadableFile("empty", "The file has headings and no rows")
    if len(data) > MAX_ROWS:
        raise UnreadableFile("too_many_rows", f"A file can have at most {MAX_ROWS:,} rows")
    width = max(len(row.cells) for row in data if row.cells)
    names = [] if heading is None else heading.cells
    width = max(width, len(names))
    if width > MAX_COLUMNS:
        raise UnreadableFile("too_many_columns", f"A file can have at most {MAX_COLUMNS} columns")
    columns = [name[:250] or f"Column {number}" for number, name in enumerate(_padded(names, width), start=1)]
    return Table(columns, [Row(row.number, _padded(row.cells, width)) for row in data])


def _heading_at(rows: Sequence[Row], known: frozenset[str]) -> int | None:
    """The index of the row of headings; None where the file has none."""
    first = rows[:_HEADING_ROWS]
    scores = [sum(folded(cell) in known for cell in row.cells if cell) for row in first]
    best = max(scores)
    if best:
        return scores.index(best)
    return None if any(_is_data(cell) for cell in rows[0].cells) or len(rows) == 1 else 0


def folded(heading: str) -> str:
    """A heading as it is compared: letters and digits alone, without regard to case."""
    return "".join(each for each in heading.casefold() if each.isalnum())


def _is_data(cell: str) -> bool:
    digits = sum(each.isdecimal() for each in cell)
    return "@" in cell or (digits > 0 and digits * 2 >= len(cell))


def _padded(cells: Sequence[str], width: int) -> list[str]:
    return [*cells, *[""] * (width - len(cells))]
