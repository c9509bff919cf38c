"""Slips: what is printed for an order at the counter, for the customer, for the workshop, or to stick to the piece."""

from collections.abc import Sequence
from datetime import date
from decimal import Decimal
from typing import Annotated, Literal

from msgspec import UNSET, Meta, Struct, UnsetType

from backbench.values.enums import DocumentLocale

SlipFormat = Literal["a5", "receipt-80", "receipt-58", "label-62x29", "label-54x25"]


class SlipQuery(Struct, frozen=True):
    """The caller's language unless another is named. `piece` counts from 1. `place`: on labels, too."""

    format: SlipFormat = "a5"
    locale: DocumentLocale | UnsetType = UNSET
    piece: Annotated[int, Meta(ge=1, le=99)] = 1
    place: Literal["true", "false"] = "false"


class SlipMoney(Struct, frozen=True):
    """What was agreed, paid and due when the slip was printed."""

    currency: str
    agreed: Decimal
    paid: Decimal
    due: Decimal


class SlipDocument(Struct, frozen=True, kw_only=True):
    """A slip is complete: rendering it needs no further rule or clock. Texts that are empty are not printed.

    `address` is that of the status page, which has the code to pay with; `money` is None without an agreed price. The
    limit is in `currency`; dates are in the time zone of the workshop. `terms` are what the workshop says to each
    customer, of storage for instance. `has_place`: a label says where the piece is.
    """

    format: SlipFormat
    locale: DocumentLocale
    workshop_name: str
    workshop_contact: list[str]
    number: int
    piece: int
    pieces: int
    title: str
    customer_name: str
    phone: str
    description: str
    condition: str
    serial: str
    place: str
    received_on: date
    due_on: date | None
    due_time: str
    price_limit: Decimal | None
    currency: str
    address: str
    # What the customer signed, as it was drawn; without strokes there is a line to sign on.
    strokes: Sequence[Sequence[tuple[float, float]]] = ()
    signer: str = ""
    signed_on: date | None = None
    money: SlipMoney | None = None
    tax_id: str = ""
    terms: str = ""
    has_place: bool = False
