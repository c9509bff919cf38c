"""Pagination cursors: the instant and the id of a page's last item, opaque to clients."""

import base64
import binascii
from typing import Protocol

from backbench.values.errors import FieldError, ValidationError
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
