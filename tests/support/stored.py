"""All that a database holds, to tell whether a request has changed anything."""

from backbench.storage.engine.database import Database, Read

# What every request may touch, refused or not: counted attempts, and when a session or a key was last seen.
_UNTOLD = {"attempts"}
_UNTOLD_COLUMNS = {"last_seen_at", "idle_until", "last_used_at"}

_TABLES = {
    "sqlite": "SELECT name FROM sqlite_master WHERE type = 'table' ORDER BY name",
    "postgres": "SELECT table_name::text FROM information_schema.tables WHERE table_schema = 'public' ORDER BY 1",
}
_COLUMNS = {
    "sqlite": "SELECT name FROM pragma_table_info(:table_name)",
    "postgres": "SELECT column_name::text FROM information_schema.columns WHERE table_name = :table_name",
}
_statements: dict[tuple[str, str], str] = {}


async def everything_in(db: Database) -> dict[str, list[str]]:
    """Every row as text, by table."""
    async with db.snapshot() as read:
        tables = await read.all(str, _TABLES[db.engine])
        return {table: await _rows(read, db.engine, table) for table in tables if table not in _UNTOLD}


async def _rows(db: Read, engine: str, table: str) -> list[str]:
    if (engine, table) not in _statements:
        _statements[engine, table] = await _statement(db, engine, table)
    return await db.all(str, _statements[engine, table])


async def _statement(db: Read, engine: str, table: str) -> str:
    columns = await db.all(str, _COLUMNS[engine], table_name=table)
    told = [column for column in columns if column not in _UNTOLD_COLUMNS]
    row = " || '|' || ".join(f"coalesce(CAST({column} AS TEXT), 'NULL')" for column in told)
    return f"SELECT {row} FROM {table} ORDER BY 1"
