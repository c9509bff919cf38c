"""What an import created, in the database: found by the entries of the log, and deleted where nobody uses it.

Rows are found by their ids alone, which the log of the workshop has: with the workshop in the condition, PostgreSQL may
read all of its rows for each statement.
"""

from collections.abc import Iterator, Mapping, Sequence
from typing import Literal

from msgspec import Struct, json

from backbench.domain.imports.imports import StoredImport
from backbench.storage.engine.database import Catalog, Read, Write

_VERSIONS_AT_ONCE = 1_000
ObjectKind = Literal["grid", "customer", "order"]


class _Table(Struct, frozen=True):
    """`name`: the column that people know a row `t` by. `unused`: the condition that nothing refers to it."""

    table: str
    name: str
    present: str = ""
    unused: str = ""


_TABLES: Mapping[ObjectKind, _Table] = {
    "grid": _Table("grids", "name"),
    "customer": _Table(
        "customers",
        "name",
        "AND t.state = 'present'",
        """
        AND NOT EXISTS (SELECT 1 FROM order_details d WHERE d.customer_id = t.id)
        AND NOT EXISTS (SELECT 1 FROM estimates e WHERE e.customer_id = t.id)
        AND NOT EXISTS (SELECT 1 FROM revisions r WHERE r.customer_id = t.id)
        """,
    ),
    "order": _Table(
        "orders",
        "title",
        "",
        """
        AND t.estimate_id IS NULL
        AND NOT EXISTS (SELECT 1 FROM payments p WHERE p.order_id = t.id)
        AND NOT EXISTS (SELECT 1 FROM photos f WHERE f.order_id = t.id)
        AND NOT EXISTS (SELECT 1 FROM order_questions q WHERE q.order_id = t.id)
        """,
    ),
}


class Named(Struct, frozen=True):
    id: str
    name: str


async def list_touched(db: Read, done: StoredImport, event: str) -> list[list[str]]:
    """The ids of what has an entry of the event by the import, in lists that one statement takes."""
    sql = """
        SELECT object_id FROM audit_entries
        WHERE workshop_id = :workshop_id AND version >= :first AND version <= :last AND action = :event
    """
    return [
        await db.all(str, sql, workshop_id=done.workshop_id, first=first, last=last, event=event)
        for first, last in _ranges(done)
    ]


async def list_changed(db: Read, done: StoredImport, until: int | None = None) -> set[str]:
    """The ids of everything in the workshop that has an entry after those of the import, up to the version `until`."""
    sql = f"""
        SELECT DISTINCT object_id FROM audit_entries
        WHERE workshop_id = :workshop_id AND version > :after {"" if until is None else "AND version <= :until"}
    """
    limit = {} if until is None else {"until": until}
    return set(await db.all(str, sql, workshop_id=done.workshop_id, after=done.last_version, **limit))


async def delete_unused(db: Write, catalog: Catalog, kind: ObjectKind, ids: Sequence[str]) -> list[str]:
    """Deletes those of the rows that nothing refers to. Returns their ids."""
    found = _TABLES[kind]
    sql = f"""
        DELETE FROM {found.table} AS t WHERE t.id IN ({catalog.rows_from_json(found.table, ["id"])})
            {found.present} {found.unused} RETURNING id
    """
    return await db.all(str, sql, rows=_rows(ids))


async def list_present(db: Read, catalog: Catalog, kind: ObjectKind, ids: Sequence[str]) -> list[Named]:
    """Those of the rows that are there."""
    found = _TABLES[kind]
    sql = f"""
        SELECT t.id, t.{found.name} AS name FROM {found.table} t
        WHERE t.id IN ({catalog.rows_from_json(found.table, ["id"])}) {found.present} ORDER BY t.id
    """
    return await db.all(Named, sql, rows=_rows(ids))


def _rows(ids: Sequence[str]) -> str:
    return json.encode([{"id": id_} for id_ in ids]).decode()


def _ranges(done: StoredImport) -> Iterator[tuple[int, int]]:
    """The versions of the import, in ranges that one statement takes."""
    if done.first_version is None or done.last_version is None:
        return
    for first in range(done.first_version, done.last_version + 1, _VERSIONS_AT_ONCE):
        yield first, min(first + _VERSIONS_AT_ONCE - 1, done.last_version)
