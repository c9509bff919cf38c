"""Records: rows that were read, as customers, orders and tiles are stored, in chunks of JSON that a statement takes."""

from collections.abc import Iterable, Iterator, Sequence
from datetime import date
from functools import lru_cache
from typing import Any, TypeVar

from msgspec import UNSET, Struct, json, structs

from backbench.customers.customers import (
    MOST_EMAILS,
    MOST_PHONES,
    Customer,
    CustomerKind,
    CustomerPhone,
    keys,
    phone_digits,
    search_text,
    sort_name,
    tax_key,
)
from backbench.estimating.grids import MAX_BUTTONS, GridButton
from backbench.imports.cells import read_unit
from backbench.imports.composed import ADDRESS, SITE_ADDRESS, address_of, label_of, name_of, person_of, site_address_of
from backbench.imports.fields import MOST_ERRORS, Context, Mapping, RowError
from backbench.imports.headings import ImportKind
from backbench.imports.rows import ReadRow
from backbench.orders.order_details import OrderItem
from backbench.orders.orders import StatusChange
from backbench.values.enums import DocumentLocale
from backbench.values.ids import new_id
from backbench.values.numbers import Number, to_json_text
from backbench.values.phones import digits, e164_of
from backbench.values.scalars import fold_case
from backbench.values.times import Instant, of_wall_clock

_Each = TypeVar("_Each")
# A file is read when it is proposed, at each change of its mapping and when it is run.
_e164 = lru_cache(1 << 16)(e164_of)
# A statement for so many rows takes some 20 ms.
CHUNK_ROWS = 500
# A tile without an emoji of its own.
_EMOJI = "🔨"


class Contact(Struct, frozen=True, array_like=True):
    """By what a row of the file would be a customer that exists: `name` is folded, and empty where the row has none.

    `cells`: by member of the customer, the row and the field of each cell that it is of; and the text of the cell where
    it is one of several that can make the member.
    """

    row: int
    name: str
    keys: list[str]
    cells: dict[str, list[tuple[int, str, str]]] = {}


class Key(Struct, frozen=True):
    """What another record of the same person would share with the customer, or the order, `customer_id`."""

    customer_id: str
    key: str


class Chunk(Struct, frozen=True):
    """Records as JSON: `rows` with the columns of their table, `keys` with those of `customer_keys`.

    `contacts`: of customers and orders, one for each id. `grid`: what the file calls the grid of these tiles.
    """

    ids: list[str]
    rows: str
    keys: str = "[]"
    contacts: list[Contact] = []
    grid: str = ""

    @property
    def size(self) -> int:
        return len(self.rows) + len(self.keys)


class Records(Struct, frozen=True):
    """`merged`: rows of customers that an earlier row of the file had already. `skipped`: rows with errors. `notes`:
    cells of merged rows that are left out."""

    chunks: list[Chunk]
    merged: int
    skipped: int
    notes: list[RowError] = []


class StoredCustomer(Struct, frozen=True):
    """A customer as it is stored; lists are JSON."""

    id: str
    name: str
    kind: CustomerKind
    phones: str
    emails: str
    notes: str
    address: str | None
    site_address: str | None
    tax_id: str | None
    locale: DocumentLocale | None
    sort_name: str
    search_text: str
    phone_digits: str


class StoredOrder(Struct, frozen=True):
    """An order as it is stored, and its details, which have its id as `order_id`."""

    id: str
    order_id: str
    title: str
    title_folded: str
    customer_name: str
    customer_folded: str
    notes: str
    status: str
    created_at: str
    last_activity_at: str
    status_history: str
    phone: str | None
    phone_digits: str | None
    item: str | None
    item_folded: str | None
    due_on: str | None
    due_time: str | None
    price_limit: str | None
    place: str | None
    collected_at: str | None


