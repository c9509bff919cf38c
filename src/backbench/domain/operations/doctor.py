"""What the doctor finds: a part of the installation, how it is, and what to do about it."""

from typing import Literal

from msgspec import Struct


class Finding(Struct, frozen=True):
    """A `note` is worth knowing; only what is `wrong` must be put right."""

    part: str
    state: Literal["ok", "note", "wrong"]
    says: str
    do: str = ""


def found(part: str, is_well: bool, well: str, ill: str, do: str) -> Finding:
    """`well` where it is, else `ill` and what to do."""
    return Finding(part, "ok", well) if is_well else Finding(part, "wrong", ill, do)
