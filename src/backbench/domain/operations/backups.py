"""Backup format: manifest and checksums. A backup can be restored into either database engine."""

from msgspec import Struct

from backbench.domain.values.times import Instant

FORMAT = 1


class TableContents(Struct, frozen=True, rename="camel"):
    """The number of rows and the checksum of a JSON Lines file."""

    rows: int
    sha256: str


class FileContents(Struct, frozen=True, rename="camel"):
    """A stored file: a line of `files.jsonl`."""

    id: str
    size_bytes: int
    sha256: str


class LostFile(Struct, frozen=True, rename="camel"):
    """A stored file whose contents are missing from the file store. `workshop`: its name."""

    id: str
    workshop: str
    name: str | None

    def __str__(self) -> str:
        return f"{self.name or self.id} of {self.workshop}"


class Manifest(Struct, frozen=True, rename="camel", forbid_unknown_fields=True):
    """The contents of a backup. `files` describes the list of stored files.

    `missing` has the ids of files whose blobs could not be copied: deleted after the snapshot of the rows, or lost.
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
