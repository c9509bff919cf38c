"""What users told us, in the database."""

from backbench.domain.accounts.feedback import AccountDataExportFeedback
from backbench.domain.values.errors import NotFound
from backbench.storage.engine.database import Read, Write
from backbench.storage.engine.parameters import or_none

_COLUMNS = "id, kind, title, message, email, locale, created_at, path, user_agent"


async def add(db: Write, uid: str, told: AccountDataExportFeedback) -> None:
    await db.run(
        """
        INSERT INTO feedback (id, account_id, kind, title, message, email, locale, path, user_agent, created_at)
        VALUES (:id, :uid, :kind, :title, :message, :email, :locale, :path, :user_agent, :created_at)
        """,
        id=told.id,
        uid=uid,
        kind=told.kind,
        title=told.title,
        message=told.message,
        email=told.email,
        locale=told.locale,
        path=or_none(told.path),
        user_agent=or_none(told.user_agent),
        created_at=told.created_at,
    )


async def find(db: Read, feedback_id: str) -> AccountDataExportFeedback:
    told = await db.one(AccountDataExportFeedback, f"SELECT {_COLUMNS} FROM feedback WHERE id = :id", id=feedback_id)
    if told is None:
        raise NotFound
    return told


async def list_all(db: Read, uid: str) -> list[AccountDataExportFeedback]:
    """Newest first."""
    return await db.all(
        AccountDataExportFeedback,
        f"SELECT {_COLUMNS} FROM feedback WHERE account_id = :uid ORDER BY created_at DESC, id DESC",
        uid=uid,
    )
