"""Measured databases: size of their tables, bytes written and processor time of the server."""

import asyncio
import contextlib
from collections.abc import Iterator
from pathlib import Path
from typing import Any, Protocol

import apsw
import asyncpg
from msgspec import Struct

from benchmarks import backbench_server
from benchmarks.postgres_server import PostgresServer, running_postgres
from benchmarks.server_process import Server


class TableSize(Struct, frozen=True):
    rows: int
    # With indexes.
    size: int


class MeasuredDatabase(Protocol):
    name: str
    url: str

    def processor_seconds(self) -> float:
        """Of the database server; 0 where there is none."""

    def written_bytes(self, server: Server) -> float: ...

    def vacuum(self) -> None:
        """Makes space of old versions of rows usable, as the server does by itself in production."""

    def table_sizes(self) -> dict[str, TableSize]: ...

    def connections(self) -> int:
        """Connections of the application."""


class SQLiteDatabase:
    name = "SQLite"

    def __init__(self, folder: Path) -> None:
        self.url = backbench_server.sqlite_url(folder)
        self._path = str(folder / "backbench.db")

    def processor_seconds(self) -> float:
        return 0.0

    def written_bytes(self, server: Server) -> float:
        return server.written_bytes

    def vacuum(self) -> None:
        """SQLite stores one version of each row."""

    def table_sizes(self) -> dict[str, TableSize]:
        with contextlib.closing(apsw.Connection(self._path, flags=apsw.SQLITE_OPEN_READONLY)) as db:
            sizes = dict(
                db.execute("""
                    SELECT m.tbl_name, sum(s.pgsize) FROM dbstat s JOIN sqlite_master m ON m.name = s.name
                    WHERE m.tbl_name NOT LIKE 'sqlite_%' GROUP BY m.tbl_name
                """)
            )
            return {table: TableSize(_count(db, table), size) for table, size in sizes.items()}

    def connections(self) -> int:
        return 0


class PostgresDatabase:
    name = "PostgreSQL"

    def __init__(self, server: PostgresServer) -> None:
        self.url = server.url
        self._server = server

    def processor_seconds(self) -> float:
        return self._server.processor_seconds

    def written_bytes(self, server: Server) -> float:
        return float(self._value("SELECT pg_current_wal_insert_lsn() - '0/0'"))

    def vacuum(self) -> None:
        self._run("VACUUM")

    def table_sizes(self) -> dict[str, TableSize]:
        tables = self._run("SELECT relname FROM pg_class WHERE relkind = 'r' AND relnamespace = 'public'::regnamespace")
        return {
            table: TableSize(
                self._value(f'SELECT count(*) FROM "{table}"'),
                self._value(f"SELECT pg_total_relation_size('\"{table}\"')"),
            )
            for (table,) in tables
        }

    def connections(self) -> int:
        # Without the one that asks.
        return int(self._value("SELECT count(*) - 1 FROM pg_stat_activity WHERE backend_type = 'client backend'"))

    def _value(self, sql: str) -> Any:
        return self._run(sql)[0][0]

    def _run(self, sql: str) -> list[Any]:
        async def run() -> list[Any]:
            connection = await asyncpg.connect(self.url)
            try:
                return list(await connection.fetch(sql))
            finally:
                await connection.close()

        return asyncio.run(run())


def _count(db: apsw.Connection, table: str) -> int:
    ((count,),) = db.execute(f'SELECT count(*) FROM "{table}"')
    assert isinstance(count, int)
    return count


@contextlib.contextmanager
def sqlite(folder: Path) -> Iterator[SQLiteDatabase]:
    yield SQLiteDatabase(folder)


@contextlib.contextmanager
def postgres(folder: Path) -> Iterator[PostgresDatabase]:
    with running_postgres(folder) as server:
        yield PostgresDatabase(server)
