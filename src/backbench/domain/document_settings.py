"""What a workshop's papers and messages show that its profile does not carry."""

from msgspec import Struct

from backbench.domain.accounts import UserLocale


class DocumentSettings(Struct, frozen=True, rename="camel"):
    """`currency` is an ISO 4217 code."""

    currency: str
    address: str = ""
    phone: str = ""
    email: str = ""
    tax_id: str = ""
    footer: str = ""


def default_settings(locale: UserLocale) -> DocumentSettings:
    return DocumentSettings(currency="PLN" if locale == "pl" else "EUR")
