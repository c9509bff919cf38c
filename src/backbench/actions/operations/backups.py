"""Backups: copy the database and the files at one moment, and restore them into an empty installation.

A backup does not depend on the database engine, so it also moves an installation from one engine to the other.
"""

import asyncio
from collections.abc import Iterable, Sequence
from functools import partial
from itertools import islice
from pathlib import Path

import msgspec

from backbench import __version__
from backbench.domain.operations.backups import FORMAT, LostFile, Manifest, TableContents
from backbench.domain.values.errors import Conflict, Unavailable
from backbench.domain.values.ids import NewId
from backbench.domain.values.times import Instant
from backbench.integrations.backup_folders import BackupReader, BackupWriter, JsonLinesWriter, create_backup
from backbench.integrations.blobs import BlobMissing, Blobs
from backbench.storage.engine import migrations
from backbench.storage.engine.database import Catalog, Database, Read, Write
from backbench.storage.estimating import files
from backbench.storage.operations import backups
from backbench.storage.operations.backups import Table
from backbench.storage.orders import photos
from backbench.storage.workshops import audit

_PAGE = 200


async def back_up(db: Database, blobs: Blobs, path: Path, now: Instant) -> Manifest:
    """Writes a snapshot of the database and its files to a new folder. Raises Conflict where it cannot be written.

    A file that is missing from the file store is missing from the backup: `lost_files` names those.
    """
    with create_backup(path) as folder:
        async with db.snapshot() as read:
            schema = await backups.schema_number(read, db.catalog)
            if schema == 0:
                raise Conflict("no_schema", "There is nothing to back up: the database is new")
            found = await backups.list_tables(read, db.catalog)
            tables = {table.name: await _write_table(read, table, folder.table(table.name)) for table in found}
            copied, missing = await _copy_files(read, db.catalog, blobs, folder)
        manifest = Manifest(FORMAT, __version__, schema, now, tables, copied, missing)
        folder.finish(manifest)
    return manifest


async def lost_files(db: Database, missing: Iterable[str]) -> list[LostFile]:
    """Those of the missing files that have a record still: a blob is deleted right after its record."""
    async with db.read() as read:
        found = [await backups.lookup_lost_file(read, db.catalog, file_id) for file_id in missing]
    return [file for file in found if file is not None]


async def find_lost_files(db: Database, blobs: Blobs) -> list[LostFile]:
    """The files whose contents are missing from the file store, or shorter than when they were stored."""
    missing = []
    async with db.snapshot() as read:
        async for page in backups.list_blob_pages(read, db.catalog):
            # Together: a bucket takes a request for each.
            sizes = await asyncio.gather(*(blobs.size(file.id) for file in page))
            pairs = zip(page, sizes, strict=True)
            missing += [file.id for file, size in pairs if size is None or size < file.size_bytes]
    return await lost_files(db, missing)


async def restore(db: Database, blobs: Blobs, path: Path, new_id: NewId) -> Manifest:
    """Restores a backup into an empty database and its file store, completely or not at all.

    Raises Conflict where the backup is damaged or newer than this version, or the database is not empty.
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
        # An interrupted restore may have left an incomplete blob.
        await blobs.delete(file.id)
        await blobs.write(file.id, folder.file(file.id))
    await db.write(lambda handle: _fill(handle, db.catalog, folder))
    await db.migrate()
    # Clients' cursors are those of the database that the backup was made of.
    await db.write(lambda handle: audit.start_new_history(handle, new_id()))
    for file_id in folder.manifest.missing:
        await db.write(partial(_delete_file, file_id=file_id))
    return folder.manifest


async def _write_table(db: Read, table: Table, lines: JsonLinesWriter) -> TableContents:
    last = None
    while rows := await backups.list_rows_after(db, table, last, _PAGE):
        lines.write(rows)
        last = rows[-1]
    return lines.finish()


async def _require_empty(db: Database, schema: int) -> None:
    """Raises Conflict unless the database is empty and its schema no newer than that of the backup."""
    async with db.snapshot() as read:
        present = await backups.schema_number(read, db.catalog)
        if not await backups.is_empty(read, await backups.list_tables(read, db.catalog)):
            raise Conflict("not_empty", "The database is not empty; restore into a new one")
    if present > schema:
        raise Conflict(
            "newer_schema",
            f"The schema of the database is {present}, that of the backup {schema}; restore into a new database",
        )


async def _fill(db: Write, catalog: Catalog, folder: BackupReader) -> None:
    """Adds all rows in one transaction. The backup's files are read synchronously: a transaction must not wait."""
    await db.lock("restore")
    tables = await backups.list_tables(db, catalog)
    if not await backups.is_empty(db, tables):
        raise Conflict("not_empty", "The database is not empty; restore into a new one")
    if {table.name for table in tables} != folder.manifest.tables.keys():
        raise Conflict("damaged_backup", "The tables of the backup do not match its schema")
    for statement in catalog.triggers_at_once:
        await db.run(statement)
    for table in tables:
        await backups.delete_counted(db, table)
        lines = folder.rows(table.name)
        while page := list(islice(lines, _PAGE)):
            await backups.add_rows(db, catalog, table, _rows(table, page))


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
    async for page in backups.list_blob_pages(snapshot, catalog):
        for file in page:
            try:
                lines.write([await folder.add_file(file.id, blobs.read(file.id, 0, file.size_bytes))])
            except BlobMissing:
                missing.append(file.id)
            except Unavailable as error:
                raise Conflict("backup_failed", f"File {file.id} cannot be read: {error.detail}") from None
    return lines.finish(), missing


async def _delete_file(db: Write, file_id: str) -> None:
    file = await files.lookup_with_deleted(db, file_id)
    if file is None:
        await photos.delete(db, file_id)
    else:
        await files.delete(db, file)
