"""Imported rows: records of a file added to a workshop, with an entry of the log for each."""

from collections.abc import Sequence
from decimal import Decimal

from msgspec import Struct, json

from backbench.domain.accounts.calls import Call
from backbench.domain.customers.customers import Customer
from backbench.domain.estimating.grids import MAX_GRIDS, Grid, GridButton
from backbench.domain.imports.chunks import Chunk, Records
from backbench.domain.imports.imports import StoredImport, grid_name
from backbench.domain.imports.records import customer_chunk, customers_in, filled
from backbench.domain.values import numbers
from backbench.domain.values.errors import Conflict
from backbench.domain.values.scalars import fold_case
from backbench.domain.workshops.audit import source_of
from backbench.storage.customers import customers
from backbench.storage.engine.database import Catalog, Write
from backbench.storage.estimating import grids
from backbench.storage.imports import imported_rows
from backbench.storage.imports.imported_rows import SharedKey
from backbench.storage.imports.imports import Versions
from backbench.storage.workshops import audit

# What a row counts besides its texts, as in storage/workshops/counters.py.
_ROW_BYTES = 500
_Entry = tuple[str, str]
_decode_tiles = json.Decoder(list[GridButton], dec_hook=numbers.read, float_hook=Decimal).decode


class AddedRows(Struct, frozen=True):
    created: int
    updated: int
    versions: Versions


class _Added(Struct):
    """What has been added until now: entries of the log, and bytes of data."""

    entries: list[_Entry]
    bytes: int = 0
    updated: int = 0

    def count(self, event: str, chunk: Chunk) -> None:
        self.entries += [(event, id_) for id_ in chunk.ids]
        self.bytes += chunk.size + _ROW_BYTES * len(chunk.ids)


async def add(db: Write, call: Call, proposal: StoredImport, records: Records, catalog: Catalog) -> AddedRows:
    """Raises Conflict `plan_limit`."""
    added = _Added([])
    created = sum(len(chunk.ids) for chunk in records.chunks)
    if proposal.kind == "tiles":
        await _add_tiles(db, call, proposal, records.chunks, added)
    elif proposal.kind == "orders":
        await _add_orders(db, proposal.workshop_id, records.chunks, catalog, added)
    else:
        await _add_customers(db, call, proposal.workshop_id, records.chunks, catalog, added)
    if not added.entries:
        return AddedRows(0, added.updated, Versions(None, None))
    source = source_of(call)
    changes = [source.change(proposal.workshop_id, event, id_) for event, id_ in added.entries]
    last = await audit.add_all(db, changes, added.bytes)
    return AddedRows(created - added.updated, added.updated, Versions(last - len(changes) + 1, last))


async def _add_tiles(db: Write, call: Call, proposal: StoredImport, chunks: Sequence[Chunk], added: _Added) -> None:
    """A new grid for each chunk."""
    workshop_id = proposal.workshop_id
    await db.lock(f"grids {workshop_id}")
    count = await grids.count(db, workshop_id)
    if count + len(chunks) > MAX_GRIDS:
        detail = f"The tiles need {len(chunks)} grids, and a workshop can have at most {MAX_GRIDS}"
        raise Conflict("plan_limit", detail, limit=MAX_GRIDS, current=count)
    # The latest grid comes first in lists.
    for number, chunk in reversed(list(enumerate(chunks, start=1))):
        buttons = _decode_tiles(chunk.rows)
        name = grid_name(proposal.file_name, number, len(chunks))
        grid = Grid(call.new_id(), workshop_id, name, "medium", call.now, call.now, buttons)
        await grids.add(db, grid)
        added.count("grid.created", Chunk([grid.id], chunk.rows))


async def _add_orders(db: Write, workshop_id: str, chunks: Sequence[Chunk], catalog: Catalog, added: _Added) -> None:
    """An order names the customer with its phone or email address, where that is one alone."""
    # Nothing comes to name a customer that is deleted or merged at the same time.
    await customers.lock_links(db, workshop_id)
    for chunk in chunks:
        await imported_rows.add_orders(db, catalog, workshop_id, chunk)
        found: dict[str, set[str]] = {}
        for each in await imported_rows.find_shared(db, catalog, workshop_id, chunk):
            found.setdefault(each.row_id, set()).add(each.customer_id)
        linked = {order_id: next(iter(ids)) for order_id, ids in found.items() if len(ids) == 1}
        if linked:
            await imported_rows.link_customers(db, catalog, linked)
        added.count("order.created", chunk)


async def _add_customers(
    db: Write, call: Call, workshop_id: str, chunks: Sequence[Chunk], catalog: Catalog, added: _Added
) -> None:
    """Records with something in common with a customer add to that one what it lacks; the others are new."""
    await customers.lock_links(db, workshop_id)
    # All are looked for before any is added: rows of one file are not compared with each other here.
    known = [await imported_rows.find_shared(db, catalog, workshop_id, chunk) for chunk in chunks]
    for chunk, shared in zip(chunks, known, strict=True):
        new = chunk
        if shared:
            rows = customers_in(chunk, workshop_id, call.now)
            matches = _matches(rows, shared)
            await _fill(db, call, workshop_id, [row for row in rows if row.id in matches], matches, catalog, added)
            added.updated += len(matches)
            new = customer_chunk([row for row in rows if row.id not in matches])
        if new.ids:
            await imported_rows.add_customers(db, catalog, workshop_id, new, call.now)
            added.count("customer.created", new)


def _matches(rows: Sequence[Customer], shared: Sequence[SharedKey]) -> dict[str, str]:
    """The customer that each row is, by ids: the one with the same name first, else the oldest."""
    names = {row.id: fold_case(row.name) for row in rows}
    matches: dict[str, str] = {}
    named: set[str] = set()
    for each in shared:
        is_named = fold_case(each.name) == names[each.row_id]
        if each.row_id not in matches or (is_named and each.row_id not in named):
            matches[each.row_id] = each.customer_id
        if is_named:
            named.add(each.row_id)
    return matches


async def _fill(
    db: Write,
    call: Call,
    workshop_id: str,
    rows: Sequence[Customer],
    matches: dict[str, str],
    catalog: Catalog,
    added: _Added,
) -> None:
    ids = sorted(set(matches.values()))
    before = {each.id: each for each in await imported_rows.lock_customers(db, catalog, ids)}
    after = dict(before)
    for row in rows:
        customer_id = matches[row.id]
        if customer_id in after:
            after[customer_id] = filled(after[customer_id], row)
    changed = [customer for id_, customer in after.items() if customer != before[id_]]
    if changed:
        chunk = customer_chunk(changed)
        await imported_rows.save_filled(db, catalog, workshop_id, chunk, call.now)
        added.count("customer.updated", chunk)
