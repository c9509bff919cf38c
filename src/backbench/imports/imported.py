"""What an import makes: records of a file added to a workshop, found among those that exist, and deleted when undone.

Rows are found by their ids alone, which the log of the workshop has: with the workshop in the condition, PostgreSQL may
read all of its rows for each statement.
"""

from collections.abc import Iterator, Sequence
from decimal import Decimal
from typing import Literal

from msgspec import Struct, json

from backbench.customers import customer_links, customers
from backbench.customers.customers import COLUMNS as CUSTOMER_COLUMNS
from backbench.customers.customers import Customer
from backbench.engine.database import Catalog, Read, Write
from backbench.estimating import grids
from backbench.estimating.grids import MAX_GRIDS, Grid, GridButton
from backbench.imports.fields import MOST_ERRORS, Mapping, RowError, first_notes
from backbench.imports.headings import ImportKind
from backbench.imports.records import (
    Chunk,
    Contact,
    Records,
    StoredCustomer,
    customer_chunk,
    customers_in,
    filled,
    note_of,
)
from backbench.values import numbers
from backbench.values.calls import Call
from backbench.values.errors import Conflict
from backbench.values.scalars import fold_case
from backbench.values.times import Instant
from backbench.workshops import audit
from backbench.workshops.audit import source_of
from backbench.workshops.tables import unused

# What a row counts besides its texts, as in workshops/tables.py.
_ROW_BYTES = 500
_VERSIONS_AT_ONCE = 1_000
MOST_DUPLICATES = 100
_decode_tiles = json.Decoder(list[GridButton], dec_hook=numbers.read, float_hook=Decimal).decode


class Duplicate(Struct, frozen=True, rename="camel"):
    """A row with a phone, email address or tax id of a customer who has another name: both may be one."""

    row: int
    customer_id: str


class Versions(Struct, frozen=True):
    """The first and the last of the entries of the log that an import added; None where it added none."""

    first: int | None
    last: int | None


class Added(Struct):
    """What an import has added until now: entries of the log, and bytes of data. `notes`: cells that were left out."""

    entries: list[tuple[str, str]] = []
    duplicates: list[Duplicate] = []
    notes: list[RowError] = []
    versions: Versions = Versions(None, None)
    bytes: int = 0
    updated: int = 0

    def count(self, event: str, chunk: Chunk) -> None:
        self.entries += [(event, id_) for id_ in chunk.ids]
        self.bytes += chunk.size + _ROW_BYTES * len(chunk.ids)


class KeptRecord(Struct, frozen=True):
    """What an import touched and undoing it left: `name` is that of the customer or grid, or the title of the order."""

    kind: Literal["grid", "customer", "order"]
    id: str
    name: str
    reason: Literal["changed", "in_use", "existed"]


# Statements: what exists


class _Shared(Struct, frozen=True):
    """A record of a file, and a customer with something in common."""

    row_id: str
    customer_id: str
    name: str
    key: str


async def _find_shared(db: Read, catalog: Catalog, workshop_id: str, keys: str) -> list[_Shared]:
    """The customers that have a phone, email address or tax id of the keys, the oldest first."""
    # Keys are looked up for the rows. Both engines would read all keys of the workshop and search the chunk for each
    # of them: SQLite but for CROSS JOIN, PostgreSQL if it knew that the id of the workshop is the same in all rows.
    sql = f"""
        WITH sent (row_id, key, workshop_id) AS MATERIALIZED (
            SELECT chunk.*, CAST(:workshop_id AS TEXT)
            FROM ({catalog.rows_from_json("customer_keys", ["customer_id", "key"])}) AS chunk
        )
        SELECT DISTINCT sent.row_id, c.id AS customer_id, c.name, sent.key
        FROM sent CROSS JOIN customer_keys k CROSS JOIN customers c
        WHERE k.workshop_id = sent.workshop_id AND k.key = sent.key AND c.id = k.customer_id AND c.state = 'present'
        ORDER BY row_id, customer_id
    """
    return await db.all(_Shared, sql, rows=keys, workshop_id=workshop_id)


async def _find_customers(db: Read, catalog: Catalog, ids: Sequence[str]) -> list[Customer]:
    condition = f"id IN ({catalog.rows_from_json('customers', ['id'])}) AND state = 'present'"
    return await db.all(Customer, f"SELECT {CUSTOMER_COLUMNS} FROM customers c WHERE {condition}", rows=_rows(ids))


