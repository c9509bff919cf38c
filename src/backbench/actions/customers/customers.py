"""Customers of a workshop: list, create, read, change and delete their records."""

from msgspec import structs

from backbench.actions.customers.customer_links import add_entries, add_entries_of
from backbench.domain.accounts.calls import Call
from backbench.domain.customers.customers import Customer, CustomerEdit, CustomerFilter, NewCustomer
from backbench.domain.values.pagination import Page
from backbench.domain.workshops.audit import Unchanged
from backbench.storage.customers import customer_links, customers, merged_customers
from backbench.storage.engine.database import Read, Write
from backbench.storage.estimating import document_settings


async def list_all(db: Read, workshop_id: str, query: CustomerFilter) -> Page[Customer]:
    """List the customers of a workshop by name."""
    return await customers.of_workshop(workshop_id, query).page(db, query)


async def create(db: Write, call: Call, workshop_id: str, body: NewCustomer) -> Customer:
    """Create a customer. Phone numbers are read as those of the workshop's country."""
    settings = await document_settings.find(db, workshop_id)
    customer = body.to_customer(workshop_id, call.new_id(), call.now, settings.phone_country)
    await customers.add(db, customer)
    return await customers.with_duplicates(db, customer)


async def get(db: Read, customer: Customer) -> Customer:
    """Read a customer, with the ids of records that may be of the same person."""
    return await customers.with_duplicates(db, customer)


async def update(db: Write, call: Call, customer: Customer, body: CustomerEdit) -> Customer | Unchanged[Customer]:
    """Change a customer; null clears a member. Confirmed documents stay as they are."""
    settings = await document_settings.find(db, customer.workshop_id)
    after = body.apply(customer, settings.phone_country)
    if after == customer:
        return Unchanged(await customers.with_duplicates(db, customer))
    after = structs.replace(after, updated_at=call.now)
    await customers.save(db, after)
    return await customers.with_duplicates(db, after)


async def delete(db: Write, call: Call, customer: Customer) -> None:
    """Delete a customer with the records that were merged into it. Its orders and estimates stay."""
    links = await customer_links.clear(db, customer.id)
    merged = await merged_customers.list_all(db, customer.id)
    await customers.delete(db, [*(each.id for each in merged), customer.id])
    await add_entries_of(db, call, customer.workshop_id, links)


async def read_phones_again(db: Write, call: Call, workshop_id: str, country: str | None) -> None:
    """Reads the phones of all customers as those of another country. Those that begin with `+` stay as they are."""
    changed: list[str] = []
    after = ""
    while page := await customers.list_after(db, workshop_id, after):
        after = page[-1].id
        ids = [each.id for each in page if each.phones_read(country) != each]
        # They may have been changed, merged or erased since the page was read.
        locked = await customers.lock_all(db, ids) if ids else []
        read = [of_country for each in locked if (of_country := each.phones_read(country)) != each]
        if read:
            await customers.save_phones(db, read)
            changed += [each.id for each in read]
    await add_entries(db, call, workshop_id, "customer.updated", changed)
