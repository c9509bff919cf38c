"""Lists that are had in parts, and answers that are ready-made JSON."""

from typing import Annotated

from msgspec import Meta, Struct


class PageQuery(Struct, frozen=True):
    """How much of a list is asked for, and after which entry: all of it unless told otherwise."""

    limit: Annotated[int, Meta(ge=1, le=500)] | None = None
    cursor: Annotated[str, Meta(max_length=200)] | None = None


UNPAGED = PageQuery()


class Page(Struct, frozen=True):
    """A part of a list as JSON, and the cursor that leads on, if more follows."""

    json: bytes
    following: str | None