def records_of(kind: ImportKind, rows: Iterable[ReadRow], mapping: Mapping, context: Context) -> Records:
    """What the rows without errors become."""
    read = list(rows)
    good = [row for row in read if row.values and not row.errors]
    skipped = len(read) - len(good)
    if kind == "tiles":
        return Records(list(_tile_chunks(good)), 0, skipped)
    if kind == "orders":
        return Records([_order_chunk(part, context) for part in _parts(good, CHUNK_ROWS)], 0, skipped)
    people, notes = _without_repeated(good, mapping, context)
    chunks = [customer_chunk(part) for part in _parts(people, CHUNK_ROWS)]
    return Records(chunks, len(good) - len(people), skipped, notes)


def _parts(items: Sequence[_Each], size: int) -> Iterator[Sequence[_Each]]:
    return (items[start : start + size] for start in range(0, len(items), size))


# Tiles


def _tile_chunks(rows: Sequence[ReadRow]) -> Iterator[Chunk]:
    """Tiles of one grid after the other, as the file names them, at most 200 in each."""
    grids: dict[str, list[GridButton]] = {}
    for row in rows:
        grids.setdefault(row.values.get("grid", ""), []).append(_tile(row.values))
    for name, tiles in grids.items():
        for part in _parts(tiles, MAX_BUTTONS):
            yield Chunk([tile.id for tile in part], to_json_text(part), grid=name)


def _tile(values: dict[str, Any]) -> GridButton:
    written = values.get("unit", "")
    unit = (read_unit(written) or "freeform") if written else "piece"
    price = Number(Number(values.get("unitPrice", 0)).shortest())
    return GridButton(new_id(), values.get("emoji", _EMOJI), label_of(values), unit, price)


# Customers


def _customer(values: dict[str, Any], context: Context) -> tuple[Customer, bool]:
    """The customer of a row, and whether the row has a name. One without is named by what it has."""
    name = name_of(values)
    phones, emails = values.get("phone", []), {fold_case(each): each for each in values.get("email", [])}
    customer = Customer(
        id=new_id(),
        workshop_id="",
        name=name or (phones or list(emails.values()))[0],
        kind=values.get("kind") or ("company" if "company" in values and not person_of(values) else "person"),
        phones=[CustomerPhone(phone, e164=_e164(phone, context.country) or UNSET) for phone in phones],
        emails=list(emails.values()),
        notes=values.get("notes", ""),
        created_at=context.now,
        updated_at=context.now,
        address=address_of(values) or UNSET,
        site_address=site_address_of(values) or UNSET,
        tax_id=values.get("taxId") or UNSET,
        locale=values.get("locale") or UNSET,
    )
    return customer, bool(name)


# The cells of each member of a customer besides its name, by their entry of the headings.
_CELLS = {
    "kind": ("kind",), "phones": ("phone",), "emails": ("email",), "notes": ("notes",), "address": ADDRESS,
    "site_address": SITE_ADDRESS, "tax_id": ("taxId",), "locale": ("locale",),
}  # fmt: skip
_LISTS = ("phones", "emails")


def _without_repeated(
    rows: Iterable[ReadRow], mapping: Mapping, context: Context
) -> tuple[list[tuple[Customer, Contact]], list[RowError]]:
    """Rows with the same name and a phone, email address or tax id in common are one customer; so is a row without a
    name and the first that has any of its contacts. And the cells that the customer has otherwise by then."""
    people: dict[str, tuple[Customer, Contact]] = {}
    known: dict[tuple[str, str], str] = {}
    notes: list[RowError] = []
    for row in rows:
        customer, is_named = _customer(row.values, context)
        name, own = fold_case(customer.name) if is_named else "", keys(customer)
        contact = Contact(row.number, name, own, _cells_of(row))
        id_ = next((known[name, key] for key in own if (name, key) in known), customer.id)
        before = people.get(id_)
        if before is None:
            people[id_] = customer, contact
        else:
            both, found = filled(before, (customer, contact), mapping)
            people[id_] = both
            notes += found
        for key in own:
            known[name, key] = id_
            known.setdefault(("", key), id_)
    return list(people.values()), notes


def _cells_of(row: ReadRow, members: Iterable[str] = tuple(_CELLS)) -> dict[str, list[tuple[int, str, str]]]:
    return {
        member: [(row.number, field, row.values[field] if len(_CELLS[member]) > 1 else "") for field in own]
        for member in members
        if (own := [field for field in _CELLS[member] if field in row.values])
    }


