"""Backups: a shop's books put aside, in a form that either engine can be filled from."""

from msgspec import Struct

from backbench.domain.values.times import Instant

FORMAT = 1


class TableContents(Struct, frozen=True, rename="camel"):
    """What a table's file must hold to be whole."""

    rows: int
    sha256: str


class FileContents(Struct, frozen=True, rename="camel"):
    """One stored file; a line of `files.jsonl`."""

    id: str
    size_bytes: int
    sha256: str


class Manifest(Struct, frozen=True, rename="camel", forbid_unknown_fields=True):
    """What a backup holds. `files` is the list of stored files.

    `missing` are those that are among the rows and were removed before their bytes could be copied.
    """

    format: int
    backbench: str
    schema: int
    created_at: Instant
    tables: dict[str, TableContents]
    files: TableContents
    missing: list[str]

    @property
    def rows(self) -> int:
        return sum(table.rows for table in self.tables.values())
