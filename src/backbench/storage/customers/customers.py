"""Customers in the database. Those that are `present` are in lists; others were merged into one, or erased."""

import base64
import binascii
from collections.abc import Sequence
from typing import Any, Literal

from msgspec import UNSET, Struct, structs

from backbench.domain.customers.customers import Customer, CustomerFilter, CustomerPhone
from backbench.domain.customers.phones import searched_digits
from backbench.domain.customers.search import keys, phone_digits, search_text, sort_name
from backbench.domain.estimating.document_facts import NO_RECIPIENT, RecipientTexts
from backbench.domain.values.enums import DocumentLocale
from backbench.domain.values.errors import FieldError, NotFound, ValidationError
from backbench.domain.values.numbers import to_json_text
from backbench.storage.engine.database import Read, Value, Write
from backbench.storage.engine.lists import NewestFirst
from backbench.storage.engine.objects import Loaded
from backbench.storage.engine.parameters import containing, rows_of
from backbench.storage.engine.rows import JoinedRow

_ID_LENGTH = 36
# Reading their phones takes some ten milliseconds.
_MOST_AT_ONCE = 200
CustomerState = Literal["present", "merged", "erased"]

COLUMNS = """c.id, c.workshop_id, c.name, c.kind, c.phones, c.emails, c.notes, c.created_at, c.updated_at, c.address,
    c.site_address, c.tax_id, c.locale, NULL AS duplicates"""
# Some 500 bytes are in the other columns.
_SIZE = """octet_length(c.notes) + octet_length(coalesce(c.address, '')) + octet_length(coalesce(c.site_address, ''))
    + octet_length(c.phones) + octet_length(c.emails) + 500"""
_DUPLICATES = """
    SELECT DISTINCT other.customer_id AS id FROM customer_keys own JOIN customer_keys other
        ON other.workshop_id = own.workshop_id AND other.key = own.key AND other.customer_id <> own.customer_id
    WHERE own.customer_id = :id ORDER BY id
"""
# What a change does not change; `duplicates` are found, not stored.
_FIXED = ("id", "workshop_id", "created_at", "duplicates")
_CHANGING = tuple(name for name in Customer.__struct_fields__ if name not in _FIXED)


class CustomerRecord(JoinedRow, frozen=True):
    customer: Customer
    state: CustomerState


# The customer of a path, without its duplicates. What was merged or erased is not found.
CUSTOMER = Loaded(
    Customer,
    "customer",
    "customers c",
    key="customer_id",
    own_columns=COLUMNS,
    condition="c.id = :customer_id AND c.state = 'present'",
)
# The same in any state.
CUSTOMER_RECORD = Loaded(CustomerRecord, "record", "customers c", key="customer_id", own_columns=f"{COLUMNS}, c.state")


async def find(db: Read, customer_id: str) -> Customer:
    """In any state, without its duplicates. Raises NotFound."""
    found = await db.one(Customer, f"SELECT {COLUMNS} FROM customers c WHERE c.id = :id", id=customer_id)
    if found is None:
        raise NotFound
    return found


async def lock_links(db: Write, workshop_id: str) -> None:
    """Locks which customers the orders and estimates of the workshop name, so that nothing comes to name one that is
    deleted, merged or erased at the same time."""
    await db.lock(f"customers {workshop_id}")


async def has_any(db: Read, workshop_id: str) -> bool:
    """Whether the workshop has customers who can be found by a phone, email address or tax id."""
    sql = "SELECT 1 FROM customer_keys WHERE workshop_id = :workshop_id LIMIT 1"
    return await db.value(sql, workshop_id=workshop_id) is not None


async def lookup_workshop(db: Read, customer_id: str) -> str | None:
    """The id of the workshop of a present customer; None where there is no such customer."""
    sql = "SELECT workshop_id FROM customers WHERE id = :id AND state = 'present'"
    workshop_id: str | None = await db.value(sql, id=customer_id)
    return workshop_id


class _Contact(Struct, frozen=True):
    name: str
    address: str | None
    site_address: str | None
    tax_id: str | None
    emails: list[str]
    phones: list[CustomerPhone]


async def lookup_locale(db: Read, customer_id: str) -> DocumentLocale | None:
    """The language of the customer's documents. None where the record names none, or is gone."""
    sql = "SELECT locale FROM customers WHERE id = :id AND state = 'present'"
    locale: DocumentLocale | None = await db.value(sql, id=customer_id)
    return locale


async def recipient_texts(db: Read, customer_id: str) -> RecipientTexts:
    """What documents show of the customer; nothing of one that does not exist."""
    sql = """
        SELECT name, address, site_address, tax_id, emails, phones FROM customers
        WHERE id = :id AND state = 'present'
    """
    found = await db.one(_Contact, sql, id=customer_id)
    if found is None:
        return NO_RECIPIENT
    return RecipientTexts(
        name=found.name,
        address=UNSET if found.address is None else found.address,
        tax_id=UNSET if found.tax_id is None else found.tax_id,
        email=found.emails[0] if found.emails else UNSET,
        phone=found.phones[0].number if found.phones else UNSET,
        site_address=UNSET if found.site_address is None else found.site_address,
    )


async def with_duplicates(db: Read, customer: Customer) -> Customer:
    """The customer with the ids of records that may be of the same person."""
    found = await db.all(str, _DUPLICATES, id=customer.id)
    return structs.replace(customer, duplicates=found or UNSET)