def filled(
    before: tuple[Customer, Contact], other: tuple[Customer, Contact], mapping: Mapping
) -> tuple[tuple[Customer, Contact], list[RowError]]:
    """The customer with what it lacks of the other: what it has stays. And the cells of the other that are left out."""
    (customer, contact), (more, added) = before, other
    cells = dict(contact.cells)
    changes: dict[str, Any] = {}
    notes: list[RowError] = []
    for member, own in added.cells.items():
        value, code = _both(member, getattr(customer, member), getattr(more, member), is_known=member in cells)
        changes[member] = value
        if code:
            notes += [
                note_of(row, field, code, mapping)
                for row, field, text in own
                if not (text and _is_part(text, getattr(customer, member)))
            ]
        # No more of them are named.
        elif len(known := cells.get(member, [])) < MOST_ERRORS:
            cells[member] = [*known, *own]
    both = structs.replace(customer, **changes)
    return (both, structs.replace(contact, keys=keys(both), cells=cells)), notes


def _both(member: str, value: Any, other: Any, *, is_known: bool) -> tuple[Any, str]:
    """The value with what the other adds, and why any of the other is left out. The kind of a customer of the file
    is that of the first row which names it."""
    if member in _LISTS:
        same, most = (_same_phone, MOST_PHONES) if member == "phones" else (_same_text, MOST_EMAILS)
        known = {same(each): _words_of(each) for each in value}
        all_ = [*value, *(each for each in other if same(each) not in known)]
        if len(all_) > most:
            return all_[:most], "too_many"
        is_same = all(_words_of(each) in ("", known.get(same(each), _words_of(each))) for each in other)
        return all_, "" if is_same else "differs"
    if not value or (member == "kind" and not is_known):
        return other, ""
    compared = tax_key if member == "tax_id" else _same_text
    return value, "" if compared(value) == compared(other) else "differs"


def _same_phone(phone: CustomerPhone) -> str:
    return phone.e164 or digits(phone.number) or _same_text(phone.number)


def _same_text(text: str) -> str:
    return fold_case(" ".join(text.split()))


def _is_part(text: str, address: str) -> bool:
    """Whether the cell begins or ends a line of the address, which commas divide as well."""
    part, lines = _lines_of(text), f"\n{_lines_of(address)}\n"
    return f"\n{part}" in lines or f"{part}\n" in lines


def _lines_of(text: str) -> str:
    return "\n".join(f" {_same_text(line)} " for line in text.replace(",", "\n").split("\n"))


def _words_of(contact: CustomerPhone | str) -> str:
    """What a phone says besides its number: "601 000 411, mama"."""
    return "" if isinstance(contact, str) else "".join(filter(str.isalpha, fold_case(contact.number)))


def note_of(row: int, entry: str, code: str, mapping: Mapping) -> RowError:
    """Of a cell that is left out; of columns that are repeated the first is named."""
    mapped = (field for field, at in mapping.items() if at is not None and field.rstrip("2345") == entry)
    field = next(mapped, entry)
    return RowError(row, mapping.get(field), field, code, DETAILS[code])


# Why the cells of a row are left out by what exists.
DETAILS = {
    "differs": "The customer has another value, which stays",
    "too_many": "The customer has as many of these as there can be",
    "no_customer": "No customer of the order has this address, and orders have none of their own",
}


def customer_chunk(people: Sequence[tuple[Customer, Contact]]) -> Chunk:
    rows = [_stored(customer) for customer, _ in people]
    shared = [Key(customer.id, key) for customer, _ in people for key in keys(customer)]
    ids, contacts = [customer.id for customer, _ in people], [contact for _, contact in people]
    return Chunk(ids, json.encode(rows).decode(), json.encode(shared).decode(), contacts)


def customers_in(chunk: Chunk, workshop_id: str, now: Instant) -> list[tuple[Customer, Contact]]:
    """The customers of a chunk."""
    stored = json.decode(chunk.rows, type=list[StoredCustomer])
    return [(_customer_of(row, workshop_id, now), contact) for row, contact in zip(stored, chunk.contacts, strict=True)]


