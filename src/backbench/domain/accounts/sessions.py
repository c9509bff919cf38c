"""Sessions of signed-in browsers, and the caller of a request."""

import base64
import hashlib
import hmac
import secrets
from typing import Literal

from msgspec import Struct

from backbench.domain.values.times import Instant

# How long a browser that has signed in is known, in seconds.
DEVICE_SECONDS = 365 * 86_400
Scope = Literal[
    "orders:read",
    "orders:write",
    "estimates:read",
    "estimates:write",
    "customers:read",
    "customers:write",
    "payments:read",
    "payments:write",
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
        """The id under which expensive requests are limited."""
        return self.uid

    @property
    def stores_responses_of(self) -> str:
        """The account with which responses are stored for Idempotency-Keys."""
        return self.uid

    @property
    def key_suffix(self) -> str:
        """What tells the keys of this caller from those of others who store responses with the same account."""
        return ""


class Session(Struct, frozen=True):
    """The stored session: the columns that authentication needs."""

    id: str
    account_id: str
    last_seen_at: Instant


class SessionResponse(Struct, frozen=True, rename="camel"):
    id: str
    created_at: Instant
    last_seen_at: Instant
    user_agent: str
    current: bool


class SessionsList(Struct, frozen=True):
    sessions: list[SessionResponse]


def new_secret() -> str:
    """The value of a session cookie: 256 random bits."""
    return secrets.token_urlsafe(32)


def digest(secret: str) -> str:
    """The SHA-256 that is stored instead of a secret of 256 random bits."""
    return hashlib.sha256(secret.encode()).hexdigest()


def csrf_token(secret: str) -> str:
    """The session's CSRF token: an HMAC of its secret, so that it cannot be forged without the session."""
    mac = hmac.digest(secret.encode(), b"csrf", "sha256")
    return base64.urlsafe_b64encode(mac).rstrip(b"=").decode()
