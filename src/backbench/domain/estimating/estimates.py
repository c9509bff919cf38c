"""Estimates: the line items and percentages of a job, and their immutable revisions."""

from collections.abc import Sequence
from typing import Annotated, Literal, Protocol

from msgspec import UNSET, Meta, Struct, UnsetType, structs

from backbench.domain.values.enums import DepositKind, DocumentLocale, LineItemUnit, PricesEntered, PricesShown
from backbench.domain.values.errors import FieldError
from backbench.domain.values.ids import NewId, with_ids
from backbench.domain.values.money import Totals, total
from backbench.domain.values.numbers import Number
from backbench.domain.values.scalars import (
    NO_CONTROL,
    NO_MARKS,
    ONE_LINE,
    ONE_WORD,
    Name,
    OptionalName,
    between,
)
from backbench.domain.values.taxes import Tax, TaxKind, tax_of
from backbench.domain.values.text import LocalizedLine, in_locale
from backbench.domain.values.times import Instant
from backbench.domain.workshops.orders import CustomerName, NewOrder, Title

Label = Name
Identifier = Annotated[str, Meta(min_length=1, max_length=100, pattern=NO_CONTROL, extra=ONE_LINE)]
# Of line items and buttons: as a path accepts it.
ItemId = Annotated[str, Meta(min_length=1, max_length=64, pattern=NO_MARKS, extra=ONE_WORD)]
UnitPrice = Annotated[Number, between(0, 10**9, places=4)]
Quantity = Annotated[Number, between(0, 10**6, places=4)]
MarkupPercent = Annotated[Number, between(0, 1000, places=4)]
DiscountPercent = Annotated[Number, between(0, 100, places=4)]
ZERO = Number(0)


class LineItem(Struct, frozen=True, rename="camel", omit_defaults=True):
    id: str
    label: str
    unit: LineItemUnit
    unit_price: Number
    quantity: Number
    source_button_id: str | UnsetType = UNSET


class NewLineItem(Struct, frozen=True, rename="camel", forbid_unknown_fields=True):
    """A line item of a request: with the id of an existing line, or without an id for a new one."""

    label: Label
    unit: LineItemUnit
    unit_price: UnitPrice
    quantity: Quantity
    id: ItemId | UnsetType = UNSET
    # The grid button that the line was created with. Not checked, as the specification requires.
    source_button_id: str | UnsetType = UNSET

    def with_id(self, id_: str) -> LineItem:
        return LineItem(id_, self.label, self.unit, self.unit_price, self.quantity, self.source_button_id)


MAX_LINE_ITEMS = 500
NewLineItems = Annotated[list[NewLineItem], Meta(max_length=MAX_LINE_ITEMS)]


class LineItemEdit(Struct, frozen=True, rename="camel", forbid_unknown_fields=True):
    label: Label | UnsetType = UNSET
    unit: LineItemUnit | UnsetType = UNSET
    unit_price: UnitPrice | UnsetType = UNSET
    quantity: Quantity | UnsetType = UNSET

    at_least_one = True

    def apply(self, line: LineItem) -> LineItem:
        return structs.replace(
            line, **{name: value for name, value in structs.asdict(self).items() if value is not UNSET}
        )


class Estimate(Struct, frozen=True, rename="camel"):
    id: str
    workshop_id: str
    name: str
    markup_percent: Number
    discount_percent: Number
    created_at: Instant
    updated_at: Instant
    line_items: list[LineItem]
    recipient_name: str | UnsetType = UNSET

    def duplicate(self, estimate_id: str, at: Instant) -> "Estimate":
        """A copy with its own id and without revisions."""
        return structs.replace(self, id=estimate_id, created_at=at, updated_at=at)


class EstimatesList(Struct, frozen=True):
    estimates: list[Estimate]


