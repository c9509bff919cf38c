"""Feedback to the people who run the server."""

from msgspec import UNSET

from backbench.actions.email_limits import count_feedback
from backbench.actions.services import Services
from backbench.domain.accounts.calls import Call
from backbench.domain.accounts.feedback import AccountDataExportFeedback, NewFeedback
from backbench.domain.mail.emails import NewEmail
from backbench.storage.accounts import accounts, feedback
from backbench.storage.engine.database import Write
from backbench.storage.operations import email_outbox


async def create(db: Write, call: Call, body: NewFeedback, services: Services) -> AccountDataExportFeedback:
    """Store feedback, and email it to the support address if one is set. Raises RateLimited."""
    await count_feedback(db, call, services.email_limits)
    account = await accounts.find(db, call.uid)
    entry = AccountDataExportFeedback(
        id=call.new_id(),
        kind=body.kind,
        title=body.title,
        message=body.message,
        email=account.email,
        locale=account.locale,
        created_at=call.now,
        path=body.path,
        user_agent=call.client.user_agent or UNSET,
    )
    await feedback.add(db, account.id, entry)
    if services.support_email:
        email = NewEmail(
            "feedback", services.support_email, "en", account.id, details=f'"{entry.id}"', sender=account.id
        )
        await email_outbox.add(db, call.new_id(), email, call.now)
    return entry
