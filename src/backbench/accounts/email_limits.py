"""Limits of emails: every email that a request causes is counted here, by who causes it and by who receives it."""

from typing import Protocol

from backbench.accounts.rate_limits import Counter, count_all, count_success, is_within
from backbench.accounts.sessions import digest
from backbench.engine.database import Database, Write
from backbench.mail.emails import NewEmail
from backbench.services import Services
from backbench.values.calls import Call
from backbench.values.limits import EmailLimits
from backbench.values.scalars import email_key


class _ToAnAddress(Protocol):
    @property
    def email(self) -> str: ...


async def count_request(db: Database, call: Call, body: _ToAnAddress, services: Services) -> None:
    """Counts an email that an unauthenticated client causes: by the client's address and by the recipient."""
    limits = services.email_limits
    address = Counter(f"mails from {call.client.address}", limits.ceiling, "address")
    networks = [
        Counter(f"mails from {network}", limits.ceiling, "network", is_reported=False)
        for network in call.client.networks
    ]
    await count_all(db, call, [address, *networks, _mailbox("mails", body.email, limits)])


async def count_invitation(db: Write, call: Call, email: str, limits: EmailLimits) -> None:
    """Counts an invitation: an account sends it to an address of its choice."""
    for counter in (
        Counter(f"invitations by {call.uid}", limits.invitations, "account"),
        _account(call, limits),
        _mailbox("notices", email, limits),
    ):
        await count_success(db, call, counter)


async def count_feedback(db: Write, call: Call, limits: EmailLimits) -> None:
    """Counts feedback, whether or not it is emailed to the host."""
    for counter in (Counter(f"feedback by {call.uid}", limits.feedback, "account"), _account(call, limits)):
        await count_success(db, call, counter)


async def count_shared_link(db: Write, call: Call, workshop_id: str, email: str, limits: EmailLimits) -> None:
    """Counts an email with a link: as with an invitation, an account sends it to an address of its choice."""
    for counter in (
        Counter(f"links mailed by {call.uid}", limits.links, "links"),
        _account(call, limits),
        _workshop(workshop_id, limits),
        _mailbox("notices", email, limits),
    ):
        await count_success(db, call, counter)


async def may_mail_client(db: Write, call: Call, new: NewEmail, limits: EmailLimits, *, is_known: bool) -> bool:
    """Counts an email that a workshop's action sends to its client by itself. False where one limit is reached.

    `is_known`: this service has mailed a link to the address before. An address that a member only entered counts like
    a link that is mailed to it.
    """
    stranger = Counter(f"clients not written to before by {new.sender}", limits.invitations, "emails")
    counters = [_workshop(new.sender, limits), _mailbox("notices", new.email, limits)]
    return all([await is_within(db, counter, call.now) for counter in ([] if is_known else [stranger]) + counters])


async def may_notify_owner(db: Write, call: Call, new: NewEmail, limits: EmailLimits) -> bool:
    """Counts an email to an owner that a client causes. False where the mailbox has had too many of the kind.

    Apart from emails about the account: comments must use up neither those nor the notices of decisions.
    """
    counters = [_workshop(new.sender, limits), _mailbox(new.kind, new.email, limits)]
    return all([await is_within(db, counter, call.now) for counter in counters])


async def may_notify(db: Write, call: Call, limits: EmailLimits) -> bool:
    """Counts a notice to the account itself, or about a membership.

    False where it has caused too many emails: the change is made all the same, and there have been as many notices as
    the limit.
    """
    return await is_within(db, _account(call, limits), call.now)


def _account(call: Call, limits: EmailLimits) -> Counter:
    return Counter(f"mails by {call.uid}", limits.ceiling, "emails", is_reported=False)


def _workshop(workshop_id: str, limits: EmailLimits) -> Counter:
    return Counter(f"mails of workshop {workshop_id}", limits.ceiling, "emails", is_reported=False)


def _mailbox(topic: str, email: str, limits: EmailLimits) -> Counter:
    """A mailbox has a limit for each topic, so that no other topic uses up the emails of a sign-in."""
    return Counter(f"{topic} to {digest(email_key(email))}", limits.mailbox, "mailbox", is_reported=False)
