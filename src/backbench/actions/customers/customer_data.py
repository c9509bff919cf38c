"""Everything stored about one customer, in one response."""

from typing import TypeVar

from msgspec import UNSET

from backbench.actions.customers.customers import present
from backbench.domain.accounts.calls import Call
from backbench.domain.customers.customer_data import CustomerData, CustomerEstimate, CustomerOrder, CustomerRevision
from backbench.domain.estimating.document_settings import DocumentSettings
from backbench.domain.sharing.exported_links import ExportedSharing, exported_link
from backbench.domain.values.times import Instant
from backbench.storage.customers import customer_links, customers, merged_customers
from backbench.storage.engine.cursors import Item
from backbench.storage.engine.database import Read
from backbench.storage.engine.lists import NewestFirst
from backbench.storage.estimating import document_facts, document_settings, estimates, handoffs, revisions
from backbench.storage.orders import order_details, order_notices, order_questions, order_signatures, payments, photos
from backbench.storage.orders.order_details import StoredDetails
from backbench.storage.sharing import comments, decisions, links
from backbench.storage.workshops import orders

T = TypeVar("T", bound=Item)
# More than any list of one order or estimate has.
_ALL = 100_000


async def get(db: Read, call: Call, customer_id: str) -> CustomerData:
    """Read everything that the workshop stores about a customer."""
    customer = present(call, await customers.find(db, customer_id, call.uid))
    settings = await document_settings.find(db, customer.workshop_id)
    condition = "d.customer_id = :customer_id ORDER BY d.number"
    details = await order_details.list_all(db, customer.workshop_id, condition, customer_id=customer_id)
    named = await customer_links.list_estimates(db, customer)
    return CustomerData(
        customer=customer,
        merged=await merged_customers.list_all(db, customer_id),
        orders=[await _order(db, each, settings, call.uid) for each in details],
        estimates=[await _estimate(db, each, call.now) for each in named],
    )


async def _order(db: Read, stored: StoredDetails, settings: DocumentSettings, uid: str) -> CustomerOrder:
    order, _ = await orders.find(db, stored.order.id, uid)
    signature = await order_signatures.lookup(db, order.id)
    return CustomerOrder(
        order=order,
        details=stored.to_response(settings),
        questions=await order_questions.list_all(db, order.id),
        notices=await _all(db, order_notices.of_order(order.id)),
        payments=[each.to_response() for each in await _all(db, payments.of_order(order.id))],
        photos=[photo.to_response() for photo in await photos.list_all(db, order.id)],
        signature=UNSET if signature is None else signature.to_response(),
    )


async def _estimate(db: Read, estimate_id: str, now: Instant) -> CustomerEstimate:
    stored = await document_facts.find(db, estimate_id)
    confirmed = [
        await revisions.find_confirmed(db, estimate_id, number) for number in range(1, stored.latest_revision + 1)
    ]
    return CustomerEstimate(
        estimate=await estimates.find(db, estimate_id),
        document=stored.facts,
        revisions=[CustomerRevision(each.revision, each.recipient_name, each.facts) for each in confirmed],
        handoffs=await _all(db, handoffs.of_estimate(estimate_id)),
        sharing=ExportedSharing(
            links=[exported_link(each, now) for each in await _all(db, links.with_documents(estimate_id))],
            decisions=[each.to_evidence() for each in await _all(db, decisions.of_estimate(estimate_id))],
            comments=await _all(db, comments.of_estimate(estimate_id)),
        ),
    )


async def _all(db: Read, listed: NewestFirst[T]) -> list[T]:
    return await listed.read(db, None, _ALL)
