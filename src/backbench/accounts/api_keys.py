"""API keys: credentials with which a program acts as an account, within the scopes of the key."""

import secrets
import string
import zlib
from typing import Annotated

from msgspec import UNSET, Meta, Struct, UnsetType

from backbench.accounts import accounts
from backbench.accounts.rate_limits import may_notify
from backbench.accounts.sessions import Credentials, digest
from backbench.engine.database import Read, Write
from backbench.engine.lists import list_all_newest_first, list_newest_first
from backbench.engine.objects import of_account
from backbench.engine.rows import columns
from backbench.mail import outbox
from backbench.mail.email_text import key_label
from backbench.mail.outbox import NewEmail
from backbench.services import Services
from backbench.values.calls import Call, Scope
from backbench.values.errors import Conflict, FieldError, NotFound, ValidationError
from backbench.values.numbers import to_json_text
from backbench.values.pagination import Page, PagedList, PageQuery
from backbench.values.scalars import Name
from backbench.values.times import Instant, given
from backbench.workshops import members, workshops

PREFIX = "bbk_"
_ALPHABET = string.digits + string.ascii_uppercase + string.ascii_lowercase
_DIGIT_VALUES = {digit: value for value, digit in enumerate(_ALPHABET)}
_SECRET_LENGTH = 43
_CHECK_LENGTH = 6
_LENGTH = len(PREFIX) + _SECRET_LENGTH + _CHECK_LENGTH


class ApiKey(Struct, frozen=True, rename="camel", omit_defaults=True):
    """An API key without its secret."""

    id: str
    name: str
    prefix: str
    scopes: list[Scope]
    created_at: Instant
    workshop_id: str | None = None
    last_used_at: Instant | None = None
    expires_at: Instant | None = None
    revoked_at: Instant | None = None


class ApiKeysList(PagedList, frozen=True):
    api_keys: list[ApiKey]


class ApiKeyWithSecret(Struct, frozen=True, rename="camel"):
    """A new API key with its secret, which is returned only once."""

    api_key: ApiKey
    secret: str


class ApiKeyWorkshop(Struct, frozen=True):
    """A workshop in which an API key may act."""

    id: str
    name: str


class CurrentApiKey(Struct, frozen=True, rename="camel", omit_defaults=True):
    """The API key that a request was sent with, and the workshops in which it may act."""

    id: str
    name: str
    scopes: list[Scope]
    workshops: list[ApiKeyWorkshop]
    expires_at: Instant | None = None


class NewApiKey(Struct, frozen=True, rename="camel", forbid_unknown_fields=True):
    name: Name
    scopes: Annotated[list[Scope], Meta(min_length=1, max_length=20)]
    expires_at: Annotated[str, Meta(max_length=40, extra_json_schema={"format": "date-time"})] | UnsetType = UNSET
    workshop_id: Annotated[str, Meta(min_length=1, max_length=100)] | UnsetType = UNSET


def new_secret(prefix: str = PREFIX) -> str:
    """A new secret: the prefix, 256 random bits, and a checksum that detects a mistyped key without a query."""
    body = "".join(secrets.choice(_ALPHABET) for _ in range(_SECRET_LENGTH))
    return prefix + body + _checksum(prefix + body)


def encode(content: bytes, prefix: str) -> str:
    """A secret of the same form with 32 bytes of content."""
    number, digits = int.from_bytes(content, "big"), []
    for _ in range(_SECRET_LENGTH):
        number, digit = divmod(number, len(_ALPHABET))
        digits.append(_ALPHABET[digit])
    body = prefix + "".join(reversed(digits))
    return body + _checksum(body)


def decode(secret: str, prefix: str) -> bytes | None:
    """The 32 bytes of content of a secret that `encode` made; None for another text."""
    if not is_well_formed(secret, prefix):
        return None
    number = _number(secret[len(prefix) : -_CHECK_LENGTH])
    return number.to_bytes(32, "big") if 0 <= number < 1 << 256 else None


