"""Emails about a shared estimate that the service sends by itself: to the client, and to the owners of the workshop.

Each counts towards the limits of its mailbox and of the workshop. Beyond them it is left out: what it is about is saved
in any case, and shown on the client's page and in the app.
"""

from msgspec import Struct

from backbench.actions.email_limits import may_mail_client, may_notify_owner
from backbench.actions.rate_limits import Counter, count_window
from backbench.domain.accounts.sessions import Caller
from backbench.domain.mail.details import CommentsDetails, DecisionDetails, LinkDetails
from backbench.domain.mail.emails import EmailKind
from backbench.domain.sharing.decisions import StoredDecision
from backbench.domain.sharing.links import StoredLink
from backbench.domain.values.ids import NewId
from backbench.domain.values.limits import EmailLimits, Limit
from backbench.domain.values.numbers import to_json_text
from backbench.domain.values.times import Instant
from backbench.storage.accounts import accounts
from backbench.storage.engine.database import Write
from backbench.storage.operations import email_outbox
from backbench.storage.workshops import members

# An owner gets the first comment at once, and those of the next ten minutes in one email.
_GATHERED_SECONDS = 600


async def queue_to_client(
    db: Write, link: StoredLink, kind: EmailKind, details: Struct, limits: EmailLimits, now: Instant, new_id: NewId
) -> str | None:
    """Queues an email where an address of the client is known. Returns the address; None where there is no email."""
    email = link.client_email
    if email is None:
        return None
    is_known = link.mailed_to is not None
    if not await may_mail_client(db, link.workshop_id, email, limits, now, is_known=is_known):
        return None
    text = to_json_text(details)
    await email_outbox.add(db, new_id(), kind, email, link.locale, now, details=text, sender=link.workshop_id)
    return email


def by_member(caller: Caller, link: StoredLink, *, decision_id: str = "", comment_id: str = "") -> LinkDetails:
    """Details of an email to the client that a member causes."""
    return LinkDetails(link.id, caller.uid, caller.key_id, decision_id=decision_id, comment_id=comment_id)


async def queue_decided(db: Write, decision: StoredDecision, limits: EmailLimits, now: Instant, new_id: NewId) -> None:
    """Queues the receipt of a client's decision to the owners: a copy of the evidence outside of this server."""
    details = to_json_text(DecisionDetails(decision.id))
    await _queue_to_owners(
        db, decision.workshop_id, "estimate_decided", "decisions", details, limits, now, new_id, due_at=None
    )


async def queue_commented(db: Write, link: StoredLink, limits: EmailLimits, now: Instant, new_id: NewId) -> None:
    """Queues an email about the client's comments: one at once, and one about all of the next ten minutes."""
    limit = Limit(1, _GATHERED_SECONDS)
    counter = Counter(f"comments on {link.estimate_id}", limit, "emails", is_reported=False)
    window = await count_window(db, counter, now)
    if window.number > 2:
        return
    details = to_json_text(CommentsDetails(link.estimate_id, since=now))
    due_at = None if window.number == 1 else window.ends_at
    await _queue_to_owners(
        db, link.workshop_id, "estimate_commented", "comments", details, limits, now, new_id, due_at=due_at
    )


async def _queue_to_owners(
    db: Write,
    workshop_id: str,
    kind: EmailKind,
    topic: str,
    details: str,
    limits: EmailLimits,
    now: Instant,
    new_id: NewId,
    *,
    due_at: Instant | None,
) -> None:
    for uid in await members.list_owner_ids(db, workshop_id):
        owner = await accounts.find(db, uid)
        if owner.status != "active":
            continue
        if not await may_notify_owner(db, workshop_id, topic, owner.email, limits, now):
            continue
        await email_outbox.add(
            db,
            new_id(),
            kind,
            owner.email,
            owner.locale,
            now,
            account_id=owner.id,
            details=details,
            sender=workshop_id,
            due_at=due_at,
        )
