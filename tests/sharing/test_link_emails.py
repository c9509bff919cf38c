"""Emails about links: to the client, and to the owners of the workshop."""

import re
from collections.abc import Callable
from typing import Any
from urllib.parse import quote

import pytest

from backbench.values.limits import Limit
from tests.people import App, Person, pointers
from tests.support.databases import running_app
from tests.support.mailbox import emails_to, last_email_to, text_of
from tests.support.shared_links import SharedEstimate, client_of, share
from tests.support.violations import violations

DRAFT = ("locale", "tone", "preliminary")


def client_address(shared: SharedEstimate) -> str:
    """An address that no other test uses."""
    return f"jan.{shared.id}@example.com"


async def mail(shared: SharedEstimate, **fields: Any) -> Any:
    body = {"email": client_address(shared), "tone": "formal", **fields}
    return await shared.owner.post(f"/links/{shared.link['id']}/mail", body)


def client_in(app: App, text: str) -> Person:
    found = re.search(r"http\S+/e/#bbl_\w+", text)
    assert found is not None, text
    return client_of(app, found[0])


async def test_each_email_has_a_token_of_its_own_that_opens_the_link(app: App) -> None:
    shared = await share(await app.owner(), locale="pl")
    for tone in ("formal", "friendly"):
        assert (await mail(shared, tone=tone, message="Do zobaczenia w piątek.")).status_code == 202
    sent = await emails_to(app, client_address(shared))
    clients = [client_in(app, text_of(message)) for message in sent]
    assert len({shared.client.bearer, *(client.bearer for client in clients)}) == 3
    for message, client in zip(sent, clients, strict=True):
        assert "Do zobaczenia w piątek." in text_of(message)
        assert (await client.get("/client/estimate")).json()["name"] == "Oak table"
    await shared.owner.delete(f"/links/{shared.link['id']}")
    for client in (shared.client, *clients):
        assert (await client.get("/client/estimate")).status_code == 401


async def test_a_revoked_link_is_not_mailed_any_more(app: App) -> None:
    shared = await share(await app.owner())
    await mail(shared)
    await shared.owner.delete(f"/links/{shared.link['id']}")
    assert (await mail(shared)).status_code == 404
    assert await emails_to(app, client_address(shared)) == []


async def test_that_a_decision_stands_no_more_is_written_to_whom_it_is_of(app: App) -> None:
    """Also where the estimate was sent to somebody else since."""
    shared = await share(await app.owner())
    await mail(shared)
    decision = (await shared.accept()).json()
    other = await shared.another()
    to_other = f"maria.{shared.id}@example.com"
    await mail(other, email=to_other)
    await shared.owner.post(f"/decisions/{decision['id']}/void", {"reason": "By telephone"})

    async def about_void(address: str) -> int:
        return sum("By telephone" in text_of(each) for each in await emails_to(app, address))

    assert (await about_void(client_address(shared)), await about_void(to_other)) == (1, 0)


@pytest.mark.parametrize("message", ["See www.example.com", "Write to me@example.com"])
async def test_a_message_with_an_address_is_refused(app: App, message: str) -> None:
    shared = await share(await app.owner())
    assert pointers(await mail(shared, message=message)) == ["/message"]


async def test_a_receipt_is_announced_after_a_decline_of_an_older_revision(app: App) -> None:
    shared = await share(await app.owner())
    recorded = {"revisionNumber": 1, "outcome": "declined", "method": "phone", "name": "Jan"}
    await shared.owner.post(f"{shared.path}/decisions", recorded)
    assert (await shared.client.get("/client/estimate")).json()["receipt"] is False
    await shared.owner.patch(shared.path, {"discountPercent": 5})
    await shared.confirm()
    await shared.owner.patch(f"/links/{shared.link['id']}", {"revisionNumber": 2})
    await mail(shared)
    assert (await shared.client.get("/client/estimate")).json()["receipt"] is True


async def test_both_sides_get_a_receipt_of_an_acceptance(app: App) -> None:
    shared = await share(await app.owner())
    await mail(shared)
    assert (await shared.client.get("/client/estimate")).json()["receipt"] is True
    decision = (await shared.accept()).json()
    for address in (client_address(shared), shared.owner.email):
        text = text_of(await last_email_to(app, address))
        for part in (decision["documentHash"], decision["pdfHash"], "Jan Kowalski", "Oak table"):
            assert part in text
        assert "bbl_" not in text


@pytest.mark.parametrize(
    ("locale", "label", "request_"),
    [
        ("en", "Request for an early start:", "Please start the work before the 14 days for withdrawal have passed."),
        ("pl", "Prośba o wcześniejsze rozpoczęcie prac:", "Proszę o rozpoczęcie prac przed upływem 14 dni"),
    ],
)
async def test_both_sides_read_that_an_early_start_was_asked_for(
    app: App, locale: str, label: str, request_: str
) -> None:
    anna = await app.owner()
    await anna.patch("/me", {"locale": locale})
    await anna.put(f"/workshops/{anna.workshop}/document-settings", {"currency": "PLN", "withdrawal": "start_early"})
    for asks in (False, True):
        shared = await share(anna, locale=locale)
        await mail(shared)
        assert (await shared.accept(startEarly=asks)).status_code == 201
        for address in (client_address(shared), anna.email):
            text = " ".join(text_of(await last_email_to(app, address)).split())
            assert ((label in text), (request_ in text)) == (asks, asks)


