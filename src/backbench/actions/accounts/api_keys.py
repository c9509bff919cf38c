"""API keys of the signed-in account: list, create and revoke; and the key of a request."""

from msgspec import UNSET

from backbench.actions.email_limits import may_notify
from backbench.domain.accounts import api_keys as keys
from backbench.domain.accounts.api_keys import ApiKey, ApiKeyWorkshop, CurrentApiKey, IssuedApiKey, NewApiKey
from backbench.domain.accounts.sessions import Caller, digest
from backbench.domain.mail.names import key_label
from backbench.domain.values.errors import Conflict, FieldError, NotFound, ValidationError
from backbench.domain.values.ids import NewId
from backbench.domain.values.limits import EmailLimits
from backbench.domain.values.numbers import to_json_text
from backbench.domain.values.pagination import Page, PageQuery
from backbench.domain.values.times import Instant, from_datetime, parse
from backbench.storage.accounts import accounts, api_keys
from backbench.storage.engine.database import Read, Write
from backbench.storage.operations import email_outbox
from backbench.storage.workshops import members, workshops

MAX_KEYS = 100
# Older revoked keys are deleted when a key is created: creating and revoking must not fill the table.
MAX_REVOKED_KEYS = 1000


async def list_all(db: Read, caller: Caller, query: PageQuery) -> Page[ApiKey]:
    """List the API keys of the signed-in account, newest first, revoked ones included; never their secrets."""
    return await api_keys.list_page(db, caller.uid, query)


async def create(
    db: Write, caller: Caller, body: NewApiKey, email_limits: EmailLimits, now: Instant, new_id: NewId
) -> IssuedApiKey:
    """Create an API key. Its secret is in this response and nowhere else."""
    if body.workshop_id is not UNSET and await members.lookup_role(db, body.workshop_id, caller.uid) is None:
        raise ValidationError(FieldError("/workshopId", "unknown", "You are not a member of this workshop"))
    await db.lock(f"api keys of {caller.uid}")
    active = [key for key in await api_keys.list_all(db, caller.uid) if key.revoked_at is None]
    if len(active) >= MAX_KEYS:
        raise Conflict("too_many_keys", f"An account can have at most {MAX_KEYS} API keys; revoke one first")
    secret = keys.new_secret()
    key = ApiKey(
        id=new_id(),
        name=body.name,
        prefix=keys.display_prefix(secret),
        scopes=sorted(set(body.scopes)),
        created_at=now,
        workshop_id=None if body.workshop_id is UNSET else body.workshop_id,
        expires_at=None if body.expires_at is UNSET else _expiry(body.expires_at, now),
    )
    await api_keys.add(db, caller.uid, key, digest(secret))
    if await may_notify(db, caller, email_limits, now):
        await _notify(db, caller, key, now, new_id)
    await api_keys.delete_revoked_beyond(db, caller.uid, MAX_REVOKED_KEYS)
    return IssuedApiKey(key, secret)


async def _notify(db: Write, caller: Caller, key: ApiKey, now: Instant, new_id: NewId) -> None:
    """Queues an email to the account: a key that a thief has created outlives the session it was created with."""
    account = await accounts.find(db, caller.uid)
    label = to_json_text(key_label(key.prefix, key.name))
    await email_outbox.add(
        db,
        new_id(),
        "api_key_created",
        account.email,
        account.locale,
        now,
        account_id=account.id,
        details=label,
        sender=account.id,
    )


async def revoke(db: Write, caller: Caller, key_id: str, now: Instant) -> None:
    """Revoke an API key. It stays in the list, with `revokedAt`."""
    if not await api_keys.save_revoked(db, key_id, caller.uid, now):
        raise NotFound


async def get_current(db: Read, caller: Caller) -> CurrentApiKey:
    """Read the API key of the request: its scopes, its expiry and the workshops in which it may act."""
    assert caller.key_id is not None
    key = await api_keys.find(db, caller.key_id)
    return CurrentApiKey(
        id=key.id,
        name=key.name,
        scopes=key.scopes,
        workshops=[
            ApiKeyWorkshop(workshop.id, workshop.name)
            for workshop in await workshops.list_all(db, caller.uid)
            if caller.only_workshop in (None, workshop.id)
        ],
        expires_at=key.expires_at,
    )


async def require_active(db: Read, caller: Caller, key_id: str) -> None:
    """Raises NotFound where the account has no such key, or has revoked it."""
    if all(key.id != key_id or key.revoked_at is not None for key in await api_keys.list_all(db, caller.uid)):
        raise NotFound


def _expiry(text: str, now: Instant) -> Instant:
    try:
        moment = parse(text)
        expiry = from_datetime(moment) if moment.tzinfo is not None else None
    except (ValueError, OverflowError):
        expiry = None
    if expiry is None:
        raise ValidationError(FieldError("/expiresAt", "malformed", "Expected an ISO 8601 date-time with a time zone"))
    if expiry <= now:
        raise ValidationError(FieldError("/expiresAt", "past", "Expected a time in the future"))
    return expiry
