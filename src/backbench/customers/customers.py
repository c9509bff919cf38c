"""Customers: the people and companies that a workshop works for, each with a record."""

import base64
import binascii
import unicodedata
from collections.abc import Sequence
from typing import Annotated, Any, Literal

from msgspec import UNSET, Meta, Struct, UnsetType, structs

from backbench.customers import customer_links
from backbench.customers.customer_links import add_entries, add_entries_of
from backbench.engine.database import Read, Value, Write
from backbench.engine.lists import NewestFirst
from backbench.engine.objects import Loaded
from backbench.engine.rows import JoinedRow, containing, rows_of
from backbench.estimating import document_settings
from backbench.values.calls import Call
from backbench.values.enums import DocumentLocale
from backbench.values.errors import FieldError, NotFound, ValidationError
from backbench.values.numbers import to_json_text
from backbench.values.pagination import Page, PagedList, PageQuery
from backbench.values.phones import Phone, digits, e164_of, searched_digits
from backbench.values.scalars import (
    NO_CONTROL,
    NOT_BLANK,
    NOT_REVERSED,
    ONE_LINE,
    Email,
    LongText,
    Name,
    Notes,
    OptionalName,
    fold_case,
)
from backbench.values.shapes import edited, made_of
from backbench.values.times import Instant
from backbench.workshops.audit import Unchanged

CustomerKind = Literal["person", "company"]
PhoneLabel = Annotated[str, Meta(max_length=100, pattern=NO_CONTROL, extra=ONE_LINE), NOT_BLANK, NOT_REVERSED]
MOST_PHONES = 5
MOST_EMAILS = 5


class CustomerPhone(Struct, frozen=True, omit_defaults=True):
    """`number` is as it was typed. `e164` is absent where it cannot be read as a number of a country."""

    number: str
    label: str | UnsetType = UNSET
    e164: str | UnsetType = UNSET


class NewPhone(Struct, frozen=True, forbid_unknown_fields=True):
    """A phone number in a request. `e164` is accepted, so that a list that was read can be sent, and computed anew."""

    number: Phone
    label: PhoneLabel | UnsetType = UNSET
    e164: Annotated[str, Meta(max_length=40)] | UnsetType = UNSET

    def read(self, country: str | None) -> CustomerPhone:
        return CustomerPhone(self.number, self.label, e164_of(self.number, country) or UNSET)


Phones = Annotated[list[NewPhone], Meta(max_length=MOST_PHONES)]
Emails = Annotated[list[Email], Meta(max_length=MOST_EMAILS)]


class Customer(Struct, frozen=True, rename="camel"):
    """The record of a customer. `duplicates`: records of the workshop with the same phone, email address or tax id."""

    id: str
    workshop_id: str
    name: str
    kind: CustomerKind
    phones: list[CustomerPhone]
    emails: list[str]
    notes: str
    created_at: Instant
    updated_at: Instant
    address: str | UnsetType = UNSET
    site_address: str | UnsetType = UNSET
    tax_id: str | UnsetType = UNSET
    locale: DocumentLocale | UnsetType = UNSET
    # Not in lists.
    duplicates: list[str] | UnsetType = UNSET

    def phones_read(self, country: str | None) -> "Customer":
        """With the numbers read as those of the country."""
        phones = [structs.replace(each, e164=e164_of(each.number, country) or UNSET) for each in self.phones]
        return structs.replace(self, phones=phones)


class CustomersList(PagedList, frozen=True):
    customers: list[Customer]


class NewCustomer(Struct, frozen=True, rename="camel", forbid_unknown_fields=True):
    name: Name
    kind: CustomerKind = "person"
    phones: Phones = []
    emails: Emails = []
    notes: Notes = ""
    address: LongText | UnsetType = UNSET
    site_address: LongText | UnsetType = UNSET
    tax_id: OptionalName | UnsetType = UNSET
    locale: DocumentLocale | UnsetType = UNSET

    def to_customer(self, workshop_id: str, customer_id: str, at: Instant, country: str | None) -> Customer:
        return made_of(
            Customer,
            self,
            id=customer_id,
            workshop_id=workshop_id,
            phones=[phone.read(country) for phone in self.phones],
            created_at=at,
            updated_at=at,
            duplicates=UNSET,
        )


