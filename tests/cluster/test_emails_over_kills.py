"""Emails of several nodes that are killed while they send: each arrives, and once as long as its node lives."""

import asyncio
import contextlib
import random
from collections import Counter
from collections.abc import Callable
from typing import Any

import httpx
import pytest

from backbench.engine.database import Database
from backbench.mail import outbox
from backbench.values import times
from tests.support.cluster.figures import report
from tests.support.cluster.nodes import Node, running_nodes
from tests.support.databases import running_app
from tests.support.providers.smtp_server import PostOffice, post_office
from tests.support.server import session_headers

# At most 100 invitations may be open in a workshop.
_EMAILS = 100
_KILLS = 8
_LIMITS: dict[str, Any] = {
    f"BACKBENCH_{name}": "100000/3600" for name in ("INVITATION_LIMIT", "MAIL_LIMIT", "MAIL_CEILING")
}


@pytest.mark.prove
async def test_each_email_arrives_although_nodes_are_killed_while_they_send(
    new_database_url: Callable[[], str],
) -> None:
    url = new_database_url()
    async with running_app(url) as app, post_office() as office:
        anna = await app.owner("Anna")
        office.delay = 0.05
        wanted = [f"friend-{number}@example.com" for number in range(_EMAILS)]
        with contextlib.ExitStack() as stack:
            nodes = stack.enter_context(running_nodes(url, 3, BACKBENCH_SMTP_URL=office.url, **_LIMITS))
            async with httpx.AsyncClient(headers=session_headers(anna), timeout=60, trust_env=False) as client:
                for number, email in enumerate(wanted):
                    invitations = f"{nodes[number % 3].url}/api/workshops/{anna.workshop}/invitations"
                    sent = await client.post(invitations, json={"email": email, "role": "member"})
                    assert sent.status_code == 201, sent.text
            for _ in range(_KILLS):
                await kill_one(random.choice(nodes), office)
            await until_sent(app.db, office)
    messages = {email: {str(sent["Message-ID"]) for sent in office.to(email)} for email in wanted}
    assert {email: len(ids) for email, ids in messages.items()} == dict.fromkeys(wanted, 1)
    copies = Counter(str(sent["To"]) for sent in office.emails)
    twice = sum(count - 1 for count in copies.values())
    report(
        f"emails of three nodes, {_KILLS} kills while sending: {len(wanted)} of {len(wanted)} arrived, {twice} twice"
    )
    # A kill can repeat the one email that its node was sending.
    assert twice <= _KILLS


async def kill_one(node: Node, office: PostOffice) -> None:
    """kill -9 while one of the nodes is sending, and a start."""
    office.is_receiving.clear()
    with contextlib.suppress(TimeoutError):
        await asyncio.wait_for(office.is_receiving.wait(), 60)
    await asyncio.sleep(random.uniform(0.0, 0.1))
    await asyncio.to_thread(node.kill)
    await asyncio.to_thread(node.start)


async def until_sent(db: Database, office: PostOffice) -> None:
    """Waits until nothing is sent any more, ends the leases of killed nodes, and waits until the outbox is empty."""
    async with asyncio.timeout(240):
        number = -1
        while number != len(office.emails):
            number = len(office.emails)
            await asyncio.sleep(3)
        await db.write(lambda write: write.run("UPDATE outbox SET due_at = :now WHERE tries > 0", now=times.now()))
        left = 1
        while left:
            await asyncio.sleep(0.2)
            async with db.read() as read:
                left = await outbox.count_waiting(read)