class ByName(NewestFirst[Customer]):
    """Customers in the alphabetical order of their names, without regard to case."""

    def _after(self, cursor: str | None) -> tuple[str, dict[str, Value]]:
        if cursor is None:
            return "", self._values
        name, id_ = _decode_cursor(cursor)
        condition = " AND (c.sort_name, c.id) > (:after_name, :after_id)"
        return condition, {**self._values, "after_name": name, "after_id": id_}

    @property
    def _order(self) -> str:
        return "ORDER BY c.sort_name, c.id"

    def _cursor_of(self, item: Customer) -> str:
        return base64.urlsafe_b64encode(f"{item.id} {sort_name(item.name)}".encode()).decode().rstrip("=")


def of_workshop(workshop_id: str, wanted: CustomerFilter) -> ByName:
    """The workshop's customers that match the filter."""
    conditions = ["c.workshop_id = :workshop_id", "c.state = 'present'"]
    values: dict[str, Value] = {"workshop_id": workshop_id}
    if wanted.q:
        values["pattern"] = containing(wanted.q)
        found = ["c.search_text LIKE :pattern ESCAPE '!'"]
        if number := searched_digits(wanted.q):
            found.append("c.phone_digits LIKE :digits")
            values["digits"] = f"%{number}%"
        conditions.append(f"({' OR '.join(found)})")
    source = f"FROM customers c WHERE {' AND '.join(conditions)}"
    return ByName(
        Customer, f"SELECT {COLUMNS} {source}", values, at="c.created_at", id_="c.id", source=source, size=_SIZE
    )


async def list_after(db: Read, workshop_id: str, after: str) -> list[Customer]:
    """The next present customers of the workshop after that id, in the order of ids: as many as are read at once."""
    sql = f"""
        SELECT {COLUMNS} FROM customers c WHERE c.workshop_id = :workshop_id AND c.state = 'present' AND c.id > :after
        ORDER BY c.id LIMIT {_MOST_AT_ONCE}
    """
    return await db.all(Customer, sql, workshop_id=workshop_id, after=after)


async def lock_all(db: Write, ids: Sequence[str]) -> list[Customer]:
    """Those that are present, locked against changes by others until the end of the transaction."""
    condition = f"id IN ({db.catalog.rows_from_json('customers', ['id'])}) AND state = 'present'"
    rows = rows_of(ids)
    await db.run(f"UPDATE customers SET state = state WHERE {condition}", rows=rows)
    return await db.all(Customer, f"SELECT {COLUMNS} FROM customers c WHERE {condition}", rows=rows)


async def save_phones(db: Write, changed: Sequence[Customer]) -> None:
    """Replaces the phones of customers of one workshop that were locked in the same transaction."""
    columns = ("id", "phones", "phone_digits")
    await db.run(
        f"""
        WITH sent ({", ".join(columns)}) AS ({db.catalog.rows_from_json("customers", columns)})
        UPDATE customers SET phones = sent.phones, phone_digits = sent.phone_digits
        FROM sent WHERE customers.id = sent.id
        """,
        rows=to_json_text(
            [
                {"id": each.id, "phones": to_json_text(each.phones), "phone_digits": phone_digits(each)}
                for each in changed
            ]
        ),
    )
    await delete_keys(db, [each.id for each in changed])
    await add_keys(db, changed)


async def add(db: Write, customer: Customer) -> None:
    await db.add(
        "customers",
        id=customer.id,
        workshop_id=customer.workshop_id,
        created_at=customer.created_at,
        state="present",
        **_changing(customer),
    )
    await add_keys(db, [customer])


async def save(db: Write, customer: Customer) -> None:
    """Replaces the facts of a customer that was locked in the same transaction."""
    await db.save("customers", customer, **_changing(customer))
    await delete_keys(db, [customer.id])
    await add_keys(db, [customer])


async def add_keys(db: Write, added: Sequence[Customer]) -> None:
    columns = ("workshop_id", "key", "customer_id")
    rows = [
        {"workshop_id": each.workshop_id, "key": key, "customer_id": each.id} for each in added for key in keys(each)
    ]
    if rows:
        sent = db.catalog.rows_from_json("customer_keys", columns)
        await db.run(f"INSERT INTO customer_keys ({', '.join(columns)}) {sent}", rows=to_json_text(rows))


async def delete_keys(db: Write, ids: Sequence[str]) -> None:
    sent = db.catalog.rows_from_json("customers", ["id"])
    await db.run(f"DELETE FROM customer_keys WHERE customer_id IN ({sent})", rows=rows_of(ids))


async def delete(db: Write, ids: Sequence[str]) -> None:
    sent = db.catalog.rows_from_json("customers", ["id"])
    await db.run(f"DELETE FROM customers WHERE id IN ({sent})", rows=rows_of(ids))


def _changing(customer: Customer) -> dict[str, Any]:
    """The columns that a change changes, with those that are computed of them."""
    return {name: getattr(customer, name) for name in _CHANGING} | {
        "sort_name": sort_name(customer.name),
        "search_text": search_text(customer),
        "phone_digits": phone_digits(customer),
    }


def _decode_cursor(cursor: str) -> tuple[str, str]:
    """The sort name and the id in the cursor. Raises ValidationError."""
    try:
        padded = cursor + "=" * (-len(cursor) % 4)
        id_, name = base64.b64decode(padded, altchars=b"-_", validate=True).decode().split(" ", 1)
    except (binascii.Error, UnicodeError, ValueError):
        id_ = name = ""
    # PostgreSQL has no text with U+0000.
    if len(id_) != _ID_LENGTH or "\0" in id_ + name:
        raise ValidationError(FieldError("/cursor", "malformed", "Not a cursor of this list"))
    return name, id_
