"""Merge two records of one customer, and separate them again."""

from msgspec import structs

from backbench.actions.authorization import require_role
from backbench.actions.customers.customer_links import add_entries_of, add_entry
from backbench.actions.customers.customers import lock_for, lock_with_links
from backbench.domain.accounts.calls import Call
from backbench.domain.customers import merges
from backbench.domain.customers.customers import Customer
from backbench.domain.customers.merges import CustomerMerge
from backbench.domain.values.errors import NotFound
from backbench.domain.workshops.audit import Audited
from backbench.storage.customers import customer_links, customers, merged_customers
from backbench.storage.engine.database import Write


async def merge(db: Write, call: Call, customer_id: str, body: CustomerMerge) -> Audited[Customer]:
    """Merge another record of the same customer into this one, which gets its orders, estimates and contact facts.

    Raises Conflict `plan_limit` where more than 50 records would be merged into one.
    """
    before = await lock_with_links(db, call, customer_id)
    workshop_id = before.workshop_id
    other = await customers.lock(db, body.from_id, call.uid)
    if other is None or other.customer.workshop_id != workshop_id or other.state != "present":
        raise merges.unknown_from()
    if other.customer.id == customer_id:
        raise merges.unknown_from()
    count = 1 + await merged_customers.count(db, customer_id) + await merged_customers.count(db, other.customer.id)
    if count > merges.MOST_MERGED:
        raise merges.too_many(count - 1)
    after = structs.replace(merges.merged(before, other.customer), updated_at=call.now)
    links = await customer_links.move(db, other.customer, customer_id)
    made = merges.difference(links, before, after)
    copied = await merged_customers.save(db, other.customer.id, customer_id, made, call.now)
    await customers.save(db, after)
    await add_entries_of(db, call, workshop_id, links)
    await add_entry(db, call, workshop_id, "customer.deleted", other.customer.id)
    return Audited(await customers.with_duplicates(db, after), workshop_id, customer_id, copied=copied)


async def unmerge(db: Write, call: Call, customer_id: str, body: CustomerMerge) -> Audited[Customer]:
    """Separate a record again that was merged into this one: it is as it was, with the orders and estimates it had.

    Raises Conflict `erased` where this customer was erased since.
    """
    found = await customers.find(db, customer_id, call.uid)
    workshop_id = found.customer.workshop_id
    require_role(call, workshop_id, found.role)
    await customers.lock_links(db, workshop_id)
    # It may have been deleted, merged or erased meanwhile.
    found = await customers.find(db, customer_id, call.uid)
    merged = await merged_customers.lookup(db, body.from_id)
    if found.state == "merged":
        raise NotFound
    if merged is None or merged.merged_into != customer_id:
        raise merges.not_merged()
    if found.state == "erased" or merged.given is None:
        raise merges.erased()
    before = await lock_for(db, call, customer_id)
    await customers.save(db, structs.replace(merges.separated(before, merged.given), updated_at=call.now))
    restored = (await customers.find(db, body.from_id, call.uid)).customer
    links = await customer_links.move_back(db, merged.given.links, before, restored.id)
    await merged_customers.save_separated(db, restored)
    await add_entries_of(db, call, workshop_id, links)
    await add_entry(db, call, workshop_id, "customer.updated", customer_id)
    return Audited(await customers.with_duplicates(db, restored), workshop_id, restored.id)
