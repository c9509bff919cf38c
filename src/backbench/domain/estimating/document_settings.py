"""Document settings: currency, tax, letterhead and validity of a workshop's documents and messages."""

from datetime import date, timedelta
from typing import Annotated

from msgspec import UNSET, Meta, Struct, UnsetType

from backbench.domain.estimating.estimates import RevisionTerms
from backbench.domain.values.currencies import MINOR_DIGITS
from backbench.domain.values.enums import UserLocale
from backbench.domain.values.numbers import Number
from backbench.domain.values.scalars import OptionalName, Rule, between


class _CurrencyRule(Rule, frozen=True, eq=False):
    """One detail for every wrong value: the length alone would not say what is expected."""

    def code_for(self, value: str) -> str:
        if len(value) < 3:
            return "too_short"
        return "too_long" if len(value) > 3 else self.code


Currency = Annotated[
    str,
    _CurrencyRule(
        code="unknown_currency",
        detail="Expected an ISO 4217 currency code, such as EUR",
        holds=MINOR_DIGITS.__contains__,
        schema={"minLength": 3, "maxLength": 3, "enum": sorted(MINOR_DIGITS)},
    ),
]
TaxPercent = Annotated[Number, between(0, 100, places=4)]
DEFAULT_VALID_DAYS = 30


class DocumentSettings(Struct, frozen=True, rename="camel", forbid_unknown_fields=True):
    """Without `tax_percent` no tax is shown. Without `tax_label` it has the usual name of the locale.

    `valid_days` is how long an estimate is valid: 30 days if it is absent. With 0 no validity is stated.
    """

    currency: Currency
    address: OptionalName = ""
    phone: OptionalName = ""
    email: OptionalName = ""
    tax_id: OptionalName = ""
    footer: OptionalName = ""
    tax_percent: TaxPercent | UnsetType = UNSET
    tax_label: OptionalName | UnsetType = UNSET
    valid_days: Annotated[int, Meta(ge=0, le=3650)] | UnsetType = UNSET

    @property
    def terms(self) -> RevisionTerms:
        """The currency and tax with which estimates are confirmed from now on."""
        return RevisionTerms(self.currency, self.tax_percent, "" if self.tax_label is UNSET else self.tax_label)

    def valid_until(self, issued_on: date) -> date | None:
        days = DEFAULT_VALID_DAYS if self.valid_days is UNSET else self.valid_days
        return issued_on + timedelta(days) if days else None


def default_settings(locale: UserLocale) -> DocumentSettings:
    return DocumentSettings(currency="PLN" if locale == "pl" else "EUR")