async def _lock_customers(db: Write, ids: Sequence[str]) -> list[Customer]:
    """The customers, locked against changes by others until the end of the transaction."""
    condition = f"id IN ({db.catalog.rows_from_json('customers', ['id'])}) AND state = 'present'"
    await db.run(f"UPDATE customers SET state = state WHERE {condition}", rows=_rows(ids))
    return await _find_customers(db, db.catalog, ids)


# Statements: what is added, a chunk in each

_ORDER = ("title", "title_folded", "customer_name", "customer_folded", "notes", "status", "created_at",
    "last_activity_at", "status_history")  # fmt: skip
_DETAILS = ("phone", "phone_digits", "item", "item_folded", "due_on", "due_time", "price_limit", "place",
    "collected_at")  # fmt: skip
# What an import may add to a customer that exists.
_FILLED = ("phones", "emails", "notes", "address", "site_address", "tax_id", "locale", "search_text", "phone_digits")


async def _insert_customers(db: Write, workshop_id: str, chunk: Chunk, now: Instant) -> None:
    names = ", ".join(StoredCustomer.__struct_fields__)
    await db.run(
        f"""
        WITH sent ({names}) AS ({db.catalog.rows_from_json("customers", StoredCustomer.__struct_fields__)})
        INSERT INTO customers ({names}, workshop_id, created_at, updated_at, state)
        SELECT {names}, :workshop_id, :now, :now, 'present' FROM sent
        """,
        rows=chunk.rows,
        workshop_id=workshop_id,
        now=now,
    )
    await _insert_keys(db, workshop_id, chunk.keys)


async def _save_filled(db: Write, workshop_id: str, chunk: Chunk, now: Instant) -> None:
    """Saves customers that were locked in the same transaction."""
    names = ("id", *_FILLED)
    await db.run(
        f"""
        WITH sent ({", ".join(names)}) AS ({db.catalog.rows_from_json("customers", names)})
        UPDATE customers SET {", ".join(f"{name} = sent.{name}" for name in _FILLED)}, updated_at = :now
        FROM sent WHERE customers.id = sent.id
        """,
        rows=chunk.rows,
        now=now,
    )
    ids = db.catalog.rows_from_json("customers", ["id"])
    await db.run(f"DELETE FROM customer_keys WHERE customer_id IN ({ids})", rows=chunk.rows)
    await _insert_keys(db, workshop_id, chunk.keys)


async def _insert_keys(db: Write, workshop_id: str, keys: str) -> None:
    await db.run(
        f"""
        WITH sent (customer_id, key) AS ({db.catalog.rows_from_json("customer_keys", ["customer_id", "key"])})
        INSERT INTO customer_keys (workshop_id, key, customer_id) SELECT :workshop_id, key, customer_id FROM sent
        """,
        rows=keys,
        workshop_id=workshop_id,
    )


async def _insert_orders(db: Write, workshop_id: str, chunk: Chunk) -> None:
    """A trigger makes the details of each, with the next number. Without a price nothing is owed for them."""
    names = ", ".join(_ORDER)
    await db.run(
        f"""
        WITH sent (id, {names}) AS ({db.catalog.rows_from_json("orders", ("id", *_ORDER))})
        INSERT INTO orders (id, workshop_id, {names}) SELECT id, :workshop_id, {names} FROM sent
        """,
        rows=chunk.rows,
        workshop_id=workshop_id,
    )
    details = ("order_id", *_DETAILS)
    await db.run(
        f"""
        WITH sent ({", ".join(details)}) AS ({db.catalog.rows_from_json("order_details", details)})
        UPDATE order_details SET {", ".join(f"{name} = sent.{name}" for name in _DETAILS)},
            owed_thousandths = CASE WHEN sent.collected_at IS NULL THEN NULL ELSE 0 END
        FROM sent WHERE order_details.order_id = sent.order_id
        """,
        rows=chunk.rows,
    )


async def _link_customers(db: Write, linked: dict[str, str]) -> None:
    """Records the customer of each order: `linked` has ids of customers by order."""
    names = ["order_id", "customer_id"]
    await db.run(
        f"""
        WITH sent (order_id, customer_id) AS ({db.catalog.rows_from_json("order_details", names)})
        UPDATE order_details SET customer_id = sent.customer_id FROM sent WHERE order_details.order_id = sent.order_id
        """,
        rows=json.encode([dict(zip(names, each, strict=True)) for each in linked.items()]).decode(),
    )


