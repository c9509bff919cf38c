"""Context: what endpoints need of the application, the same for every request."""

from collections.abc import Awaitable, Callable, Mapping, Sequence
from typing import Any

from msgspec import Struct

from backbench.engine.database import Database, Write
from backbench.http.authentication import Authenticator
from backbench.http.concurrency import ConcurrencyLimit
from backbench.http.idempotency import STORED_SECONDS
from backbench.http.requests import Network, Request
from backbench.values.times import Instant

# Checks the bytes that a workshop holds after a write, which a client has made with a link or a member. Raises Conflict
# `plan_limit`.
RequireQuota = Callable[[Write, str, int, Instant, bool], Awaitable[None]]


class Context(Struct, frozen=True, kw_only=True):
    db: Database
    authenticator: Authenticator
    # Handed to verbs as they are.
    services: Any = None
    trusted_proxies: Sequence[Network] = ()
    large_lists: ConcurrencyLimit
    # By the name in the column `slot` of an operation.
    slots: Mapping[str, ConcurrencyLimit] = {}
    require_quota: RequireQuota | None = None
    # It is not asked of a workshop that holds no more bytes.
    free_bytes: int = 0
    stored_response_seconds: int = STORED_SECONDS
    # Called with the id of a workshop, once a change of it is committed.
    on_change: Callable[[str], None] | None = None
    # Called for a request whose token no link has. Raises RateLimited.
    count_bad_token: Callable[[Request, Instant], Awaitable[None]] | None = None
