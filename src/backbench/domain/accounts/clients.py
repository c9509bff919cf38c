"""Clients: the origin of a request without credentials."""

from msgspec import Struct, field

from backbench.domain.values.quotas import Quotas


class Client(Struct, frozen=True):
    """The unauthenticated client of a request. `session` is the secret of the session cookie, if one was sent."""

    address: str
    user_agent: str
    session: str | None
    # The rate limits that this request counted towards, with what remains of each.
    quotas: Quotas = field(default_factory=dict)
