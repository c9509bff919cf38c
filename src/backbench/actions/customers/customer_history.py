"""History of a customer."""

from backbench.domain.customers.customer_history import HistoryEntry
from backbench.domain.customers.customers import Customer
from backbench.domain.values.pagination import Page, PageQuery
from backbench.storage.customers import customer_history
from backbench.storage.engine.database import Read
from backbench.storage.estimating import document_settings


async def list_all(db: Read, customer: Customer, query: PageQuery) -> Page[HistoryEntry]:
    """List what a workshop has had to do with a customer, newest first, with amounts."""
    settings = await document_settings.find(db, customer.workshop_id)
    page = await customer_history.of_customer(customer).page(db, query)
    return page.map(lambda row: row.to_entry(settings))
