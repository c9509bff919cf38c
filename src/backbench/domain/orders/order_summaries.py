"""Order summaries: what the board by date shows of each order."""

from typing import Annotated, Literal

from msgspec import UNSET, Meta, Struct, UnsetType, structs

from backbench.domain.estimating.document_facts import NO_FACTS
from backbench.domain.estimating.document_settings import DocumentSettings
from backbench.domain.estimating.estimates import LineItem, RevisionTerms
from backbench.domain.estimating.summaries import stored_total
from backbench.domain.orders.due import Due
from backbench.domain.orders.order_details import NO_ITEM, Facts, OrderDetails, OrderItem
from backbench.domain.orders.stages import OrderStage
from backbench.domain.orders.stored_orders import LinkedEstimate, OrderState, order_details
from backbench.domain.values.numbers import Number
from backbench.domain.values.pagination import PageQuery
from backbench.domain.values.times import Instant
from backbench.domain.workshops.orders import OrderStatus


class AgreedPrice(Struct, frozen=True, rename="camel"):
    """The revision that the client accepted, else the latest one, in the money it was confirmed in."""

    estimate_id: str
    revision_number: int
    currency: str
    total: Number
    accepted: bool


class OrderSummary(OrderDetails, frozen=True, rename="camel", kw_only=True):
    """The details without the condition and serial number of the item, and what a ticket shows besides."""

    title: str
    customer_name: str
    status: OrderStatus
    last_activity_at: Instant
    photos: int
    agreed: AgreedPrice | UnsetType = UNSET


class OrderSummariesList(Struct, frozen=True):
    summaries: list[OrderSummary]


class OrderSummaryFilter(PageQuery, frozen=True, rename="camel"):
    due: Due | None = None
    status: OrderStatus | None = None
    stage: OrderStage | None = None
    assigned_to: Annotated[str, Meta(max_length=100)] | None = None
    customer_id: Annotated[str, Meta(max_length=100)] | None = None
    place: Annotated[str, Meta(max_length=50)] | None = None
    collected: Literal["true", "false"] | None = None
    q: Annotated[str, Meta(max_length=250)] | None = None


class OrderCounts(Struct, frozen=True):
    """`open` orders are neither ready nor collected; `overdue`, `today` and `week` are among them."""

    open: int
    overdue: int
    today: int
    week: int
    waiting: int
    ready: int


class AgreedRevision(Struct, frozen=True):
    """The revision that an order's price is from."""

    revision_number: int
    markup_percent: Number
    discount_percent: Number
    terms: RevisionTerms | None
    figures: str | None
    line_items: list[LineItem] | None
    accepted: bool

    def price(self, estimate_id: str, settings: DocumentSettings) -> AgreedPrice:
        # Revisions of early versions have no terms of their own.
        terms = self.terms or NO_FACTS.revision_terms(settings)
        total = stored_total(self.figures, self.line_items, self.markup_percent, self.discount_percent, terms)
        return AgreedPrice(estimate_id, self.revision_number, terms.currency, total, self.accepted)


def order_summary(
    order: OrderState,
    facts: Facts,
    estimate: LinkedEstimate | None,
    revision: AgreedRevision | None,
    settings: DocumentSettings,
) -> OrderSummary:
    details = order_details(order, facts, estimate, settings)
    agreed = UNSET if revision is None or estimate is None else revision.price(estimate.id, settings)
    return OrderSummary(
        **structs.asdict(structs.replace(details, item=_item_of_board(details.item))),
        title=order.title,
        customer_name=order.customer_name,
        status=order.status,
        last_activity_at=order.last_activity_at,
        photos=0,
        agreed=agreed,
    )


def _item_of_board(item: OrderItem | UnsetType) -> OrderItem | UnsetType:
    if item is UNSET:
        return UNSET
    shown = OrderItem(description=item.description, pieces=item.pieces)
    return UNSET if shown == NO_ITEM else shown