def _customer_of(row: StoredCustomer, workshop_id: str, now: Instant) -> Customer:
    optional = {name: getattr(row, name) or UNSET for name in ("address", "site_address", "tax_id", "locale")}
    phones, emails = json.decode(row.phones, type=list[CustomerPhone]), json.decode(row.emails, type=list[str])
    return Customer(row.id, workshop_id, row.name, row.kind, phones, emails, row.notes, now, now, **optional)


def _stored(customer: Customer) -> StoredCustomer:
    return StoredCustomer(
        id=customer.id,
        name=customer.name,
        kind=customer.kind,
        phones=to_json_text(customer.phones),
        emails=to_json_text(customer.emails),
        notes=customer.notes,
        address=customer.address or None,
        site_address=customer.site_address or None,
        tax_id=customer.tax_id or None,
        locale=customer.locale or None,
        sort_name=sort_name(customer.name),
        search_text=search_text(customer),
        phone_digits=phone_digits(customer),
    )


# Orders


def _order_chunk(rows: Sequence[ReadRow], context: Context) -> Chunk:
    orders = [_order(row.values, context) for row in rows]
    shared = [Key(order.id, key) for order, row in zip(orders, rows, strict=True) for key in _keys(row.values, context)]
    contacts = [
        Contact(row.number, fold_case(row.values.get("customerName", "")), [], _cells_of(row, ("emails",)))
        for row in rows
    ]
    ids = [order.id for order in orders]
    return Chunk(ids, json.encode(orders).decode(), json.encode(shared).decode(), contacts)


def _order(values: dict[str, Any], context: Context) -> StoredOrder:
    collected_on, ready_on = values.get("collectedOn"), values.get("readyOn")
    status, is_collected = values.get(
        "status", ("done" if collected_on or ready_on else "todo", collected_on is not None)
    )
    created_at = _instant(values.get("createdAt") or ready_on or collected_on, context)
    history = [StatusChange("todo", created_at)]
    if status != "todo":
        # A day is known of orders that are ready; what is in progress is so since the import, for all that is known.
        history.append(StatusChange(status, _instant(ready_on or collected_on if status == "done" else None, context)))
    item = OrderItem(
        description=values.get("item") or UNSET,
        serial=values.get("serial") or UNSET,
        pieces=values.get("pieces") or UNSET,
    )
    phone, due_on = values.get("phone", [None])[0], values.get("dueOn")
    has_item, customer_name = item != OrderItem(), values.get("customerName", "")
    order_id = new_id()
    return StoredOrder(
        id=order_id,
        order_id=order_id,
        title=values["title"],
        title_folded=fold_case(values["title"]),
        customer_name=customer_name,
        customer_folded=fold_case(customer_name),
        notes=values.get("notes", ""),
        status=status,
        created_at=created_at,
        last_activity_at=history[-1].at,
        status_history=to_json_text(history),
        phone=phone,
        phone_digits=None if phone is None else digits(phone),
        item=to_json_text(item) if has_item else None,
        item_folded=fold_case(item.description or "") if has_item else None,
        due_on=None if due_on is None else due_on.isoformat(),
        due_time=None if due_on is None else values.get("dueTime"),
        price_limit=Number(values["priceLimit"]).shortest() if "priceLimit" in values else None,
        place=values.get("place"),
        collected_at=_instant(collected_on, context) if is_collected else None,
    )


def _instant(day: date | None, context: Context) -> Instant:
    """Noon of that day in the workshop's time zone, never later than now."""
    return context.now if day is None else min(of_wall_clock(day, "12:00", context.zone), context.now)


def _keys(values: dict[str, Any], context: Context) -> Iterator[str]:
    """By what the customer of a row is found."""
    for phone in values.get("phone", []):
        if e164 := _e164(phone, context.country):
            yield f"phone {e164}"
    for email in values.get("email", []):
        yield f"email {fold_case(email)}"
    if tax_id := tax_key(values.get("taxId", "")):
        yield f"tax {tax_id}"
