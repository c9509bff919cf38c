"""Feedback of users in the database."""

from backbench.domain.accounts.feedback import AccountDataExportFeedback
from backbench.domain.values.errors import NotFound
from backbench.storage.engine.database import Read, Write
from backbench.storage.engine.parameters import or_none

_COLUMNS = "id, kind, title, message, email, locale, created_at, path, user_agent"


async def add(db: Write, uid: str, feedback: AccountDataExportFeedback) -> None:
    await db.run(
        """
        INSERT INTO feedback (id, account_id, kind, title, message, email, locale, path, user_agent, created_at)
        VALUES (:id, :uid, :kind, :title, :message, :email, :locale, :path, :user_agent, :created_at)
        """,
        id=feedback.id,
        uid=uid,
        kind=feedback.kind,
        title=feedback.title,
        message=feedback.message,
        email=feedback.email,
        locale=feedback.locale,
        path=or_none(feedback.path),
        user_agent=or_none(feedback.user_agent),
        created_at=feedback.created_at,
    )


async def find(db: Read, feedback_id: str) -> AccountDataExportFeedback:
    """Raises NotFound."""
    feedback = await db.one(
        AccountDataExportFeedback, f"SELECT {_COLUMNS} FROM feedback WHERE id = :id", id=feedback_id
    )
    if feedback is None:
        raise NotFound
    return feedback


async def list_all(db: Read, uid: str) -> list[AccountDataExportFeedback]:
    """Every feedback of the account, newest first."""
    return await db.all(
        AccountDataExportFeedback,
        f"SELECT {_COLUMNS} FROM feedback WHERE account_id = :uid ORDER BY created_at DESC, id DESC",
        uid=uid,
    )
