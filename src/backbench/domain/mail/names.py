"""Names in emails: names that users chose, which the service sends to other people in its own name.

A name must not carry a message: it is cut, and left out where it has a web or email address, or characters that change
the direction of the text behind it.
"""

import re

from backbench.domain.drafting.plain_text import has_address

_MAX_LENGTH = 60
# Bidirectional embeddings, overrides and isolates: they can display the rest of a line in another order.
_DIRECTION = re.compile("[\u202a-\u202e\u2066-\u2069]")


def shown_name(name: str) -> str | None:
    """The name on one line, cut to 60 characters; None where an email must not show it."""
    line = " ".join(name.split())
    if not line or _DIRECTION.search(line) or has_address(line):
        return None
    return line if len(line) <= _MAX_LENGTH else line[: _MAX_LENGTH - 1] + "…"


def key_label(prefix: str, name: str) -> str:
    """An API key in an email: its prefix, and its name where that can be shown."""
    shown = shown_name(name)
    return prefix if shown is None else f"{prefix} ({shown})"
