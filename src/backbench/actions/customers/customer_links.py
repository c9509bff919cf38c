"""Links of orders and estimates to customers: checks of new ones, and entries of the log for those that changed."""

from collections.abc import Sequence

from backbench.domain.accounts.calls import Call
from backbench.domain.customers.customer_links import CustomerLinks
from backbench.domain.orders.order_details import unknown_member
from backbench.domain.workshops.audit import source_of
from backbench.storage.customers import customers
from backbench.storage.engine.database import Write
from backbench.storage.workshops import audit


async def require_known(db: Write, workshop_id: str, customer_id: str) -> None:
    """Raises ValidationError where the workshop has no such customer. It stays until the end of the transaction."""
    await customers.lock_links(db, workshop_id)
    if await customers.lookup_workshop(db, customer_id) != workshop_id:
        raise unknown_member("/customerId", "The workshop has no such customer")


async def add_entries_of(db: Write, call: Call, workshop_id: str, links: CustomerLinks) -> None:
    """An entry for each order whose details, and each estimate whose document names another customer from now on."""
    await add_entries(db, call, workshop_id, "order.details_updated", links.orders)
    await add_entries(db, call, workshop_id, "estimate.updated", links.estimates)


async def add_entries(db: Write, call: Call, workshop_id: str, event: str, object_ids: Sequence[str]) -> None:
    """An entry for each of the objects, however many."""
    source = source_of(call)
    if object_ids:
        await audit.add_all(db, [source.change(workshop_id, event, object_id) for object_id in object_ids])


async def add_entry(db: Write, call: Call, workshop_id: str, event: str, object_id: str) -> None:
    await audit.add(db, source_of(call).change(workshop_id, event, object_id))
