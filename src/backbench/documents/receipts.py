"""Receipts of payments: for the customer, by the workshop's word alone. They are no fiscal receipts, and say so."""

from datetime import date
from decimal import Decimal

from msgspec import UNSET, Struct, UnsetType

from backbench.values.enums import DocumentLocale, PaymentKind, PaymentMethod


class ReceiptQuery(Struct, frozen=True):
    """The caller's language unless another is named."""

    locale: DocumentLocale | UnsetType = UNSET


class ReceiptDocument(Struct, frozen=True, kw_only=True):
    """A receipt is complete: rendering it needs no further rule or clock. Texts that are empty are not printed.

    `agreed`, `paid` and `due` are those of the order on day `stated_on`; `agreed` and `due` are None without a price.
    Dates are in the time zone of the workshop. `voided_on` is None for a payment that stands.
    """

    locale: DocumentLocale
    workshop_name: str
    workshop_contact: list[str]
    tax_id: str
    number: int
    title: str
    customer_name: str
    payment_id: str
    kind: PaymentKind
    method: PaymentMethod
    amount: Decimal
    currency: str
    received_on: date
    note: str
    agreed: Decimal | None
    paid: Decimal
    due: Decimal | None
    balance_currency: str
    stated_on: date
    voided_on: date | None
    void_reason: str
