"""History of a customer: its orders and estimates, what was decided, and what the customer has been informed of."""

from typing import Literal

from msgspec import UNSET, Struct, UnsetType

from backbench.domain.estimating.document_settings import DocumentSettings
from backbench.domain.orders.payments import of_thousandths
from backbench.domain.orders.stored_money import AgreedRevision
from backbench.domain.orders.stored_orders import LinkedEstimate
from backbench.domain.values.money import plain
from backbench.domain.values.numbers import Number
from backbench.domain.values.times import Instant

HistoryKind = Literal["order", "estimate", "decision", "payment", "notice"]


class HistoryEntry(Struct, frozen=True):
    """`state`: the stage of an order, the state of an estimate, the outcome of a decision or `voided`, or the kind of a
    notice or payment, `voided` for a void one. `amount`: what was agreed for an order, the total of an estimate as it
    stands, or of the decided revision, or what was paid.
    """

    kind: HistoryKind
    id: str
    at: Instant
    title: str
    amount: Number | UnsetType = UNSET
    currency: str | UnsetType = UNSET
    state: str | UnsetType = UNSET


class CustomerHistory(Struct, frozen=True):
    entries: list[HistoryEntry]


class HistoryFact(Struct, frozen=True):
    """An entry without its amount."""

    kind: HistoryKind
    id: str
    at: Instant
    title: str
    state: str
    # Of a payment.
    thousandths: int | None
    currency: str | None


def history_entry(
    fact: HistoryFact, estimate: LinkedEstimate | None, revision: AgreedRevision | None, settings: DocumentSettings
) -> HistoryEntry:
    """`revision` is the one that the amount is of; that of an estimate is of the estimate itself."""
    amount: Number | UnsetType = UNSET
    currency: str | UnsetType = UNSET
    if fact.kind == "estimate" and estimate is not None:
        amount, currency = estimate.total(settings), settings.currency
    elif revision is not None and estimate is not None:
        price = revision.price(settings)
        amount, currency = plain(price.amount), price.currency
    elif fact.thousandths is not None and fact.currency is not None:
        amount, currency = of_thousandths(fact.thousandths), fact.currency
    return HistoryEntry(fact.kind, fact.id, fact.at, fact.title, amount, currency, fact.state)
