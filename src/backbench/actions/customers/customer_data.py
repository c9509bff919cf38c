"""Everything stored about one customer, in one response.

It is read from one snapshot, a page of orders or estimates with a statement of each kind, and written to a temporary
file first: neither a connection of the pool nor the memory of a worker is used up by a customer with many orders.
"""

from collections.abc import AsyncGenerator
from contextlib import aclosing

from msgspec import UNSET

from backbench.domain.accounts.calls import Call
from backbench.domain.customers.customer_data import CustomerEstimate, CustomerOrder, CustomerRevision
from backbench.domain.customers.customers import Customer
from backbench.domain.estimating.document_settings import DocumentSettings
from backbench.domain.sharing.exported_links import ExportedSharing, exported_link
from backbench.domain.values.numbers import joined_elements, to_json
from backbench.domain.values.times import Instant
from backbench.integrations.temporary_files import TemporaryContent
from backbench.storage.customers import customer_data, customer_links, merged_customers
from backbench.storage.customers.customer_data import EstimateRows, OrderRows
from backbench.storage.customers.customers import CUSTOMER
from backbench.storage.engine.database import Catalog, Database, Read
from backbench.storage.estimating import document_settings
from backbench.storage.orders import order_details
from backbench.storage.orders.order_details import StoredDetails

_ORDERS_AT_ONCE = 100
# They are larger: with up to 500 lines, in each revision.
_ESTIMATES_AT_ONCE = 20
_PAGE = f"""
    d.customer_id = :customer_id AND d.number > :after ORDER BY d.number LIMIT {_ORDERS_AT_ONCE}
"""


async def read(db: Database, call: Call, customer_id: str) -> AsyncGenerator[bytes, None]:
    """The JSON of everything that the workshop stores about a customer. Raises NotFound, Forbidden."""
    async with TemporaryContent() as content:
        async with db.snapshot() as snapshot, aclosing(_pieces(snapshot, db.catalog, call, customer_id)) as pieces:
            async for piece in pieces:
                await content.write(piece)
        async with aclosing(content.read()) as whole:
            async for piece in whole:
                yield piece


async def _pieces(db: Read, catalog: Catalog, call: Call, customer_id: str) -> AsyncGenerator[bytes, None]:
    """The members of CustomerData."""
    customer = await CUSTOMER.find(db, call, customer_id)
    settings = await document_settings.find(db, customer.workshop_id)
    yield b'{"customer":' + to_json(customer)
    yield b',"merged":' + to_json(await merged_customers.list_all(db, customer_id)) + b',"orders":['
    async with aclosing(joined_elements(_orders(db, catalog, customer, settings))) as orders:
        async for piece in orders:
            yield piece
    yield b'],"estimates":['
    async with aclosing(joined_elements(_estimates(db, catalog, customer, call.now))) as estimates:
        async for piece in estimates:
            yield piece
    yield b"]}"


async def _orders(
    db: Read, catalog: Catalog, customer: Customer, settings: DocumentSettings
) -> AsyncGenerator[list[CustomerOrder], None]:
    after = 0
    while page := await order_details.list_all(db, customer.workshop_id, _PAGE, customer_id=customer.id, after=after):
        after = page[-1].facts.number
        rows = await customer_data.of_orders(db, catalog, [each.order.id for each in page])
        yield [_order(each, settings, rows) for each in page]


async def _estimates(
    db: Read, catalog: Catalog, customer: Customer, now: Instant
) -> AsyncGenerator[list[CustomerEstimate], None]:
    ids = await customer_links.list_estimates(db, customer.id)
    for start in range(0, len(ids), _ESTIMATES_AT_ONCE):
        page = ids[start : start + _ESTIMATES_AT_ONCE]
        rows = await customer_data.of_estimates(db, catalog, page)
        yield [_estimate(each, rows, now) for each in page]


def _order(stored: StoredDetails, settings: DocumentSettings, rows: OrderRows) -> CustomerOrder:
    id_ = stored.order.id
    signatures = rows.signatures[id_]
    return CustomerOrder(
        order=rows.orders[id_][0],
        details=stored.to_response(settings),
        questions=rows.questions[id_],
        notices=rows.notices[id_],
        payments=rows.payments[id_],
        photos=[photo.to_response() for photo in rows.photos[id_]],
        signature=signatures[0].to_response() if signatures else UNSET,
    )


def _estimate(id_: str, rows: EstimateRows, now: Instant) -> CustomerEstimate:
    confirmed = [each.to_confirmed() for each in rows.revisions[id_]]
    return CustomerEstimate(
        estimate=rows.estimates[id_][0],
        document=rows.facts[id_][0].facts,
        revisions=[CustomerRevision(each.revision, each.recipient_name, each.facts) for each in confirmed],
        handoffs=rows.handoffs[id_],
        sharing=ExportedSharing(
            links=[exported_link(each, now) for each in rows.links[id_]],
            decisions=[each.to_evidence() for each in rows.decisions[id_]],
            comments=rows.comments[id_],
        ),
    )
