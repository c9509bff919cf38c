"""What users told us, in the database."""

from backbench.domain.exports import AccountDataExportFeedback
from backbench.storage.database import Read


async def all_of(db: Read, uid: str) -> list[AccountDataExportFeedback]:
    """Newest first."""
    return await db.all(
        AccountDataExportFeedback,
        """
        SELECT id, kind, title, message, email, locale, created_at, path, user_agent FROM feedback
        WHERE account_id = :uid ORDER BY created_at DESC, id DESC
        """,
        uid=uid,
    )