# Statements: what is deleted again


class _Table(Struct, frozen=True):
    """`name`: the column that people know a row `t` by. `unused`: the condition that nothing refers to it."""

    kind: Literal["grid", "customer", "order"]
    table: str
    name: str
    present: str = ""
    unused: str = ""


_CUSTOMERS = _Table(
    "customer",
    "customers",
    "name",
    "AND t.state = 'present'",
    unused("customers", "t"),
)
_ORDERS = _Table(
    "order",
    "orders",
    "title",
    "",
    f"AND t.estimate_id IS NULL {unused('orders', 't')}",
)
_TABLES: dict[ImportKind, _Table] = {
    "tiles": _Table("grid", "grids", "name"), "customers": _CUSTOMERS, "orders": _ORDERS,
}  # fmt: skip


class _Named(Struct, frozen=True):
    id: str
    name: str


async def _list_touched(db: Read, workshop_id: str, versions: Versions, event: str) -> list[list[str]]:
    """The ids of what has an entry of the event by the import, in lists that one statement takes."""
    sql = """
        SELECT object_id FROM audit_entries
        WHERE workshop_id = :workshop_id AND version >= :first AND version <= :last AND action = :event
    """
    return [
        await db.all(str, sql, workshop_id=workshop_id, first=first, last=last, event=event)
        for first, last in _ranges(versions)
    ]


def _ranges(versions: Versions) -> Iterator[tuple[int, int]]:
    if versions.first is not None and versions.last is not None:
        for first in range(versions.first, versions.last + 1, _VERSIONS_AT_ONCE):
            yield first, min(first + _VERSIONS_AT_ONCE - 1, versions.last)


async def _list_changed(db: Read, workshop_id: str, versions: Versions, until: int | None = None) -> set[str]:
    """The ids of everything in the workshop that has an entry after those of the import, up to the version `until`."""
    sql = f"""
        SELECT DISTINCT object_id FROM audit_entries
        WHERE workshop_id = :workshop_id AND version > :after {"" if until is None else "AND version <= :until"}
    """
    limit = {} if until is None else {"until": until}
    return set(await db.all(str, sql, workshop_id=workshop_id, after=versions.last, **limit))


async def _delete_unused(db: Write, found: _Table, ids: Sequence[str]) -> set[str]:
    """Deletes those of the rows that nothing refers to. Returns their ids."""
    sql = f"""
        DELETE FROM {found.table} AS t WHERE t.id IN ({db.catalog.rows_from_json(found.table, ["id"])})
            {found.present} {found.unused} RETURNING id
    """
    return set(await db.all(str, sql, rows=_rows(ids)))


async def _list_present(db: Write, found: _Table, ids: Sequence[str]) -> list[_Named]:
    """Those of the rows that are there."""
    sql = f"""
        SELECT t.id, t.{found.name} AS name FROM {found.table} t
        WHERE t.id IN ({db.catalog.rows_from_json(found.table, ["id"])}) {found.present} ORDER BY t.id
    """
    return await db.all(_Named, sql, rows=_rows(ids)) if ids else []


def _rows(ids: Sequence[str]) -> str:
    return json.encode([{"id": id_} for id_ in ids]).decode()


# Verbs


async def compare(
    db: Read,
    catalog: Catalog,
    workshop_id: str,
    kind: ImportKind,
    people: Sequence[Chunk],
    mapping: Mapping,
    now: Instant,
) -> tuple[list[Duplicate], list[RowError]]:
    """Rows that would be new customers beside one with the same phone, email address or tax id; and cells of rows that
    the customers who exist do not take. The first hundred of each."""
    duplicates: list[Duplicate] = []
    notes: list[RowError] = []
    for chunk in people:
        shared = await _find_shared(db, catalog, workshop_id, chunk.keys)
        if kind == "orders":
            notes += _linked(chunk, shared, mapping)[1]
        elif shared:
            matches, others = _matches(dict(zip(chunk.ids, chunk.contacts, strict=True)), shared)
            duplicates += others
            if matches and len(notes) < MOST_ERRORS:
                found = await _find_customers(db, catalog, sorted(set(matches.values())))
                notes += _filled({each.id: each for each in found}, chunk, matches, mapping, now)[1]
    return sorted(duplicates, key=lambda each: each.row)[:MOST_DUPLICATES], first_notes(notes)


