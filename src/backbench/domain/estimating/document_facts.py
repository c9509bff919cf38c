"""Document facts: what an estimate's PDF states that the Estimate shape does not have."""

from datetime import date, timedelta
from typing import Annotated, TypeVar

from msgspec import UNSET, Meta, Struct, UnsetType, structs

from backbench.domain.estimating.document_settings import (
    DEFAULT_VALID_DAYS,
    DocumentSettings,
    TaxPercent,
    ValidDays,
    shown_net_errors,
)
from backbench.domain.estimating.estimates import Identifier, Label, RevisionTerms
from backbench.domain.values.enums import (
    Breakdown,
    DepositKind,
    DocumentLocale,
    DocumentTitle,
    PricesEntered,
    PricesShown,
    Withdrawal,
)
from backbench.domain.values.errors import FieldError
from backbench.domain.values.numbers import Number
from backbench.domain.values.scalars import LongText, Name, OptionalName, OptionalPhone, between
from backbench.domain.values.taxes import Tax, TaxKind
from backbench.domain.values.text import in_locale

T = TypeVar("T")

LineTaxes = Annotated[dict[Identifier, Tax], Meta(max_length=500)]
Sections = Annotated[dict[Identifier, Label], Meta(max_length=500)]
DepositAmount = Annotated[Number, between(0, 10**12, places=4)]


class RecipientTexts(Struct, frozen=True):
    """What a customer's record says for the recipient of a document. `name` is empty where there is no record."""

    name: str = ""
    address: str | UnsetType = UNSET
    tax_id: str | UnsetType = UNSET
    email: str | UnsetType = UNSET
    phone: str | UnsetType = UNSET
    site_address: str | UnsetType = UNSET


NO_RECIPIENT = RecipientTexts()


