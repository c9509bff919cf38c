"""Merges: two records of one customer become one, and can be separated again for 30 days."""

from collections.abc import Sequence
from typing import Any

from msgspec import UNSET, Struct, UnsetType, structs

from backbench.customers import customer_links, customers
from backbench.customers.customer_links import CustomerLinks, add_entries_of, add_entry
from backbench.customers.customers import (
    _MERGED,
    CUSTOMER,
    MOST_EMAILS,
    MOST_PHONES,
    Customer,
    CustomerPhone,
    CustomerRecord,
    add_keys,
    delete_keys,
)
from backbench.engine.database import Read, Write
from backbench.engine.rows import rows_of
from backbench.values.calls import Call
from backbench.values.enums import DocumentLocale
from backbench.values.errors import Conflict, FieldError, Forbidden, NotFound, ValidationError
from backbench.values.numbers import to_json_text
from backbench.values.scalars import fold_case
from backbench.values.times import Instant, later
from backbench.workshops.audit import Audited

# How long a record that was merged into another one is kept, and the id of an erased one.
KEPT_SECONDS = 30 * 86_400
MAX_NOTES = 5000
_BETWEEN_NOTES = "\n\n"
# Records of one customer, with those that were merged into them. Each is searched for where the customer is erased.
MOST_MERGED = 50


class CustomerMerge(Struct, frozen=True, rename="camel", forbid_unknown_fields=True):
    """`from_id`: the record that is to be, or was, merged into that of the path."""

    from_id: str


class ContactFacts(Struct, frozen=True):
    """What a record takes over from another one."""

    phones: list[CustomerPhone]
    emails: list[str]
    notes: str
    address: str | UnsetType = UNSET
    site_address: str | UnsetType = UNSET
    tax_id: str | UnsetType = UNSET
    locale: DocumentLocale | UnsetType = UNSET


class Merge(Struct, frozen=True):
    """What a merge changed, so that it can be undone: stored with the record that was merged into another one.

    `links` came from it; `before` and `after` are of the other one, without what is in both. So nothing is stored of a
    third record, which may be erased on its own; versions before stored all facts.
    """

    links: CustomerLinks
    before: ContactFacts
    after: ContactFacts


def difference(links: CustomerLinks, before: Customer, after: Customer) -> Merge:
    """What has changed from `before` to `after`, which has more."""
    had: dict[str, Any] = {"notes": ""}
    has: dict[str, Any] = {"notes": _added_notes(before.notes, after.notes)}
    for name in ("phones", "emails"):
        had[name] = []
        has[name] = [each for each in getattr(after, name) if each not in getattr(before, name)]
    for name in ("address", "site_address", "tax_id", "locale"):
        if getattr(before, name) != getattr(after, name):
            had[name], has[name] = getattr(before, name), getattr(after, name)
    return Merge(links, ContactFacts(**had), ContactFacts(**has))


def _added_notes(before: str, after: str) -> str:
    return after.removeprefix(before).removeprefix(_BETWEEN_NOTES) if before != after else ""


def merged(customer: Customer, other: Customer) -> Customer:
    """The customer with what the other record has besides: phones and email addresses while there is space for them."""
    known_phones = {phone.e164 or phone.number for phone in customer.phones}
    phones = [phone for phone in other.phones if (phone.e164 or phone.number) not in known_phones]
    known_emails = {fold_case(email) for email in customer.emails}
    emails = [email for email in other.emails if fold_case(email) not in known_emails]
    notes = _BETWEEN_NOTES.join(filter(None, (customer.notes, other.notes)))
    scalars = {
        name: own if (own := getattr(customer, name)) is not UNSET else getattr(other, name)
        for name in ("address", "site_address", "tax_id", "locale")
    }
    return structs.replace(
        customer,
        phones=[*customer.phones, *phones][:MOST_PHONES],
        emails=[*customer.emails, *emails][:MOST_EMAILS],
        notes=notes if len(notes) <= MAX_NOTES and other.notes != customer.notes else customer.notes,
        **scalars,
    )


def separated(customer: Customer, merge: Merge) -> Customer:
    """The customer without what came from the other record. What was changed since stays as it is."""
    return structs.replace(
        customer,
        **{name: _undone(getattr(customer, name), *_sides(merge, name)) for name in ContactFacts.__struct_fields__},
    )


def _sides(merge: Merge, name: str) -> tuple[Any, Any]:
    return getattr(merge.before, name), getattr(merge.after, name)


def _undone(present: Any, before: Any, after: Any) -> Any:
    if present == after:
        return before
    if isinstance(present, list):
        return [each for each in present if each in before or each not in after]
    return _without_notes(present, after) if before == "" and after else present


def _without_notes(present: str, added: str) -> str:
    """Without the notes that were added, if they are there as they were: others may have been added after them."""
    start, found, rest = present.rpartition(f"{_BETWEEN_NOTES}{added}")
    return start + rest if found and (not rest or rest.startswith(_BETWEEN_NOTES)) else present


def unknown_from() -> ValidationError:
    return ValidationError(FieldError("/fromId", "unknown", "The workshop has no such customer"))


def not_merged() -> ValidationError:
    return ValidationError(FieldError("/fromId", "unknown", "No such customer was merged into this one"))


