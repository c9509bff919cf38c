"""Balances of orders: what was agreed, what has been paid, and what is due. Sums are exact; currencies are never mixed.

The price is that of the accepted revision of the order's estimate, else the one that was entered, else that of the
latest confirmed revision.
"""

from collections.abc import Mapping
from decimal import Decimal, localcontext
from typing import Literal

from msgspec import UNSET, Struct, UnsetType

from backbench.domain.orders.payments import Amount, of_thousandths
from backbench.domain.values.errors import Conflict
from backbench.domain.values.money import EXACT, plain
from backbench.domain.values.numbers import Number
from backbench.domain.values.times import Instant

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


class AmountDue(Struct, frozen=True):
    currency: str
    amount: Number


class EnteredPrice(Struct, frozen=True):
    """As it is stored."""

    thousandths: int
    currency: str


class AskedDeposit(Struct, frozen=True):
    amount: Decimal
    percent: Decimal | None


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
