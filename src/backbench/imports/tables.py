"""Tables: what a file holds, in any format: headings, and rows of cells; packed while the file waits to be imported."""

import msgspec
import zstandard
from msgspec import Struct

from backbench.imports.cells import Cell

MAX_ROWS = 50_000
MAX_COLUMNS = 100
MAX_CELL_LENGTH = 10_000
# Of a table: what it says, not what its file takes.
MOST_TABLE_BYTES = 32 << 20


class UnreadableFile(Exception):
    """The file cannot be read as a table. `code` is stable; `row` is where it cannot."""

    def __init__(self, code: str, detail: str, row: int | None = None) -> None:
        super().__init__(detail)
        self.code = code
        self.detail = detail
        self.row = row


class Row(Struct, frozen=True, array_like=True):
    """`number` is that of the file, from 1, as a spreadsheet shows it."""

    number: int
    cells: list[Cell]


class Table(Struct, frozen=True):
    """Every row has as many cells as there are columns. `program`: that which wrote the file, if the file says so."""

    columns: list[str]
    rows: list[Row]
    program: str | None = None


def packed(table: Table) -> bytes:
    """Raises UnreadableFile for more than MOST_TABLE_BYTES: cells of a small file may share long texts."""
    size = sum(len(cell) if isinstance(cell, str) else 9 for row in table.rows for cell in row.cells)
    content = msgspec.msgpack.encode(table) if size <= MOST_TABLE_BYTES else b""
    if not content or len(content) > MOST_TABLE_BYTES:
        raise UnreadableFile("too_large", f"The cells of the file have more than {MOST_TABLE_BYTES >> 20} MB of text")
    return zstandard.compress(content, 3)


def unpacked(table: bytes) -> Table:
    return msgspec.msgpack.decode(zstandard.decompress(table), type=Table)
