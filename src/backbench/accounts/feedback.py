"""Feedback: messages from users to the host of the service."""

from typing import Annotated, Literal

from msgspec import UNSET, Meta, Struct, UnsetType

from backbench.accounts import accounts
from backbench.accounts.rate_limits import count_feedback
from backbench.engine.database import Read, Write
from backbench.engine.rows import columns
from backbench.mail import outbox
from backbench.mail.outbox import NewEmail
from backbench.services import Services
from backbench.values.calls import Call
from backbench.values.enums import UserLocale
from backbench.values.errors import NotFound
from backbench.values.scalars import NO_CONTROL, ONE_LINE, Email, Name
from backbench.values.times import Instant

FeedbackKind = Literal["feedback", "support"]


class NewFeedback(Struct, frozen=True, forbid_unknown_fields=True):
    kind: FeedbackKind
    title: Name
    message: Annotated[str, Meta(min_length=1, max_length=5000)]
    # The page of the web app from which the feedback was sent.
    path: Annotated[str, Meta(max_length=1000, pattern=NO_CONTROL, extra=ONE_LINE)] | UnsetType = UNSET


class AccountDataExportFeedback(Struct, frozen=True, rename="camel"):
    id: str
    kind: FeedbackKind
    title: str
    message: str
    email: Email
    locale: UserLocale
    created_at: Instant
    path: str | UnsetType = UNSET
    user_agent: str | UnsetType = UNSET


# Statements


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


# Verbs


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
    await add(db, account.id, entry)
    if services.support_email:
        email = NewEmail(
            "feedback", services.support_email, "en", account.id, details=f'"{entry.id}"', sender=account.id
        )
        await outbox.add(db, call.new_id(), email, call.now)
    return entry
