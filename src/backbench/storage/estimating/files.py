"""Files in the database: the record of what is stored, and how much of a workshop's room it takes."""

from backbench.domain.estimating.files import StoredFile
from backbench.domain.values.errors import NotFound
from backbench.domain.values.pagination import PageQuery
from backbench.storage.engine.cursors import newest
from backbench.storage.engine.database import Read, Write
from backbench.storage.engine.parameters import or_none
from backbench.storage.estimating.orphaned_blobs import AT_ONCE

_COLUMNS = """id, workshop_id, category, content_type, size_bytes, uploaded_by_uid, created_at, name, estimate_id"""


async def find(db: Read, file_id: str) -> StoredFile:
    file = await db.one(StoredFile, f"SELECT {_COLUMNS} FROM files WHERE id = :id", id=file_id)
    if file is None:
        raise NotFound
    return file


async def list_page(db: Read, workshop_id: str, part: PageQuery) -> tuple[list[StoredFile], str | None]:
    """The workshop's files, newest first, and the cursor that leads on."""
    select = f"SELECT {_COLUMNS} FROM files WHERE workshop_id = :workshop_id"
    return await newest(db, StoredFile, select, part, workshop_id=workshop_id)


async def icons(db: Read, workshop_id: str) -> set[str]:
    """The ids of the workshop's icons."""
    sql = "SELECT id FROM files WHERE workshop_id = :workshop_id AND category = 'grid_tile_icon'"
    return set(await db.all(str, sql, workshop_id=workshop_id))


async def add(db: Write, file: StoredFile) -> None:
    """The record, and the room that it takes."""
    await db.run(
        "UPDATE workshops SET storage_used_bytes = storage_used_bytes + :size WHERE id = :workshop_id",
        workshop_id=file.workshop_id,
        size=file.size_bytes,
    )
    await db.run(
        f"""
        INSERT INTO files ({_COLUMNS})
        VALUES (:id, :workshop_id, :category, :content_type, :size_bytes, :uploaded_by_uid, :created_at, :name,
            :estimate_id)
        """,
        id=file.id,
        workshop_id=file.workshop_id,
        category=file.category,
        content_type=file.content_type,
        size_bytes=file.size_bytes,
        uploaded_by_uid=file.uploaded_by_uid,
        created_at=file.created_at,
        name=or_none(file.name),
        estimate_id=or_none(file.estimate_id),
    )


async def delete(db: Write, file: StoredFile) -> None:
    """The record goes, its room is free, and its bytes are stray."""
    await _remove(db, "id = :of", file.id)


async def delete_of_estimate(db: Write, estimate_id: str) -> None:
    await _remove(db, "estimate_id = :of", estimate_id)


async def delete_of_workshop(db: Write, workshop_id: str) -> None:
    await _remove(db, "workshop_id = :of", workshop_id)


async def _remove(db: Write, which: str, of: str) -> None:
    # Whoever removes the same file in the same moment waits at the conflict, and then finds nothing left to remove.
    await db.run(
        f"""
        INSERT INTO stray_bytes (id, is_upload, due_at) SELECT id, 0, :at_once FROM files WHERE {which}
        ON CONFLICT (id) DO NOTHING
        """,
        of=of,
        at_once=AT_ONCE,
    )
    await db.run(
        f"""
        UPDATE workshops SET storage_used_bytes = storage_used_bytes - (
            SELECT coalesce(sum(size_bytes), 0) FROM files WHERE {which}
        ) WHERE id = (SELECT workshop_id FROM files WHERE {which} LIMIT 1)
        """,
        of=of,
    )
    await db.run(f"DELETE FROM files WHERE {which}", of=of)
