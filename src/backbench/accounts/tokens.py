"""Single-use tokens in the database; only their SHA-256 is stored."""

from typing import Literal

from msgspec import Struct

from backbench.accounts.sessions import digest
from backbench.engine.database import Read, Write
from backbench.values.times import Instant

Purpose = Literal["verify", "reset", "invitation", "google"]


class StoredToken(Struct, frozen=True):
    """The account or invitation of the token; `details` is JSON, of a shape that depends on the purpose."""

    account_id: str | None = None
    invitation_id: str | None = None
    details: str = "{}"


async def add(db: Write, secret: str, purpose: Purpose, expires_at: Instant, token: StoredToken) -> None:
    await db.add("tokens", token, secret_hash=digest(secret), purpose=purpose, expires_at=expires_at)


async def lookup_active(db: Read, secret: str, purpose: Purpose, now: Instant) -> StoredToken | None:
    """The token of a secret, if it may still be used. Does not consume it."""
    return await db.one(
        StoredToken,
        """
        SELECT account_id, invitation_id, details FROM tokens
        WHERE secret_hash = :secret_hash AND purpose = :purpose AND expires_at > :now
        """,
        secret_hash=digest(secret),
        purpose=purpose,
        now=now,
    )


async def consume(db: Write, secret: str, purpose: Purpose, now: Instant) -> StoredToken | None:
    """Deletes the token and returns it; of concurrent requests, one gets it."""
    return await db.one(
        StoredToken,
        """
        DELETE FROM tokens WHERE secret_hash = :secret_hash AND purpose = :purpose AND expires_at > :now
        RETURNING account_id, invitation_id, details
        """,
        secret_hash=digest(secret),
        purpose=purpose,
        now=now,
    )


async def count_of_invitation(db: Read, invitation_id: str, details: str) -> int:
    """The tokens of an invitation that have these details."""
    sql = "SELECT count(*) FROM tokens WHERE invitation_id = :invitation_id AND details = :details"
    return int(await db.value(sql, invitation_id=invitation_id, details=details))


async def delete_all(db: Write, uid: str, purpose: Purpose) -> None:
    await db.run("DELETE FROM tokens WHERE account_id = :uid AND purpose = :purpose", uid=uid, purpose=purpose)


async def delete_expired(db: Write, now: Instant) -> int:
    """The number of tokens deleted."""
    return await db.run("DELETE FROM tokens WHERE expires_at <= :now", now=now)
