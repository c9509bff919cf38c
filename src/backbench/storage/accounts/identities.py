"""Identities in the database: links between accounts and an identity provider's subjects."""

from backbench.domain.operations.exports import AccountDataExportAuthProvider
from backbench.domain.values.times import Instant
from backbench.storage.engine.database import Read, Write


async def lookup_account_id(db: Read, issuer: str, subject: str) -> str | None:
    """The id of the account that is linked to the subject."""
    uid: str | None = await db.value(
        "SELECT account_id FROM identities WHERE issuer = :issuer AND subject = :subject",
        issuer=issuer,
        subject=subject,
    )
    return uid


async def exists(db: Read, uid: str) -> bool:
    """Whether an identity is linked to the account."""
    sql = "SELECT 1 FROM identities WHERE account_id = :uid LIMIT 1"
    return await db.value(sql, uid=uid) is not None


async def add(db: Write, uid: str, issuer: str, subject: str, at: Instant) -> None:
    await db.add("identities", issuer=issuer, subject=subject, account_id=uid, provider="google", linked_at=at)


async def delete_all(db: Write, uid: str) -> bool:
    """False when there was none."""
    return await db.run("DELETE FROM identities WHERE account_id = :uid", uid=uid) > 0


async def list_all(db: Read, uid: str) -> list[AccountDataExportAuthProvider]:
    return await db.all(
        AccountDataExportAuthProvider,
        "SELECT provider, subject, linked_at FROM identities WHERE account_id = :uid ORDER BY linked_at",
        uid=uid,
    )
