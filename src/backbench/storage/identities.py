"""Links between accounts and an identity provider's subjects."""

from backbench.domain.exports import AccountDataExportAuthProvider
from backbench.storage.database import Read


async def all_of(db: Read, uid: str) -> list[AccountDataExportAuthProvider]:
    return await db.all(
        AccountDataExportAuthProvider,
        "SELECT provider, subject, linked_at FROM identities WHERE account_id = :uid ORDER BY linked_at",
        uid=uid,
    )
