"""A sample receipt, with the differences that a test needs."""

from datetime import date
from decimal import Decimal
from typing import Any

from backbench.documents.receipts import ReceiptDocument

_RECEIPT = {
    "locale": "pl", "workshop_name": "Stolarnia Kowalska", "workshop_contact": ["ul. Młyńska 14", "33-300 Nowy Sącz"],
    "tax_id": "734-293-88-41", "order_number": 214, "title": "Zabudowa kuchni", "customer_name": "Ewa Śmigły-Żak",
    "customer_tax_id": "", "number": "KP 12/2026", "payment_id": "0192f0c4-7a2e-7b11-9d3c-5a1f2e3d4c5b",
    "kind": "payment", "deposit_kind": None, "method": "cash", "amount": Decimal("350.50"), "currency": "PLN",
    "received_on": date(2026, 11, 22), "recorded_by": "Jan Kowalczyk", "note": "", "agreed": Decimal(1150),
    "paid": Decimal("350.50"), "due": Decimal("799.50"), "balance_currency": "PLN", "stated_on": date(2026, 11, 23),
    "voided_on": None, "void_reason": "",
}  # fmt: skip


def receipt(**others: Any) -> ReceiptDocument:
    return ReceiptDocument(**{**_RECEIPT, **others})