class DocumentFacts(Struct, frozen=True, rename="camel", forbid_unknown_fields=True):
    """What is absent comes from the document settings, and `number` from the series of the workshop.

    `line_taxes` are taxes by line id, for lines that do not have that of the estimate, and `sections` the headings
    before lines. Ids that no line of the estimate has are ignored. A `tax_percent` without `tax_kind` is a rate.
    Texts of the recipient that are absent are those of the customer, until a confirmation.
    """

    number: Name | UnsetType = UNSET
    recipient_address: LongText | UnsetType = UNSET
    recipient_tax_id: OptionalName | UnsetType = UNSET
    recipient_email: OptionalName | UnsetType = UNSET
    recipient_phone: OptionalPhone | UnsetType = UNSET
    site_address: LongText | UnsetType = UNSET
    intro: LongText | UnsetType = UNSET
    terms: LongText | UnsetType = UNSET
    lead_time: LongText | UnsetType = UNSET
    tax_note: LongText | UnsetType = UNSET
    tax_percent: TaxPercent | UnsetType = UNSET
    tax_label: OptionalName | UnsetType = UNSET
    line_taxes: LineTaxes | UnsetType = UNSET
    deposit_percent: Annotated[Number, between(0, 100, places=4)] | UnsetType = UNSET
    valid_days: ValidDays | UnsetType = UNSET
    tax_kind: TaxKind | UnsetType = UNSET
    deposit_amount: DepositAmount | UnsetType = UNSET
    deposit_kind: DepositKind | UnsetType = UNSET
    prices_shown: PricesShown | UnsetType = UNSET
    document_title: DocumentTitle | UnsetType = UNSET
    breakdown: Breakdown | UnsetType = UNSET
    sections: Sections | UnsetType = UNSET
    withdrawal: Withdrawal | UnsetType = UNSET
    # Stored only where it is `gross`.
    prices_entered: PricesEntered | UnsetType = UNSET
    # Stored in a column of its own: the release before reads facts without it.
    customer_id: Identifier | UnsetType = UNSET

    def field_errors(self) -> list[FieldError]:
        found = shown_net_errors(self.prices_entered, self.prices_shown)
        if self.deposit_percent is not UNSET and self.deposit_amount is not UNSET:
            found.append(FieldError("/depositAmount", "conflict", "A deposit is a percentage or an amount, not both"))
        return found

    def replacing(self, before: "DocumentFacts") -> "DocumentFacts":
        """As a request that replaces `before`: what its prices are stays, unless the request says it."""
        entered = before.prices_entered if self.prices_entered is UNSET else self.prices_entered
        return structs.replace(self, prices_entered="gross" if entered == "gross" else UNSET)

    def without_number(self) -> "DocumentFacts":
        """For a copy of the estimate, which gets a number of its own."""
        return structs.replace(self, number=UNSET)

    def without_customer(self) -> "DocumentFacts":
        """The facts of the estimate itself, as they are stored."""
        return structs.replace(self, customer_id=UNSET)

    def with_recipient(self, recipient: RecipientTexts) -> "DocumentFacts":
        """With the texts of the customer's record where the estimate has none."""
        return structs.replace(
            self,
            recipient_address=_own_or(self.recipient_address, recipient.address),
            recipient_tax_id=_own_or(self.recipient_tax_id, recipient.tax_id),
            recipient_email=_own_or(self.recipient_email, recipient.email),
            recipient_phone=_own_or(self.recipient_phone, recipient.phone),
            site_address=_own_or(self.site_address, recipient.site_address),
        )

    def without_recipient(self) -> "DocumentFacts":
        """Without anything about a person."""
        return structs.replace(
            self,
            recipient_address=UNSET,
            recipient_tax_id=UNSET,
            recipient_email=UNSET,
            recipient_phone=UNSET,
            site_address=UNSET,
            customer_id=UNSET,
        )

    def revision_terms(self, settings: DocumentSettings) -> RevisionTerms:
        """The currency, taxes and deposit of the estimate."""
        label = settings.tax_label if self.tax_label is UNSET else self.tax_label
        prices = self._prices_shown(settings)
        return RevisionTerms(
            currency=settings.currency,
            tax_percent=settings.tax_percent if self.tax_percent is UNSET else self.tax_percent,
            tax_label="" if label is UNSET else label,
            line_taxes={} if self.line_taxes is UNSET else self.line_taxes,
            deposit_percent=self.deposit_percent,
            tax_kind=self._tax_kind(settings),
            deposit_amount=self.deposit_amount,
            deposit_kind=_first(self.deposit_kind, settings.deposit_kind, "advance"),
            prices_shown=prices,
            prices_entered="net" if self.prices_entered is UNSET else self.prices_entered,
            computed=prices,
        )

    def early_terms(self, settings: DocumentSettings) -> RevisionTerms:
        """Those of a revision that was confirmed before terms were stored: its totals are sums of net prices."""
        return structs.replace(self.revision_terms(settings), computed="net")

    def _prices_shown(self, settings: DocumentSettings) -> PricesShown:
        if self.prices_entered == "gross":
            return "gross"
        return _first(self.prices_shown, settings.prices_shown, "net")

    def _tax_kind(self, settings: DocumentSettings) -> TaxKind:
        if self.tax_kind is UNSET and self.tax_percent is not UNSET:
            return "rate"
        return _first(self.tax_kind, settings.tax_kind, "rate")

    def title(self, settings: DocumentSettings) -> DocumentTitle:
        return _first(self.document_title, settings.document_title, "estimate")

    def withdrawal_in(self, settings: DocumentSettings) -> Withdrawal:
        return _first(self.withdrawal, settings.withdrawal, "none")

    def valid_until(self, settings: DocumentSettings, issued_on: date) -> date | None:
        """The last day of validity. None if no validity is stated."""
        days = settings.valid_days if self.valid_days is UNSET else self.valid_days
        if days is UNSET:
            days = DEFAULT_VALID_DAYS
        return issued_on + timedelta(days) if days else None

    def terms_in(self, settings: DocumentSettings, locale: DocumentLocale) -> str:
        """The terms in the language of the document: those of the estimate, or else of the workshop."""
        terms = settings.terms if self.terms is UNSET else self.terms
        return "" if terms is UNSET else in_locale(terms, locale)


def _own_or(own: str | UnsetType, other: str | UnsetType) -> str | UnsetType:
    return other if own is UNSET else own


def _first(own: T | UnsetType, usual: T | UnsetType, default: T) -> T:
    """The value of the estimate, or else of the settings, or else the default."""
    if own is not UNSET:
        return own
    return default if usual is UNSET else usual


NO_FACTS = DocumentFacts()
