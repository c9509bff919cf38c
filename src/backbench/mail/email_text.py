"""Names in emails: none that could be taken for an address, a number or another text."""

import re
import unicodedata

from backbench.values.plain_text import has_address

_MAX_LENGTH = 60
# An encoded word (RFC 2047), which programs decode wherever it stands in a header; and six digits, or nine in groups,
# as in telephone and account numbers. A date is shorter.
_MISLEADING = re.compile(r"=\?|\d{6}|\d(?:[\s().+/-]*\d){8}")
_MAX_NUMBER_LENGTH, _MAX_NUMBER_LETTERS = 24, 6
# Joiners of emoji and scripts, and marks of the direction of the single character beside them.
_ORDINARY_FORMATS = "\u200c\u200d\u200e\u200f"


def shown_name(name: str) -> str | None:
    """The name on one line, cut to 60 characters; None where an email must not show it."""
    line = " ".join(name.split())
    if not line or _MISLEADING.search(unicodedata.normalize("NFKC", line)) or _is_invisible(line) or has_address(line):
        return None
    return line if len(line) <= _MAX_LENGTH else line[: _MAX_LENGTH - 1] + "…"


def shown_number(number: str) -> str | None:
    """The number of a document: it may have any digits, and few letters. None where an email must not show it."""
    letters = sum(character.isalpha() for character in number)
    is_number = re.fullmatch(r"[\w/.# -]+", number) is not None and letters <= _MAX_NUMBER_LETTERS
    return number if is_number and len(number) <= _MAX_NUMBER_LENGTH and not has_address(number) else None


def _is_invisible(line: str) -> bool:
    """Whether it has control or format characters: embeddings, overrides and isolates display it in another order."""
    return any(
        unicodedata.category(character) in ("Cc", "Cf", "Co", "Cs") and character not in _ORDINARY_FORMATS
        for character in line
    )


def key_label(prefix: str, name: str) -> str:
    """An API key in an email: its prefix, and its name where that can be shown."""
    shown = shown_name(name)
    return prefix if shown is None else f"{prefix} ({shown})"
