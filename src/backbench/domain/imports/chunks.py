"""Chunks of an import: records as JSON, as many as one statement takes."""

from msgspec import Struct

# A statement for so many rows takes some 20 ms.
CHUNK_ROWS = 500


class Key(Struct, frozen=True):
    """What another record of the same person would share with the record `customer_id`, or the order of that id."""

    customer_id: str
    key: str


class Chunk(Struct, frozen=True):
    """Records as JSON: `rows` with the columns of their table, `keys` with those of `customer_keys`."""

    ids: list[str]
    rows: str
    keys: str = "[]"

    @property
    def size(self) -> int:
        return len(self.rows) + len(self.keys)


class Records(Struct, frozen=True):
    """`merged`: rows of customers that an earlier row of the file had already. `skipped`: rows with errors."""

    chunks: list[Chunk]
    merged: int
    skipped: int
