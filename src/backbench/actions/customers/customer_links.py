"""Links of orders and estimates to customers: checks of new ones, and entries of the log for those that changed."""

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
    for order_id in links.orders:
        await add_entry(db, call, workshop_id, "order.details_updated", order_id)
    for estimate_id in links.estimates:
        await add_entry(db, call, workshop_id, "estimate.updated", estimate_id)


async def add_entry(db: Write, call: Call, workshop_id: str, event: str, object_id: str) -> None:
    await audit.add(db, source_of(call).change(workshop_id, event, object_id))
