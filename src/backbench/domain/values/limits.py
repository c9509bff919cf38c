"""The figures that the host of a Backbench may set and that actions go by."""

from typing import Literal

from msgspec import Struct


class Limit(Struct, frozen=True):
    """`count` attempts in `window` seconds."""

    count: int
    window: int


class SessionLife(Struct, frozen=True):
    """Seconds."""

    idle: int = 30 * 86_400
    absolute: int = 90 * 86_400


class SignInLimits(Struct, frozen=True):
    """`pair` counts an address with an e-mail; `ceiling` an address alone and an account alone."""

    pair: Limit = Limit(10, 900)
    ceiling: Limit = Limit(100, 900)


class EmailLimits(Struct, frozen=True):
    """How many mails strangers may cause: `mailbox` to one address, `ceiling` from one client address."""

    mailbox: Limit = Limit(10, 3600)
    ceiling: Limit = Limit(100, 3600)


class SignUpRules(Struct, frozen=True):
    """Who may sign up, and the version of the terms that they accept."""

    policy: Literal["open", "invited", "closed"] = "invited"
    terms_version: str = "1"
