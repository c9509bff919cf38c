"""The catalog of a PostgreSQL database, and checks of its durability and encoding."""

from collections.abc import Sequence

from msgspec import Struct

from backbench.engine.catalog import Column, Reference
from backbench.engine.database import Read
from backbench.hosting.doctor import HealthCheck

_COLUMNS = """
    SELECT t.relname AS "table", c.attname AS name, format_type(c.atttypid, NULL) AS type,
        coalesce(array_position(k.conkey, c.attnum), 0) AS key_position
    FROM pg_class t JOIN pg_attribute c ON c.attrelid = t.oid AND c.attnum > 0 AND NOT c.attisdropped
        LEFT JOIN pg_constraint k ON k.conrelid = t.oid AND k.contype = 'p'
    WHERE t.relkind = 'r' AND t.relnamespace = current_schema()::regnamespace ORDER BY t.relname, c.attnum
"""
_REFERENCES = """
    SELECT t.relname AS "table", r.relname AS refers_to FROM pg_constraint k
    JOIN pg_class t ON t.oid = k.conrelid JOIN pg_class r ON r.oid = k.confrelid
    WHERE k.contype = 'f' AND t.relnamespace = current_schema()::regnamespace
"""

# Every role may read them; the columns of pg_stat_replication only a monitoring role.
_REPLICATION = """
    SELECT pg_is_in_recovery() AS is_standby, count(*) AS standbys,
        current_setting('synchronous_standby_names') AS synchronous, current_setting('statement_timeout') AS time_out
    FROM pg_stat_replication
"""
# The pool, and those of the exports (2) and the large lists (4) that a worker sends at once.
CONNECTIONS_PER_WORKER = 18


class _Replication(Struct, frozen=True):
    is_standby: bool
    standbys: int
    synchronous: str
    time_out: str


class PostgresCatalog:
    """`hosts`: how many the URL names."""

    triggers_at_once: Sequence[str] = ("SET CONSTRAINTS ALL IMMEDIATE",)

    def __init__(self, hosts: int = 1) -> None:
        self._hosts = hosts

    async def columns(self, db: Read) -> list[Column]:
        return await db.all(Column, _COLUMNS)

    async def references(self, db: Read) -> list[Reference]:
        return await db.all(Reference, _REFERENCES)

    def rows_from_json(self, table: str, columns: Sequence[str]) -> str:
        return f'SELECT {", ".join(columns)} FROM json_populate_recordset(NULL::"{table}", :rows::json)'

    async def health(self, db: Read) -> list[HealthCheck]:
        version = await db.value("SHOW server_version")
        commit = await db.value("SHOW synchronous_commit")
        fsync = await db.value("SHOW fsync")
        pages = await db.value("SHOW full_page_writes")
        encoding = await db.value("SHOW server_encoding")
        is_durable = commit != "off" and fsync == "on" and pages == "on"
        settings = f"synchronous_commit {commit}, fsync {fsync}"
        if not is_durable:
            settings += f", full_page_writes {pages}: a power cut may lose acknowledged writes"
        is_unicode = encoding == "UTF8"
        return [
            HealthCheck("server", True, f"PostgreSQL {version}"),
            HealthCheck("synchronous_commit", is_durable, settings),
            await self._replication(db),
            await _connections(db),
            HealthCheck("encoding", is_unicode, "UTF8" if is_unicode else f"{encoding}: it cannot store every name"),
        ]

    async def _replication(self, db: Read) -> HealthCheck:
        """With several hosts a failover is meant to lose nothing, and that depends on the server."""
        found = await db.one(_Replication, _REPLICATION)
        assert found is not None
        role = "standby" if found.is_standby else f"primary with {found.standbys} standbys"
        if self._hosts == 1:
            return HealthCheck("replication", True, role)
        if not found.synchronous:
            says = f"{role}, synchronous_standby_names is empty: a failover may lose acknowledged writes"
            return HealthCheck("replication", False, says)
        if found.time_out != "0":
            # The server acknowledges a commit whose wait for the standby was cancelled.
            says = f"{role}, statement_timeout is {found.time_out}: it ends the wait of a commit for its standby"
            return HealthCheck("replication", False, says)
        return HealthCheck("replication", found.standbys > 0, f"{role}, synchronous_standby_names is set")


async def _connections(db: Read) -> HealthCheck:
    most = int(await db.value("SHOW max_connections"))
    workers = most // CONNECTIONS_PER_WORKER
    says = f"max_connections {most}: enough for {workers} workers of all nodes together, without other programs"
    return HealthCheck("connections", workers > 0, says)
