"""Prices of orders and what was paid for them in the database: what a balance is computed from."""

from decimal import Decimal

from msgspec import Struct

from backbench.domain.orders.balances import EnteredPrice
from backbench.domain.orders.payments import of_thousandths
from backbench.domain.orders.stored_money import AgreedRevision, StoredMoney
from backbench.domain.values.errors import NotFound
from backbench.domain.values.times import Instant
from backbench.storage.engine.database import Read, Write
from backbench.storage.engine.rows import JoinedRow
from backbench.storage.estimating.summaries import REVISION_LINES

# Of an order `o` with its details `d` and its estimate `e`: the accepted revision, else the latest.
REVISION_JOINS = """
    LEFT JOIN decisions a ON a.estimate_id = e.id AND a.voided_at IS NULL AND a.outcome = 'accepted'
    LEFT JOIN revisions r ON r.estimate_id = e.id
        AND r.revision_number = coalesce(a.revision_number, e.latest_revision)
"""
# Sums by currency: see `read_sums`. 2 kB at most: what an order is paid in is one currency, rarely two.
_PAID = """(
        SELECT string_agg(sums.currency || ' ' || sums.paid || ' ' || sums.deposits || ' ' || sums.latest, ',') FROM (
            SELECT currency, sum(CASE kind WHEN 'refund' THEN -thousandths ELSE thousandths END) AS paid,
                sum(CASE kind WHEN 'deposit' THEN thousandths ELSE 0 END) AS deposits, max(created_at) AS latest
            FROM payments WHERE order_id = o.id AND voided_at IS NULL GROUP BY currency
        ) AS sums
    )"""
# Of the revision `r` that a price is from; `a` is an acceptance of it.
REVISION_COLUMNS = f"""r.revision_number, r.markup_percent, r.discount_percent, r.terms, r.figures,
    {REVISION_LINES} AS line_items, CASE WHEN a.id IS NULL THEN 0 ELSE 1 END AS accepted"""
COLUMNS = f"""{REVISION_COLUMNS},
    d.agreed_thousandths AS thousandths, d.agreed_currency AS currency, {_PAID} AS paid"""
_FIND = f"""
    SELECT {COLUMNS} FROM orders o JOIN order_details d ON d.order_id = o.id
        LEFT JOIN estimates e ON e.id = o.estimate_id {REVISION_JOINS}
    WHERE o.id = :order_id
"""


class _MoneyRow(JoinedRow, frozen=True):
    """The columns of `StoredMoney`."""

    revision: AgreedRevision | None
    entered: EnteredPrice | None
    paid: str | None


async def find(db: Read, order_id: str) -> StoredMoney:
    """Raises NotFound."""
    found = await db.one(_MoneyRow, _FIND, order_id=order_id)
    if found is None:
        raise NotFound
    return StoredMoney(found.revision, found.entered, found.paid)


async def save_entered(db: Write, order_id: str, price: EnteredPrice | None, now: Instant) -> None:
    """Sets or, with None, clears the price that was agreed without an estimate."""
    sql = """
        UPDATE order_details SET agreed_thousandths = :thousandths, agreed_currency = :currency, agreed_at = :at,
            agreed_estimate_id = (SELECT o.estimate_id FROM orders o WHERE o.id = :order_id)
        WHERE order_id = :order_id
    """
    if price is None:
        await db.run(sql, order_id=order_id, thousandths=None, currency=None, at=None)
    else:
        await db.run(sql, order_id=order_id, thousandths=price.thousandths, currency=price.currency, at=now)


class PaidForEstimate(Struct, frozen=True):
    """What was paid for the orders of an estimate, in one currency, and the number of the latest of them."""

    thousandths: int
    order_number: int | None

    @property
    def amount(self) -> Decimal:
        return of_thousandths(self.thousandths) + 0


async def paid_for_estimate(db: Read, estimate_id: str, currency: str) -> PaidForEstimate:
    found = await db.one(
        PaidForEstimate,
        """
        SELECT CAST(coalesce(sum(CASE p.kind WHEN 'refund' THEN -p.thousandths ELSE p.thousandths END), 0) AS BIGINT)
            AS thousandths, max(d.number) AS order_number
        FROM orders o JOIN order_details d ON d.order_id = o.id
            LEFT JOIN payments p ON p.order_id = o.id AND p.voided_at IS NULL AND p.currency = :currency
        WHERE o.estimate_id = :estimate_id
        """,
        estimate_id=estimate_id,
        currency=currency,
    )
    assert found is not None
    return found
