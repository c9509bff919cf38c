"""Emails about a shared estimate that the service sends by itself: to the client, and to the owners of the workshop.

Each counts towards the limits of its mailbox and of the workshop. Beyond them it is left out: what it is about is saved
in any case, and shown on the client's page and in the app.
"""

from msgspec.structs import replace

from backbench.accounts import accounts
from backbench.accounts.accounts import Account
from backbench.accounts.rate_limits import Counter, count_window, may_mail_client, may_notify_owner
from backbench.engine.database import Write
from backbench.mail import outbox
from backbench.mail.details import CommentsDetails, LinkDetails, QuestionsDetails
from backbench.mail.outbox import EmailKind, NewEmail
from backbench.orders.order_links import LinkedOrder
from backbench.services import Services
from backbench.sharing.links import StoredLink
from backbench.values.calls import Call
from backbench.values.limits import Limit
from backbench.values.numbers import to_json_text
from backbench.workshops import members

# An owner gets the first comment at once, and those of the next ten minutes in one email.
_GATHERED_SECONDS = 600


async def queue_to_client(
    db: Write, call: Call, link: StoredLink, kind: EmailKind, details: LinkDetails, services: Services
) -> str | None:
    """Queues an email where an address of the client is known. Returns the address; None where there is no email.

    Without a mail server there is none: what is returned is shown and stored as the address that the email went to.
    """
    email = link.client_email
    if email is None or not services.has_mail_server:
        return None
    new = NewEmail.to_client(kind, email, link.locale, to_json_text(details), link.workshop_id)
    if not await may_mail_client(db, call, new, services.email_limits, is_known=link.mailed_to is not None):
        return None
    await outbox.add(db, call.new_id(), new, call.now)
    return email


def by_member(call: Call, link: StoredLink, *, decision_id: str = "", comment_id: str = "") -> LinkDetails:
    """Details of an email to the client that a member causes."""
    return LinkDetails(link.id, call.uid, call.caller.key_id, decision_id=decision_id, comment_id=comment_id)


async def queue_commented(db: Write, call: Call, link: StoredLink, services: Services) -> None:
    """Queues an email about the client's comments: one at once, and one about all of the next ten minutes."""
    details = to_json_text(CommentsDetails(link.estimate_id, since=call.now))
    subject = f"comments on {link.estimate_id}"
    await _queue_gathered(db, call, link.workshop_id, "estimate_commented", subject, details, services)


async def queue_asked(db: Write, call: Call, order: LinkedOrder, services: Services) -> None:
    """The same about questions on the status page of an order."""
    details = to_json_text(QuestionsDetails(order.order_id, since=call.now))
    subject = f"emails of order {order.order_id}"
    await _queue_gathered(db, call, order.workshop_id, "order_asked", subject, details, services)


async def _queue_gathered(
    db: Write, call: Call, workshop_id: str, kind: EmailKind, subject: str, details: str, services: Services
) -> None:
    counter = Counter(subject, Limit(1, _GATHERED_SECONDS), "emails", is_reported=False)
    window = await count_window(db, counter, call.now)
    if window.number > 2:
        return
    due_at = None if window.number == 1 else window.ends_at
    for owner in await _owners(db, workshop_id):
        new = NewEmail.to_account(kind, owner, details, workshop_id)
        await _queue(db, call, replace(new, due_at=due_at), services)


async def _owners(db: Write, workshop_id: str) -> list[Account]:
    found = [await accounts.find(db, uid) for uid in await members.list_owner_ids(db, workshop_id)]
    return [owner for owner in found if owner.status == "active"]


async def _queue(db: Write, call: Call, new: NewEmail, services: Services) -> None:
    """Queues an email to an owner, unless the mailbox has had too many of the kind."""
    if await may_notify_owner(db, call, new, services.email_limits):
        await outbox.add(db, call.new_id(), new, call.now)
