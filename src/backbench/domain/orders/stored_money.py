"""Stored prices and payments of orders, and the balance that follows from them."""

from msgspec import UNSET, Struct

from backbench.domain.estimating.document_facts import NO_FACTS
from backbench.domain.estimating.document_settings import DocumentSettings
from backbench.domain.estimating.estimates import LineItem, RevisionTerms
from backbench.domain.estimating.summaries import stored_total
from backbench.domain.orders.balances import AskedDeposit, EnteredPrice, OrderMoney, Price, price_of, read_sums
from backbench.domain.values.money import deposit
from backbench.domain.values.numbers import Number


class AgreedRevision(Struct, frozen=True):
    """The revision that an order's price is from."""

    revision_number: int
    markup_percent: Number
    discount_percent: Number
    terms: RevisionTerms | None
    figures: str | None
    line_items: list[LineItem] | None
    accepted: bool

    def price(self, settings: DocumentSettings) -> Price:
        # Revisions of early versions have no terms of their own.
        terms = self.terms or NO_FACTS.early_terms(settings)
        total = stored_total(self.figures, self.line_items, self.markup_percent, self.discount_percent, terms)
        percent, fixed = terms.deposit_percent or None, terms.deposit_amount
        asked = deposit(total, terms.currency, percent, None if fixed is UNSET else fixed)
        return Price(
            "accepted" if self.accepted else "confirmed",
            terms.currency,
            total,
            self.revision_number,
            AskedDeposit(asked, percent) if asked else None,
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
