"""Signatures of orders: what a customer drew at the counter, kept with the order and printed on its slips."""

from typing import Annotated

from msgspec import UNSET, Meta, Struct, UnsetType

from backbench.domain.orders.order_details import Collector
from backbench.domain.sharing.decisions import MAX_STROKE_BYTES, MAX_STROKES, Stroke
from backbench.domain.values.errors import Conflict, FieldError
from backbench.domain.values.numbers import Number, to_json
from backbench.domain.values.times import Instant


class NewOrderSignature(Struct, frozen=True, omit_defaults=True, forbid_unknown_fields=True):
    """`name`: who signed, where it was not the customer."""

    strokes: Annotated[list[Stroke], Meta(min_length=1, max_length=MAX_STROKES)]
    name: Collector | UnsetType = UNSET

    def field_errors(self) -> list[FieldError]:
        if len(to_json(self.strokes)) <= MAX_STROKE_BYTES:
            return []
        return [FieldError("/strokes", "too_long", f"Expected at most {MAX_STROKE_BYTES} bytes of JSON")]


class OrderSignature(Struct, frozen=True, rename="camel"):
    """Without the other members where nobody has signed."""

    order_id: str
    strokes: list[list[list[Number]]] | UnsetType = UNSET
    name: str | UnsetType = UNSET
    signed_at: Instant | UnsetType = UNSET


def is_signed() -> Conflict:
    return Conflict("signed", "The order has a signature, which only a person replaces")
