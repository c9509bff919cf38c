"""Protocol of the import process: a request is a file, or a table that it has read before; both are MessagePack."""

import msgspec
import zstandard
from msgspec import Struct

from backbench.domain.imports.chunks import Records
from backbench.domain.imports.fields import ImportKind, Mapping, RememberedMapping
from backbench.domain.imports.rows import Context, RowError
from backbench.domain.imports.tables import Table, UnreadableFile

# Of a table: what it says, not what its file takes.
MOST_TABLE_BYTES = 32 << 20


class ReadFile(Struct, frozen=True, tag=True):
    """`remembered`: the mappings that were used before, the latest first."""

    content: bytes
    kind: ImportKind
    remembered: list[RememberedMapping]
    context: Context


class CheckTable(Struct, frozen=True, tag=True):
    """`table` is packed."""

    table: bytes
    kind: ImportKind
    mapping: Mapping
    context: Context


class ConvertTable(CheckTable, frozen=True, tag=True):
    """The same, to be made into records."""


class FoundTable(Struct, frozen=True, tag=True):
    """What a file holds, with the proposed mapping and what is wrong with it."""

    columns: list[str]
    mapping: Mapping
    rows: int
    sample: list[list[str]]
    errors: list[RowError]
    rows_with_errors: int
    table: bytes


class CheckedTable(Struct, frozen=True, tag=True):
    errors: list[RowError]
    rows_with_errors: int


class FoundRecords(Struct, frozen=True, tag=True):
    records: Records


class Refused(Struct, frozen=True, tag=True):
    """Why a file cannot be read."""

    code: str
    detail: str


Request = ReadFile | CheckTable | ConvertTable
Reply = FoundTable | CheckedTable | FoundRecords | Refused

encode = msgspec.msgpack.encode
decode_request = msgspec.msgpack.Decoder(Request).decode
decode_reply = msgspec.msgpack.Decoder(Reply).decode


def packed(table: Table) -> bytes:
    """Raises UnreadableFile for more than MOST_TABLE_BYTES: cells of a small file may share long texts."""
    size = sum(len(cell) for row in table.rows for cell in row.cells)
    content = msgspec.msgpack.encode(table) if size <= MOST_TABLE_BYTES else b""
    if not content or len(content) > MOST_TABLE_BYTES:
        raise UnreadableFile("too_large", f"The cells of the file have more than {MOST_TABLE_BYTES >> 20} MB of text")
    return zstandard.compress(content, 3)


def unpacked(table: bytes) -> Table:
    return msgspec.msgpack.decode(zstandard.decompress(table), type=Table)
