"""Emails about a shared estimate: to the client, and to the owners of its workshop."""

from msgspec import Struct

from backbench.actions.email_limits import may_mail
from backbench.domain.mail.details import CommentDetails, DecisionDetails
from backbench.domain.mail.emails import EmailKind
from backbench.domain.sharing.comments import EstimateComment
from backbench.domain.sharing.decisions import StoredDecision
from backbench.domain.sharing.links import StoredLink
from backbench.domain.values.ids import NewId
from backbench.domain.values.limits import EmailLimits
from backbench.domain.values.numbers import to_json_text
from backbench.domain.values.times import Instant
from backbench.storage.accounts import accounts
from backbench.storage.engine.database import Write
from backbench.storage.operations import email_outbox
from backbench.storage.workshops import members


async def queue_decided(db: Write, link: StoredLink, decision: StoredDecision, now: Instant, new_id: NewId) -> None:
    """Queues the receipts of a decision with a link: a copy of the evidence outside of this server, on both sides."""
    details = DecisionDetails(decision.id)
    if link.receipt_email is not None:
        await email_outbox.add(
            db,
            new_id(),
            "decision_receipt",
            link.receipt_email,
            link.locale,
            now,
            details=to_json_text(details),
            sender=link.id,
        )
    for uid in await members.list_owner_ids(db, link.workshop_id):
        await _queue_notice(db, uid, "estimate_decided", details, link.id, now, new_id)


async def queue_commented(
    db: Write, link: StoredLink, comment: EstimateComment, limits: EmailLimits, now: Instant, new_id: NewId
) -> None:
    """Queues an email to each owner, as far as the limit of the mailbox allows: the comment is saved in any case."""
    for uid in await members.list_owner_ids(db, link.workshop_id):
        if await may_mail(db, (await accounts.find(db, uid)).email, limits, now):
            await _queue_notice(db, uid, "estimate_commented", CommentDetails(comment.id), link.id, now, new_id)


async def _queue_notice(
    db: Write, uid: str, kind: EmailKind, details: Struct, link_id: str, now: Instant, new_id: NewId
) -> None:
    owner = await accounts.find(db, uid)
    if owner.status != "active":
        return
    await email_outbox.add(
        db,
        new_id(),
        kind,
        owner.email,
        owner.locale,
        now,
        account_id=owner.id,
        details=to_json_text(details),
        sender=link_id,
    )