def too_many(present: int) -> Conflict:
    detail = f"At most {MOST_MERGED} records can be merged into a customer"
    return Conflict("plan_limit", detail, limit=MOST_MERGED, current=present)


def erased() -> Conflict:
    return Conflict("erased", "What was merged into this customer was erased with it")


# Statements


_COUNT = f"SELECT count(*) FROM customers WHERE id IN ({_MERGED} SELECT id FROM merged)"
_ERASE = """
    UPDATE customers SET name = '', phones = '[]', emails = '[]', notes = '', address = NULL, site_address = NULL,
        tax_id = NULL, locale = NULL, sort_name = '', search_text = '', phone_digits = '', given = NULL,
        state = 'erased', gone_at = :now, updated_at = :now
"""


class MergedCustomer(Struct, frozen=True):
    """A record that was merged into another one. `given` is None where it was erased with that one."""

    merged_into: str
    given: Merge | None


async def lookup(db: Read, customer_id: str) -> MergedCustomer | None:
    sql = "SELECT merged_into, given FROM customers WHERE id = :id AND merged_into IS NOT NULL"
    return await db.one(MergedCustomer, sql, id=customer_id)


async def count_merged(db: Read, customer_id: str) -> int:
    """How many there are of these records."""
    return int(await db.value(_COUNT, id=customer_id))


async def save(db: Write, customer_id: str, into_id: str, merge: Merge, now: Instant) -> int:
    """The customer is in no list from now on. Returns how many bytes are stored for that."""
    given = to_json_text(merge)
    await db.run(
        "UPDATE customers SET state = 'merged', gone_at = :now, merged_into = :into_id, given = :given WHERE id = :id",
        id=customer_id,
        now=now,
        into_id=into_id,
        given=given,
    )
    await delete_keys(db, [customer_id])
    return len(given.encode())


async def save_separated(db: Write, customer: Customer) -> None:
    """The customer is in lists again."""
    sql = "UPDATE customers SET state = 'present', gone_at = NULL, merged_into = NULL, given = NULL WHERE id = :id"
    await db.run(sql, id=customer.id)
    await add_keys(db, [customer])


async def erase(db: Write, ids: Sequence[str], now: Instant) -> None:
    """Nothing of these records is left but their ids."""
    sent = db.catalog.rows_from_json("customers", ["id"])
    await db.run(f"{_ERASE} WHERE id IN ({sent})", rows=rows_of(ids), now=now)
    await delete_keys(db, ids)


async def delete_expired(db: Write, now: Instant) -> None:
    """Deletes what was merged or erased 30 days ago."""
    sql = "DELETE FROM customers WHERE gone_at IS NOT NULL AND gone_at <= :before"
    await db.run(sql, before=later(now, -KEPT_SECONDS))


# Verbs


async def merge(db: Write, call: Call, customer: Customer, body: CustomerMerge) -> Audited[Customer]:
    """Merge another record of the same customer into this one, which gets its orders, estimates and contact facts.

    Raises Conflict `plan_limit` where more than 50 records would be merged into one.
    """
    other = await _lock_other(db, call, customer, body.from_id)
    count = 1 + await count_merged(db, customer.id) + await count_merged(db, other.id)
    if count > MOST_MERGED:
        raise too_many(count - 1)
    after = structs.replace(merged(customer, other), updated_at=call.now)
    links = await customer_links.move(db, other.id, customer.id)
    made = difference(links, customer, after)
    copied = await save(db, other.id, customer.id, made, call.now)
    await customers.save(db, after)
    await add_entries_of(db, call, customer.workshop_id, links)
    await add_entry(db, call, customer.workshop_id, "customer.deleted", other.id)
    return Audited(await customers.with_duplicates(db, after), customer.workshop_id, customer.id, copied=copied)


async def _lock_other(db: Write, call: Call, customer: Customer, other_id: str) -> Customer:
    """Raises ValidationError unless it is another one of the same workshop."""
    try:
        other = await CUSTOMER.lock(db, call, other_id)
    except (NotFound, Forbidden):
        raise unknown_from() from None
    if other.workshop_id != customer.workshop_id or other.id == customer.id:
        raise unknown_from()
    return other


async def unmerge(db: Write, call: Call, record: CustomerRecord, body: CustomerMerge) -> Audited[Customer]:
    """Separate a record again that was merged into this one: it is as it was, with the orders and estimates it had.

    Raises Conflict `erased` where this customer was erased since.
    """
    before = record.customer
    merged = await lookup(db, body.from_id)
    if record.state == "merged":
        raise NotFound
    if merged is None or merged.merged_into != before.id:
        raise not_merged()
    if record.state == "erased" or merged.given is None:
        raise erased()
    await customers.save(db, structs.replace(separated(before, merged.given), updated_at=call.now))
    restored = await customers.find(db, body.from_id)
    links = await customer_links.move_back(db, merged.given.links, before.id, restored.id)
    await save_separated(db, restored)
    await add_entries_of(db, call, before.workshop_id, links)
    await add_entry(db, call, before.workshop_id, "customer.updated", before.id)
    return Audited(await customers.with_duplicates(db, restored), before.workshop_id, restored.id)
