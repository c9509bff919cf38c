"""Cursors of lists that go on: the moment and the id of the last entry shown, opaque to clients."""

import base64
import binascii
from typing import Protocol, TypeVar

from backbench.domain.values.errors import FieldError, ValidationError
from backbench.domain.values.pagination import PageQuery
from backbench.domain.values.times import Instant
from backbench.storage.engine.database import Read


class Entry(Protocol):
    """What has a place in a list."""

    @property
    def id(self) -> str: ...


T = TypeVar("T", bound=Entry)

_MALFORMED = FieldError("/cursor", "malformed", "Not a cursor that this list gave out")


def cursor_after(at: Instant, id_: str) -> str:
    return base64.urlsafe_b64encode(f"{at} {id_}".encode()).decode().rstrip("=")


def position(cursor: str) -> tuple[Instant, str]:
    """The moment and the id that the cursor stands for. Raises ValidationError."""
    try:
        padded = cursor + "=" * (-len(cursor) % 4)
        text = base64.b64decode(padded, altchars=b"-_", validate=True).decode("ascii")
        at, id_ = text.split(" ")
    except (binascii.Error, UnicodeError, ValueError):
        raise ValidationError(_MALFORMED) from None
    if not text.isprintable():
        raise ValidationError(_MALFORMED)
    return at, id_


def number_at(cursor: str) -> int:
    """The number that the cursor of a numbered list stands for. Raises ValidationError."""
    number, _ = position(cursor)
    if not number.isdecimal() or len(number) > 9:
        raise ValidationError(_MALFORMED)
    return int(number)


async def newest(
    db: Read, type_: type[T], select: str, part: PageQuery, at: str = "created_at", id_: str = "id", **values: str
) -> tuple[list[T], str | None]:
    """The part of a list, newest first and ties by id, and the cursor that leads on, if more follows.

    `select` ends in its WHERE; `at` and `id_` are the columns by which it is in order.
    """
    sought: dict[str, str | int | float | bytes | None] = {**values}
    if part.cursor is not None:
        select += f" AND ({at}, {id_}) < (:after_at, :after_id)"
        sought["after_at"], sought["after_id"] = position(part.cursor)
    select += f" ORDER BY {at} DESC, {id_} DESC"
    if part.limit is not None:
        select += " LIMIT :one_more"
        sought["one_more"] = part.limit + 1
    found = await db.all(type_, select, **sought)
    if part.limit is None or len(found) <= part.limit:
        return found, None
    last = found[part.limit - 1]
    return found[: part.limit], cursor_after(getattr(last, at.rpartition(".")[2]), last.id)
