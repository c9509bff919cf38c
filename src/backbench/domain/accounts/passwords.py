"""Passwords: what may guard an account. Any character is welcome; the ones that everybody tries first are not."""

import re
from functools import cache
from importlib import resources
from typing import Annotated

from msgspec import Meta

from backbench.domain.values.scalars import Rule

_LIST = "common_passwords.txt"
# Words that people who sign up here reach for first, with digits and signs behind them.
_NEAR_AT_HAND = re.compile(r"(?:backbench|workshop|warsztat|pracownia|password|has[lł]o|polska)[\W\d_]*")


@cache
def _common() -> frozenset[str]:
    """The most frequent passwords of public leaks, in lower case (common_passwords.LICENCE.txt)."""
    return frozenset(resources.files(__package__).joinpath(_LIST).read_text("utf-8").splitlines())


def is_common(password: str) -> bool:
    """Whether it is among the first that a guesser would try, in whatever case."""
    folded = password.casefold()
    return folded in _common() or _NEAR_AT_HAND.fullmatch(folded) is not None


Password = Annotated[
    str,
    Meta(min_length=8, max_length=256),
    Rule(
        code="common",
        detail="Too easy to guess: it is among the passwords that are tried first",
        holds=lambda password: not is_common(password),
    ),
]
# One that is held against the stored hash: longer than a password can be, so that a wrong one is wrong, not malformed.
GivenPassword = Annotated[str, Meta(max_length=1024)]
