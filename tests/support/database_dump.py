"""Database contents: all rows, to assert that a request changed nothing."""

from collections import Counter
from collections.abc import Collection

from msgspec import Struct

from backbench.engine.database import Database, Read

# Written by rejected requests as well: rate limits, and when a session or an API key was last used.
_IGNORED_TABLES = {"attempts"}
# The counter of bytes is corrected by the sweep, at any time.
_IGNORED_COLUMNS = {"last_seen_at", "idle_until", "last_used_at", "data_bytes", "counted_version"}

_TABLES = {
    "sqlite": "SELECT name FROM sqlite_master WHERE type = 'table' ORDER BY name",
    "postgres": "SELECT table_name::text FROM information_schema.tables WHERE table_schema = 'public' ORDER BY 1",
}
_COLUMNS = {
    "sqlite": "SELECT name FROM pragma_table_info(:table_name)",
    "postgres": "SELECT column_name::text FROM information_schema.columns WHERE table_name = :table_name",
}
# By engine; the tables do not change during a run.
_statements: dict[str, tuple[list[str], str]] = {}


Dump = dict[str, list[str]]


# Rows of a table come as one text: to make an object of each takes longer than to read it.
_END = "\x1e"
_JOINED = {"sqlite": "group_concat", "postgres": "string_agg"}


class _Table(Struct, frozen=True):
    name: str
    rows: str | None


async def dump_of(db: Database, except_tables: Collection[str] = ()) -> Dump:
    """Every row as text, by table, in one statement."""
    async with db.read() as read:
        if db.engine not in _statements:
            _statements[db.engine] = await _statement(read, db.engine)
        tables, sql = _statements[db.engine]
        found = {table.name: table.rows for table in await read.all(_Table, sql)}
    rows = {table: rows.split(_END) if rows is not None else [] for table, rows in found.items()}
    return {table: sorted(rows[table]) for table in tables if table not in except_tables}


def changed_rows(before: Dump, after: Dump) -> list[str]:
    """The rows that one of the two lacks: `- orders: …` has gone, `+ orders: …` has come."""
    return [
        f"{sign} {table}: {row}"
        for table in before
        for sign, these, others in (("-", before, after), ("+", after, before))
        for row in sorted((Counter(these[table]) - Counter(others[table])).elements())
    ]


async def _statement(db: Read, engine: str) -> tuple[list[str], str]:
    tables = [table for table in await db.all(str, _TABLES[engine]) if table not in _IGNORED_TABLES]
    return tables, " UNION ALL ".join([await _rows_of(db, engine, table) for table in tables])


async def _rows_of(db: Read, engine: str, table: str) -> str:
    columns = await db.all(str, _COLUMNS[engine], table_name=table)
    compared = [column for column in columns if column not in _IGNORED_COLUMNS]
    values = ", ".join(f"coalesce(CAST({column} AS TEXT), 'NULL')" for column in compared)
    # Not with `||`, which copies the row for each of its columns.
    row = f"concat_ws('|', {values})"
    return f"SELECT '{table}' AS name, {_JOINED[engine]}({row}, '{_END}') AS rows FROM {table}"
