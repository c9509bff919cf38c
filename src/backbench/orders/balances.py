"""Balances of orders: what was agreed, what has been paid, and what is due. Sums are exact; currencies are never mixed.

The price is that of the accepted revision of the order's estimate, else the one that was entered, else that of the
latest confirmed revision.
"""

import asyncio
from collections.abc import Mapping, Sequence
from decimal import Decimal, localcontext
from typing import Literal

from msgspec import UNSET, Struct, UnsetType

from backbench.engine.database import Read, Write
from backbench.engine.rows import JoinedRow, numbered
from backbench.estimating import document_settings
from backbench.estimating.document_facts import NO_FACTS, DocumentFacts, RevisionTerms
from backbench.estimating.document_settings import DocumentSettings
from backbench.estimating.line_items import LineItem, summed_total
from backbench.estimating.summaries import REVISION_LINES, stored_total
from backbench.orders.order_links import OrderRef
from backbench.values.calls import Call
from backbench.values.currencies import minor_unit
from backbench.values.enums import DepositKind
from backbench.values.errors import Conflict, NotFound
from backbench.values.money import EXACT, Amount, deposit, of_thousandths, plain, require_exact, rounded, thousandths
from backbench.values.numbers import Number
from backbench.values.times import Instant
from backbench.workshops.audit import Unchanged


def other_currency() -> Conflict:
    return Conflict("other_currency", "The order is in another currency than the workshop")


class OwedSum(Struct, frozen=True):
    """What is owed in a currency; `customers` are those of all currencies."""

    currency: str
    count: int
    thousandths: int
    customers: int


class AmountDue(Struct, frozen=True):
    currency: str
    amount: Number


def owed_thousandths(due: AmountDue | None) -> int:
    """What is due for a collected order as it is summed up; 0 as well where it is too large for that."""
    return 0 if due is None else summed_total(due.amount) or 0


PriceSource = Literal["accepted", "confirmed", "entered", "none"]


class NewPrice(Struct, frozen=True, forbid_unknown_fields=True):
    """A price agreed without an estimate, in the currency of the workshop; null: none."""

    amount: Amount | None


class Deposit(Struct, frozen=True):
    """What the document asks for with the order, and the sum of the deposits that were paid."""

    amount: Number
    paid: Number
    percent: Number | UnsetType = UNSET


class Balance(Struct, frozen=True, rename="camel", kw_only=True):
    """`paid`: payments and deposits less refunds. `due`: what is left of `agreed`, 0 where more was paid."""

    currency: str
    source: PriceSource
    paid: Number
    agreed: Number | UnsetType = UNSET
    revision_number: int | UnsetType = UNSET
    deposit: Deposit | UnsetType = UNSET
    due: Number | UnsetType = UNSET
    overpaid: Number | UnsetType = UNSET


class EnteredPrice(Struct, frozen=True):
    """As it is stored."""

    thousandths: int
    currency: str


class AskedDeposit(Struct, frozen=True):
    amount: Decimal
    percent: Decimal | None
    kind: DepositKind


class Price(Struct, frozen=True):
    """What was agreed. `deposit` is None where the document asks for none."""

    source: PriceSource
    currency: str
    amount: Decimal
    revision_number: int | None = None
    deposit: AskedDeposit | None = None


class PaidSum(Struct, frozen=True):
    """The payments of an order in one currency that stand. `latest`: when the latest of them was recorded."""

    paid: Number
    deposits: Number
    latest: Instant


NOTHING_PAID = PaidSum(Number(0), Number(0), "")


class OrderMoney(Struct, frozen=True):
    """The price of an order and the payments for it, by currency. `currency` is that of the workshop."""

    price: Price | None
    sums: Mapping[str, PaidSum]
    workshop_currency: str

    @property
    def currency(self) -> str:
        """That of the price; without one, of the latest payment; without any, of the workshop."""
        if self.price is not None:
            return self.price.currency
        if self.sums:
            return max(self.sums, key=lambda currency: self.sums[currency].latest)
        return self.workshop_currency

    def paid_in(self, currency: str) -> Decimal:
        return self.sums.get(currency, NOTHING_PAID).paid

    def balance(self) -> Balance:
        price, sums = self.price, self.sums.get(self.currency, NOTHING_PAID)
        if price is None:
            return Balance(currency=self.currency, source="none", paid=sums.paid)
        with localcontext(EXACT):
            left = price.amount - sums.paid
        asked = price.deposit
        return Balance(
            currency=price.currency,
            source=price.source,
            paid=sums.paid,
            agreed=plain(price.amount),
            revision_number=price.revision_number or UNSET,
            deposit=UNSET if asked is None else _deposit(asked, sums),
            due=plain(max(left, Decimal(0))),
            overpaid=plain(-left) if left < 0 else UNSET,
        )

    def due(self) -> AmountDue | None:
        """None without a price."""
        balance = self.balance()
        return None if balance.due is UNSET else AmountDue(balance.currency, balance.due)

    def left(self) -> AmountDue | None:
        """What is due; None where nothing is."""
        due = self.due()
        return due if due is not None and due.amount > 0 else None


