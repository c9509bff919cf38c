"""Findings of `backbench doctor`: a part of the installation, its state, and how to fix it."""

from typing import Literal

from msgspec import Struct


class Finding(Struct, frozen=True):
    """The result of one check. A `note` is for information; only `wrong` needs action and fails the command."""

    part: str
    state: Literal["ok", "note", "wrong"]
    says: str
    do: str = ""


def found(part: str, is_ok: bool, ok: str, wrong: str, do: str) -> Finding:
    """`ok` with the text `ok`, or `wrong` with the text `wrong` and what to do."""
    return Finding(part, "ok", ok) if is_ok else Finding(part, "wrong", wrong, do)
