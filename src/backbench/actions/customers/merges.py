"""Merge two records of one customer, and separate them again."""

from msgspec import structs

from backbench.actions.customers.customer_links import add_entries_of, add_entry
from backbench.domain.accounts.calls import Call
from backbench.domain.customers import merges
from backbench.domain.customers.customers import Customer
from backbench.domain.customers.merges import CustomerMerge
from backbench.domain.values.errors import Forbidden, NotFound
from backbench.domain.workshops.audit import Audited
from backbench.storage.customers import customer_links, customers, merged_customers
from backbench.storage.customers.customers import CUSTOMER, CustomerRecord
from backbench.storage.engine.database import Write


async def merge(db: Write, call: Call, customer: Customer, body: CustomerMerge) -> Audited[Customer]:
    """Merge another record of the same customer into this one, which gets its orders, estimates and contact facts.

    Raises Conflict `plan_limit` where more than 50 records would be merged into one.
    """
    other = await _lock_other(db, call, customer, body.from_id)
    count = 1 + await merged_customers.count(db, customer.id) + await merged_customers.count(db, other.id)
    if count > merges.MOST_MERGED:
        raise merges.too_many(count - 1)
    after = structs.replace(merges.merged(customer, other), updated_at=call.now)
    links = await customer_links.move(db, other.id, customer.id)
    made = merges.difference(links, customer, after)
    copied = await merged_customers.save(db, other.id, customer.id, made, call.now)
    await customers.save(db, after)
    await add_entries_of(db, call, customer.workshop_id, links)
    await add_entry(db, call, customer.workshop_id, "customer.deleted", other.id)
    return Audited(await customers.with_duplicates(db, after), customer.workshop_id, customer.id, copied=copied)


async def _lock_other(db: Write, call: Call, customer: Customer, other_id: str) -> Customer:
    """Raises ValidationError unless it is another one of the same workshop."""
    try:
        other = await CUSTOMER.lock(db, call, other_id)
    except (NotFound, Forbidden):
        raise merges.unknown_from() from None
    if other.workshop_id != customer.workshop_id or other.id == customer.id:
        raise merges.unknown_from()
    return other


async def unmerge(db: Write, call: Call, record: CustomerRecord, body: CustomerMerge) -> Audited[Customer]:
    """Separate a record again that was merged into this one: it is as it was, with the orders and estimates it had.

    Raises Conflict `erased` where this customer was erased since.
    """
    before = record.customer
    merged = await merged_customers.lookup(db, body.from_id)
    if record.state == "merged":
        raise NotFound
    if merged is None or merged.merged_into != before.id:
        raise merges.not_merged()
    if record.state == "erased" or merged.given is None:
        raise merges.erased()
    await customers.save(db, structs.replace(merges.separated(before, merged.given), updated_at=call.now))
    restored = await customers.find(db, body.from_id)
    links = await customer_links.move_back(db, merged.given.links, before.id, restored.id)
    await merged_customers.save_separated(db, restored)
    await add_entries_of(db, call, before.workshop_id, links)
    await add_entry(db, call, before.workshop_id, "customer.updated", before.id)
    return Audited(await customers.with_duplicates(db, restored), before.workshop_id, restored.id)
