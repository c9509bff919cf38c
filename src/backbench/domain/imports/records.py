"""Records of an import: rows that were read, as they are stored, in chunks of JSON that a statement takes whole."""

from collections.abc import Iterable, Iterator, Sequence
from typing import Any

from msgspec import UNSET, Struct, json, structs

from backbench.domain.customers.customers import MOST_EMAILS, MOST_PHONES, Customer, CustomerKind, CustomerPhone
from backbench.domain.customers.phones import digits, e164_of
from backbench.domain.customers.search import keys, phone_digits, search_text, sort_name
from backbench.domain.estimating.grids import MAX_BUTTONS, GridButton
from backbench.domain.imports.cells import read_unit
from backbench.domain.imports.chunks import CHUNK_ROWS, Chunk, Key, Records
from backbench.domain.imports.fields import ImportKind
from backbench.domain.imports.imported_orders import order_chunk
from backbench.domain.imports.rows import Context, ReadRow
from backbench.domain.values.emoji import is_curated
from backbench.domain.values.enums import DocumentLocale
from backbench.domain.values.ids import new_id
from backbench.domain.values.numbers import Number, to_json_text
from backbench.domain.values.scalars import fold_case
from backbench.domain.values.times import Instant

# A tile without an emoji of its own.
_EMOJI = "🔨"
_NAME_LENGTH, _ADDRESS_LENGTH, _LABEL_LENGTH = 250, 2000, 250


class ImportedCustomer(Struct, frozen=True):
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


def records_of(kind: ImportKind, rows: Iterable[ReadRow], context: Context) -> Records:
    """What the rows without errors become."""
    skipped = 0
    good: list[dict[str, Any]] = []
    for row in rows:
        if row.errors:
            skipped += 1
        else:
            good.append(row.values)
    if kind == "tiles":
        return Records([_tiles(part) for part in _parts(good, MAX_BUTTONS)], 0, skipped)
    if kind == "orders":
        return Records([order_chunk(part, context) for part in _parts(good, CHUNK_ROWS)], 0, skipped)
    customers = _without_repeated(_customer(values, context) for values in good)
    return Records(
        [customer_chunk(part) for part in _parts(customers, CHUNK_ROWS)], len(good) - len(customers), skipped
    )


def _parts(items: Sequence[Any], size: int) -> Iterator[Sequence[Any]]:
    return (items[start : start + size] for start in range(0, len(items), size))


# Tiles


def _tiles(rows: Sequence[dict[str, Any]]) -> Chunk:
    buttons = [_tile(values) for values in rows]
    return Chunk([button.id for button in buttons], to_json_text(buttons))


def _tile(values: dict[str, Any]) -> GridButton:
    label, written = values["label"], values.get("unit", "")
    unit = (read_unit(written) or "freeform") if written else "piece"
    with_unit = f"{label} ({written})"
    # A unit that tiles do not have, such as kg, is kept in the label.
    if written and read_unit(written) is None and len(with_unit) <= _LABEL_LENGTH:
        label = with_unit
    emoji = values.get("emoji", "")
    price = Number(Number(values.get("unitPrice", 0)).shortest())
    return GridButton(new_id(), emoji if is_curated(emoji) else _EMOJI, label, unit, price)


# Customers


def _customer(values: dict[str, Any], context: Context) -> Customer:
    company = values.get("company", "")
    person = values.get("name") or " ".join(filter(None, (values.get("firstName"), values.get("lastName"))))
    name = ", ".join(dict.fromkeys(filter(None, (person, company))))[:_NAME_LENGTH].rstrip()
    phones = dict.fromkeys(values[field] for field in ("phone", "phone2", "phone3") if field in values)
    emails = {fold_case(values[field]): values[field] for field in ("email", "email2", "email3") if field in values}
    return Customer(
        id=new_id(),
        workshop_id="",
        name=name,
        kind=values.get("kind") or ("company" if company and not person else "person"),
        phones=[CustomerPhone(phone, e164=e164_of(phone, context.country) or UNSET) for phone in phones],
        emails=list(emails.values()),
        notes=values.get("notes", ""),
        created_at=context.now,
        updated_at=context.now,
        address=_address(values) or UNSET,
        site_address=values.get("siteAddress") or UNSET,
        tax_id=values.get("taxId") or UNSET,
        locale=values.get("locale") or UNSET,
    )


def _address(values: dict[str, Any]) -> str:
    place = " ".join(filter(None, (values.get("postalCode"), values.get("city"))))
    return "\n".join(filter(None, (values.get("address"), place)))[:_ADDRESS_LENGTH]


def _without_repeated(found: Iterable[Customer]) -> list[Customer]:
    """Customers with the same name and a phone, email address or tax id in common are one."""
    customers: dict[str, Customer] = {}
    known: dict[tuple[str, str], str] = {}
    for customer in found:
        name = fold_case(customer.name)
        shared = [(name, key) for key in keys(customer)]
        id_ = next((known[each] for each in shared if each in known), customer.id)
        before = customers.get(id_)
        customers[id_] = customer if before is None else filled(before, customer)
        known |= dict.fromkeys(shared, id_)
    return list(customers.values())


def filled(customer: Customer, other: Customer) -> Customer:
    """The customer with what it lacks of the other: what it has stays."""
    numbers = {phone.e164 or digits(phone.number) for phone in customer.phones}
    more = [phone for phone in other.phones if (phone.e164 or digits(phone.number)) not in numbers]
    addresses = {fold_case(email) for email in customer.emails}
    return structs.replace(
        customer,
        phones=[*customer.phones, *more][:MOST_PHONES],
        emails=[*customer.emails, *(each for each in other.emails if fold_case(each) not in addresses)][:MOST_EMAILS],
        notes=customer.notes or other.notes,
        address=customer.address or other.address,
        site_address=customer.site_address or other.site_address,
        tax_id=customer.tax_id or other.tax_id,
        locale=customer.locale or other.locale,
    )


def customer_chunk(customers: Sequence[Customer]) -> Chunk:
    rows = [_stored(customer) for customer in customers]
    shared = [Key(customer.id, key) for customer in customers for key in keys(customer)]
    return Chunk([customer.id for customer in customers], json.encode(rows).decode(), json.encode(shared).decode())


def customers_in(chunk: Chunk, workshop_id: str, now: Instant) -> list[Customer]:
    """The customers of a chunk."""
    return [
        Customer(
            id=row.id,
            workshop_id=workshop_id,
            name=row.name,
            kind=row.kind,
            phones=json.decode(row.phones, type=list[CustomerPhone]),
            emails=json.decode(row.emails, type=list[str]),
            notes=row.notes,
            created_at=now,
            updated_at=now,
            address=row.address or UNSET,
            site_address=row.site_address or UNSET,
            tax_id=row.tax_id or UNSET,
            locale=row.locale or UNSET,
        )
        for row in json.decode(chunk.rows, type=list[ImportedCustomer])
    ]


def _stored(customer: Customer) -> ImportedCustomer:
    return ImportedCustomer(
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
