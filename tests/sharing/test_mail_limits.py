"""Limits of emails about shared estimates: they use up neither each other nor the emails of a sign-in."""

import asyncio
from typing import Any

import pytest

from backbench.mail import outbox
from backbench.values import times
from tests.people import App
from tests.support.mailbox import emails_to, last_email_to, send_due_emails
from tests.support.shared_links import SharedEstimate, share


async def decide_and_void(shared: SharedEstimate) -> None:
    decision = (await shared.accept()).json()
    assert (await shared.owner.post(f"/decisions/{decision['id']}/void", {"reason": "Again"})).status_code == 200


async def test_receipts_count_for_the_mailbox_and_do_not_reach_a_stranger_without_end(app: App) -> None:
    anna = await app.owner()
    estimate = await anna.estimate(name="Bench")
    stranger = f"stranger.{estimate['id']}@example.com"
    await anna.put(f"/estimates/{estimate['id']}/document", {"recipientEmail": stranger})
    await anna.post(f"/estimates/{estimate['id']}/confirm")
    for _ in range(3):
        created = (await anna.post(f"/estimates/{estimate['id']}/links", {"locale": "en"})).json()
        shared = SharedEstimate(anna, estimate, created)
        for _ in range(5):
            await decide_and_void(shared)
    # A receipt and a notice of the voided decision each time, of which ten an hour are sent to a mailbox.
    assert len(await emails_to(app, stranger)) == 10
    # The owner has a limit for decisions, and the emails of the account have another one.
    decided = [each for each in await emails_to(app, anna.email) if "Accepted" in str(each["Subject"])]
    assert len(decided) == 10
    assert (await anna.post("/password-resets", {"email": anna.email})).status_code == 202
    assert (await last_email_to(app, anna.email))["Subject"] == "Reset your password"


async def test_comments_use_up_no_emails_of_the_account(app: App) -> None:
    shared = await share(await app.owner())
    for number in range(20):
        body = {"name": "Jan", "text": f"Question {number}"}
        assert (await shared.client.post("/client/estimate/comments", body)).status_code == 201
    assert (await shared.owner.post("/password-resets", {"email": shared.owner.email})).status_code == 202
    subjects = [str(each["Subject"]) for each in await emails_to(app, shared.owner.email)]
    assert sorted(subjects) == ["Comment: 1/2026 “Oak table”, Jan Kowalski", "Reset your password"]


async def test_emails_of_a_workshop_are_sent_after_those_that_a_person_waits_for(app: App) -> None:
    await send_due_emails(app.backbench)
    shared = await share(await app.owner())
    address = f"jan.{shared.id}@example.com"
    await shared.owner.post(f"/links/{shared.link['id']}/mail", {"email": address, "tone": "formal"})
    await send_due_emails(app.backbench)
    for _ in range(3):
        await decide_and_void(shared)
    other = await app.owner("Olga")
    assert (await other.post("/password-resets", {"email": other.email})).status_code == 202
    first = await app.db.write(lambda db: outbox.claim(db, times.now(), 1))
    assert first is not None
    assert (first.kind, first.email) == ("reset", other.email)


async def test_one_account_with_many_links_leaves_the_renderer_to_others(
    app: App, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The pages of all links of a workshop are drawn one after the other."""
    anna = await app.owner()
    links = [await share(anna), await share(anna)]
    links += [await each.another() for each in links for _ in range(4)]
    drawing, most = 0, 0
    draw = app.backbench.renderer.draw_stored_page

    async def counted(*values: Any) -> Any:
        nonlocal drawing, most
        drawing += 1
        most = max(most, drawing)
        try:
            return await draw(*values)
        finally:
            drawing -= 1

    monkeypatch.setattr(app.backbench.renderer, "draw_stored_page", counted)
    pages = [each.client.get(f"/client/estimate/pages/1?width={320 + number}") for number, each in enumerate(links)]
    codes = [response.status_code for response in await asyncio.gather(*pages)]
    assert (codes, most) == ([200] * len(links), 1)
