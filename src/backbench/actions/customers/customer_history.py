"""History of a customer."""

from backbench.actions.customers.customers import present
from backbench.domain.accounts.calls import Call
from backbench.domain.customers.customer_history import HistoryEntry
from backbench.domain.values.pagination import Page, PageQuery
from backbench.storage.customers import customer_history, customers
from backbench.storage.engine.database import Read
from backbench.storage.estimating import document_settings


async def list_all(db: Read, call: Call, customer_id: str, query: PageQuery) -> Page[HistoryEntry]:
    """List what a workshop has had to do with a customer, newest first, with amounts."""
    customer = present(call, await customers.find(db, customer_id, call.uid))
    settings = await document_settings.find(db, customer.workshop_id)
    page = await customer_history.of_customer(customer).page(db, query)
    return page.map(lambda row: row.to_entry(settings))
