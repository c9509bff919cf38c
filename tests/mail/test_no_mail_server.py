"""Without a mail server nothing is sent to clients, and no response or stored fact says that something was."""

from collections.abc import AsyncIterator, Callable

import pytest

from backbench.app import Backbench, ways_in
from tests.people import App, settings
from tests.support.database_dump import dump_of
from tests.support.databases import running_app
from tests.support.mailbox import emails_to, send_due_emails
from tests.support.shared_links import share

CLIENT = "jan@example.com"
OFFERS = ("sign-up", "mail")


@pytest.fixture
async def app_without_mail(new_database_url: Callable[[], str]) -> AsyncIterator[App]:
    async with running_app(new_database_url(), smtp_url="") as app:
        yield app


async def test_a_link_is_not_mailed_without_a_mail_server(app_without_mail: App) -> None:
    shared = await share(await app_without_mail.owner())
    before = await dump_of(app_without_mail.db)
    refused = await shared.owner.post(f"/links/{shared.link['id']}/mail", {"email": CLIENT, "tone": "formal"})
    assert (refused.status_code, refused.json()["code"]) == (503, "mail_not_configured")
    assert await dump_of(app_without_mail.db) == before


async def test_a_client_is_promised_no_receipt_without_a_mail_server(app_without_mail: App) -> None:
    owner = await app_without_mail.owner()
    first = await share(owner)
    await owner.put(f"{first.path}/document", {"recipientEmail": CLIENT})
    await first.confirm()
    shared = await first.another()
    assert (await shared.client.get("/client/estimate")).json()["receipt"] is False
    assert (await shared.accept()).status_code == 201
    decided = (await owner.get(f"{shared.path}/decisions")).json()["decisions"][0]
    assert "receiptEmail" not in decided
    assert (await shared.client.get("/client/estimate")).json()["receipt"] is False
    comment = await owner.post(f"/links/{shared.link['id']}/comments", {"text": "Until Friday"})
    assert comment.status_code == 201
    assert (await owner.post(f"/decisions/{decided['id']}/void", {"reason": "A mistake"})).status_code == 200
    await send_due_emails(app_without_mail.backbench)
    assert await emails_to(app_without_mail, CLIENT) == []
    links = (await owner.get(f"{shared.path}/links")).json()["links"]
    assert {address["kind"] for link in links for address in link["addresses"]} == {"shown", "printed"}


async def test_an_invitation_is_made_and_passed_on_without_a_mail_server(app_without_mail: App) -> None:
    anna = await app_without_mail.owner()
    body = {"email": "marek.by.hand@example.com", "role": "member"}
    made = await anna.post(f"/workshops/{anna.workshop}/invitations", body)
    assert made.status_code == 201
    token = made.json()["url"].partition("#token=")[2]
    joining = {"token": token, "name": "Marek", "password": "a chisel and glue", "acceptTerms": True}
    assert (await app_without_mail.anonymous().post("/invitations/join", joining)).status_code == 200


async def test_pages_offer_mail_and_sign_up_where_emails_are_sent(new_database_url: Callable[[], str]) -> None:
    for smtp_url, policy, expected in (
        ("", "open", []),
        ("smtp://mail.example.com", "open", ["sign-up", "mail"]),
        # Who is invited joins with the invitation.
        ("smtp://mail.example.com", "invited", ["mail"]),
    ):
        configured = settings(new_database_url(), smtp_url=smtp_url, sign_up=policy)
        offered = ways_in(configured, Backbench(configured).services)
        assert [each for each in offered if each in OFFERS] == expected
