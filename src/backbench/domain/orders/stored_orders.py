"""Stored orders with their details, and the responses that are made of them."""

from msgspec import UNSET, Struct

from backbench.domain.estimating.document_facts import DocumentFacts
from backbench.domain.estimating.document_settings import DocumentSettings
from backbench.domain.estimating.estimates import LineItem
from backbench.domain.estimating.summaries import stored_total
from backbench.domain.orders import stages
from backbench.domain.orders.order_details import Facts, OrderDetails
from backbench.domain.orders.stages import OrderStage
from backbench.domain.values.numbers import Number
from backbench.domain.values.times import Instant
from backbench.domain.workshops.orders import OrderStatus, StatusChange


class OrderState(Struct, frozen=True):
    """What details depend on. `status_history` may be empty where only an order that is done needs it."""

    id: str
    workshop_id: str
    title: str
    customer_name: str
    status: OrderStatus
    last_activity_at: Instant
    status_history: list[StatusChange]
    waiting_since: Instant | None
    collected_at: Instant | None
    collected_by: str | None
    link_generation: int

    @property
    def ready_at(self) -> Instant | None:
        return stages.status_since(self.status_history) if self.status == "done" else None

    @property
    def is_collected(self) -> bool:
        return self.status == "done" and self.collected_at is not None


class LinkedEstimate(Struct, frozen=True):
    """The estimate of an order, with what its total is computed from."""

    id: str
    markup_percent: Number
    discount_percent: Number
    facts: DocumentFacts
    figures: str | None
    line_items: list[LineItem] | None

    def total(self, settings: DocumentSettings) -> Number:
        terms = self.facts.revision_terms(settings)
        return stored_total(self.figures, self.line_items, self.markup_percent, self.discount_percent, terms)


def stage_of(order: OrderState, facts: Facts) -> OrderStage:
    is_waiting = facts.waiting_for is not None
    return stages.stage(order.status, is_waiting=is_waiting, is_collected=order.is_collected)


def exceeds_limit(facts: Facts, estimate: LinkedEstimate | None, settings: DocumentSettings | None) -> bool:
    """Whether the total of the estimate, as it stands, is above the limit. `settings` where there are both."""
    if facts.price_limit is None or estimate is None:
        return False
    assert settings is not None
    return estimate.total(settings) > facts.price_limit


def order_details(
    order: OrderState, facts: Facts, estimate: LinkedEstimate | None, settings: DocumentSettings | None
) -> OrderDetails:
    """`settings` are those of the workshop; None where no limit is compared with an estimate."""
    is_collected = order.is_collected
    return OrderDetails(
        order_id=order.id,
        number=facts.number,
        stage=stage_of(order, facts),
        customer_id=facts.customer_id or UNSET,
        phone=facts.phone or UNSET,
        item=facts.item or UNSET,
        due_on=facts.due_on or UNSET,
        due_time=facts.due_time or UNSET,
        price_limit=UNSET if facts.price_limit is None else facts.price_limit,
        place=facts.place or UNSET,
        assigned_to=facts.assigned_to or UNSET,
        waiting_for=facts.waiting_for or UNSET,
        waiting_until=facts.waiting_until or UNSET,
        outcome=facts.outcome or UNSET,
        estimate_id=facts.estimate_id or UNSET,
        ready_at=order.ready_at or UNSET,
        collected_at=(order.collected_at or UNSET) if is_collected else UNSET,
        collected_by=(order.collected_by or UNSET) if is_collected else UNSET,
        exceeds_limit=exceeds_limit(facts, estimate, settings) or UNSET,
    )
