"""What the lists of the command line show of accounts, workshops, members and API keys."""

from msgspec import Struct

from backbench.domain.accounts.accounts import AccountStatus
from backbench.domain.accounts.sessions import Scope
from backbench.domain.billing.plans import WorkshopPlan
from backbench.domain.values.times import Instant
from backbench.domain.workshops.workshops import MemberRole


class ListedAccount(Struct, frozen=True, rename="camel"):
    uid: str
    email: str
    name: str
    status: AccountStatus
    created_at: Instant
    last_login_at: Instant | None


class ListedWorkshop(Struct, frozen=True, rename="camel"):
    id: str
    name: str
    plan: WorkshopPlan
    storage_used_bytes: int
    created_at: Instant
    owners: list[str]


class ListedMember(Struct, frozen=True, rename="camel"):
    uid: str
    email: str
    name: str
    role: MemberRole
    joined_at: Instant


class ListedKey(Struct, frozen=True, rename="camel"):
    id: str
    email: str
    name: str
    prefix: str
    scopes: list[Scope]
    workshop_id: str | None
    created_at: Instant
    last_used_at: Instant | None
    expires_at: Instant | None
    revoked_at: Instant | None