async def add(
    db: Write, call: Call, workshop_id: str, kind: ImportKind, file_name: str, mapping: Mapping, records: Records
) -> Added:
    """Adds the records, with an entry of the log for each. Raises Conflict `plan_limit`."""
    added = Added()
    if kind == "tiles":
        await _add_tiles(db, call, workshop_id, file_name, records.chunks, added)
    elif kind == "orders":
        await _add_orders(db, workshop_id, records.chunks, mapping, added)
    else:
        await _add_customers(db, call, workshop_id, records.chunks, mapping, added)
    if added.entries:
        source = source_of(call)
        changes = [source.change(workshop_id, event, id_) for event, id_ in added.entries]
        last = await audit.add_all(db, changes, added.bytes)
        added.versions = Versions(last - len(changes) + 1, last)
    return added


async def delete(
    db: Write, call: Call, workshop_id: str, kind: ImportKind, versions: Versions
) -> tuple[int, list[KeptRecord]]:
    """Deletes what an import created, and counts it; and what stays, with the reason.

    Raises Conflict `changed` where somebody changed one of them at this very moment.
    """
    found = _TABLES[kind]
    changed = await _list_changed(db, workshop_id, versions)
    deleted: set[str] = set()
    kept: list[KeptRecord] = []
    for created in await _list_touched(db, workshop_id, versions, f"{found.kind}.created"):
        gone = await _delete_unused(db, found, [id_ for id_ in created if id_ not in changed])
        deleted |= gone
        left = await _list_present(db, found, [id_ for id_ in created if id_ not in gone])
        kept += [KeptRecord(found.kind, row.id, row.name, "changed" if row.id in changed else "in_use") for row in left]
    for updated in await _list_touched(db, workshop_id, versions, "customer.updated"):
        kept += [
            KeptRecord("customer", row.id, row.name, "existed") for row in await _list_present(db, _CUSTOMERS, updated)
        ]
    if deleted:
        source = source_of(call)
        changes = [source.change(workshop_id, f"{found.kind}.deleted", id_) for id_ in sorted(deleted)]
        # From here on other writers of the workshop wait. What they changed before is seen now.
        until = await audit.add_all(db, changes) - len(changes)
        if deleted & await _list_changed(db, workshop_id, versions, until):
            raise Conflict("changed", "Something of the import was changed at this moment; try again")
    return len(deleted), kept


async def _add_tiles(
    db: Write, call: Call, workshop_id: str, file_name: str, chunks: Sequence[Chunk], added: Added
) -> None:
    """A new grid for each chunk, named as the file names it, or after the file."""
    await db.lock(f"grids {workshop_id}")
    count = await grids.count(db, workshop_id)
    if count + len(chunks) > MAX_GRIDS:
        detail = f"The tiles need {len(chunks)} grids, and a workshop can have at most {MAX_GRIDS}"
        raise Conflict("plan_limit", detail, limit=MAX_GRIDS, current=count)
    names = _grid_names(file_name, chunks)
    # The latest grid comes first in lists.
    for name, chunk in reversed(list(zip(names, chunks, strict=True))):
        grid = Grid(call.new_id(), workshop_id, name, "medium", call.now, call.now, _decode_tiles(chunk.rows))
        await db.add("grids", grid)
        added.count("grid.created", Chunk([grid.id], chunk.rows))


def _grid_names(file_name: str, chunks: Sequence[Chunk]) -> list[str]:
    """The names of the grids, numbered where several have the same."""
    stem = file_name.rpartition("/")[2].rpartition(".")[0] or file_name
    own = "".join(each for each in stem if each.isprintable()).strip()[:200] or "Import"
    names = [chunk.grid or own for chunk in chunks]
    return [
        name if names.count(name) == 1 else f"{name} {names[: at + 1].count(name)}" for at, name in enumerate(names)
    ]


async def _add_orders(db: Write, workshop_id: str, chunks: Sequence[Chunk], mapping: Mapping, added: Added) -> None:
    """An order names the customer with its name and its phone or email address, where that is one alone."""
    # Nothing comes to name a customer that is deleted or merged at the same time.
    await customer_links.lock_links(db, workshop_id)
    await audit.lock(db, workshop_id)
    for chunk in chunks:
        await _insert_orders(db, workshop_id, chunk)
        shared = await _find_shared(db, db.catalog, workshop_id, chunk.keys)
        linked, notes = _linked(chunk, shared, mapping)
        added.notes = first_notes(added.notes, notes)
        if linked:
            await _link_customers(db, linked)
        added.count("order.created", chunk)


