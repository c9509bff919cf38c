"""Rate limit quotas: how much of each limit is left, reported to the client with every counted request."""

from msgspec import Struct

from backbench.values.limits import Limit


class Quota(Struct, frozen=True):
    """`left` attempts remain; the window resets in `reset` seconds."""

    limit: Limit
    left: int
    reset: int


# By the policy name that clients see.
Quotas = dict[str, Quota]
