"""Protocol of the import process: a request is a file, or a table that it has read before; both are MessagePack."""

import msgspec
import zstandard
from msgspec import Struct

from backbench.domain.imports.chunks import Records
from backbench.domain.imports.fields import ImportKind, Mapping, RememberedMapping
from backbench.domain.imports.rows import Context, RowError
from backbench.domain.imports.tables import Table

# What the table of the largest file is, unpacked, at most.
_MOST_TABLE_BYTES = 128 << 20


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
    return zstandard.compress(msgspec.msgpack.encode(table), 3)


def unpacked(table: bytes) -> Table:
    content = zstandard.decompress(table, max_output_size=_MOST_TABLE_BYTES)
    return msgspec.msgpack.decode(content, type=Table)