def _linked(chunk: Chunk, shared: Sequence[_Shared], mapping: Mapping) -> tuple[dict[str, str], list[RowError]]:
    """The customer of each order that has one, by id; and the email addresses that are not those of the customer."""
    contacts = dict(zip(chunk.ids, chunk.contacts, strict=True))
    found: dict[str, set[str]] = {}
    for each in shared:
        if contacts[each.row_id].name in ("", fold_case(each.name)):
            found.setdefault(each.row_id, set()).add(each.customer_id)
    linked = {order_id: next(iter(ids)) for order_id, ids in found.items() if len(ids) == 1}
    known = {(each.row_id, each.customer_id) for each in shared if each.key.startswith("email ")}
    notes = [
        note_of(row, field, "no_customer", mapping)
        for order_id, contact in contacts.items()
        for row, field, _ in contact.cells.get("emails", [])
        if (order_id, linked.get(order_id)) not in known
    ]
    return linked, notes


async def _add_customers(
    db: Write, call: Call, workshop_id: str, chunks: Sequence[Chunk], mapping: Mapping, added: Added
) -> None:
    """Records of customers that exist add to those what they lack; the others are new."""
    await customer_links.lock_links(db, workshop_id)
    # All are looked for before any is added: rows of one file are not compared with each other here.
    is_first = not await customers.has_any(db, workshop_id)
    known = [[] if is_first else await _find_shared(db, db.catalog, workshop_id, chunk.keys) for chunk in chunks]
    for chunk, shared in zip(chunks, known, strict=True):
        new = chunk
        if shared:
            matches, duplicates = _matches(dict(zip(chunk.ids, chunk.contacts, strict=True)), shared)
            await _fill(db, call, workshop_id, chunk, matches, mapping, added)
            added.updated += len(matches)
            added.duplicates = [*added.duplicates, *duplicates][:MOST_DUPLICATES]
            people = customers_in(chunk, workshop_id, call.now)
            new = customer_chunk([each for each in people if each[0].id not in matches])
        if new.ids:
            await _insert_customers(db, workshop_id, new, call.now)
            added.count("customer.created", new)


def _matches(contacts: dict[str, Contact], shared: Sequence[_Shared]) -> tuple[dict[str, str], list[Duplicate]]:
    """The customer that each row is, by ids: the oldest with the same name; of a row without a name the oldest of all.
    And those rows that are nobody's and share something with somebody."""
    matches: dict[str, str] = {}
    for each in shared:
        if contacts[each.row_id].name in ("", fold_case(each.name)):
            matches.setdefault(each.row_id, each.customer_id)
    others = {each.row_id: each.customer_id for each in reversed(shared) if each.row_id not in matches}
    return matches, [Duplicate(contacts[row_id].row, customer_id) for row_id, customer_id in others.items()]


async def _fill(
    db: Write, call: Call, workshop_id: str, chunk: Chunk, matches: dict[str, str], mapping: Mapping, added: Added
) -> None:
    before = {each.id: each for each in await _lock_customers(db, sorted(set(matches.values())))}
    after, notes = _filled(before, chunk, matches, mapping, call.now)
    added.notes = first_notes(added.notes, notes)
    changed = [(customer, Contact(0, "", [])) for id_, customer in after.items() if customer != before[id_]]
    if changed:
        filled_chunk = customer_chunk(changed)
        await _save_filled(db, workshop_id, filled_chunk, call.now)
        added.count("customer.updated", filled_chunk)


def _filled(
    before: dict[str, Customer], chunk: Chunk, matches: dict[str, str], mapping: Mapping, now: Instant
) -> tuple[dict[str, Customer], list[RowError]]:
    """The customers with what they lack of the chunk, by id, and the cells that they have otherwise."""
    after = dict(before)
    notes: list[RowError] = []
    for customer, contact in customers_in(chunk, "", now):
        customer_id = matches.get(customer.id, "")
        if customer_id in after:
            # All members of a record that exists are known.
            stored = after[customer_id], Contact(0, "", [], {"kind": []})
            (after[customer_id], _), found = filled(stored, (customer, contact), mapping)
            notes += found
    return after, notes
