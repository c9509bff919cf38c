"""Rate limits: counters shared by every worker and node, preserved over a restart; and those of emails."""

from typing import Protocol

from msgspec import Struct

from backbench.accounts.sessions import digest
from backbench.engine.database import Database, Write
from backbench.mail.outbox import NewEmail
from backbench.services import Services
from backbench.values.calls import Call
from backbench.values.errors import RateLimited
from backbench.values.limits import EmailLimits, Limit, Quota
from backbench.values.scalars import email_key
from backbench.values.times import Instant, later, seconds_between

# Statements


class Attempts(Struct, frozen=True):
    """The number of attempts in the current window, and when that window ends."""

    number: int
    ends_at: Instant


async def add_attempt(db: Write, key: str, window: int, now: Instant, number: int = 1) -> Attempts:
    """Adds `number` attempts under the key. The first attempt starts a window of `window` seconds."""
    attempts = await db.one(
        Attempts,
        """
        INSERT INTO attempts (counted, number, ends_at) VALUES (:key, :number, :ends_at)
        ON CONFLICT (counted) DO UPDATE SET
            number = CASE WHEN attempts.ends_at <= :now THEN excluded.number ELSE attempts.number + excluded.number END,
            ends_at = CASE WHEN attempts.ends_at <= :now THEN excluded.ends_at ELSE attempts.ends_at END
        RETURNING number, ends_at
        """,
        key=key,
        number=number,
        ends_at=later(now, window),
        now=now,
    )
    assert attempts is not None
    return attempts


async def delete_expired(db: Write, now: Instant) -> int:
    """The number of counters deleted."""
    return await db.run("DELETE FROM attempts WHERE ends_at <= :now", now=now)


# Verbs


class Counter(Struct, frozen=True):
    """A counter by its key, its limit, and the name of the limit in RateLimit headers."""

    key: str
    limit: Limit
    policy: str
    # A counter shared by several clients (of an email address) would tell each of them about the others.
    is_reported: bool = True


async def count_all(db: Database, call: Call, counters: list[Counter]) -> None:
    """Increments the counters in order. Raises RateLimited for the first over its limit, without the ones after it.

    So a client over the limit of its address cannot fill the table with keys of ever new accounts. The error is
    raised after the commit: raised inside the transaction it would undo the count.
    """

    async def count(write: Write) -> RateLimited | None:
        for counter in counters:
            over = _over(call, counter, await add_attempt(write, counter.key, counter.limit.window, call.now))
            if over is not None:
                return over
        return None

    over = await db.write(count)
    if over is not None:
        raise over


async def count_success(db: Write, call: Call, counter: Counter) -> None:
    """Increments the counter in the transaction of the verb: a rejected verb is not counted."""
    over = _over(call, counter, await add_attempt(db, counter.key, counter.limit.window, call.now))
    if over is not None:
        raise over


async def is_within(db: Write, counter: Counter, now: Instant) -> bool:
    """Increments the counter. Whether it is within its limit."""
    return (await count_window(db, counter, now)).number <= counter.limit.count


async def count_window(db: Write, counter: Counter, now: Instant) -> Attempts:
    """Increments the counter. Its number in the present window, and when that ends."""
    return await add_attempt(db, counter.key, counter.limit.window, now)


def _over(call: Call, counter: Counter, attempts: Attempts) -> RateLimited | None:
    limit = counter.limit
    wait = max(1, -int(-seconds_between(call.now, attempts.ends_at) // 1))
    if attempts.number > limit.count:
        return RateLimited(counter.policy, limit.count, limit.window, wait)
    if counter.is_reported:
        call.quotas[counter.policy] = Quota(limit, limit.count - attempts.number, wait)
    return None


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
