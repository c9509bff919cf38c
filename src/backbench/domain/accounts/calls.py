"""Call: who makes a request, when, and from where. What every action may need of its request."""

from collections.abc import Callable
from typing import TypeVar

from msgspec import Struct, field

from backbench.domain.accounts.clients import Client
from backbench.domain.accounts.sessions import Caller
from backbench.domain.values import ids
from backbench.domain.values.errors import Forbidden
from backbench.domain.values.ids import NewId
from backbench.domain.values.quotas import Quotas
from backbench.domain.values.times import Instant

# Of an operation that anybody may call.
NOBODY = Caller("")
_UNKNOWN = Client("unknown", "", None)
Role = TypeVar("Role")


class Call(Struct, frozen=True):
    """`now` is read once, so that everything a request stores has one time.

    `client` is worked out where it is asked for: most actions do not need it.
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
