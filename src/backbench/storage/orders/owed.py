"""What is owed in the database: what is due for each order that was collected, by which orders are found and summed up.

It is computed again, by the rules of balances, with each change of a price, a payment or a collection.
"""

from msgspec import Struct

from backbench.domain.estimating.document_settings import DocumentSettings
from backbench.domain.orders.balances import EnteredPrice
from backbench.domain.orders.stored_money import AgreedRevision, StoredMoney
from backbench.domain.orders.workshop_numbers import OwedSum, owed_thousandths
from backbench.domain.values.times import Instant
from backbench.storage.engine.database import Read, Write
from backbench.storage.engine.rows import JoinedRow
from backbench.storage.orders import balances

# Of details `d` and their order `o`. A node of the version before moves an order without clearing its collection.
IS_OWED = "d.owed_thousandths > 0 AND d.collected_at IS NOT NULL AND o.status = 'done'"
_MONEY = f"""
    SELECT {balances.COLUMNS}, w.document_settings
    FROM orders o JOIN order_details d ON d.order_id = o.id JOIN workshops w ON w.id = o.workshop_id
        LEFT JOIN estimates e ON e.id = o.estimate_id {balances.REVISION_JOINS}
    WHERE o.id = :order_id
"""
_SAVE = """
    UPDATE order_details SET owed_thousandths = :thousandths, owed_currency = :currency WHERE order_id = :order_id
"""
# A customer who is in no list is known by the name; an order without a name is somebody else's. Read once for both.
SUMS = f"""
    WITH owed AS MATERIALIZED (
        SELECT d.owed_currency, d.owed_thousandths, coalesce(d.customer_id, nullif(o.customer_folded, ''), o.id) AS who
        FROM order_details d JOIN orders o ON o.id = d.order_id
        WHERE d.workshop_id = :workshop_id AND {IS_OWED}
    )
    SELECT owed_currency AS currency, count(*) AS count, CAST(sum(owed_thousandths) AS BIGINT) AS thousandths,
        (SELECT count(DISTINCT who) FROM owed) AS customers
    FROM owed GROUP BY owed_currency
"""


class _Details(Struct, frozen=True):
    collected_at: Instant | None


class _Settings(Struct, frozen=True):
    document_settings: DocumentSettings


class _MoneyRow(JoinedRow, frozen=True):
    revision: AgreedRevision | None
    entered: EnteredPrice | None
    paid: str | None
    settings: _Settings


async def save(db: Write, order_id: str) -> None:
    """Computes what is owed for the order, if it is collected. To be called after the change.

    Locks its details first: what a transaction changes at the same time is then seen here, or this there.
    """
    sql = "SELECT collected_at FROM order_details WHERE order_id = :order_id"
    details = await db.locking().one(_Details, sql, order_id=order_id)
    if details is None or details.collected_at is None:
        return
    row = await db.one(_MoneyRow, _MONEY, order_id=order_id)
    assert row is not None
    due = StoredMoney(row.revision, row.entered, row.paid).of_order(row.settings.document_settings).due()
    currency = None if due is None else due.currency
    await db.run(_SAVE, order_id=order_id, thousandths=owed_thousandths(due), currency=currency)


async def save_of_estimate(db: Write, estimate_id: str) -> None:
    """Computes what is owed for the orders of an estimate, which the caller has locked."""
    sql = "SELECT id FROM orders WHERE estimate_id = :estimate_id ORDER BY id"
    for order_id in await db.all(str, sql, estimate_id=estimate_id):
        await save(db, order_id)


async def list_sums(db: Read, workshop_id: str) -> list[OwedSum]:
    """What is owed to the workshop, by currency."""
    return await db.all(OwedSum, SUMS, workshop_id=workshop_id)


async def add_missing(db: Write, most: int) -> int:
    """Computes what is owed for up to `most` collected orders of an earlier version. Returns how many."""
    sql = """
        SELECT order_id FROM order_details WHERE collected_at IS NOT NULL AND owed_thousandths IS NULL
        ORDER BY order_id LIMIT :most
    """
    order_ids = await db.all(str, sql, most=most)
    for order_id in order_ids:
        await save(db, order_id)
    return len(order_ids)
