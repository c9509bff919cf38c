"""Emails about a shared estimate that the service sends by itself: to the client, and to the owners of the workshop.

Each counts towards the limits of its mailbox and of the workshop. Beyond them it is left out: what it is about is saved
in any case, and shown on the client's page and in the app.
"""

from msgspec import Struct

from backbench.actions.email_limits import may_mail_client, may_notify_owner
from backbench.actions.rate_limits import Counter, count_window
from backbench.actions.services import Services
from backbench.domain.accounts.accounts import Account
from backbench.domain.accounts.calls import Call
from backbench.domain.mail.details import CommentsDetails, DecisionDetails, LinkDetails
from backbench.domain.mail.emails import EmailKind
from backbench.domain.sharing.decisions import StoredDecision
from backbench.domain.sharing.links import StoredLink
from backbench.domain.values.limits import Limit
from backbench.domain.values.numbers import to_json_text
from backbench.domain.values.times import Instant
from backbench.storage.accounts import accounts
from backbench.storage.engine.database import Write
from backbench.storage.operations import email_outbox
from backbench.storage.workshops import members

# An owner gets the first comment at once, and those of the next ten minutes in one email.
_GATHERED_SECONDS = 600


async def queue_to_client(
    db: Write, call: Call, link: StoredLink, kind: EmailKind, details: LinkDetails, services: Services
) -> str | None:
    """Queues an email where an address of the client is known. Returns the address; None where there is no email."""
    email = link.client_email
    if email is None:
        return None
    is_known = link.mailed_to is not None
    limits = services.email_limits
    if not await may_mail_client(db, link.workshop_id, email, limits, call.now, is_known=is_known):
        return None
    text = to_json_text(details)
    await email_outbox.add(db, call.new_id(), kind, email, link.locale, call.now, details=text, sender=link.workshop_id)
    return email


def by_member(call: Call, link: StoredLink, *, decision_id: str = "", comment_id: str = "") -> LinkDetails:
    """Details of an email to the client that a member causes."""
    return LinkDetails(link.id, call.uid, call.caller.key_id, decision_id=decision_id, comment_id=comment_id)


async def queue_decided(db: Write, call: Call, decision: StoredDecision, services: Services) -> None:
    """Queues the receipt of a client's decision to the owners: a copy of the evidence outside of this server."""
    for owner in await _owners(db, call, decision.workshop_id, "decisions", services):
        await _queue_to_owner(db, call, owner, "estimate_decided", DecisionDetails(decision.id), decision.workshop_id)


async def queue_commented(db: Write, call: Call, link: StoredLink, services: Services) -> None:
    """Queues an email about the client's comments: one at once, and one about all of the next ten minutes."""
    limit = Limit(1, _GATHERED_SECONDS)
    counter = Counter(f"comments on {link.estimate_id}", limit, "emails", is_reported=False)
    window = await count_window(db, counter, call.now)
    if window.number > 2:
        return
    details = CommentsDetails(link.estimate_id, since=call.now)
    due_at = None if window.number == 1 else window.ends_at
    for owner in await _owners(db, call, link.workshop_id, "comments", services):
        await _queue_to_owner(db, call, owner, "estimate_commented", details, link.workshop_id, due_at)


async def _owners(db: Write, call: Call, workshop_id: str, topic: str, services: Services) -> list[Account]:
    """The owners whose mailboxes may get another email about the topic."""
    found = [await accounts.find(db, uid) for uid in await members.list_owner_ids(db, workshop_id)]
    return [
        owner
        for owner in found
        if owner.status == "active"
        and await may_notify_owner(db, workshop_id, topic, owner.email, services.email_limits, call.now)
    ]


async def _queue_to_owner(
    db: Write,
    call: Call,
    owner: Account,
    kind: EmailKind,
    details: Struct,
    workshop_id: str,
    due_at: Instant | None = None,
) -> None:
    await email_outbox.add(
        db,
        call.new_id(),
        kind,
        owner.email,
        owner.locale,
        call.now,
        account_id=owner.id,
        details=to_json_text(details),
        sender=workshop_id,
        due_at=due_at,
    )
