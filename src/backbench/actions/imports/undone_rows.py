"""Undone rows: what an import created is deleted, and what stays is listed with the reason."""

from backbench.domain.accounts.calls import Call
from backbench.domain.imports.imports import KeptRecord, StoredImport, UndoneImport
from backbench.domain.values.errors import Conflict
from backbench.domain.workshops.audit import source_of
from backbench.storage.engine.database import Catalog, Read, Write
from backbench.storage.imports import undone_rows
from backbench.storage.imports.undone_rows import ObjectKind
from backbench.storage.workshops import audit

_KINDS: dict[str, ObjectKind] = {"tiles": "grid", "customers": "customer", "orders": "order"}


async def delete(db: Write, call: Call, done: StoredImport, catalog: Catalog) -> UndoneImport:
    """Raises Conflict `changed` where somebody changed one of them at this very moment."""
    kind = _KINDS[done.kind]
    changed = await undone_rows.list_changed(db, done)
    deleted: set[str] = set()
    kept: list[KeptRecord] = []
    for created in await undone_rows.list_touched(db, done, f"{kind}.created"):
        unchanged = [id_ for id_ in created if id_ not in changed]
        gone = set(await undone_rows.delete_unused(db, catalog, kind, unchanged))
        deleted |= gone
        left = [id_ for id_ in created if id_ not in gone]
        present = await undone_rows.list_present(db, catalog, kind, left) if left else []
        kept += [KeptRecord(kind, row.id, row.name, "changed" if row.id in changed else "in_use") for row in present]
    kept += await _list_updated(db, done, catalog)
    if deleted:
        await _add_entries(db, call, done, kind, deleted)
    return UndoneImport(len(deleted), kept)


async def _add_entries(db: Write, call: Call, done: StoredImport, kind: ObjectKind, deleted: set[str]) -> None:
    source = source_of(call)
    changes = [source.change(done.workshop_id, f"{kind}.deleted", id_) for id_ in sorted(deleted)]
    # From here on other writers of the workshop wait. What they changed before is seen now.
    until = await audit.add_all(db, changes) - len(changes)
    if deleted & await undone_rows.list_changed(db, done, until):
        raise Conflict("changed", "Something of the import was changed at this moment; try again")


async def _list_updated(db: Read, done: StoredImport, catalog: Catalog) -> list[KeptRecord]:
    """The customers that the import only added something to."""
    return [
        KeptRecord("customer", row.id, row.name, "existed")
        for updated in await undone_rows.list_touched(db, done, "customer.updated")
        if updated
        for row in await undone_rows.list_present(db, catalog, "customer", updated)
    ]
