"""Everything that a workshop stores about one customer: for the person itself, who may ask for it."""

from msgspec import UNSET, Struct, UnsetType

from backbench.domain.customers.customers import Customer
from backbench.domain.estimating.document_facts import DocumentFacts
from backbench.domain.estimating.estimates import Estimate, EstimateRevision
from backbench.domain.estimating.handoffs import Handoff
from backbench.domain.orders.order_details import OrderDetails
from backbench.domain.orders.order_notices import Notice
from backbench.domain.orders.order_questions import OrderQuestion
from backbench.domain.orders.order_signatures import OrderSignature
from backbench.domain.orders.payments import Payment
from backbench.domain.orders.photos import Photo
from backbench.domain.sharing.exported_links import ExportedSharing
from backbench.domain.workshops.orders import Order


class CustomerOrder(Struct, frozen=True):
    order: Order
    details: OrderDetails
    questions: list[OrderQuestion]
    notices: list[Notice]
    payments: list[Payment]
    photos: list[Photo]
    signature: OrderSignature | UnsetType = UNSET


class CustomerRevision(Struct, frozen=True, rename="camel"):
    """A revision, with what its documents say about the recipient."""

    revision: EstimateRevision
    recipient_name: str
    document: DocumentFacts


class CustomerEstimate(Struct, frozen=True):
    estimate: Estimate
    document: DocumentFacts
    revisions: list[CustomerRevision]
    handoffs: list[Handoff]
    sharing: ExportedSharing


class CustomerData(Struct, frozen=True):
    """`merged`: the records of the same customer that were merged into this one and are still kept."""

    customer: Customer
    merged: list[Customer]
    orders: list[CustomerOrder]
    estimates: list[CustomerEstimate]
