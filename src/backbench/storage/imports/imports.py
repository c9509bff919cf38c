"""Imports in the database, and the mappings that are remembered for files with the same headings."""

from collections.abc import Sequence

from msgspec import Struct

from backbench.domain.imports.fields import ImportKind, Mapping, RememberedMapping
from backbench.domain.imports.imports import KEPT_SECONDS, UNDO_SECONDS, ImportResult, ListedImport, StoredImport
from backbench.domain.imports.rows import RowError
from backbench.domain.values.errors import NotFound
from backbench.domain.values.numbers import to_json_text
from backbench.domain.values.times import Instant, later
from backbench.storage.engine.database import Read, Write
from backbench.storage.engine.parameters import json_or_none
from backbench.storage.estimating import orphaned_blobs

_COLUMNS = """id, workshop_id, kind, file_name, state, created_at, created_by_uid, headings, mapping, row_count, sample,
    errors, rows_with_errors, result, run_at, undone_at, first_version, last_version"""
# Cells and errors may take megabytes: a list reads what a summary has.
_LISTED = """id, kind, file_name, state, created_at, row_count AS rows, result, run_at, undone_at"""
_MOST_LISTED = 100
_MOST_REMEMBERED = 50


async def add(db: Write, new: StoredImport) -> None:
    await db.run(
        """
        INSERT INTO imports (id, workshop_id, kind, file_name, state, created_at, created_by_uid, headings, mapping,
            row_count, sample, errors, rows_with_errors)
        VALUES (:id, :workshop_id, :kind, :file_name, :state, :created_at, :created_by_uid, :headings, :mapping,
            :row_count, :sample, :errors, :rows_with_errors)
        """,
        id=new.id,
        workshop_id=new.workshop_id,
        kind=new.kind,
        file_name=new.file_name,
        state=new.state,
        created_at=new.created_at,
        created_by_uid=new.created_by_uid,
        headings=to_json_text(new.headings),
        mapping=to_json_text(new.mapping),
        row_count=new.row_count,
        sample=to_json_text(new.sample),
        errors=to_json_text(new.errors),
        rows_with_errors=new.rows_with_errors,
    )


async def find(db: Read, import_id: str) -> StoredImport:
    """Raises NotFound."""
    found = await db.one(StoredImport, f"SELECT {_COLUMNS} FROM imports WHERE id = :id", id=import_id)
    if found is None:
        raise NotFound
    return found


async def lock(db: Write, import_id: str) -> StoredImport:
    """The import, locked against changes by others until the end of the transaction. Raises NotFound."""
    return await find(db.locking(), import_id)


async def list_newest(db: Read, workshop_id: str) -> list[ListedImport]:
    sql = f"""
        SELECT {_LISTED} FROM imports WHERE workshop_id = :workshop_id
        ORDER BY created_at DESC, id DESC LIMIT {_MOST_LISTED}
    """
    return await db.all(ListedImport, sql, workshop_id=workshop_id)


async def count_proposed(db: Read, workshop_id: str, now: Instant) -> int:
    """How many files of the workshop are kept to be imported."""
    sql = """
        SELECT count(*) FROM imports
        WHERE workshop_id = :workshop_id AND state = 'proposed' AND created_at > :since
    """
    number: int = await db.value(sql, workshop_id=workshop_id, since=later(now, -KEPT_SECONDS))
    return number


async def list_proposed(db: Read, workshop_id: str) -> list[str]:
    """The ids of files that are not imported yet."""
    sql = "SELECT id FROM imports WHERE workshop_id = :workshop_id AND state = 'proposed' ORDER BY id"
    return await db.all(str, sql, workshop_id=workshop_id)


async def delete_proposed(db: Write, ids: Sequence[str]) -> None:
    """Deletes files that are still not imported, with what is kept of them."""
    for import_id in ids:
        if await db.run("DELETE FROM imports WHERE id = :id AND state = 'proposed'", id=import_id):
            await orphaned_blobs.abandon(db, import_id)


async def save_mapping(
    db: Write, import_id: str, mapping: Mapping, errors: list[RowError], rows_with_errors: int
) -> None:
    await db.run(
        "UPDATE imports SET mapping = :mapping, errors = :errors, rows_with_errors = :rows_with_errors WHERE id = :id",
        id=import_id,
        mapping=to_json_text(mapping),
        errors=to_json_text(errors),
        rows_with_errors=rows_with_errors,
    )


class Versions(Struct, frozen=True):
    """The first and the last of the entries that an import added; None where it added none."""

    first: int | None
    last: int | None


async def save_run(db: Write, import_id: str, result: ImportResult, versions: Versions, now: Instant) -> None:
    """Cells of the file, and what was wrong with them, are not kept any longer."""
    await db.run(
        """
        UPDATE imports SET state = 'done', sample = '[]', errors = '[]', result = :result, run_at = :now,
            first_version = :first, last_version = :last
        WHERE id = :id
        """,
        id=import_id,
        result=json_or_none(result),
        now=now,
        first=versions.first,
        last=versions.last,
    )


async def save_undone(db: Write, import_id: str, now: Instant) -> None:
    await db.run("UPDATE imports SET state = 'undone', undone_at = :now WHERE id = :id", id=import_id, now=now)


async def delete_expired(db: Write, now: Instant) -> None:
    """Deletes imports whose file is gone, and those that cannot be undone any longer."""
    await db.run(
        "DELETE FROM imports WHERE created_at <= :kept AND (state = 'proposed' OR coalesce(run_at, '') <= :undoable)",
        kept=later(now, -KEPT_SECONDS),
        undoable=later(now, -UNDO_SECONDS),
    )


# Remembered mappings


async def remember(db: Write, workshop_id: str, kind: ImportKind, mapping: RememberedMapping, now: Instant) -> None:
    await db.run(
        """
        INSERT INTO import_mappings (workshop_id, kind, signature, headings, used_at)
        VALUES (:workshop_id, :kind, :signature, :headings, :now)
        ON CONFLICT (workshop_id, kind, signature) DO UPDATE
        SET headings = excluded.headings, used_at = excluded.used_at
        """,
        workshop_id=workshop_id,
        kind=kind,
        signature=mapping.signature,
        headings=to_json_text(mapping.headings),
        now=now,
    )
    await db.run(
        """
        DELETE FROM import_mappings WHERE workshop_id = :workshop_id AND kind = :kind AND used_at < (
            SELECT min(used_at) FROM (
                SELECT used_at FROM import_mappings WHERE workshop_id = :workshop_id AND kind = :kind
                ORDER BY used_at DESC LIMIT :most
            ) AS latest
        )
        """,
        workshop_id=workshop_id,
        kind=kind,
        most=_MOST_REMEMBERED,
    )


async def list_remembered(db: Read, workshop_id: str, kind: ImportKind) -> list[RememberedMapping]:
    sql = """
        SELECT signature, headings FROM import_mappings WHERE workshop_id = :workshop_id AND kind = :kind
        ORDER BY used_at DESC
    """
    return await db.all(RememberedMapping, sql, workshop_id=workshop_id, kind=kind)
