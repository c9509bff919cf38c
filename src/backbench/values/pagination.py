"""Pagination: the page of a list that a request asks for, and the page that it gets."""

from collections.abc import AsyncGenerator, Awaitable, Callable, Sequence
from typing import Annotated, Any, Generic, TypeVar

from msgspec import UNSET, Meta, Struct, UnsetType

T = TypeVar("T")
Other = TypeVar("Other")


class PageQuery(Struct, frozen=True):
    """`limit` entries after the one that `cursor` names; the whole list without a limit."""

    limit: Annotated[int, Meta(ge=1, le=500)] | None = None
    cursor: Annotated[str, Meta(max_length=200)] | None = None


UNPAGED = PageQuery()


class PagedList(Struct, frozen=True, kw_only=True, rename="camel"):
    """The shape of a list that is read in pages. Lists of the specification have no member but their items."""

    next_cursor: str | UnsetType = UNSET


class Page(Struct, Generic[T], frozen=True):
    """A page of a list. `next_cursor` is None on the last page.

    A page that is too large to be held in memory has no `items`, but `pieces`: given a handle of the database, the
    items piece by piece, each piece as a sequence or as the JSON of its elements.
    """

    items: Sequence[T]
    next_cursor: str | None = None
    pieces: Callable[[Any], AsyncGenerator[Sequence[T] | bytes, None]] | None = None

    def in_shape(self, shape: Any, items: Sequence[T]) -> Any:
        """The list in the type of a response, with these items."""
        if self.next_cursor is not None and issubclass(shape, PagedList):
            return shape(items, next_cursor=self.next_cursor)
        return shape(items)

    def select(self, is_wanted: Callable[[T], bool]) -> "Page[T]":
        """The page without the items that are not wanted. For pages that are held in memory."""
        assert self.pieces is None
        return Page([item for item in self.items if is_wanted(item)], self.next_cursor)

    def map(self, convert: Callable[[T], Other]) -> "Page[Other]":
        """The page with each item converted."""
        if self.pieces is None:
            return Page([convert(item) for item in self.items], self.next_cursor)

        async def convert_all(_db: Any, items: Sequence[T]) -> Sequence[Other]:
            return [convert(item) for item in items]

        return self._in_pieces(convert_all)

    async def map_all(
        self, db: Any, convert: Callable[[Any, Sequence[T]], Awaitable[Sequence[Other]]]
    ) -> "Page[Other]":
        """The page with its items converted together, by what `convert` reads for them."""
        if self.pieces is None:
            return Page(await convert(db, self.items), self.next_cursor)
        return self._in_pieces(convert)

    def _in_pieces(self, convert: Callable[[Any, Sequence[T]], Awaitable[Sequence[Other]]]) -> "Page[Other]":
        pieces = self.pieces
        assert pieces is not None

        async def converted(db: Any) -> AsyncGenerator[Sequence[Other] | bytes, None]:
            async for piece in pieces(db):
                assert not isinstance(piece, bytes)
                yield await convert(db, piece)

        return Page((), self.next_cursor, converted)
