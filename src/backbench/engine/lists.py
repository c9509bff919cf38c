"""Lists: pages in an order, newest first, with cursors that are opaque to clients."""

import base64
import binascii
from collections.abc import AsyncGenerator, Callable, Sequence
from functools import partial
from typing import Generic, Protocol, TypeVar

from msgspec import Struct

from backbench.engine.database import Read, Value
from backbench.engine.rows import columns
from backbench.values.errors import FieldError, ValidationError
from backbench.values.pagination import Page, PageQuery
from backbench.values.times import Instant


class Item(Protocol):
    """An item of a list that is read page by page."""

    @property
    def id(self) -> str: ...


_MALFORMED = FieldError("/cursor", "malformed", "Not a cursor of this list")


def encode_cursor(at: Instant, id_: str) -> str:
    return base64.urlsafe_b64encode(f"{at} {id_}".encode()).decode().rstrip("=")


def decode_cursor(cursor: str) -> tuple[Instant, str]:
    """The instant and the id in the cursor. Raises ValidationError."""
    try:
        padded = cursor + "=" * (-len(cursor) % 4)
        text = base64.b64decode(padded, altchars=b"-_", validate=True).decode("ascii")
        at, id_ = text.split(" ")
    except (binascii.Error, UnicodeError, ValueError):
        raise ValidationError(_MALFORMED) from None
    if not text.isprintable():
        raise ValidationError(_MALFORMED)
    return at, id_


def decode_number_cursor(cursor: str) -> tuple[int, str]:
    """The number and the id in the cursor of a numbered list. Raises ValidationError."""
    number, id_ = decode_cursor(cursor)
    return decode_number(number), id_


def decode_number(text: str) -> int:
    """A number in a cursor. Raises ValidationError."""
    if not text.isdecimal() or len(text) > 9:
        raise ValidationError(_MALFORMED)
    return int(text)


T = TypeVar("T", bound=Item)
# Up to these, a list is read and sent at once, from memory.
ROWS_AT_ONCE = 500
BYTES_AT_ONCE = 1024 * 1024
_PIECE_ROWS = 100
_PIECE_BYTES = 256 * 1024


class SizedRow(Struct, frozen=True):
    """The position of a row in its list, and the bytes of its large columns."""

    at: str
    id: str
    size: int


