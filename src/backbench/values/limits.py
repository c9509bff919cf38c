"""Rate limit quotas: how much of each limit is left, reported to the client with every counted request."""

from typing import Literal

from msgspec import Struct


class Limit(Struct, frozen=True):
    """A rate limit: `count` attempts in `window` seconds."""

    count: int
    window: int


class Quota(Struct, frozen=True):
    """`left` attempts remain; the window resets in `reset` seconds."""

    limit: Limit
    left: int
    reset: int


# By the policy name that clients see.
Quotas = dict[str, Quota]


class LinkLimits(Struct, frozen=True):
    """How often an address of a link may be used: requests, and the seconds in which they are counted."""

    reads: int = 120
    read_seconds: int = 60
    decisions: int = 10
    comments: int = 20
    write_seconds: int = 3600
    bad_tokens: int = 60
    bad_token_seconds: int = 60


class SessionLife(Struct, frozen=True):
    """How long a session lasts: seconds without use, and seconds in total."""

    idle: int = 30 * 86_400
    absolute: int = 90 * 86_400


class SignInLimits(Struct, frozen=True):
    """Sign-in attempts. `pair` counts client address and email together, `ceiling` each of the two alone."""

    pair: Limit = Limit(10, 900)
    ceiling: Limit = Limit(100, 900)


class EmailLimits(Struct, frozen=True):
    """Emails caused by requests. `mailbox` counts per recipient, `ceiling` per client address and per account,
    `invitations`, `feedback` and `links`, those with a link to a client, per account."""

    mailbox: Limit = Limit(10, 3600)
    ceiling: Limit = Limit(100, 3600)
    invitations: Limit = Limit(30, 86_400)
    feedback: Limit = Limit(10, 3600)
    links: Limit = Limit(200, 86_400)


class SignUpRules(Struct, frozen=True):
    """Who may sign up, and the version of the terms that is accepted."""

    policy: Literal["open", "invited", "closed"] = "invited"
    terms_version: str = "1"
