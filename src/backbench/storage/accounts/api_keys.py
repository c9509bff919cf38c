"""API keys in the database; only the SHA-256 of a key is stored."""

from msgspec import Struct

from backbench.domain.accounts.api_keys import ApiKey
from backbench.domain.accounts.sessions import Scope
from backbench.domain.values.errors import NotFound
from backbench.domain.values.pagination import Page, PageQuery
from backbench.domain.values.times import Instant
from backbench.storage.accounts.credentials import Credentials
from backbench.storage.engine.database import Read, Write
from backbench.storage.engine.lists import list_all_newest_first, list_newest_first
from backbench.storage.engine.objects import of_account
from backbench.storage.engine.rows import columns

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


async def list_all(db: Read, uid: str) -> list[ApiKey]:
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
