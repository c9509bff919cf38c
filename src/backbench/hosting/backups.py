"""Backups: reads every table of the schema in pages, and fills the tables again, independently of the engine.

The tables are read from the database catalog, so that the next backup includes a table that a later migration adds.
"""

import asyncio
import re
from collections.abc import AsyncIterator, Iterable, Sequence
from graphlib import TopologicalSorter
from itertools import islice
from pathlib import Path
from typing import Any

import msgspec
from msgspec import Struct

from backbench import __version__
from backbench.engine import migrations
from backbench.engine.database import Catalog, Column, Database, Read, Write
from backbench.estimating import files
from backbench.integrations.backup_folders import (
    FORMAT,
    BackupReader,
    BackupWriter,
    JsonLinesWriter,
    LostFile,
    Manifest,
    TableContents,
    create_backup,
)
from backbench.integrations.blobs import BlobMissing, Blobs
from backbench.orders import photos
from backbench.values.errors import Conflict, Unavailable
from backbench.values.ids import NewId
from backbench.values.times import Instant
from backbench.workshops import audit

# Statements


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
# Older schemas have neither: the migrations to come start a history, and delete all files.
_HISTORY = "workshop_counters.history"
_STORED_FILE = "stray_bytes.id"
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


# Verbs


_PAGE = 200


async def back_up(db: Database, blobs: Blobs, path: Path, now: Instant) -> Manifest:
    """Writes a snapshot of the database and its files to a new folder. Raises Conflict where it cannot be written.

    A file that is missing from the file store is missing from the backup: `lost_files` names those.
    """
    with create_backup(path) as folder:
        async with db.snapshot() as read:
            schema = await schema_number(read, db.catalog)
            if schema == 0:
                raise Conflict("no_schema", "There is nothing to back up: the database is new")
            found = await list_tables(read, db.catalog)
            tables = {table.name: await _write_table(read, table, folder.table(table.name)) for table in found}
            copied, missing = await _copy_files(read, db.catalog, blobs, folder)
        manifest = Manifest(FORMAT, __version__, schema, now, tables, copied, missing)
        folder.finish(manifest)
    return manifest


async def lost_files(db: Database, missing: Iterable[str]) -> list[LostFile]:
    """Those of the missing files that have a record still: a blob is deleted right after its record."""
    async with db.read() as read:
        found = [await lookup_lost_file(read, db.catalog, file_id) for file_id in missing]
    return [file for file in found if file is not None]


async def find_lost_files(db: Database, blobs: Blobs) -> list[LostFile]:
    """The files whose contents are missing from the file store, or shorter than when they were stored."""
    missing = []
    async with db.snapshot() as read:
        async for page in list_blob_pages(read, db.catalog):
            # Together: a bucket takes a request for each.
            sizes = await asyncio.gather(*(blobs.size(file.id) for file in page))
            pairs = zip(page, sizes, strict=True)
            missing += [file.id for file, size in pairs if size is None or size < file.size_bytes]
    return await lost_files(db, missing)


async def restore(db: Database, blobs: Blobs, path: Path, new_id: NewId) -> Manifest:
    """Restores a backup into an empty database and its file store, completely or not at all.

    The file store may be the one of another database, which still needs its files. Raises Conflict where the backup is
    damaged or newer than this version, or the database is not empty.
    """
    folder = BackupReader(path)
    newest = migrations.known(db.engine)[-1].number
    if folder.manifest.schema > newest:
        raise Conflict(
            "newer_backup",
            f"The schema of the backup is {folder.manifest.schema}, this version supports up to {newest}; upgrade it",
        )
    folder.verify()
    await _require_empty(db, folder.manifest.schema)
    await db.migrate(folder.manifest.schema)
    for file in folder.files():
        await blobs.write(file.id, folder.file(file.id))
    await db.write(lambda handle: _fill(handle, db.catalog, folder, new_id()))
    # What is left is an upgrade, which the next start goes on with if this ends here.
    await db.migrate()
    return folder.manifest


async def _write_table(db: Read, table: Table, lines: JsonLinesWriter) -> TableContents:
    last = None
    while rows := await list_rows_after(db, table, last, _PAGE):
        lines.write(rows)
        last = rows[-1]
    return lines.finish()


async def _require_empty(db: Database, schema: int) -> None:
    """Raises Conflict unless the database is empty and its schema no newer than that of the backup."""
    async with db.snapshot() as read:
        present = await schema_number(read, db.catalog)
        if not await is_empty(read, await list_tables(read, db.catalog)):
            raise Conflict("not_empty", "The database is not empty; restore into a new one")
    if present > schema:
        raise Conflict(
            "newer_schema",
            f"The schema of the database is {present}, that of the backup {schema}; restore into a new database",
        )


async def _fill(db: Write, catalog: Catalog, folder: BackupReader, history: str) -> None:
    """Adds all rows and starts the new database history in one transaction.

    The backup's files are read synchronously: a transaction must not wait.
    """
    await db.lock("restore")
    tables = await list_tables(db, catalog)
    if not await is_empty(db, tables):
        raise Conflict("not_empty", "The database is not empty; restore into a new one")
    if {table.name for table in tables} != folder.manifest.tables.keys():
        raise Conflict("damaged_backup", "The tables of the backup do not match its schema")
    for statement in catalog.triggers_at_once:
        await db.run(statement)
    for table in tables:
        await delete_counted(db, table)
        lines = folder.rows(table.name)
        while page := list(islice(lines, _PAGE)):
            await add_rows(db, catalog, table, _rows(table, page))
    columns = {f"{table.name}.{column}" for table in tables for column in table.columns}
    if _HISTORY in columns:
        # Clients' cursors are those of the database that the backup was made of.
        await audit.start_new_history(db, history)
    if _STORED_FILE in columns:
        for file_id in folder.manifest.missing:
            await _delete_file(db, file_id)


def _rows(table: Table, lines: Sequence[bytes]) -> list[msgspec.Struct]:
    """The lines as rows. Raises Conflict for a malformed one."""
    decoder = msgspec.json.Decoder(table.Row)
    try:
        return [decoder.decode(line) for line in lines]
    except msgspec.MsgspecError as error:
        raise Conflict("damaged_backup", f"A row of {table.name} is malformed: {error}") from None


async def _copy_files(
    snapshot: Read, catalog: Catalog, blobs: Blobs, folder: BackupWriter
) -> tuple[TableContents, list[str]]:
    """The list of files, and the ids of those that are missing from the file store."""
    lines = folder.files_list()
    missing = []
    async for page in list_blob_pages(snapshot, catalog):
        for file in page:
            try:
                lines.write([await folder.add_file(file.id, blobs.read(file.id, 0, file.size_bytes))])
            except BlobMissing:
                missing.append(file.id)
            except Unavailable as error:
                detail = f"File {file.id} cannot be read: {error.detail}; `backbench doctor` tries the file store"
                raise Conflict("backup_failed", detail) from None
    return lines.finish(), missing


async def _delete_file(db: Write, file_id: str) -> None:
    if not await files.delete_row(db, file_id):
        await photos.delete_row(db, file_id)
