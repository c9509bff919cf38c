"""TODO."""

from typing import Protocol

from msgspec import UNSET, Struct, UnsetType

from backbench.estimating.line_items import LineItem
from backbench.values.enums import DepositKind, DocumentLocale, PricesEntered, PricesShown
from backbench.values.money import Totals, total
from backbench.values.numbers import Number
from backbench.values.taxes import Tax, TaxKind, tax_of
from backbench.values.text import LocalizedLine, in_locale


class Content(Protocol):
    """What totals are computed from: an estimate, a revision, or columns of them."""

    @property
    def line_items(self) -> list[LineItem]: ...
    @property
    def markup_percent(self) -> Number: ...
    @property
    def discount_percent(self) -> Number: ...


class RevisionTerms(Struct, frozen=True, rename="camel", omit_defaults=True):
    """The currency, taxes and deposit of a revision, stored with it so that later settings do not change its totals.

    `line_taxes` are taxes by line id, for lines that do not have that of the revision. `prices_shown` are those of its
    documents, and `computed` those that its totals are sums of. Of a revision of an earlier release they are net also
    where gross prices are shown: those were found for the net totals.
    """

    currency: str
    tax_percent: Number | UnsetType = UNSET
    tax_label: str | LocalizedLine = ""
    line_taxes: dict[str, Tax] = {}
    deposit_percent: Number | UnsetType = UNSET
    tax_kind: TaxKind = "rate"
    deposit_amount: Number | UnsetType = UNSET
    deposit_kind: DepositKind = "advance"
    prices_shown: PricesShown = "net"
    prices_entered: PricesEntered = "net"
    computed: PricesShown = "net"

    @property
    def tax(self) -> Tax | None:
        """The tax of lines without one of their own."""
        return tax_of(self.tax_kind, None if self.tax_percent is UNSET else self.tax_percent)

    @property
    def is_total_of_sum(self) -> bool:
        """Whether the total follows from the sum of price × quantity as entered, without the single lines."""
        return self.prices_entered == "gross" if self.computed == "gross" else not self.line_taxes

    def totals(self, estimate: Content) -> Totals:
        """The totals of the estimate or revision in this currency, with this tax."""
        return total(
            estimate.line_items,
            markup_percent=estimate.markup_percent,
            discount_percent=estimate.discount_percent,
            tax_percent=None if self.tax_percent is UNSET else self.tax_percent,
            currency=self.currency,
            tax_kind=self.tax_kind,
            line_taxes=self.line_taxes,
            tax_label=self.label_in("en"),
            prices_entered=self.prices_entered,
            computed=self.computed,
        )

    def label_in(self, locale: DocumentLocale) -> str:
        """The name of the tax: the workshop's, or else the usual one of the locale, which is the same in both."""
        return in_locale(self.tax_label, locale) or "VAT"
