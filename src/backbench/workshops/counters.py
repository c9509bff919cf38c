"""Counters of workshops in the database: `version` (docs/decisions/one-numbered-log-per-workshop.md) and `data_bytes`.

The write that takes a version adds to `data_bytes` what it stores at most (docs/decisions/data-quota.md).
A recount sums up the rows. `counted_version` is the version of the last recount: at that version the counter is exact,
and afterwards too high by what was deleted or replaced since.
"""

from msgspec import Struct

from backbench.engine.database import Read, Write
from backbench.workshops.tables import counted_rows

_ACTUAL = f"""
    SELECT CAST(coalesce(sum(bytes), 0) AS BIGINT) FROM ({counted_rows("WHERE workshop_id = :id")}) AS counted_rows
"""


async def add(db: Write, workshop_id: str, history: str) -> None:
    """Adds the counters of a new workshop. `history` names its log, for cursors."""
    await db.add(
        "workshop_counters",
        workshop_id=workshop_id,
        data_bytes=0,
        version=0,
        history=history,
        last_entry_id="",
        counted_version=0,
    )


async def data_bytes(db: Read, workshop_id: str) -> int:
    """The bytes of data that the workshop holds, or more: what was deleted since the last recount is included."""
    return int(await db.value("SELECT data_bytes FROM workshop_counters WHERE workshop_id = :id", id=workshop_id) or 0)


async def actual_bytes(db: Read, workshop_id: str) -> int:
    """The bytes of data that the workshop holds, exactly. Reads every row of it."""
    return int(await db.value(_ACTUAL, id=workshop_id))


async def correct(db: Write, workshop_id: str) -> int:
    """Sets the counter to what the workshop holds, and returns that.

    Locks the row of the counters, so that no other transaction adds to them meanwhile: what it adds would be lost.
    """
    lock = "UPDATE workshop_counters SET counted_version = version WHERE workshop_id = :id"
    await db.run(lock, id=workshop_id)
    actual = await actual_bytes(db, workshop_id)
    await db.run(
        "UPDATE workshop_counters SET data_bytes = :bytes WHERE workshop_id = :id", bytes=actual, id=workshop_id
    )
    return actual


class Recount(Struct, frozen=True):
    """What a workshop holds at a version, exactly."""

    workshop_id: str
    version: int
    bytes: int


async def recount_outdated(db: Read, after: str) -> Recount | None:
    """The next workshop by id that has changed since its data was counted last, counted. None: there is no other.

    `db` is a snapshot: the version and the rows belong together, and reading the rows takes time.
    """
    next_one = """
        SELECT workshop_id FROM workshop_counters WHERE counted_version <> version AND workshop_id > :after
        ORDER BY workshop_id LIMIT 1
    """
    workshop_id = await db.value(next_one, after=after)
    if workshop_id is None:
        return None
    version = await db.value("SELECT version FROM workshop_counters WHERE workshop_id = :id", id=workshop_id)
    return Recount(workshop_id, version, await actual_bytes(db, workshop_id))


async def save_recount(db: Write, recount: Recount) -> None:
    """Corrects the counter, unless the workshop has changed meanwhile."""
    await db.run(
        """
        UPDATE workshop_counters SET data_bytes = :bytes, counted_version = :version
        WHERE workshop_id = :id AND version = :version
        """,
        id=recount.workshop_id,
        version=recount.version,
        bytes=recount.bytes,
    )
