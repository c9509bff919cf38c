"""Files in the database: a record per stored file, and the storage that a workshop uses."""

from backbench.domain.estimating.files import StoredFile
from backbench.domain.values.errors import NotFound
from backbench.domain.values.times import Instant
from backbench.storage.engine.database import Read, Write
from backbench.storage.engine.lists import NewestFirst
from backbench.storage.engine.objects import Loaded
from backbench.storage.engine.rows import columns
from backbench.storage.estimating.orphaned_blobs import DUE_NOW

_COLUMNS = columns(StoredFile)
# The file of a path.
FILE = Loaded(StoredFile, "file", "files f", key="file_id", condition="f.id = :file_id AND f.deleted_at IS NULL")


async def find(db: Read, file_id: str) -> StoredFile:
    """Raises NotFound."""
    sql = f"SELECT {_COLUMNS} FROM files WHERE id = :id AND deleted_at IS NULL"
    file = await db.one(StoredFile, sql, id=file_id)
    if file is None:
        raise NotFound
    return file


async def lookup_with_deleted(db: Read, file_id: str) -> StoredFile | None:
    """The file, also one that a member deleted and that revisions still show. None if its content was lost."""
    return await db.one(StoredFile, f"SELECT {_COLUMNS} FROM files WHERE id = :id", id=file_id)


async def is_logo_of_a_revision(db: Read, file_id: str) -> bool:
    return await db.value("SELECT 1 FROM revisions WHERE logo_file_id = :id LIMIT 1", id=file_id) is not None


def of_workshop(workshop_id: str, *, with_estimates: bool = True) -> NewestFirst[StoredFile]:
    """The workshop's files, with those that belong to estimates unless they are left out."""
    select = f"SELECT {_COLUMNS} FROM files WHERE workshop_id = :workshop_id AND deleted_at IS NULL"
    if not with_estimates:
        select += " AND estimate_id IS NULL"
    return NewestFirst(StoredFile, select, {"workshop_id": workshop_id})


async def count(db: Read, workshop_id: str) -> int:
    """Of files, and of photos of orders."""
    sql = """
        SELECT (SELECT count(*) FROM files WHERE workshop_id = :workshop_id AND deleted_at IS NULL)
            + (SELECT count(*) FROM photos WHERE workshop_id = :workshop_id)
    """
    return int(await db.value(sql, workshop_id=workshop_id))


async def list_icon_ids(db: Read, workshop_id: str) -> set[str]:
    """The ids of the workshop's icons."""
    sql = """
        SELECT id FROM files WHERE workshop_id = :workshop_id AND category = 'grid_tile_icon' AND deleted_at IS NULL
    """
    return set(await db.all(str, sql, workshop_id=workshop_id))


async def use_storage(db: Write, workshop_id: str, size: int) -> None:
    """Adds the size of a file, or of a photo, to the storage that the workshop uses."""
    sql = "UPDATE workshops SET storage_used_bytes = storage_used_bytes + :size WHERE id = :workshop_id"
    await db.run(sql, workshop_id=workshop_id, size=size)


async def add(db: Write, file: StoredFile) -> None:
    """Adds the record. The caller adds its size to the storage that the workshop uses."""
    await db.add("files", file)


async def delete(db: Write, file: StoredFile) -> None:
    """Deletes the record, frees its storage and marks its blob as orphaned."""
    await _delete(db, "id = :id", file.id)


async def save_deleted(db: Write, file_id: str, at: Instant) -> None:
    """Deletes the file for members, but not for the documents of the revisions that show it as logo.

    Its storage stays in use until the last of them is deleted.
    """
    await db.run("UPDATE files SET deleted_at = :at WHERE id = :id", id=file_id, at=at)


async def delete_unused_logos(db: Write, workshop_id: str) -> None:
    """Deletes the logos that were deleted by a member and that no revision shows any more."""
    unused = await db.all(
        str,
        """
        SELECT id FROM files WHERE workshop_id = :workshop_id AND deleted_at IS NOT NULL
            AND NOT EXISTS (SELECT 1 FROM revisions WHERE revisions.logo_file_id = files.id)
        """,
        workshop_id=workshop_id,
    )
    for file_id in unused:
        await _delete(db, "id = :id", file_id)


async def delete_of_estimate(db: Write, estimate_id: str) -> None:
    await _delete(db, "estimate_id = :id", estimate_id)


async def delete_of_workshop(db: Write, workshop_id: str) -> None:
    await _delete(db, "workshop_id = :id", workshop_id)


async def _delete(db: Write, condition: str, id_: str) -> None:
    # A concurrent deletion of the same file waits at the conflict, and then finds nothing to delete.
    await db.run(
        f"""
        INSERT INTO stray_bytes (id, is_upload, due_at) SELECT id, 0, :due_now FROM files WHERE {condition}
        ON CONFLICT (id) DO NOTHING
        """,
        id=id_,
        due_now=DUE_NOW,
    )
    await db.run(
        f"""
        UPDATE workshops SET storage_used_bytes = storage_used_bytes - (
            SELECT coalesce(sum(size_bytes), 0) FROM files WHERE {condition}
        ) WHERE id = (SELECT workshop_id FROM files WHERE {condition} LIMIT 1)
        """,
        id=id_,
    )
    await db.run(f"DELETE FROM files WHERE {condition}", id=id_)
