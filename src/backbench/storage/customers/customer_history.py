"""History of a customer in the database: a page is one statement. An area that adds entries adds a SELECT to _FACTS."""

from backbench.domain.customers.customer_history import HistoryEntry, HistoryFact, history_entry
from backbench.domain.customers.customers import Customer
from backbench.domain.estimating.document_settings import DocumentSettings
from backbench.domain.orders.stored_money import AgreedRevision
from backbench.domain.orders.stored_orders import LinkedEstimate
from backbench.storage.engine.lists import NewestFirst
from backbench.storage.engine.rows import JoinedRow
from backbench.storage.orders.balances import REVISION_COLUMNS
from backbench.storage.orders.order_details import ESTIMATE_COLUMNS
from backbench.storage.orders.order_summaries import STAGE

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
