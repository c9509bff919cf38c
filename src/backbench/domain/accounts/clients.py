"""Clients: the origin of a request without credentials."""

from msgspec import Struct


class Client(Struct, frozen=True):
    """The unauthenticated client of a request. `session` is the secret of the session cookie, if one was sent.

    `address` is an IPv4 address or an IPv6 /64; `networks` are the /56 and the /48 around the latter, since one
    customer can have all addresses of those. `device` is the secret of a browser that has signed in before.
    """

    address: str
    user_agent: str
    session: str | None
    networks: tuple[str, ...] = ()
    device: str | None = None
    # The secret of the session cookie beside the token of a link: it gives no right, and is part of the evidence.
    member_session: str | None = None

    @property
    def widest_network(self) -> str:
        return self.networks[-1] if self.networks else self.address
