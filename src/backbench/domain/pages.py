"""Answers that are ready-made JSON, and lists that go on."""

from msgspec import Struct


class Page(Struct, frozen=True):
    """A part of a list as JSON, and the cursor that leads on, if more follows."""

    json: bytes
    following: str | None
