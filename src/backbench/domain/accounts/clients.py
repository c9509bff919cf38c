"""Clients: where a request without credentials comes from."""

from msgspec import Struct, field

from backbench.domain.values.quotas import Quotas


class Client(Struct, frozen=True):
    """The unauthenticated client of a request. `session` is the secret of the session cookie it sent, if any."""

    address: str
    user_agent: str
    session: str | None
    # The limits that the request was counted under, and what they leave.
    quotas: Quotas = field(default_factory=dict)
