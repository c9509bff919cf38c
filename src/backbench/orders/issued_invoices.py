"""Issued invoices: what is paid of them, and that they are kept: what one is of is not deleted without a word."""

from collections import defaultdict
from collections.abc import Sequence
from datetime import date
from typing import Literal

from msgspec import Struct

from backbench.engine.database import Read, Write
from backbench.orders.balances import AmountDue
from backbench.values.errors import Conflict
from backbench.values.money import of_thousandths

Column = Literal["order_id", "estimate_id", "workshop_id"]


class WithInvoices(Struct, frozen=True, rename="camel"):
    """`true`: also with issued invoices, which are deleted."""

    with_invoices: Literal["true"] | None = None

    @property
    def is_allowed(self) -> bool:
        return self.with_invoices is not None


class _Issued(Struct, frozen=True):
    """An invoice or correction, in thousandths. `standing`: what is to be paid by its due date, before payments."""

    id: str
    root_id: str
    currency: str
    total: int
    standing: int | None
    paid: int


class _Received(Struct, frozen=True):
    currency: str
    thousandths: int


# Past its due date, with something left to pay.
IS_UNPAID = "i.paid_thousandths < i.standing_thousandths AND i.due_date < :today"
_ISSUED = """
    SELECT id, coalesce(corrected_id, id) AS root_id, currency, total_thousandths AS total,
        standing_thousandths AS standing, paid_thousandths AS paid
    FROM invoices WHERE order_id = :order_id AND state = 'issued' ORDER BY issued_at, id
"""
_SAVE = "UPDATE invoices SET standing_thousandths = :standing, paid_thousandths = :paid WHERE id = :id"
_RECEIVED = """
    SELECT currency,
        CAST(sum(CASE kind WHEN 'refund' THEN -thousandths ELSE thousandths END) AS BIGINT) AS thousandths
    FROM payments WHERE order_id = :order_id AND voided_at IS NULL GROUP BY currency
"""


def _standing(issued: Sequence[_Issued]) -> dict[str, int]:
    """What each is to be paid, by id.

    What a correction adds is payable by the day that the correction states, never by the day of the invoice, which may
    have passed before anybody asked for it. What one takes off is taken off the latest sums first.
    """
    found: dict[str, int] = {}
    of_root: dict[str, list[str]] = defaultdict(list)
    for each in issued:
        earlier = of_root[each.root_id]
        change = max(each.total, 0) - sum(found[id_] for id_ in earlier)
        found[each.id] = max(change, 0)
        for id_ in reversed(earlier):
            taken = min(max(-change, 0), found[id_])
            found[id_] -= taken
            change += taken
        earlier.append(each.id)
    return found


async def save_paid(db: Write, order_id: str) -> None:
    """Computes what is to be paid of each invoice and correction of an order, and what is: payments cover them in the
    order of issue.

    To be called after the change of a payment or invoice. The caller has locked the order.
    """
    issued = await db.all(_Issued, _ISSUED, order_id=order_id)
    if not issued:
        return
    standing = _standing(issued)
    left: dict[str, int] = defaultdict(int)
    left |= {each.currency: each.thousandths for each in await db.all(_Received, _RECEIVED, order_id=order_id)}
    for each in issued:
        paid = min(max(left[each.currency], 0), standing[each.id])
        left[each.currency] -= paid
        if (standing[each.id], paid) != (each.standing, each.paid):
            await db.run(_SAVE, id=each.id, standing=standing[each.id], paid=paid)


class OverdueInvoice(Struct, frozen=True):
    """An invoice or correction past its due date, with something left to pay."""

    number: str
    due_date: str
    thousandths: int
    currency: str

    @property
    def left(self) -> AmountDue:
        return AmountDue(self.currency, of_thousandths(self.thousandths))


async def find_overdue(db: Read, order_id: str, today: date) -> OverdueInvoice | None:
    """The one of the order that is due longest."""
    sql = f"""
        SELECT i.number, i.due_date, i.standing_thousandths - i.paid_thousandths AS thousandths, i.currency
        FROM invoices i WHERE i.order_id = :order_id AND {IS_UNPAID} ORDER BY i.due_date, i.id LIMIT 1
    """
    return await db.one(OverdueInvoice, sql, order_id=order_id, today=today.isoformat())


async def require_none(db: Read, column: Column, id_: str) -> None:
    """Raises Conflict `has_invoices` where invoices of the order, estimate or workshop were issued."""
    sql = f"SELECT count(*) FROM invoices WHERE {column} = :id AND state = 'issued'"
    issued = int(await db.value(sql, id=id_))
    if issued:
        raise Conflict("has_invoices", "Invoices were issued, and are kept", current=issued)


async def delete_drafts(db: Write, order_id: str) -> None:
    """They go with their order."""
    await db.run("DELETE FROM invoices WHERE order_id = :order_id AND state = 'draft'", order_id=order_id)


async def delete_drafts_of_estimate(db: Write, estimate_id: str) -> list[str]:
    """Deletes the drafts in the figures of an estimate: those of the orders that have it now. Returns their ids."""
    sql = """
        DELETE FROM invoices WHERE state = 'draft' AND kind <> 'correction'
            AND order_id IN (SELECT id FROM orders WHERE estimate_id = :estimate_id)
        RETURNING id
    """
    return sorted(await db.all(str, sql, estimate_id=estimate_id))
