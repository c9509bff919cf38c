"""Pagination: the page of a list that a request asks for, and the page that it gets."""

from collections.abc import Sequence
from typing import Annotated, Generic, TypeVar

from msgspec import Meta, Struct

T = TypeVar("T")


class PageQuery(Struct, frozen=True):
    """`limit` entries after `cursor`. Without `limit` the whole list."""

    limit: Annotated[int, Meta(ge=1, le=500)] | None = None
    cursor: Annotated[str, Meta(max_length=200)] | None = None


UNPAGED = PageQuery()


class Page(Struct, Generic[T], frozen=True):
    """A page of a list. `next_cursor` is None on the last page."""

    items: Sequence[T]
    next_cursor: str | None = None