def is_well_formed(secret: str, prefix: str = PREFIX) -> bool:
    """Whether it is a secret of the kind that has this prefix of four characters."""
    return (
        len(secret) == _LENGTH
        and secret.startswith(prefix)
        and secret.isascii()
        and _number(secret[-_CHECK_LENGTH:]) == zlib.crc32(secret[:-_CHECK_LENGTH].encode())
    )


def display_prefix(secret: str) -> str:
    """The first characters, by which the owner recognizes a key."""
    return secret[:12]


def _number(digits: str) -> int:
    """The number that base62 digits represent; -1 if a character is not a digit."""
    number = 0
    for digit in digits:
        value = _DIGIT_VALUES.get(digit)
        if value is None:
            return -1
        number = number * 62 + value
    return number


def _checksum(text: str) -> str:
    number = zlib.crc32(text.encode())
    digits = []
    for _ in range(_CHECK_LENGTH):
        number, digit = divmod(number, len(_ALPHABET))
        digits.append(_ALPHABET[digit])
    return "".join(reversed(digits))


# Statements


_COLUMNS = columns(ApiKey)
_OF_ACCOUNT = f"SELECT {_COLUMNS} FROM api_keys WHERE account_id = :uid"


class ActiveKey(Struct, frozen=True):
    """The columns that authenticating a request needs."""

    id: str
    account_id: str
    scopes: tuple[Scope, ...]
    workshop_id: str | None
    last_used_at: Instant | None


API_KEY = of_account("own_key", "api_keys k", key="key_id")
# The key of a bearer token, if it is not revoked or expired and its account is active.
ACTIVE = Credentials(
    ActiveKey,
    columns="k.id, k.account_id, k.scopes, k.workshop_id, k.last_used_at",
    source="api_keys k JOIN accounts a ON a.id = k.account_id",
    condition="k.secret_hash = :secret_hash AND k.revoked_at IS NULL "
    "AND (k.expires_at IS NULL OR k.expires_at > :now) AND a.status = 'active'",
)


async def add(db: Write, uid: str, key: ApiKey, secret_hash: str) -> None:
    await db.add("api_keys", key, account_id=uid, secret_hash=secret_hash)


async def find(db: Read, key_id: str) -> ApiKey:
    """Raises NotFound."""
    key = await db.one(ApiKey, f"SELECT {_COLUMNS} FROM api_keys WHERE id = :key_id", key_id=key_id)
    if key is None:
        raise NotFound
    return key


async def list_page(db: Read, uid: str, page: PageQuery) -> Page[ApiKey]:
    """The account's keys, including revoked ones, newest first."""
    return await list_newest_first(db, ApiKey, _OF_ACCOUNT, page, uid=uid)


async def list_stored(db: Read, uid: str) -> list[ApiKey]:
    """Every key of the account, including revoked ones, newest first."""
    return await list_all_newest_first(db, ApiKey, _OF_ACCOUNT, uid=uid)


async def lookup_owner(db: Read, key_id: str) -> str | None:
    """The account of a key; None where there is no such key."""
    owner: str | None = await db.value("SELECT account_id FROM api_keys WHERE id = :id", id=key_id)
    return owner


async def list_active(db: Read, uid: str, now: Instant) -> list[ApiKey]:
    """The keys of the account that are neither revoked nor expired, newest first."""
    return await db.all(
        ApiKey,
        f"""
        SELECT {_COLUMNS} FROM api_keys
        WHERE account_id = :uid AND revoked_at IS NULL AND (expires_at IS NULL OR expires_at > :now)
        ORDER BY created_at DESC, id DESC
        """,
        uid=uid,
        now=now,
    )


async def save_revoked(db: Write, key_id: str, uid: str, at: Instant) -> bool:
    """Revokes a key of this account, once. False when the account has no such key."""
    sql = "UPDATE api_keys SET revoked_at = coalesce(revoked_at, :at) WHERE id = :id AND account_id = :uid"
    return await db.run(sql, id=key_id, uid=uid, at=at) > 0


