"""Feedback to the people who run the server."""

from msgspec import UNSET

from backbench.actions.email_limits import count_feedback
from backbench.domain.accounts.feedback import AccountDataExportFeedback, NewFeedback
from backbench.domain.accounts.sessions import Caller
from backbench.domain.values.ids import NewId
from backbench.domain.values.limits import EmailLimits
from backbench.domain.values.times import Instant
from backbench.storage.accounts import accounts, feedback
from backbench.storage.engine.database import Write
from backbench.storage.operations import email_outbox


async def create(
    db: Write,
    caller: Caller,
    body: NewFeedback,
    user_agent: str,
    support_email: str,
    email_limits: EmailLimits,
    now: Instant,
    new_id: NewId,
) -> AccountDataExportFeedback:
    """Store feedback, and email it to the support address if one is set. Raises RateLimited."""
    await count_feedback(db, caller, email_limits, now)
    account = await accounts.find(db, caller.uid)
    entry = AccountDataExportFeedback(
        id=new_id(),
        kind=body.kind,
        title=body.title,
        message=body.message,
        email=account.email,
        locale=account.locale,
        created_at=now,
        path=body.path,
        user_agent=user_agent or UNSET,
    )
    await feedback.add(db, account.id, entry)
    if support_email:
        await email_outbox.add(
            db,
            new_id(),
            "feedback",
            support_email,
            "en",
            now,
            account_id=account.id,
            details=f'"{entry.id}"',
            sender=account.id,
        )
    return entry
