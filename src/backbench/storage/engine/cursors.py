"""Pagination cursors: the instant and the id of a page's last item, opaque to clients."""

import base64
import binascii
from typing import Protocol, TypeVar

from backbench.domain.values.errors import FieldError, ValidationError
from backbench.domain.values.pagination import PageQuery
from backbench.domain.values.times import Instant
from backbench.storage.engine.database import Read, Value


class Item(Protocol):
    """An item of a list that is read page by page."""

    @property
    def id(self) -> str: ...


T = TypeVar("T", bound=Item)

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


def decode_number_cursor(cursor: str) -> int:
    """The number in the cursor of a numbered list. Raises ValidationError."""
    number, _ = decode_cursor(cursor)
    if not number.isdecimal() or len(number) > 9:
        raise ValidationError(_MALFORMED)
    return int(number)


async def list_newest_first(
    db: Read, type_: type[T], select: str, page: PageQuery, at: str = "created_at", id_: str = "id", **values: Value
) -> tuple[list[T], str | None]:
    """A page of a list, newest first and ties by id, and the next cursor, or None after the last page.

    `select` ends with its WHERE clause; `at` and `id_` are the columns to sort by.
    """
    if page.cursor is not None:
        select += f" AND ({at}, {id_}) < (:after_at, :after_id)"
        values["after_at"], values["after_id"] = decode_cursor(page.cursor)
    select += f" ORDER BY {at} DESC, {id_} DESC"
    if page.limit is not None:
        select += " LIMIT :one_more"
        values["one_more"] = page.limit + 1
    items = await db.all(type_, select, **values)
    if page.limit is None or len(items) <= page.limit:
        return items, None
    last = items[page.limit - 1]
    return items[: page.limit], encode_cursor(getattr(last, at.rpartition(".")[2]), last.id)
