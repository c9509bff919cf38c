"""What people see and change of themselves: profile, sessions, API keys."""

from msgspec import UNSET

from backbench.domain.accounts import api_keys as keys
from backbench.domain.accounts.accounts import MeProfile, ProfileEdit
from backbench.domain.accounts.api_keys import ApiKey, ApiKeysList, IssuedApiKey, NewApiKey
from backbench.domain.accounts.sessions import Caller, SessionsList, digest
from backbench.domain.values.errors import Conflict, FieldError, NotFound, ValidationError
from backbench.domain.values.ids import NewId
from backbench.domain.values.numbers import to_json
from backbench.domain.values.pagination import Page, PageQuery
from backbench.domain.values.times import Instant, from_datetime, parse
from backbench.storage.accounts import accounts, api_keys, identities, sessions
from backbench.storage.engine.database import Read, Write
from backbench.storage.workshops import members

_MOST_KEYS = 100


async def show(db: Read, caller: Caller) -> MeProfile:
    account = await accounts.find(db, caller.uid)
    return MeProfile(
        name=account.name,
        email=account.email,
        locale=account.locale,
        sign_in_methods=account.sign_in_methods(has_identity=await identities.exists(db, account.id)),
    )


async def edit(db: Write, caller: Caller, body: ProfileEdit) -> MeProfile:
    await accounts.save_profile(db, caller.uid, body)
    return await show(db, caller)


async def show_sessions(db: Read, caller: Caller, query: PageQuery, now: Instant) -> Page:
    """SessionsList as JSON; a page of it where a limit was asked for."""
    shown, following = await sessions.list_page(db, caller.uid, caller.session_id, now, query)
    return Page(to_json(SessionsList(shown)), following)


async def end_session(db: Write, caller: Caller, session_id: str) -> None:
    if not await sessions.delete(db, session_id, caller.uid):
        raise NotFound


async def show_keys(db: Read, caller: Caller, query: PageQuery) -> Page:
    """ApiKeysList as JSON; a page of it where a limit was asked for."""
    shown, following = await api_keys.list_page(db, caller.uid, query)
    return Page(to_json(ApiKeysList(shown)), following)


async def issue_key(db: Write, caller: Caller, body: NewApiKey, now: Instant, new_id: NewId) -> IssuedApiKey:
    """The secret is in this answer and nowhere else."""
    if body.workshop_id is not UNSET and await members.lookup_role(db, body.workshop_id, caller.uid) is None:
        raise ValidationError(FieldError("/workshopId", "unknown", "Not a workshop of yours"))
    await db.lock(f"api keys of {caller.uid}")
    held = [key for key in await api_keys.list_all(db, caller.uid) if key.revoked_at is None]
    if len(held) >= _MOST_KEYS:
        raise Conflict("too_many_keys", f"An account holds at most {_MOST_KEYS} keys; revoke one first")
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
    return IssuedApiKey(key, secret)


async def revoke_key(db: Write, caller: Caller, key_id: str, now: Instant) -> None:
    if not await api_keys.save_revoked(db, key_id, caller.uid, now):
        raise NotFound


def _expiry(text: str, now: Instant) -> Instant:
    try:
        moment = parse(text)
        expiry = from_datetime(moment) if moment.tzinfo is not None else None
    except (ValueError, OverflowError):
        expiry = None
    if expiry is None:
        raise ValidationError(FieldError("/expiresAt", "malformed", "Expected an ISO 8601 date-time with its zone"))
    if expiry <= now:
        raise ValidationError(FieldError("/expiresAt", "past", "Expected a moment in the future"))
    return expiry
