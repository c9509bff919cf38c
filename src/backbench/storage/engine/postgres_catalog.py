"""The catalog of a PostgreSQL database, and checks of its durability and encoding."""

from collections.abc import Sequence

from backbench.domain.operations.doctor import HealthCheck
from backbench.storage.engine.catalog import Column, Reference
from backbench.storage.engine.database import Read

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


class PostgresCatalog:
    without_counting: Sequence[str] = (
        "SET CONSTRAINTS ALL IMMEDIATE",
        "SELECT set_config('backbench.counting', 'off', true)",
    )

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
            HealthCheck("encoding", is_unicode, "UTF8" if is_unicode else f"{encoding}: it cannot store every name"),
        ]