class NewestFirst(Generic[T]):
    """A list in the database, newest first and ties by id.

    `select` ends with its WHERE clause; `at` and `id_` are the columns to sort by. `source` and `size` are given where
    a row can be large: the same FROM and WHERE clause, and the expression for the bytes of the large columns.
    """

    def __init__(
        self,
        type_: type[T],
        select: str,
        values: dict[str, Value],
        *,
        at: str = "created_at",
        id_: str = "id",
        source: str = "",
        size: str = "0",
        decode: Callable[[str], tuple[Value, Value]] = decode_cursor,
    ) -> None:
        self._type = type_
        self._select = select
        self._values = values
        self._at = at
        self._id = id_
        self._source = source
        self._size = size
        self._decode = decode

    async def page(self, db: Read, query: PageQuery) -> Page[T]:
        """The page; a page too large to be read at once has no items, but `pieces`."""
        if self._source and not await self._fits(db, query):
            return await self._large_page(db, query)
        limit = ROWS_AT_ONCE if query.limit is None else query.limit
        items = await self.read(db, query.cursor, limit + 1)
        if len(items) <= limit:
            return Page(items)
        if query.limit is None:
            return await self._large_page(db, query)
        return Page(items[:limit], self._cursor_of(items[limit - 1]))

    async def read(self, db: Read, cursor: str | None, number: int) -> list[T]:
        """The next `number` items after the cursor."""
        condition, values = self._after(cursor)
        sql = f"{self._select}{condition} {self._order} LIMIT :number"
        return await db.all(self._type, sql, number=number, **values)

    async def pieces(self, db: Read, query: PageQuery) -> AsyncGenerator[list[T], None]:
        """The items of the page, piece by piece."""
        cursor, left = query.cursor, query.limit
        while left is None or left > 0:
            number = min(_PIECE_ROWS, left or _PIECE_ROWS)
            if self._source:
                number = len(await self.sized_piece(db, cursor, number))
            items = await self.read(db, cursor, number) if number else []
            if not items:
                return
            yield items
            cursor = self._cursor_of(items[-1])
            left = None if left is None else left - len(items)

    async def sized_piece(self, db: Read, cursor: str | None, most: int = _PIECE_ROWS) -> list[SizedRow]:
        """The rows of the next piece: up to `most`, and as many as are not too large together; at least one."""
        condition, values = self._after(cursor)
        rows = await db.all(
            SizedRow,
            f"SELECT {self._at} AS at, {self._id} AS id, {self._size} AS size {self._source}{condition} "
            f"{self._order} LIMIT :number",
            number=most,
            **values,
        )
        total = 0
        for index, row in enumerate(rows):
            total += row.size
            if index and total > _PIECE_BYTES:
                return rows[:index]
        return rows

    async def _fits(self, db: Read, query: PageQuery) -> bool:
        condition, values = self._after(query.cursor)
        size = await db.value(
            f"SELECT sum(size) FROM (SELECT {self._size} AS size {self._source}{condition} {self._order} "
            "LIMIT :number) AS sizes",
            number=ROWS_AT_ONCE if query.limit is None else query.limit,
            **values,
        )
        return (size or 0) <= BYTES_AT_ONCE

    async def _large_page(self, db: Read, query: PageQuery) -> Page[T]:
        next_cursor = None
        if query.limit is not None:
            condition, values = self._after(query.cursor)
            sql = f"{self._select}{condition} {self._order} LIMIT 2 OFFSET :skipped"
            last_and_next = await db.all(self._type, sql, skipped=query.limit - 1, **values)
            # The last item of the page, and the first of the next one.
            if len(last_and_next) == 2:
                next_cursor = self._cursor_of(last_and_next[0])
        return Page((), next_cursor, partial(self.pieces, query=query))

    def _after(self, cursor: str | None) -> tuple[str, dict[str, Value]]:
        """The condition for the items after the cursor, and the values of the statement. Raises ValidationError."""
        if cursor is None:
            return "", self._values
        at, id_ = self._decode(cursor)
        return f" AND ({self._at}, {self._id}) < (:after_at, :after_id)", {
            **self._values,
            "after_at": at,
            "after_id": id_,
        }

    @property
    def _order(self) -> str:
        return f"ORDER BY {self._at} DESC, {self._id} DESC"

    def _cursor_of(self, item: T) -> str:
        return encode_cursor(str(getattr(item, self._at.rpartition(".")[2])), item.id)


async def list_newest_first(
    db: Read, type_: type[T], select: str, page: PageQuery, at: str = "created_at", id_: str = "id", **values: Value
) -> Page[T]:
    """A page of a list whose rows are small."""
    return await NewestFirst(type_, select, values, at=at, id_=id_).page(db, page)


async def list_all_newest_first(
    db: Read, type_: type[T], select: str, at: str = "created_at", id_: str = "id", **values: Value
) -> list[T]:
    """Every item of a list that a limit keeps short."""
    return await db.all(type_, f"{select} ORDER BY {at} DESC, {id_} DESC", **values)


R = TypeVar("R", bound=Struct)


async def by_keys(
    db: Read, row: type[R], table: str, keys: Sequence[str], workshop_id: str, at_once: int
) -> AsyncGenerator[list[R], None]:
    """All rows of a table of a workshop in the order of these columns, so many at once."""
    names, after = ", ".join(keys), dict.fromkeys(keys, "")
    sql = f"""
        SELECT {columns(row)} FROM {table}
        WHERE workshop_id = :workshop_id AND ({names}) > ({", ".join(f":{key}" for key in keys)})
        ORDER BY {names} LIMIT :most
    """
    while page := await db.all(row, sql, workshop_id=workshop_id, most=at_once, **after):
        yield page
        after = {key: getattr(page[-1], key) for key in keys}
