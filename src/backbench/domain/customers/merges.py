"""Merges: two records of one customer become one, and can be separated again for 30 days."""

from typing import Any

from msgspec import UNSET, Struct, UnsetType, structs

from backbench.domain.customers.customer_links import CustomerLinks
from backbench.domain.customers.customers import MOST_EMAILS, MOST_PHONES, Customer, CustomerPhone
from backbench.domain.values.enums import DocumentLocale
from backbench.domain.values.errors import Conflict, FieldError, ValidationError
from backbench.domain.values.scalars import fold_case

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
