"""Passwords: length and strength rules. All characters are allowed; commonly used passwords are rejected."""

import re
from functools import cache
from importlib import resources
from typing import Annotated

from msgspec import Meta

from backbench.domain.values.scalars import Rule

_LIST = "common_passwords.txt"
# Words of this product and its context that many people would choose, with digits and punctuation behind them.
_CONTEXT_WORDS = re.compile(r"(?:backbench|workshop|warsztat|pracownia|password|has[lł]o|polska)[\W\d_]*")


@cache
def _common() -> frozenset[str]:
    """The most frequent passwords of public leaks, in lower case (common_passwords.LICENCE.txt)."""
    return frozenset(resources.files(__package__).joinpath(_LIST).read_text("utf-8").splitlines())


def is_common(password: str) -> bool:
    """Whether the password is commonly used or a context word, in any case."""
    folded = password.casefold()
    return folded in _common() or _CONTEXT_WORDS.fullmatch(folded) is not None


Password = Annotated[
    str,
    Meta(min_length=8, max_length=256),
    Rule(
        code="common",
        detail="Must not be a commonly used password",
        holds=lambda password: not is_common(password),
    ),
]
# Compared with the stored hash. Longer than a password may be, so that a wrong one is incorrect and not malformed.
CurrentPassword = Annotated[str, Meta(max_length=1024)]
