"""What a workshop's papers and messages show that its profile does not carry."""

from datetime import date, timedelta
from typing import Annotated

from msgspec import UNSET, Meta, Struct, UnsetType

from backbench.domain.estimating.estimates import RevisionTerms
from backbench.domain.values.currencies import MINOR_DIGITS
from backbench.domain.values.enums import UserLocale
from backbench.domain.values.numbers import Number
from backbench.domain.values.scalars import OptionalName, Rule, between

Currency = Annotated[
    str,
    Meta(min_length=3, max_length=3),
    Rule(
        code="unknown_currency",
        detail="Expected a code of ISO 4217, such as EUR",
        holds=MINOR_DIGITS.__contains__,
        schema={"enum": sorted(MINOR_DIGITS)},
    ),
]
TaxPercent = Annotated[Number, between(0, 100, places=4)]


VALID_DAYS = 30


class DocumentSettings(Struct, frozen=True, rename="camel", forbid_unknown_fields=True):
    """`tax_percent` is absent where no tax is shown; `tax_label` where it bears the usual name of the locale.

    `valid_days` is how long an estimate holds: VALID_DAYS where it is absent, and 0 to say nothing about it.
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
        """The money that estimates are confirmed in from now on."""
        return RevisionTerms(self.currency, self.tax_percent, "" if self.tax_label is UNSET else self.tax_label)

    def valid_until(self, issued_on: date) -> date | None:
        days = VALID_DAYS if self.valid_days is UNSET else self.valid_days
        return issued_on + timedelta(days) if days else None


def default_settings(locale: UserLocale) -> DocumentSettings:
    return DocumentSettings(currency="PLN" if locale == "pl" else "EUR")
