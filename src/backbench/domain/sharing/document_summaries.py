"""Summaries of client documents that are stored as canonical JSON: what emails, certificates and decisions need."""

from decimal import Decimal
from typing import Any

import msgspec
from msgspec import Struct

from backbench.domain.values.enums import DocumentTitle


class DocumentSummary(Struct, frozen=True):
    """What emails and certificates say of a document. `is_taxed`: whether the total includes a tax."""

    workshop_name: str
    name: str
    number: str
    currency: str
    total: Decimal
    title: DocumentTitle = "estimate"
    is_taxed: bool = False
    tax_label: str = ""
    deposit: Decimal | None = None
    iban: str = ""


def summary_of(canonical_json: str) -> DocumentSummary:
    """The summary of a document that was stored as canonical JSON."""
    stored: dict[str, Any] = msgspec.json.decode(canonical_json)
    sums = stored["sums"]
    return DocumentSummary(
        stored["letterhead"]["name"],
        stored["name"],
        stored.get("number", ""),
        stored["currency"],
        Decimal(sums["total"]),
        stored.get("documentTitle", "estimate"),
        "tax" in sums or any("percent" in tax for tax in sums["taxes"]),
        sums["taxLabel"],
        Decimal(sums["deposit"]["amount"]) if "deposit" in sums else None,
        stored["letterhead"].get("iban", ""),
    )


def offers_early_start(canonical_json: str) -> bool:
    """Whether a document that was stored as canonical JSON lets the client ask for an early start."""
    return "earlyStart" in msgspec.json.decode(canonical_json)
