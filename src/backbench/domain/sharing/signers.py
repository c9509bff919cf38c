"""Names of signers: a typed name is a signature, so it has a letter that can be seen."""

import unicodedata
from typing import Annotated

from msgspec import Meta

from backbench.domain.values.scalars import NO_CONTROL, NOT_REVERSED, ONE_LINE, Rule

# Letters of Hangul that are blank.
_BLANK_LETTERS = "\u115f\u1160\u3164\uffa0"


def has_letter(text: str) -> bool:
    return any(
        unicodedata.category(character).startswith("L") and character not in _BLANK_LETTERS for character in text
    )


SignerName = Annotated[
    str,
    Meta(min_length=1, max_length=250, pattern=NO_CONTROL, extra=ONE_LINE),
    Rule(code="characters", detail="A name has at least one letter", holds=has_letter),
    NOT_REVERSED,
]