# What null stands for in a change.
_CLEARED: dict[str, Any] = {"phones": [], "emails": [], "notes": ""}


class CustomerEdit(Struct, frozen=True, rename="camel", forbid_unknown_fields=True):
    """null clears a member, an absent member is unchanged. Lists are replaced as a whole."""

    name: Name | UnsetType = UNSET
    kind: CustomerKind | UnsetType = UNSET
    phones: Phones | UnsetType | None = UNSET
    emails: Emails | UnsetType | None = UNSET
    notes: Notes | UnsetType | None = UNSET
    address: LongText | UnsetType | None = UNSET
    site_address: LongText | UnsetType | None = UNSET
    tax_id: OptionalName | UnsetType | None = UNSET
    locale: DocumentLocale | UnsetType | None = UNSET

    def apply(self, customer: Customer, country: str | None) -> Customer:
        """The customer with the members that were sent."""
        cleared = {name: empty for name, empty in _CLEARED.items() if getattr(self, name) is None}
        if self.phones:
            cleared["phones"] = [phone.read(country) for phone in self.phones]
        return edited(customer, self, **cleared)


class CustomerFilter(PageQuery, frozen=True):
    """`q` is a part of the name, of an email address, or of the digits of a phone number."""

    # It holds the name at which the page ends.
    cursor: Annotated[str, Meta(max_length=2000)] | None = None
    q: Annotated[str, Meta(max_length=250)] | None = None


_MOST_CHARACTERS = 250
# After every letter of the Latin alphabet, so that `ł` comes after `l` and before `m`, `ż` after `ź`.
_POLISH = {letter: f"{letter_without}~" for letter, letter_without in zip("ąćęłńóśż", "acelnosz", strict=True)}
_POLISH["ź"] = "z}"
# Letters with a sign that is no combining mark.
_PLAIN = str.maketrans({"ł": "l", "đ": "d", "ø": "o"})


def sort_name(name: str) -> str:
    """The key of the name in alphabetical order, without regard to case: Polish letters as in Polish."""
    folded = fold_case(name)
    if not folded.isascii():
        folded = "".join(_POLISH.get(each) or _without_marks(each) for each in folded)
    return folded[:_MOST_CHARACTERS]


def search_text(customer: Customer) -> str:
    """Name and email addresses, folded; the name once more without accents, as many people type it."""
    name = fold_case(customer.name)
    plain = _without_marks(name)
    return "\n".join([name, *([] if plain == name else [plain]), *map(fold_case, customer.emails)])


def phone_digits(customer: Customer) -> str:
    """The digits of each number as it was typed, and of its E.164 where that does not end with the same."""
    lines = []
    for phone in customer.phones:
        typed, international = digits(phone.number), digits(phone.e164 or "")
        lines += [typed] if not international or typed == international else [typed, international]
    return "\n".join(lines)


def keys(customer: Customer) -> list[str]:
    """What another record of the same person would share: phones, email addresses and the tax id."""
    phones = (f"phone {phone.e164}" for phone in customer.phones if phone.e164 is not UNSET)
    emails = (f"email {fold_case(email)}" for email in customer.emails)
    tax_id = tax_key(customer.tax_id or "")
    return sorted({*phones, *emails, *([f"tax {tax_id}"] if tax_id else [])})


def tax_key(tax_id: str) -> str:
    """The tax id without spaces and signs, and without the country before digits alone: `PL 526-000-12-46`."""
    plain = "".join(each for each in fold_case(tax_id) if each.isalnum())
    return plain[2:] if plain[:2].isalpha() and plain[2:].isdecimal() else plain


def _without_marks(text: str) -> str:
    if text.isascii():
        return text
    decomposed = unicodedata.normalize("NFKD", text.translate(_PLAIN))
    return "".join(each for each in decomposed if not unicodedata.combining(each))


