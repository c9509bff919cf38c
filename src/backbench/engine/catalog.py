"""Database catalog: columns and references between tables, as both engines describe them."""

from msgspec import Struct


class Column(Struct, frozen=True):
    table: str
    name: str
    type: str
    # From 1 within the primary key, 0 outside it.
    key_position: int


class Reference(Struct, frozen=True):
    """A foreign key of `table` to `refers_to`."""

    table: str
    refers_to: str
