"""Erasure of a customer: what is left of the person afterwards, and why."""

from typing import Literal

from msgspec import Struct

# `confirmed`: a document that the workshop has confirmed, or its estimate. `decided`: the evidence of a decision.
# `free_text`: a text that somebody wrote by hand holds a name, phone number or email address of the person.
KeptReason = Literal["confirmed", "decided", "free_text"]
KeptKind = Literal[
    "order", "question", "photo", "payment", "estimate", "revision", "decision", "comment", "customer", "workshop"
]  # fmt: skip


class KeptObject(Struct, frozen=True):
    """`id` is that of the object."""

    kind: KeptKind
    id: str
    reason: KeptReason


class Erasure(Struct, frozen=True):
    kept: list[KeptObject]


class WrittenText(Struct, frozen=True):
    """What somebody wrote in an object of the workshop. `names` stand alone, such as that of an order's customer."""

    id: str
    names: str
    text: str
