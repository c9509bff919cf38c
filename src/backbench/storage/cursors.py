"""Cursors of lists that go on: the moment and the id of the last entry shown, opaque to clients."""

import base64
import binascii

from backbench.domain.errors import Fault, Invalid
from backbench.domain.times import Instant

_MALFORMED = Fault("/cursor", "malformed", "Not a cursor that this list gave out")


def cursor_after(at: Instant, id_: str) -> str:
    return base64.urlsafe_b64encode(f"{at} {id_}".encode()).decode().rstrip("=")


def position(cursor: str) -> tuple[Instant, str]:
    """The moment and the id that the cursor stands for. Raises Invalid."""
    try:
        padded = cursor + "=" * (-len(cursor) % 4)
        text = base64.b64decode(padded, altchars=b"-_", validate=True).decode("ascii")
        at, id_ = text.split(" ")
    except (binascii.Error, UnicodeError, ValueError):
        raise Invalid(_MALFORMED) from None
    if not text.isprintable():
        raise Invalid(_MALFORMED)
    return at, id_
