"""How much is left of what is limited: what whoever asks is told, so that nobody has to run into a limit to know it."""

from msgspec import Struct

from backbench.domain.values.limits import Limit


class Quota(Struct, frozen=True):
    """`left` more now, and more again in `reset` seconds."""

    limit: Limit
    left: int
    reset: int


# By the name that the limit has towards clients.
Quotas = dict[str, Quota]
