"""API keys of the signed-in account: list, create and revoke; and the key of a request."""

from msgspec import UNSET

from backbench.actions.email_limits import may_notify
from backbench.actions.services import Services
from backbench.domain.accounts import api_keys as keys
from backbench.domain.accounts.api_keys import ApiKey, ApiKeyWorkshop, CurrentApiKey, IssuedApiKey, NewApiKey
from backbench.domain.accounts.calls import Call
from backbench.domain.accounts.sessions import digest
from backbench.domain.mail.emails import NewEmail
from backbench.domain.mail.names import key_label
from backbench.domain.values.errors import Conflict, FieldError, ValidationError
from backbench.domain.values.numbers import to_json_text
from backbench.domain.values.pagination import Page, PageQuery
from backbench.domain.values.times import Instant, given
from backbench.storage.accounts import accounts, api_keys
from backbench.storage.engine.database import Read, Write
from backbench.storage.operations import email_outbox
from backbench.storage.workshops import members, workshops

MAX_KEYS = 100
# Older revoked keys are deleted when a key is created: creating and revoking must not fill the table.
MAX_REVOKED_KEYS = 1000


async def list_all(db: Read, call: Call, query: PageQuery) -> Page[ApiKey]:
    """List the API keys of the signed-in account, newest first, revoked ones included; never their secrets."""
    return await api_keys.list_page(db, call.uid, query)


async def create(db: Write, call: Call, body: NewApiKey, services: Services) -> IssuedApiKey:
    """Create an API key. Its secret is in this response and nowhere else."""
    if body.workshop_id is not UNSET and await members.lookup_role(db, body.workshop_id, call.uid) is None:
        raise ValidationError(FieldError("/workshopId", "unknown", "You are not a member of this workshop"))
    await db.lock(f"api keys of {call.uid}")
    active = [key for key in await api_keys.list_all(db, call.uid) if key.revoked_at is None]
    if len(active) >= MAX_KEYS:
        raise Conflict("too_many_keys", f"An account can have at most {MAX_KEYS} API keys; revoke one first")
    secret = keys.new_secret()
    key = ApiKey(
        id=call.new_id(),
        name=body.name,
        prefix=keys.display_prefix(secret),
        scopes=sorted(set(body.scopes)),
        created_at=call.now,
        workshop_id=None if body.workshop_id is UNSET else body.workshop_id,
        expires_at=None if body.expires_at is UNSET else _expiry(body.expires_at, call.now),
    )
    await api_keys.add(db, call.uid, key, digest(secret))
    if await may_notify(db, call, services.email_limits):
        await _notify(db, call, key)
    await api_keys.delete_revoked_beyond(db, call.uid, MAX_REVOKED_KEYS)
    return IssuedApiKey(key, secret)


async def _notify(db: Write, call: Call, key: ApiKey) -> None:
    """Queues an email to the account: a key that a thief has created outlives the session it was created with."""
    account = await accounts.find(db, call.uid)
    label = to_json_text(key_label(key.prefix, key.name))
    email = NewEmail.to_account("api_key_created", account, label, sender=account.id)
    await email_outbox.add(db, call.new_id(), email, call.now)


async def revoke(db: Write, call: Call, key_id: str) -> None:
    """Revoke an API key. It stays in the list, with `revokedAt`."""
    await api_keys.save_revoked(db, key_id, call.uid, call.now)


async def get_current(db: Read, call: Call) -> CurrentApiKey:
    """Read the API key of the request: its scopes, its expiry and the workshops in which it may act."""
    assert call.caller.key_id is not None
    key = await api_keys.find(db, call.caller.key_id)
    return CurrentApiKey(
        id=key.id,
        name=key.name,
        scopes=key.scopes,
        workshops=[
            ApiKeyWorkshop(workshop.id, workshop.name)
            for workshop in await workshops.list_all(db, call.uid)
            if call.caller.only_workshop in (None, workshop.id)
        ],
        expires_at=key.expires_at,
    )


def _expiry(text: str, now: Instant) -> Instant:
    expiry = given(text)
    if expiry is None:
        raise ValidationError(FieldError("/expiresAt", "malformed", "Expected an ISO 8601 date-time with a time zone"))
    if expiry <= now:
        raise ValidationError(FieldError("/expiresAt", "past", "Expected a time in the future"))
    return expiry
