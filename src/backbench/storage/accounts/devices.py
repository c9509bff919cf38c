"""Devices in the database: browsers that have signed in to an account. Only the SHA-256 of their cookie is stored."""

from backbench.domain.accounts.sessions import DEVICE_SECONDS
from backbench.domain.values.scalars import email_key
from backbench.domain.values.times import Instant, later
from backbench.storage.engine.database import Read, Write

_MAX_DEVICES = 20


async def exists(db: Read, email: str, secret_hash: str, now: Instant) -> bool:
    """Whether the browser has signed in to the account with this address, and its cookie has not expired."""
    sql = """
        SELECT 1 FROM devices JOIN accounts ON accounts.id = devices.account_id
        WHERE devices.secret_hash = :secret_hash AND devices.expires_at > :now AND accounts.email_key = :key
    """
    return await db.value(sql, secret_hash=secret_hash, now=now, key=email_key(email)) is not None


async def add(db: Write, uid: str, secret_hash: str, now: Instant) -> None:
    """Adds a device, and deletes all but the newest 20 of the account."""
    await db.add("devices", secret_hash=secret_hash, account_id=uid, expires_at=later(now, DEVICE_SECONDS))
    await db.run(
        f"""
        DELETE FROM devices WHERE account_id = :uid AND secret_hash NOT IN (
            SELECT secret_hash FROM devices WHERE account_id = :uid
            ORDER BY expires_at DESC, secret_hash LIMIT {_MAX_DEVICES}
        )
        """,
        uid=uid,
    )


async def delete_expired(db: Write, now: Instant) -> int:
    """The number of devices deleted."""
    return await db.run("DELETE FROM devices WHERE expires_at <= :now", now=now)
