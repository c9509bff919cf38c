"""The order in which queued emails are claimed, and claims of several workers at the same time."""

import asyncio
from collections.abc import AsyncIterator, Callable

import pytest

from backbench.engine.database import Write
from backbench.mail import outbox as mail_outbox
from backbench.mail.outbox import EmailKind, NewEmail, QueuedEmail
from backbench.values import times
from backbench.values.ids import new_id
from tests.people import App
from tests.support.databases import running_app

pytestmark = pytest.mark.both_engines


@pytest.fixture
async def outbox(new_database_url: Callable[[], str]) -> AsyncIterator[App]:
    async with running_app(new_database_url()) as app:
        yield app


async def queue(app: App, kind: EmailKind, email: str, sender: str = "") -> None:
    await app.db.write(
        lambda db: mail_outbox.add(db, new_id(), NewEmail(kind, email, "en", sender=sender), times.now())
    )


async def claim(db: Write) -> QueuedEmail | None:
    return await mail_outbox.claim(db, times.later(times.now(), 60), 300)


async def claimed(app: App) -> list[str]:
    """The recipients of all queued emails, in the order in which they are claimed."""
    recipients = []
    while (email := await app.db.write(claim)) is not None:
        recipients.append(email.email)
    return recipients


async def test_emails_with_links_are_sent_before_feedback(outbox: App) -> None:
    for number in range(3):
        await queue(outbox, "feedback", f"feedback {number}", "anna")
    await queue(outbox, "password_changed", "notice")
    await queue(outbox, "reset", "reset", "karol")
    assert await claimed(outbox) == ["reset", "notice", "feedback 0", "feedback 1", "feedback 2"]


async def test_senders_of_emails_are_served_in_turn(outbox: App) -> None:
    for number in range(3):
        await queue(outbox, "invitation", f"anna {number}", "anna")
    for number in range(2):
        await queue(outbox, "invitation", f"karol {number}", "karol")
    assert await claimed(outbox) == ["anna 0", "karol 0", "anna 1", "karol 1", "anna 2"]


async def test_many_requests_from_one_address_do_not_delay_another(outbox: App) -> None:
    stranger, zofia = outbox.anonymous("203.0.113.1"), outbox.anonymous("203.0.113.2")
    for person in (stranger, stranger, stranger, zofia):
        assert (await person.post("/password-resets", {"email": outbox.anonymous().email})).status_code == 202
    await zofia.post("/password-resets", {"email": "zofia@example.com"})
    assert (await claimed(outbox)).index("zofia@example.com") == 3


async def test_workers_claim_emails_without_waiting_for_each_other(outbox: App) -> None:
    if outbox.engine == "sqlite":
        pytest.skip("one writer at a time")
    for number in range(2):
        await queue(outbox, "reset", f"reset {number}")
    has_claimed, may_commit = asyncio.Event(), asyncio.Event()

    async def slow_claim(db: Write) -> QueuedEmail | None:
        email = await claim(db)
        has_claimed.set()
        await may_commit.wait()
        return email

    slow = asyncio.create_task(outbox.db.write(slow_claim))
    try:
        async with asyncio.timeout(60):
            await has_claimed.wait()
            second = await outbox.db.write(claim)
            third = await outbox.db.write(claim)
    finally:
        # Also after a failure: the database cannot be closed during a transaction.
        may_commit.set()
        first = await slow
    assert first is not None
    assert second is not None
    assert [first.email, second.email, third] == ["reset 0", "reset 1", None]
