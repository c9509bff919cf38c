"""History of a customer: its orders and estimates, what was decided, and what the customer has been informed of."""

from typing import Literal

from msgspec import UNSET, Struct, UnsetType

from backbench.customers.customers import Customer
from backbench.engine.database import Read
from backbench.engine.lists import NewestFirst
from backbench.engine.rows import JoinedRow
from backbench.estimating import document_settings
from backbench.estimating.document_settings import DocumentSettings
from backbench.orders.balances import REVISION_COLUMNS, AgreedRevision
from backbench.orders.order_details import ESTIMATE_COLUMNS, LinkedEstimate
from backbench.orders.order_summaries import STAGE
from backbench.values.money import of_thousandths, plain
from backbench.values.numbers import Number
from backbench.values.pagination import Page, PagedList, PageQuery
from backbench.values.times import Instant

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


class CustomerHistory(PagedList, frozen=True):
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


# Statements


# Of each: kind, id, at, title, state, the estimate that an amount is of, and its revision where that is decided.
# Without the workshop, by which SQLite would rather look through all of its orders.
_OF_ORDERS = "d.customer_id = :customer_id"
_FACTS = f"""
    SELECT 'order' AS kind, o.id, o.created_at AS at, o.title, {STAGE} AS state, o.estimate_id,
        CAST(NULL AS BIGINT) AS decided, CAST(NULL AS BIGINT) AS thousandths, CAST(NULL AS TEXT) AS currency
    FROM order_details d JOIN orders o ON o.id = d.order_id WHERE {_OF_ORDERS}
    UNION ALL
    SELECT 'estimate' AS kind, id, created_at AS at, name AS title, state, id AS estimate_id, NULL AS decided,
        NULL AS thousandths, NULL AS currency
    FROM estimates WHERE customer_id = :customer_id
    UNION ALL
    SELECT 'decision' AS kind, a.id, a.decided_at AS at, e.name AS title,
        CASE WHEN a.voided_at IS NULL THEN a.outcome ELSE 'voided' END AS state, e.id AS estimate_id,
        a.revision_number AS decided, NULL AS thousandths, NULL AS currency
    FROM estimates e JOIN decisions a ON a.estimate_id = e.id
    WHERE e.customer_id = :customer_id
    UNION ALL
    SELECT 'notice' AS kind, n.id, n.at, o.title, n.kind AS state, NULL AS estimate_id, NULL AS decided,
        NULL AS thousandths, NULL AS currency
    FROM order_details d JOIN orders o ON o.id = d.order_id JOIN order_notices n ON n.order_id = o.id WHERE {_OF_ORDERS}
    UNION ALL
    SELECT 'payment' AS kind, p.id, p.created_at AS at, o.title,
        CASE WHEN p.voided_at IS NULL THEN p.kind ELSE 'voided' END AS state, NULL AS estimate_id, NULL AS decided,
        p.thousandths, p.currency
    FROM order_details d JOIN orders o ON o.id = d.order_id JOIN payments p ON p.order_id = o.id WHERE {_OF_ORDERS}
"""
_SELECT = f"""
    SELECT h.kind, h.id, h.at, h.title, h.state, h.thousandths, h.currency, {ESTIMATE_COLUMNS}, {REVISION_COLUMNS}
    FROM ({_FACTS}) AS h LEFT JOIN estimates e ON e.id = h.estimate_id
        LEFT JOIN decisions a ON a.estimate_id = e.id AND a.voided_at IS NULL AND a.outcome = 'accepted'
        LEFT JOIN revisions r ON r.estimate_id = e.id
            AND r.revision_number = coalesce(h.decided, a.revision_number, e.latest_revision)
    WHERE 1 = 1
"""


class HistoryRow(JoinedRow, frozen=True):
    fact: HistoryFact
    estimate: LinkedEstimate | None
    revision: AgreedRevision | None

    @property
    def id(self) -> str:
        return self.fact.id

    @property
    def at(self) -> str:
        return self.fact.at

    def to_entry(self, settings: DocumentSettings) -> HistoryEntry:
        return history_entry(self.fact, self.estimate, self.revision, settings)


def of_customer(customer: Customer) -> NewestFirst[HistoryRow]:
    return NewestFirst(HistoryRow, _SELECT, {"customer_id": customer.id}, at="h.at", id_="h.id")


# Verbs


async def list_all(db: Read, customer: Customer, query: PageQuery) -> Page[HistoryEntry]:
    """List what a workshop has had to do with a customer, newest first, with amounts."""
    settings = await document_settings.find(db, customer.workshop_id)
    page = await of_customer(customer).page(db, query)
    return page.map(lambda row: row.to_entry(settings))