async def test_the_client_of_the_revision_gets_the_receipt_where_nothing_was_mailed(app: App) -> None:
    anna = await app.owner()
    estimate = await anna.estimate(name="Bench")
    address = f"ola.{estimate['id']}@example.com"
    await anna.put(f"/estimates/{estimate['id']}/document", {"recipientEmail": address})
    await anna.post(f"/estimates/{estimate['id']}/confirm")
    created = await anna.post(f"/estimates/{estimate['id']}/links", {"locale": "en"})
    client = client_of(app, created.json()["url"])
    await client.post("/client/estimate/decline", {"reason": "Too late"})
    assert "declined" in (await last_email_to(app, address))["Subject"]
    assert "Too late" in text_of(await last_email_to(app, anna.email))


async def test_owners_get_comments_and_other_members_do_not(app: App) -> None:
    shared = await share(await app.owner())
    member = await app.member(shared.owner)
    await shared.client.post("/client/estimate/comments", {"name": "Jan", "text": "In ash?"})
    assert "In ash?" in text_of(await last_email_to(app, shared.owner.email))
    assert await emails_to(app, member.email) == []


async def test_emails_with_links_are_limited_for_each_mailbox(app: App) -> None:
    shared = await share(await app.owner())
    codes = [(await mail(shared)).status_code for _ in range(11)]
    assert codes == [202] * 10 + [429]


async def test_the_certificate_states_the_decision(app: App) -> None:
    shared = await share(await app.owner())
    decision = (await shared.accept()).json()
    certificate = await shared.owner.get(f"/decisions/{decision['id']}/certificate")
    assert (certificate.status_code, certificate.headers["content-type"]) == (200, "application/pdf")
    assert certificate.content.startswith(b"%PDF-")
    assert "etag" not in certificate.headers
    await shared.owner.post(f"/decisions/{decision['id']}/void", {"reason": "Mistake"})
    assert (await shared.owner.get(f"/decisions/{decision['id']}/certificate")).status_code == 200


@pytest.mark.parametrize(
    ("locale", "title", "name"),
    [
        ("pl", "estimate", "Poświadczenie 7-A Oak table v1 (przyjęta).pdf"),
        ("pl", "cost_estimate", "Poświadczenie 7-A Oak table v1 (przyjęty).pdf"),
        ("en", "quotation", "Certificate 7-A Oak table v1 (accepted).pdf"),
    ],
)
async def test_the_file_of_a_certificate_has_a_name_in_the_language_of_the_document(
    app: App, locale: str, title: str, name: str
) -> None:
    anna = await app.owner()
    estimate = await anna.estimate(name="Oak table")
    await anna.put(f"/estimates/{estimate['id']}/document", {"number": "7/A", "documentTitle": title})
    await anna.post(f"/estimates/{estimate['id']}/confirm")
    created = (await anna.post(f"/estimates/{estimate['id']}/links", {"locale": locale})).json()
    decision = (await SharedEstimate(anna, estimate, created).accept()).json()

    certificate = await anna.get(f"/decisions/{decision['id']}/certificate")

    assert f"filename*=UTF-8''{quote(name, safe='')}" in certificate.headers["content-disposition"]


async def test_emails_with_links_have_a_limit_apart_from_that_of_invitations(
    new_database_url: Callable[[], str],
) -> None:
    limits = {"invitation_limit": Limit(1, 86_400), "link_email_limit": Limit(2, 86_400)}
    async with running_app(new_database_url(), **limits) as limited:
        anna = await limited.owner()
        sent = [await mail(await share(anna)) for _ in range(3)]
        assert [each.status_code for each in sent] == [202, 202, 429]
        # What the app counts down.
        assert [re.findall(r'"links";r=(\d+)', each.headers["ratelimit"]) for each in sent] == [["1"], ["0"], ["0"]]
        invited = await anna.post(
            f"/workshops/{anna.workshop}/invitations", {"email": "ola@example.com", "role": "member"}
        )
        assert invited.status_code == 201


async def test_an_estimate_is_called_revised_where_the_client_may_know_an_earlier_revision(app: App) -> None:
    """By the draft of a message and by the email with the link."""
    anna = await app.owner()
    handoff = {"kind": "message-copied", "locale": "en", "tone": "formal", "preliminary": False, "aiDrafted": False}
    decision = {"revisionNumber": 1, "outcome": "declined", "method": "in_person", "name": "Jan"}
    before: dict[str, tuple[str, dict[str, Any]] | None] = {
        "nothing": None,
        "a hand-off": ("handoffs", handoff),
        "a PDF": ("pdf-exports", {"locale": "en", "preliminary": False}),
        "a link": ("links", {"locale": "en"}),
        "a decision": ("decisions", decision),
    }
    with violations() as case:
        for name, shown in before.items():
            with case(name):
                path = f"/estimates/{(await anna.estimate(name='Oak table'))['id']}"
                await anna.post(f"{path}/confirm")
                if shown is not None:
                    response = await anna.post(f"{path}/{shown[0]}", shown[1])
                    assert response.status_code == 201, response.text
                await anna.patch(path, {"discountPercent": 5})
                await anna.post(f"{path}/confirm")
                draft = (await anna.post(f"{path}/message-draft", {k: handoff[k] for k in DRAFT})).json()
                created = (await anna.post(f"{path}/links", {"locale": "en"})).json()
                shared = SharedEstimate(anna, {"id": created["link"]["id"]}, created)
                await mail(shared)
                subject = str((await last_email_to(app, client_address(shared)))["Subject"])
                is_known = shown is not None
                assert (draft["revisionNumber"], "revised" in draft["body"]) == (2, is_known), draft
                assert ("(revision 2)" in draft["body"], "revision 2" in subject) == (is_known, is_known)
