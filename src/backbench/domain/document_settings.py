"""What a workshop's papers and messages show that its profile does not carry."""

from typing import Annotated

from msgspec import UNSET, Meta, Struct, UnsetType

from backbench.domain.accounts import UserLocale
from backbench.domain.currencies import MINOR_DIGITS
from backbench.domain.numbers import Number
from backbench.domain.scalars import OptionalName, Rule, between

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


class DocumentSettings(Struct, frozen=True, rename="camel", forbid_unknown_fields=True):
    """`tax_percent` is absent where no tax is shown; `tax_label` where it bears the usual name of the locale."""

    currency: Currency
    address: OptionalName = ""
    phone: OptionalName = ""
    email: OptionalName = ""
    tax_id: OptionalName = ""
    footer: OptionalName = ""
    tax_percent: TaxPercent | UnsetType = UNSET
    tax_label: OptionalName | UnsetType = UNSET


def default_settings(locale: UserLocale) -> DocumentSettings:
    return DocumentSettings(currency="PLN" if locale == "pl" else "EUR")
