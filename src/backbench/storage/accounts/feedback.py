"""Feedback of users in the database."""

from backbench.domain.accounts.feedback import AccountDataExportFeedback
from backbench.domain.values.errors import NotFound
from backbench.storage.engine.database import Read, Write
from backbench.storage.engine.rows import columns

_COLUMNS = columns(AccountDataExportFeedback)


async def add(db: Write, uid: str, feedback: AccountDataExportFeedback) -> None:
    await db.add("feedback", feedback, account_id=uid)


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
