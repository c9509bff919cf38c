"""The catalog of an SQLite database, and checks of its integrity and durability."""

from collections.abc import Sequence

import apsw

from backbench.engine.catalog import Column, Reference
from backbench.engine.database import Read
from backbench.hosting.doctor import HealthCheck

_SYNCHRONOUS_FULL = 2
_DURABLE = "write-ahead log, synced at each commit"
# Tables of our own: not those of SQLite, nor the two that Litestream adds while it copies the database.
_COLUMNS = """
    SELECT t.name AS "table", c.name AS name, lower(c.type) AS type, c.pk AS key_position
    FROM sqlite_master t JOIN pragma_table_info(t.name) c
    WHERE t.type = 'table' AND t.name NOT LIKE 'sqlite^_%' ESCAPE '^'
        AND t.name NOT LIKE '^_litestream^_%' ESCAPE '^' ORDER BY t.name, c.cid
"""
_REFERENCES = """
    SELECT t.name AS "table", r."table" AS refers_to
    FROM sqlite_master t JOIN pragma_foreign_key_list(t.name) r WHERE t.type = 'table'
"""


class SQLiteCatalog:
    triggers_at_once: Sequence[str] = ()

    async def columns(self, db: Read) -> list[Column]:
        return await db.all(Column, _COLUMNS)

    async def references(self, db: Read) -> list[Reference]:
        return await db.all(Reference, _REFERENCES)

    def rows_from_json(self, _table: str, columns: Sequence[str]) -> str:
        extracted = ", ".join(f"json_extract(value, '$.{name}')" for name in columns)
        return f"SELECT {extracted} FROM json_each(:rows)"

    async def health(self, db: Read) -> list[HealthCheck]:
        errors = await _integrity_errors(db)
        if errors != ["ok"]:
            # Other checks may read the damaged pages.
            return [HealthCheck("integrity", False, _one_line(errors))]
        tables = await db.all(str, "PRAGMA foreign_key_check")
        synchronous = await db.value("PRAGMA synchronous")
        journal = await db.value("PRAGMA journal_mode")
        is_durable = journal == "wal" and synchronous == _SYNCHRONOUS_FULL
        missing = f"{len(tables)} rows refer to rows that do not exist, in {', '.join(sorted(set(tables)))}"
        settings = f"journal_mode {journal}, synchronous {synchronous}: a power cut may lose acknowledged writes"
        return [
            HealthCheck("integrity", True, "the file is intact"),
            HealthCheck("references", not tables, missing if tables else "every referenced row exists"),
            HealthCheck(
                "write_ahead_log", is_durable, "write-ahead log, synced at each commit" if is_durable else settings
            ),
        ]


async def _integrity_errors(db: Read) -> Sequence[str]:
    try:
        return await db.all(str, "PRAGMA integrity_check(3)")
    except apsw.CorruptError:
        # Damage in the first page of a table ends the check instead of being listed by it.
        return ["the file is damaged"]


def _one_line(errors: Sequence[str]) -> str:
    return "; ".join(errors).replace("\n", " ")