class EstimateRevision(Struct, frozen=True, rename="camel"):
    id: str
    revision_number: int
    created_at: Instant
    created_by_uid: str
    name: str
    markup_percent: Number
    discount_percent: Number
    line_items: list[LineItem]


class EstimateRevisionsList(Struct, frozen=True):
    revisions: list[EstimateRevision]


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


class MostUsedLineItem(Struct, frozen=True, rename="camel"):
    """`count` estimates have a line with this label and unit. The price is that of the latest one."""

    label: str
    unit: LineItemUnit
    unit_price: Number
    count: int
    last_used_at: Instant
    prices_entered: Literal["gross"] | UnsetType = UNSET


class MostUsedLineItemsList(Struct, frozen=True, rename="camel"):
    line_items: list[MostUsedLineItem]


class MostUsedQuery(Struct, frozen=True):
    limit: Annotated[int, Meta(ge=1, le=500)] = 20


class EstimateConfirmation(Struct, frozen=True):
    estimate: Estimate
    revision: EstimateRevision


class NewEstimate(Struct, frozen=True, rename="camel", forbid_unknown_fields=True):
    name: Name
    recipient_name: OptionalName | UnsetType = UNSET
    markup_percent: MarkupPercent | UnsetType = UNSET
    discount_percent: DiscountPercent | UnsetType = UNSET
    line_items: NewLineItems | UnsetType = UNSET
    # Made without a connection: the prices of the workshop may be others by now.
    prices_entered: PricesEntered | UnsetType = UNSET

    def field_errors(self) -> list[FieldError]:
        return [] if self.line_items is UNSET else duplicate_ids(self.line_items, "/lineItems")

    def to_estimate(self, workshop_id: str, new_id: NewId, at: Instant) -> Estimate:
        """The new estimate. Percentages that were not sent are 0, and line items are empty."""
        return Estimate(
            id=new_id(),
            workshop_id=workshop_id,
            name=self.name,
            recipient_name=self.recipient_name or UNSET,
            markup_percent=ZERO if self.markup_percent is UNSET else self.markup_percent,
            discount_percent=ZERO if self.discount_percent is UNSET else self.discount_percent,
            created_at=at,
            updated_at=at,
            line_items=[] if self.line_items is UNSET else with_ids(self.line_items, new_id),
        )


class EstimateEdit(Struct, frozen=True, rename="camel", forbid_unknown_fields=True):
    name: Name | UnsetType = UNSET
    recipient_name: OptionalName | UnsetType | None = UNSET
    markup_percent: MarkupPercent | UnsetType = UNSET
    discount_percent: DiscountPercent | UnsetType = UNSET
    line_items: NewLineItems | UnsetType = UNSET

    at_least_one = True

    def field_errors(self) -> list[FieldError]:
        return [] if self.line_items is UNSET else duplicate_ids(self.line_items, "/lineItems")


class OrderFromEstimate(Struct, frozen=True, rename="camel", forbid_unknown_fields=True):
    """Title and customer of the order. Defaults: the name and recipient of the estimate."""

    title: Title | UnsetType = UNSET
    customer_name: CustomerName | UnsetType = UNSET

    def to_new_order(self, estimate: Estimate) -> NewOrder:
        recipient = "" if estimate.recipient_name is UNSET else estimate.recipient_name
        return NewOrder(
            title=estimate.name if self.title is UNSET else self.title,
            customer_name=recipient if self.customer_name is UNSET else self.customer_name,
        )


class _Entry(Protocol):
    @property
    def id(self) -> str | UnsetType: ...


def duplicate_ids(entries: Sequence[_Entry], pointer: str) -> list[FieldError]:
    """An error for every entry that repeats the id of an earlier one."""
    seen: set[str] = set()
    found = []
    for index, entry in enumerate(entries):
        if entry.id is UNSET:
            continue
        if entry.id in seen:
            found.append(FieldError(f"{pointer}/{index}/id", "duplicate", "Duplicate id"))
        seen.add(entry.id)
    return found
