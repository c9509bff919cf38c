"""Pagination: the query of a list, and a page of it as JSON."""

from typing import Annotated

from msgspec import Meta, Struct


class PageQuery(Struct, frozen=True):
    """`limit` entries after `cursor`. Without `limit` the whole list."""

    limit: Annotated[int, Meta(ge=1, le=500)] | None = None
    cursor: Annotated[str, Meta(max_length=200)] | None = None


UNPAGED = PageQuery()


class Page(Struct, frozen=True):
    """A page of a list, encoded as JSON, and the next page's cursor, or None."""

    json: bytes
    next_cursor: str | None