def _deposit(asked: AskedDeposit, sums: PaidSum) -> Deposit:
    percent = UNSET if asked.percent is None else plain(asked.percent)
    return Deposit(plain(asked.amount), sums.deposits, percent)


def read_sums(stored: str | None) -> dict[str, PaidSum]:
    """Sums by currency as the database lists them: `EUR 615000 100000 2026-11-20T10:15:00.000Z,…` in thousandths."""
    found = {}
    for entry in stored.split(",") if stored else ():
        currency, paid, deposits, latest = entry.split(" ")
        found[currency] = PaidSum(of_thousandths(int(paid)), of_thousandths(int(deposits)), latest)
    return found


def price_of(accepted: Price | None, entered: EnteredPrice | None, confirmed: Price | None) -> Price | None:
    """The price that holds."""
    if accepted is not None or entered is None:
        return accepted or confirmed
    return Price("entered", entered.currency, of_thousandths(entered.thousandths))


def is_accepted() -> Conflict:
    return Conflict("accepted", "An accepted revision of the estimate states the price")


class AgreedRevision(Struct, frozen=True):
    """The revision that an order's price is from."""

    revision_number: int
    markup_percent: Number
    discount_percent: Number
    terms: RevisionTerms | None
    figures: str | None
    line_items: list[LineItem] | None
    accepted: bool

    def terms_in(self, settings: DocumentSettings) -> RevisionTerms:
        """Its terms; revisions of early versions have none of their own."""
        return self.terms or NO_FACTS.early_terms(settings)

    def price(self, settings: DocumentSettings) -> Price:
        terms = self.terms_in(settings)
        total = stored_total(self.figures, self.line_items, self.markup_percent, self.discount_percent, terms)
        percent, fixed = terms.deposit_percent or None, terms.deposit_amount
        asked = deposit(total, terms.currency, percent, None if fixed is UNSET else fixed)
        return Price(
            "accepted" if self.accepted else "confirmed",
            terms.currency,
            total,
            self.revision_number,
            AskedDeposit(asked, percent, terms.deposit_kind) if asked else None,
        )


class StoredMoney(Struct, frozen=True):
    """What the balance of an order is computed from. `paid`: see `read_sums`."""

    revision: AgreedRevision | None
    entered: EnteredPrice | None
    paid: str | None

    def of_order(self, settings: DocumentSettings) -> OrderMoney:
        """`settings` are those of the workshop."""
        revised = None if self.revision is None else self.revision.price(settings)
        is_accepted = revised is not None and revised.source == "accepted"
        price = price_of(revised if is_accepted else None, self.entered, revised)
        return OrderMoney(price, read_sums(self.paid), settings.currency)


# Statements


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


async def find_stored(db: Read, order_id: str) -> StoredMoney:
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


class AgreedFigures(Struct, frozen=True):
    """What was agreed for an order with its net and tax, where a revision of its estimate states them.

    `tax` is None where the estimate has none: net is then gross. `accepted_at` is None where nobody has accepted that
    revision.
    """

    currency: str
    net: Decimal
    tax: Decimal | None
    gross: Decimal
    estimate_number: str
    accepted_at: Instant | None

    def net_of(self, paid: Decimal) -> Decimal:
        """The net part of a sum that was paid, in proportion."""
        if not self.gross:
            return Decimal(0)
        with localcontext(EXACT):
            return rounded(paid * self.net / self.gross, minor_unit(self.currency))


class BookedOrder(Struct, frozen=True):
    """What the books of a workshop say of an order. `tax_id` is the buyer's, "" where it is not known."""

    tax_id: str
    agreed: AgreedFigures | None


class _OrderId(Struct, frozen=True):
    id: str


class _TaxedContent(Struct, frozen=True):
    """Of a revision, with all of its lines."""

    line_items: list[LineItem]
    markup_percent: Number
    discount_percent: Number
    terms: RevisionTerms | None
    facts: DocumentFacts | None
    number: str | None


class _TaxedOrder(JoinedRow, frozen=True):
    order: _OrderId
    content: _TaxedContent | None
    accepted_at: Instant | None
    entered: EnteredPrice | None
    customer_tax_id: str | None


async def list_booked(db: Read, order_ids: Sequence[str], settings: DocumentSettings) -> dict[str, BookedOrder]:
    """The orders by their ids. `settings` are those of the workshop."""
    if not order_ids:
        return {}
    ids = {numbered("id", at): order_id for at, order_id in enumerate(order_ids)}
    sql = f"""
        SELECT o.id, r.line_items, r.markup_percent, r.discount_percent, r.terms, r.facts, e.number,
            CASE WHEN a.id IS NULL THEN NULL ELSE a.decided_at END AS accepted_at,
            d.agreed_thousandths AS thousandths, d.agreed_currency AS currency, c.tax_id AS customer_tax_id
        FROM orders o JOIN order_details d ON d.order_id = o.id
            LEFT JOIN estimates e ON e.id = o.estimate_id {REVISION_JOINS}
            LEFT JOIN customers c ON c.id = d.customer_id
        WHERE o.id IN ({", ".join(f":{name}" for name in ids)})
    """
    found = {}
    for row in await db.all(_TaxedOrder, sql, **ids):
        found[row.order.id] = _booked(row, settings)
        # Totals of 500 lines take a millisecond or two: other requests go on between orders.
        await asyncio.sleep(0)
    return found


