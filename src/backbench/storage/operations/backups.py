"""Backups: reads every table of the schema in pages, and fills the tables again, independently of the engine.

The tables are read from the database catalog, so that the next backup includes a table that a later migration adds.
"""

import re
from collections.abc import AsyncIterator, Iterable, Sequence
from graphlib import TopologicalSorter
from typing import Any

import msgspec
from msgspec import Struct

from backbench.domain.operations.backups import LostFile
from backbench.storage.engine.catalog import Column
from backbench.storage.engine.database import Catalog, Read, Write

_MIGRATIONS = "migrations"
# Filled last: triggers would count the rows of other tables a second time.
_COUNTERS = frozenset({"workshop_counters", "account_counters"})
# A trigger fills them with each order that is added, before their own rows are restored.
_FILLED_WITH_ORDERS = frozenset({"order_details", "order_series"})
# The migrations fill it: it is not empty in an empty database.
_FILLED_BY_MIGRATIONS = frozenset({"server_keys"})
_FILLED = _COUNTERS | _FILLED_WITH_ORDERS | _FILLED_BY_MIGRATIONS
# How long the blob of a row is, for each table whose rows have one in the file store.
_BLOB_BYTES = {"files": "size_bytes", "photos": "size_bytes + thumb_bytes"}
# What the row is called in a message.
_BLOB_NAMES = {"files": "files.name", "photos": "'photo of order ' || number"}
_BLOB_JOINS = {"files": "", "photos": "JOIN order_details ON order_details.order_id = photos.order_id"}
_NAME = re.compile(r"[a-z][a-z0-9_]*")
# The types of columns that both engines share.
_TYPES: dict[str, type] = {"text": str, "bigint": int, "integer": int, "real": float, "double precision": float}


class Table(Struct, frozen=True):
    """`Row` is a Struct with the table's columns as fields, which validates the rows of a backup."""

    name: str
    columns: Sequence[str]
    key: Sequence[str]
    Row: type[Struct]


async def list_tables(db: Read, catalog: Catalog) -> list[Table]:
    """Every table but that of the migrations, referenced tables first; none in an empty database."""
    columns = await catalog.columns(db)
    references = await catalog.references(db)
    graph: dict[str, set[str]] = {column.table: set() for column in columns if column.table != _MIGRATIONS}
    for reference in references:
        if reference.table != reference.refers_to:
            graph[reference.table].add(reference.refers_to)
    for filled in _FILLED_WITH_ORDERS & graph.keys():
        graph[filled].add("orders")
    for counters in _COUNTERS & graph.keys():
        graph[counters] = graph.keys() - _COUNTERS
    order = TopologicalSorter({name: sorted(graph[name]) for name in sorted(graph)}).static_order()
    return [_table(name, [column for column in columns if column.table == name]) for name in order]


async def schema_number(db: Read, catalog: Catalog) -> int:
    """The number of the newest applied migration; 0 before the first."""
    columns = await catalog.columns(db)
    if not any(column.table == _MIGRATIONS for column in columns):
        return 0
    return int(await db.value(f"SELECT max(number) FROM {_MIGRATIONS}") or 0)


async def is_empty(db: Read, tables: Iterable[Table]) -> bool:
    for table in tables:
        is_filled = table.name in _FILLED_BY_MIGRATIONS
        if not is_filled and await db.value(f'SELECT 1 FROM "{table.name}" LIMIT 1') is not None:
            return False
    return True


async def list_rows_after(db: Read, table: Table, after: Any, limit: int) -> list[Any]:
    """The next `limit` rows after the row `after`, in the order of the primary key; from the first for None."""
    key = ", ".join(table.key)
    condition = "" if after is None else f"WHERE ({key}) > ({', '.join(f':{name}' for name in table.key)})"
    values = {} if after is None else {name: getattr(after, name) for name in table.key}
    sql = f'SELECT {", ".join(table.columns)} FROM "{table.name}" {condition} ORDER BY {key} LIMIT :page_limit'
    return await db.all(table.Row, sql, page_limit=limit, **values)


async def add_rows(db: Write, catalog: Catalog, table: Table, rows: Sequence[Struct]) -> None:
    """Inserts all rows with one statement, because a statement per row is a round trip per row."""
    names = ", ".join(table.columns)
    await db.run(
        f'INSERT INTO "{table.name}" ({names}) {catalog.rows_from_json(table.name, table.columns)}',
        rows=msgspec.json.encode(rows).decode(),
    )


class StoredBlob(Struct, frozen=True):
    id: str
    size_bytes: int


async def list_blob_pages(db: Read, catalog: Catalog) -> AsyncIterator[list[StoredBlob]]:
    """The blob of every file and of every photo. A schema that is older than photos has none of them."""
    last = ""
    selects = [
        f"SELECT id, {_BLOB_BYTES[table]} AS size_bytes FROM {table} WHERE id > :last"
        for table in await _blob_tables(db, catalog)
    ]
    sql = f"{' UNION ALL '.join(selects)} ORDER BY id LIMIT 100"
    while page := await db.all(StoredBlob, sql, last=last):
        yield page
        last = page[-1].id


async def delete_counted(db: Write, table: Table) -> None:
    """Deletes what migrations have added, or triggers for other tables, which are filled before this one."""
    if table.name in _FILLED:
        await db.run(f'DELETE FROM "{table.name}"')


async def lookup_lost_file(db: Read, catalog: Catalog, file_id: str) -> LostFile | None:
    """The file or photo to be named in a message; None if its record was deleted."""
    selects = [
        f"""
        SELECT {table}.id, workshops.name AS workshop, {_BLOB_NAMES[table]} AS name FROM {table}
        JOIN workshops ON workshops.id = {table}.workshop_id {_BLOB_JOINS[table]} WHERE {table}.id = :id
        """
        for table in await _blob_tables(db, catalog)
    ]
    return await db.one(LostFile, " UNION ALL ".join(selects), id=file_id)


async def _blob_tables(db: Read, catalog: Catalog) -> list[str]:
    present = {column.table for column in await catalog.columns(db)}
    return [table for table in _BLOB_BYTES if table in present]


def _table(name: str, columns: list[Column]) -> Table:
    for identifier in (name, *(column.name for column in columns)):
        if not _NAME.fullmatch(identifier):
            raise RuntimeError(f"table {name}: the name {identifier!r} is not of lower-case letters, digits and _")
    key = [column.name for column in sorted(columns, key=lambda column: column.key_position) if column.key_position]
    if not key:
        raise RuntimeError(f"table {name} has no primary key")
    fields: list[tuple[str, Any]] = [(column.name, _TYPES[column.type] | None) for column in columns]
    row = msgspec.defstruct(name, fields, frozen=True, forbid_unknown_fields=True)
    return Table(name, [column.name for column in columns], key, row)
