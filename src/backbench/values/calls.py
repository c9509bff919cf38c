"""Call: who makes a request, when, and from where. What every verb may need of its request."""

from collections.abc import Callable
from typing import Literal, TypeVar

from msgspec import Struct, field

from backbench.values import ids
from backbench.values.errors import Forbidden
from backbench.values.ids import NewId
from backbench.values.limits import Quotas
from backbench.values.times import Instant

Scope = Literal[
    "orders:read",
    "orders:write",
    "estimates:read",
    "estimates:write",
    "customers:read",
    "customers:write",
    "payments:read",
    "payments:write",
    "invoices:read",
    "invoices:write",
    "files:read",
    "files:write",
    # What agents may write: new orders, their details, and estimates that are not confirmed.
    "drafts:write",
]


class Caller(Struct, frozen=True):
    """The authenticated caller of a request: an account, through a session or one of its API keys.

    For a client who holds a link, `uid` is empty and `link_id` is set.
    """

    uid: str
    session_id: str | None = None
    key_id: str | None = None
    scopes: tuple[Scope, ...] = ()
    # The workshop that the API key is restricted to; None is every workshop of the account.
    only_workshop: str | None = None
    link_id: str | None = None

    def may(self, *scopes: Scope) -> bool:
        """Whether it is a session, or a key with one of these scopes. Others than keys have all of them."""
        return self.key_id is None or any(scope in self.scopes for scope in scopes)

    @property
    def shares_limits_of(self) -> str:
        """The account, or the workshop of a link: its id limits expensive requests, and stores responses."""
        return self.uid

    @property
    def key_suffix(self) -> str:
        """What tells the Idempotency-Keys of a link from those of other links of the workshop."""
        return ""


# Of an operation that anybody may call.
NOBODY = Caller("")


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


_UNKNOWN = Client("unknown", "", None)
Role = TypeVar("Role")


class Call(Struct, frozen=True):
    """`now` is read once, so that everything a request stores has one time.

    `client` is worked out where it is asked for: most verbs do not need it.
    """

    caller: Caller
    now: Instant
    new_id: NewId = ids.new_id
    # The rate limits that the request was counted under, and what they leave.
    quotas: Quotas = field(default_factory=dict)
    find_client: Callable[[], Client] = lambda: _UNKNOWN

    @property
    def uid(self) -> str:
        """The account of the caller; empty for anybody else."""
        return self.caller.uid

    @property
    def client(self) -> Client:
        return self.find_client()

    def require_role(self, workshop_id: str, role: Role | None) -> Role:
        """The caller's role in the workshop, None for somebody who is no member.

        Raises Forbidden then, and for a key bound to another workshop.
        """
        if role is None or (self.caller.only_workshop is not None and self.caller.only_workshop != workshop_id):
            raise Forbidden
        return role