def _booked(row: _TaxedOrder, settings: DocumentSettings) -> BookedOrder:
    content = row.content
    facts = NO_FACTS if content is None or content.facts is None else content.facts
    tax_id = facts.recipient_tax_id or row.customer_tax_id or ""
    # A price that was entered has no net and tax.
    if content is None or (row.entered is not None and row.accepted_at is None):
        return BookedOrder(tax_id, None)
    terms = content.terms or NO_FACTS.early_terms(settings)
    totals = terms.totals(content)
    agreed = AgreedFigures(
        currency=terms.currency,
        net=totals.net,
        tax=None if totals.tax is UNSET else totals.tax,
        gross=totals.total,
        estimate_number=content.number or "",
        accepted_at=row.accepted_at,
    )
    return BookedOrder(tax_id, agreed)


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


# Of details `d` and their order `o`. A node of the version before moves an order without clearing its collection.
IS_OWED = "d.owed_thousandths > 0 AND d.collected_at IS NOT NULL AND o.status = 'done'"
_MONEY = f"""
    SELECT {COLUMNS}, w.document_settings
    FROM orders o JOIN order_details d ON d.order_id = o.id JOIN workshops w ON w.id = o.workshop_id
        LEFT JOIN estimates e ON e.id = o.estimate_id {REVISION_JOINS}
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


class _OwedRow(JoinedRow, frozen=True):
    revision: AgreedRevision | None
    entered: EnteredPrice | None
    paid: str | None
    settings: _Settings


async def save_owed(db: Write, order_id: str) -> None:
    """Computes what is owed for the order, if it is collected. To be called after the change.

    Locks its details first: what a transaction changes at the same time is then seen here, or this there.
    """
    sql = "SELECT collected_at FROM order_details WHERE order_id = :order_id"
    details = await db.locking().one(_Details, sql, order_id=order_id)
    if details is None or details.collected_at is None:
        return
    row = await db.one(_OwedRow, _MONEY, order_id=order_id)
    assert row is not None
    due = StoredMoney(row.revision, row.entered, row.paid).of_order(row.settings.document_settings).due()
    currency = None if due is None else due.currency
    await db.run(_SAVE, order_id=order_id, thousandths=owed_thousandths(due), currency=currency)


async def save_owed_of_estimate(db: Write, estimate_id: str) -> list[str]:
    """Computes what is owed for the orders of an estimate, which the caller has locked. Returns their ids."""
    sql = "SELECT id FROM orders WHERE estimate_id = :estimate_id ORDER BY id"
    order_ids = await db.all(str, sql, estimate_id=estimate_id)
    for order_id in order_ids:
        await save_owed(db, order_id)
    return order_ids


async def list_owed(db: Read, workshop_id: str) -> list[OwedSum]:
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
        await save_owed(db, order_id)
    return len(order_ids)


# Verbs


async def get(db: Read, order: OrderRef) -> Balance:
    """Read what was agreed for an order, what has been paid, and what is due."""
    return (await find(db, order.id, await document_settings.find(db, order.workshop_id))).balance()


async def agree(db: Write, call: Call, order: OrderRef, body: NewPrice) -> Balance | Unchanged[Balance]:
    """Set the price of an order without an estimate; null clears it.

    Raises Conflict `accepted` where an accepted revision states the price, `other_currency` where the order was paid in
    another currency than that of the workshop.
    """
    settings = await document_settings.find(db, order.workshop_id)
    stored = await find_stored(db, order.id)
    money = stored.of_order(settings)
    entered = None
    if body.amount is not None:
        require_exact(body.amount, settings.currency)
        _require_allowed(money, settings)
        entered = EnteredPrice(thousandths(body.amount), settings.currency)
    if entered == stored.entered:
        return Unchanged(money.balance())
    await save_entered(db, order.id, entered, call.now)
    await save_owed(db, order.id)
    return (await find(db, order.id, settings)).balance()


def _require_allowed(money: OrderMoney, settings: DocumentSettings) -> None:
    if money.price is not None and money.price.source == "accepted":
        raise is_accepted()
    if any(currency != settings.currency for currency in money.sums):
        raise other_currency()


async def find(db: Read, order_id: str, settings: DocumentSettings) -> OrderMoney:
    """Price and payments of the order. `settings` are those of its workshop. Raises NotFound."""
    return (await find_stored(db, order_id)).of_order(settings)