# Statements


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

    @property
    def present(self) -> Customer:
        """Raises NotFound where it was merged or erased."""
        if self.state != "present":
            raise NotFound
        return self.customer


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


async def has_any(db: Read, workshop_id: str) -> bool:
    """Whether the workshop has customers who can be found by a phone, email address or tax id."""
    sql = "SELECT 1 FROM customer_keys WHERE workshop_id = :workshop_id LIMIT 1"
    return await db.value(sql, workshop_id=workshop_id) is not None


async def lookup_locale(db: Read, customer_id: str) -> DocumentLocale | None:
    """The language of the customer's documents. None where the record names none, or is gone."""
    sql = "SELECT locale FROM customers WHERE id = :id AND state = 'present'"
    locale: DocumentLocale | None = await db.value(sql, id=customer_id)
    return locale


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


async def delete_rows(db: Write, ids: Sequence[str]) -> None:
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


# Verbs


async def list_all(db: Read, workshop_id: str, query: CustomerFilter) -> Page[Customer]:
    """List the customers of a workshop by name."""
    return await of_workshop(workshop_id, query).page(db, query)


async def create(db: Write, call: Call, workshop_id: str, body: NewCustomer) -> Customer:
    """Create a customer. Phone numbers are read as those of the workshop's country."""
    settings = await document_settings.find(db, workshop_id)
    customer = body.to_customer(workshop_id, call.new_id(), call.now, settings.phone_country)
    await add(db, customer)
    return await with_duplicates(db, customer)


async def get(db: Read, customer: Customer) -> Customer:
    """Read a customer, with the ids of records that may be of the same person."""
    return await with_duplicates(db, customer)


async def update(db: Write, call: Call, customer: Customer, body: CustomerEdit) -> Customer | Unchanged[Customer]:
    """Change a customer; null clears a member. Confirmed documents stay as they are."""
    settings = await document_settings.find(db, customer.workshop_id)
    after = body.apply(customer, settings.phone_country)
    if after == customer:
        return Unchanged(await with_duplicates(db, customer))
    after = structs.replace(after, updated_at=call.now)
    await save(db, after)
    return await with_duplicates(db, after)


async def delete(db: Write, call: Call, customer: Customer) -> None:
    """Delete a customer with the records that were merged into it. Its orders and estimates stay."""
    links = await customer_links.clear(db, customer.id)
    merged = await list_merged(db, customer.id)
    await delete_rows(db, [*(each.id for each in merged), customer.id])
    await add_entries_of(db, call, customer.workshop_id, links)


async def read_phones_again(db: Write, call: Call, workshop_id: str, country: str | None) -> None:
    """Reads the phones of all customers as those of another country. Those that begin with `+` stay as they are."""
    changed: list[str] = []
    after = ""
    while page := await list_after(db, workshop_id, after):
        after = page[-1].id
        ids = [each.id for each in page if each.phones_read(country) != each]
        # They may have been changed, merged or erased since the page was read.
        locked = await lock_all(db, ids) if ids else []
        read = [of_country for each in locked if (of_country := each.phones_read(country)) != each]
        if read:
            await save_phones(db, read)
            changed += [each.id for each in read]
    await add_entries(db, call, workshop_id, "customer.updated", changed)


# Also what was merged into those. By the index of `merged_into`.
_MERGED = """
    WITH RECURSIVE merged (id) AS (
        SELECT id FROM customers WHERE merged_into = :id AND state = 'merged'
        UNION SELECT c.id FROM customers c JOIN merged ON c.merged_into = merged.id WHERE c.state = 'merged'
    )
"""
_LIST = f"SELECT {COLUMNS} FROM customers c WHERE c.id IN ({_MERGED} SELECT id FROM merged) ORDER BY c.id"


async def list_merged(db: Read, customer_id: str) -> list[Customer]:
    """The records that were merged into the customer, and into those."""
    return await db.all(Customer, _LIST, id=customer_id)
