"""Every table of the schema as rows to put aside and to fill in again, whichever engine they come from.

What tables there are is read from the database itself, so that a table added by a later migration is in the next
backup without anybody remembering it.
"""

import re
from collections.abc import AsyncIterator, Iterable, Sequence
from graphlib import TopologicalSorter
from typing import Any

import msgspec
from msgspec import Struct

from backbench.storage.engine.database import Read, Write

_REGISTER = "migrations"
_NAME = re.compile(r"[a-z_]+")
# House rule: these are the types of columns that both engines share.
_TYPES: dict[str, type] = {"text": str, "bigint": int, "integer": int, "real": float, "double precision": float}

_COLUMNS = {
    "sqlite": """
        SELECT t.name, c.name, lower(c.type), c.pk FROM sqlite_master t JOIN pragma_table_info(t.name) c
        WHERE t.type = 'table' AND t.name NOT LIKE 'sqlite^_%' ESCAPE '^' ORDER BY t.name, c.cid
    """,
    "postgres": """
        SELECT t.relname, c.attname, format_type(c.atttypid, NULL), coalesce(array_position(k.conkey, c.attnum), 0)
        FROM pg_class t JOIN pg_attribute c ON c.attrelid = t.oid AND c.attnum > 0 AND NOT c.attisdropped
            LEFT JOIN pg_constraint k ON k.conrelid = t.oid AND k.contype = 'p'
        WHERE t.relkind = 'r' AND t.relnamespace = current_schema()::regnamespace ORDER BY t.relname, c.attnum
    """,
}
_REFERENCES = {
    "sqlite": """
        SELECT t.name, r."table" FROM sqlite_master t JOIN pragma_foreign_key_list(t.name) r WHERE t.type = 'table'
    """,
    "postgres": """
        SELECT t.relname, r.relname FROM pg_constraint k
        JOIN pg_class t ON t.oid = k.conrelid JOIN pg_class r ON r.oid = k.confrelid
        WHERE k.contype = 'f' AND t.relnamespace = current_schema()::regnamespace
    """,
}


class _Column(Struct, frozen=True):
    table: str
    name: str
    type: str
    # From 1 on within the primary key, 0 outside it.
    place: int


class _Reference(Struct, frozen=True):
    table: str
    refers_to: str


class Table(Struct, frozen=True):
    """`Row` is a Struct with the table's columns as fields, so that rows are checked when they come back."""

    name: str
    columns: Sequence[str]
    key: Sequence[str]
    Row: type[Struct]


def _from_json_in_sqlite(table: Table) -> str:
    columns = ", ".join(f"json_extract(value, '$.{name}')" for name in table.columns)
    return f"SELECT {columns} FROM json_each(:rows)"


def _from_json_in_postgres(table: Table) -> str:
    return f'SELECT {", ".join(table.columns)} FROM json_populate_recordset(NULL::"{table.name}", :rows::json)'


_FROM_JSON = {"sqlite": _from_json_in_sqlite, "postgres": _from_json_in_postgres}


async def tables(db: Read, engine: str) -> list[Table]:
    """Every table but the register of migrations, those that others refer to first; none in an empty database."""
    columns = await db.all(_Column, _COLUMNS[engine])
    references = await db.all(_Reference, _REFERENCES[engine])
    graph: dict[str, set[str]] = {column.table: set() for column in columns if column.table != _REGISTER}
    for reference in references:
        if reference.table != reference.refers_to:
            graph[reference.table].add(reference.refers_to)
    order = TopologicalSorter({name: sorted(graph[name]) for name in sorted(graph)}).static_order()
    return [_table(name, [column for column in columns if column.table == name]) for name in order]


async def schema_number(db: Read, engine: str) -> int:
    """The newest migration that the database has seen; 0 before the first."""
    columns = await db.all(_Column, _COLUMNS[engine])
    if not any(column.table == _REGISTER for column in columns):
        return 0
    return int(await db.value(f"SELECT max(number) FROM {_REGISTER}") or 0)


async def is_empty(db: Read, found: Iterable[Table]) -> bool:
    for table in found:
        if await db.value(f'SELECT 1 FROM "{table.name}" LIMIT 1') is not None:
            return False
    return True


async def page(db: Read, table: Table, after: Any, limit: int) -> list[Any]:
    """The next `limit` rows after the row `after`, in the order of the primary key; from the first for None."""
    key = ", ".join(table.key)
    following = "" if after is None else f"WHERE ({key}) > ({', '.join(f':{name}' for name in table.key)})"
    values = {} if after is None else {name: getattr(after, name) for name in table.key}
    sql = f'SELECT {", ".join(table.columns)} FROM "{table.name}" {following} ORDER BY {key} LIMIT :page_limit'
    return await db.all(table.Row, sql, page_limit=limit, **values)


async def add_all(db: Write, engine: str, table: Table, rows: Sequence[Struct]) -> None:
    """One statement for all of them: a statement a row is a round trip a row."""
    names = ", ".join(table.columns)
    await db.run(
        f'INSERT INTO "{table.name}" ({names}) {_FROM_JSON[engine](table)}', rows=msgspec.json.encode(rows).decode()
    )


class StoredBytes(Struct, frozen=True):
    id: str
    size_bytes: int


async def stored_files(db: Read) -> AsyncIterator[StoredBytes]:
    last = ""
    sql = "SELECT id, size_bytes FROM files WHERE id > :last ORDER BY id LIMIT 500"
    while found := await db.all(StoredBytes, sql, last=last):
        for file in found:
            yield file
        last = found[-1].id


async def is_stored(db: Read, file_id: str) -> bool:
    return await db.value("SELECT 1 FROM files WHERE id = :id", id=file_id) is not None


def _table(name: str, columns: list[_Column]) -> Table:
    for word in (name, *(column.name for column in columns)):
        if not _NAME.fullmatch(word):
            raise RuntimeError(f"table {name}: the name {word!r} is not lower-case letters and underscores")
    key = [column.name for column in sorted(columns, key=lambda column: column.place) if column.place]
    if not key:
        raise RuntimeError(f"table {name} has no primary key")
    fields: list[tuple[str, Any]] = [(column.name, _TYPES[column.type] | None) for column in columns]
    row = msgspec.defstruct(name, fields, frozen=True, forbid_unknown_fields=True)
    return Table(name, [column.name for column in columns], key, row)
