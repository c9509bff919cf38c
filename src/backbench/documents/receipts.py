"""Receipts of payments: for the customer, by the workshop's word alone. They are no fiscal receipts, and say so."""

from datetime import date
from decimal import Decimal

from msgspec import UNSET, Struct, UnsetType

from backbench.values.enums import DepositKind, DocumentLocale, PaymentKind, PaymentMethod


class ReceiptQuery(Struct, frozen=True):
    """The caller's language unless another is named."""

    locale: DocumentLocale | UnsetType = UNSET


class ReceiptDocument(Struct, frozen=True, kw_only=True):
    """A receipt is complete: rendering it needs no further rule or clock. Texts that are empty are not printed.

    `number` is that of the payment, "" for one of an earlier release that has none yet. `deposit_kind` is what the
    estimate calls a deposit, None where nobody has named it. `recorded_by` took cash, or paid it back.
    `agreed`, `paid` and `due` are those of the order on day `stated_on`; `agreed` and `due` are None without a price.
    Dates are in the time zone of the workshop. `voided_on` is None for a payment that stands.
    """

    locale: DocumentLocale
    workshop_name: str
    workshop_contact: list[str]
    tax_id: str
    order_number: int
    title: str
    customer_name: str
    customer_tax_id: str
    number: str
    payment_id: str
    kind: PaymentKind
    deposit_kind: DepositKind | None
    method: PaymentMethod
    amount: Decimal
    currency: str
    received_on: date
    recorded_by: str
    note: str
    agreed: Decimal | None
    paid: Decimal
    due: Decimal | None
    balance_currency: str
    stated_on: date
    voided_on: date | None
    void_reason: str

    @property
    def file_name(self) -> str:
        """Of its PDF, such as `KP 12-2026.pdf`; without a number after the order and the day."""
        return f"{self.number.replace('/', '-') or f'{self.order_number}-{self.received_on}'}.pdf"