async def save_all_revoked(db: Write, uid: str, at: Instant) -> None:
    sql = "UPDATE api_keys SET revoked_at = :at WHERE account_id = :uid AND revoked_at IS NULL"
    await db.run(sql, uid=uid, at=at)


async def delete_revoked_beyond(db: Write, uid: str, limit: int) -> None:
    """Deletes all but the newest `limit` revoked keys of the account."""
    await db.run(
        """
        DELETE FROM api_keys WHERE account_id = :uid AND revoked_at IS NOT NULL AND id NOT IN
            (SELECT id FROM api_keys WHERE account_id = :uid AND revoked_at IS NOT NULL
             ORDER BY created_at DESC, id DESC LIMIT :limit)
        """,
        uid=uid,
        limit=limit,
    )


async def save_used(db: Write, key_id: str, at: Instant) -> None:
    await db.run("UPDATE api_keys SET last_used_at = :at WHERE id = :id", id=key_id, at=at)


# Verbs


MAX_KEYS = 100
# Older revoked keys are deleted when a key is created: creating and revoking must not fill the table.
MAX_REVOKED_KEYS = 1000


async def list_all(db: Read, call: Call, query: PageQuery) -> Page[ApiKey]:
    """List the API keys of the signed-in account, newest first, revoked ones included; never their secrets."""
    return await list_page(db, call.uid, query)


async def create(db: Write, call: Call, body: NewApiKey, services: Services) -> ApiKeyWithSecret:
    """Create an API key. Its secret is in this response and nowhere else."""
    if body.workshop_id is not UNSET and await members.lookup_role(db, body.workshop_id, call.uid) is None:
        raise ValidationError(FieldError("/workshopId", "unknown", "You are not a member of this workshop"))
    await db.lock(f"api keys of {call.uid}")
    active = [key for key in await list_stored(db, call.uid) if key.revoked_at is None]
    if len(active) >= MAX_KEYS:
        raise Conflict("too_many_keys", f"An account can have at most {MAX_KEYS} API keys; revoke one first")
    secret = new_secret()
    key = ApiKey(
        id=call.new_id(),
        name=body.name,
        prefix=display_prefix(secret),
        scopes=sorted(set(body.scopes)),
        created_at=call.now,
        workshop_id=None if body.workshop_id is UNSET else body.workshop_id,
        expires_at=None if body.expires_at is UNSET else _expiry(body.expires_at, call.now),
    )
    await add(db, call.uid, key, digest(secret))
    if await may_notify(db, call, services.email_limits):
        await _notify(db, call, key)
    await delete_revoked_beyond(db, call.uid, MAX_REVOKED_KEYS)
    return ApiKeyWithSecret(key, secret)


async def _notify(db: Write, call: Call, key: ApiKey) -> None:
    """Queues an email to the account: a key that a thief has created outlives the session it was created with."""
    account = await accounts.find(db, call.uid)
    label = to_json_text(key_label(key.prefix, key.name))
    email = NewEmail.to_account("api_key_created", account, label, sender=account.id)
    await outbox.add(db, call.new_id(), email, call.now)


async def revoke(db: Write, call: Call, key_id: str) -> None:
    """Revoke an API key. It stays in the list, with `revokedAt`."""
    await save_revoked(db, key_id, call.uid, call.now)


async def get_current(db: Read, call: Call) -> CurrentApiKey:
    """Read the API key of the request: its scopes, its expiry and the workshops in which it may act."""
    assert call.caller.key_id is not None
    key = await find(db, call.caller.key_id)
    return CurrentApiKey(
        id=key.id,
        name=key.name,
        scopes=key.scopes,
        workshops=[
            ApiKeyWorkshop(workshop.id, workshop.name)
            for workshop in await workshops.list_stored(db, call.uid)
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
