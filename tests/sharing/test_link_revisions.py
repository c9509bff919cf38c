"""Links that show another revision: the same address, what was decided keeps its own document, and the client hears."""

import asyncio
import re
from typing import Any

import pytest

from tests.people import App, pointers
from tests.support.mailbox import emails_to, last_email_to, text_of
from tests.support.shared_links import SharedEstimate, client_of, share


async def revise(shared: SharedEstimate, markup: int = 20) -> None:
    assert (await shared.owner.patch(shared.path, {"markupPercent": markup})).status_code == 200
    await shared.confirm()


async def update(shared: SharedEstimate, **fields: Any) -> Any:
    return await shared.owner.patch(f"/links/{shared.link['id']}", fields)


async def pro_estimate(app: App, **fields: Any) -> SharedEstimate:
    anna = await app.owner()
    await app.put_on_pro(anna.workshop)
    return await share(anna, **fields)


async def test_the_same_address_shows_the_newer_revision_from_then_on(app: App) -> None:
    shared = await share(await app.owner())
    before, pdf = (await shared.client.get("/client/estimate")).json(), await shared.client.get("/client/estimate/pdf")
    await revise(shared)
    changed = await update(shared, revisionNumber=2)
    assert changed.status_code == 200, changed.text
    link = changed.json()["link"]
    assert (link["id"], link["revisionNumber"], link["state"]) == (shared.link["id"], 2, "open")
    after = (await shared.client.get("/client/estimate")).json()
    assert (after["revisionNumber"], after["documentHash"]) == (2, link["documentHash"])
    assert after["documentHash"] != before["documentHash"]
    assert (await shared.client.get("/client/estimate/pdf")).content != pdf.content
    accepted = await shared.accept()
    assert (accepted.status_code, accepted.json()["revisionNumber"]) == (201, 2)
    refused = await update(shared, revisionNumber=1)
    assert (refused.status_code, refused.json()["code"]) == (409, "accepted")


async def test_a_link_that_cannot_be_changed_says_why(app: App) -> None:
    shared = await share(await app.owner())
    assert pointers(await update(shared, revisionNumber=7)) == ["/revisionNumber"]
    assert pointers(await update(shared, expiresAt="yesterday")) == ["/expiresAt"]
    assert pointers(await update(shared, expiresAt="2020-01-01T00:00:00Z")) == ["/expiresAt"]
    stranger = await app.owner("Olga")
    assert (await stranger.patch(f"/links/{shared.link['id']}", {"canDecide": False})).status_code == 403
    await shared.owner.delete(f"/links/{shared.link['id']}")
    refused = await update(shared, canDecide=False)
    assert (refused.status_code, refused.json()["code"]) == (409, "revoked")


async def test_a_change_to_the_same_values_changes_nothing(app: App) -> None:
    shared = await share(await app.owner())
    trail = f"/workshops/{shared.owner.workshop}/audit"
    before = (await shared.owner.get(trail)).json()["entries"]
    for fields in ({}, {"revisionNumber": 1}, {"canDecide": True}):
        assert (await update(shared, **fields)).status_code == 200
    assert (await shared.owner.get(trail)).json()["entries"] == before
    assert (await update(shared, canDecide=False)).json()["link"]["canDecide"] is False
    assert (await shared.owner.get(trail)).json()["entries"][0]["action"] == "estimate.shared"


async def test_an_expiry_of_its_own_stays_and_another_follows_the_validity(app: App) -> None:
    own, following = await pro_estimate(app, expiresAt="2999-01-01T00:00:00Z"), await pro_estimate(app)
    for shared in (own, following):
        await shared.owner.put(f"{shared.path}/document", {"validDays": 90})
        await revise(shared)
    assert (await update(own, revisionNumber=2)).json()["link"]["expiresAt"] == "2999-01-01T00:00:00.000Z"
    later = (await update(following, revisionNumber=2)).json()["link"]["expiresAt"]
    assert later > following.link["expiresAt"]
    assert (await update(own, expiresAt=None)).json()["link"]["expiresAt"] == later
    own_again = (await update(own, expiresAt="2998-01-01T00:00:00Z")).json()["link"]
    assert own_again["expiresAt"] == "2998-01-01T00:00:00.000Z"


@pytest.mark.both_engines
async def test_a_decline_of_an_older_revision_is_not_in_the_way_and_keeps_its_document(app: App) -> None:
    shared = await share(await app.owner())
    first = (await shared.client.post("/client/estimate/decline", {"reason": "Too dear"})).json()
    assert (await shared.client.post("/client/estimate/decline", {})).json()["code"] == "decided"
    await revise(shared, 0)
    assert (await update(shared, revisionNumber=2)).status_code == 200
    shown = (await shared.client.get("/client/estimate")).json()
    assert (shown["state"], shown["canDecide"], shown["decision"]["revisionNumber"]) == ("open", True, 1)
    # The PDF of the first decision stays.
    bound = await shared.owner.delete(f"{shared.path}/pdf-exports/{shared.link['pdfExportId']}")
    assert bound.json()["code"] == "pdf_in_use"
    accepted = (await shared.accept()).json()
    listed = (await shared.owner.get(f"{shared.path}/decisions")).json()["decisions"]
    assert [each["id"] for each in listed] == [accepted["id"], first["id"]]
    assert listed[1]["voided"] == {"at": accepted["recordedAt"], "supersededBy": accepted["id"]}
    assert {name: value for name, value in listed[1].items() if name != "voided"} == first
    assert (await shared.owner.get(f"/decisions/{first['id']}/certificate")).status_code == 200


async def test_a_member_records_a_decision_about_an_older_revision(app: App) -> None:
    shared = await share(await app.owner())
    await revise(shared)
    body = {"revisionNumber": 1, "outcome": "accepted", "method": "phone", "name": "Jan"}
    recorded = await shared.owner.post(f"{shared.path}/decisions", body)
    assert recorded.status_code == 201
    newer = await shared.another()
    shown = (await newer.client.get("/client/estimate")).json()
    assert (shown["canDecide"], shown["decision"]["method"]) == (False, "phone")
    assert (await newer.accept()).json()["code"] == "decided"


@pytest.mark.both_engines
async def test_parallel_changes_and_decisions_leave_one_of_them(app: App) -> None:
    for _ in range(3):
        shared = await share(await app.owner())
        body = await shared.acceptance()
        await revise(shared)
        await update(shared, revisionNumber=2)
        newer = await shared.acceptance()
        responses = await asyncio.gather(
            shared.client.post("/client/estimate/accept", newer),
            update(shared, revisionNumber=1),
            shared.client.post("/client/estimate/accept", body),
        )
        codes = [response.status_code for response in responses]
        decided = (await shared.owner.get(f"{shared.path}/decisions")).json()["decisions"]
        assert len(decided) == codes.count(201) == (codes[0] == 201)
        assert codes[2] == 409
        assert [each["revisionNumber"] for each in decided] in ([], [2])


async def test_comments_and_decisions_stay_when_a_link_is_revoked_and_every_link_shows_them(app: App) -> None:
    shared = await share(await app.owner())
    await shared.client.post("/client/estimate/comments", {"name": "Jan", "text": "In ash?"})
    decision = (await shared.client.post("/client/estimate/decline", {})).json()
    await shared.owner.delete(f"/links/{shared.link['id']}")
    assert (await shared.owner.get(f"{shared.path}/comments")).json()["comments"][0]["text"] == "In ash?"
    assert (await shared.owner.get(f"{shared.path}/decisions")).json()["decisions"] == [decision]
    other = await shared.another()
    assert [each["text"] for each in (await other.client.get("/client/estimate")).json()["comments"]] == ["In ash?"]


# What the client hears


async def mail(shared: SharedEstimate) -> str:
    address = f"jan.{shared.id}@example.com"
    body = {"email": address, "tone": "formal"}
    assert (await shared.owner.post(f"/links/{shared.link['id']}/mail", body)).status_code == 202
    return address


@pytest.mark.both_engines
async def test_the_client_hears_of_answers_revisions_and_voided_decisions(app: App) -> None:
    anna = await app.owner()
    await anna.patch(f"/workshops/{anna.workshop}", {"name": "Dąb i Jesion"})
    settings = {"currency": "EUR", "phone": "+48 600 700 800", "email": "desk@oak.example"}
    await anna.put(f"/workshops/{anna.workshop}/document-settings", settings)
    shared = await share(anna)
    address = await mail(shared)
    # Sent before the link shows another revision.
    await emails_to(app, address)
    await anna.post(f"/links/{shared.link['id']}/comments", {"text": "Ash costs the same."})
    await revise(shared)
    await update(shared, revisionNumber=2)
    decision = (await shared.accept()).json()
    await anna.post(f"/decisions/{decision['id']}/void", {"reason": "A wrong sum, sorry."})
    sent = await emails_to(app, address)
    texts = {str(message["Subject"]): text_of(message) for message in sent}
    assert list(texts) == [
        "Estimate from Dąb i Jesion",
        "Answer from Dąb i Jesion",
        "New revision of your estimate: Dąb i Jesion",
        "Receipt: estimate accepted",
        "Your decision was withdrawn: Dąb i Jesion",
    ]
    assert "“Ash costs the same.”" in texts["Answer from Dąb i Jesion"]
    assert "“A wrong sum, sorry.”" in texts["Your decision was withdrawn: Dąb i Jesion"]
    for message in sent:
        assert str(message["From"]).startswith("Dąb i Jesion via Backbench <")
        assert message["Reply-To"] == "desk@oak.example"
        assert "Dąb i Jesion\n+48 600 700 800\ndesk@oak.example\n" in text_of(message)
    for subject in texts:
        if not subject.startswith("Receipt"):
            found = re.search(r"http\S+/e/#bbl_\w+", texts[subject])
            assert found is not None
            assert (await client_of(app, found[0]).get("/client/estimate")).status_code == 200


async def test_a_link_without_the_brand_mark_names_the_workshop_alone(free_app: App) -> None:
    anna = await free_app.owner()
    await free_app.put_on_pro(anna.workshop)
    await anna.patch(f"/workshops/{anna.workshop}", {"name": "Dąb i Jesion"})
    shared = await share(anna, locale="pl", toggles={"showBrandMark": False})
    address = await mail(shared)
    await shared.accept()
    marked = await mail(await share(anna, locale="pl"))
    hidden = await share(anna, locale="pl", toggles={"showBrandMark": False})

    sent = await emails_to(free_app, address)
    assert [str(message["From"]).partition(" <")[0] for message in sent] == ["Dąb i Jesion", "Dąb i Jesion"]
    assert all("Backbench" not in text_of(message) for message in sent)
    other = await last_email_to(free_app, marked)
    assert "Dąb i Jesion (przez Backbench)" in str(other["From"])
    assert "wysłano z Backbench" in text_of(other)

    # As on the page, a plan that ended shows the mark again.
    await free_app.put_on_pro(anna.workshop, until="2026-01-01T00:00:00.000Z")
    again = await last_email_to(free_app, await mail(hidden))
    assert "Dąb i Jesion (przez Backbench)" in str(again["From"])
    assert "wysłano z Backbench" in text_of(again)


async def test_the_clients_receipt_has_the_pdf_that_was_accepted(app: App) -> None:
    shared = await share(await app.owner())
    address = await mail(shared)
    pdf = (await shared.client.get("/client/estimate/pdf")).content
    await shared.accept()
    [attached] = (await last_email_to(app, address)).iter_attachments()
    assert (attached.get_content_type(), attached.get_payload(decode=True)) == ("application/pdf", pdf)
    assert str(attached.get_filename()).endswith("v1.pdf")


async def test_a_receipt_is_sent_although_its_file_is_missing(app: App) -> None:
    shared = await share(await app.owner())
    address = await mail(shared)
    await shared.accept()
    await app.backbench.blobs.delete(shared.link["pdfExportId"])
    assert list((await last_email_to(app, address)).iter_attachments()) == []


async def test_the_client_hears_of_a_decision_that_a_member_recorded(app: App) -> None:
    shared = await share(await app.owner())
    address = await mail(shared)
    body = {"revisionNumber": 1, "outcome": "accepted", "method": "phone", "name": "Jan Kowalski"}
    assert (await shared.owner.post(f"{shared.path}/decisions", body)).status_code == 201
    message = await last_email_to(app, address)
    assert message["Subject"] == "Noted: estimate accepted"
    text = " ".join(text_of(message).split())
    assert re.search(r"Anna has noted that you accepted the estimate 1/20\d\d “Oak table” by phone\.", text)


@pytest.mark.parametrize(("tone", "opening"), [("formal", "We have changed the"), ("friendly", "I have changed your")])
async def test_a_second_revision_in_a_second_link_says_so(app: App, tone: str, opening: str) -> None:
    shared = await share(await app.owner())
    await mail(shared)
    await revise(shared)
    link = (await shared.owner.post(f"/estimates/{shared.id}/links", {"locale": "en"})).json()
    address = f"second.{tone}.{shared.id}@example.com"
    body = {"email": address, "tone": tone, "message": "With the ash."}
    assert (await shared.owner.post(f"/links/{link['link']['id']}/mail", body)).status_code == 202
    message = await last_email_to(app, address)
    assert "revision 2" in message["Subject"]
    text = " ".join(text_of(message).split())
    assert re.search(rf"{opening} estimate 1/20\d\d “Oak table”: this is revision 2\.", text)
    assert "enquiry" not in text
    assert "With the ash." in text


async def test_the_receipt_names_the_title_of_the_transfer(app: App) -> None:
    anna = await app.owner()
    settings = {"currency": "EUR", "iban": "IE29AIBK93115212345678", "depositKind": "advance"}
    await anna.put(f"/workshops/{anna.workshop}/document-settings", settings)
    estimate = await anna.estimate(lineItems=[{"label": "Oak", "unit": "job", "unitPrice": 100, "quantity": 1}])
    address = f"ref.{estimate['id']}@example.com"
    facts = {"depositPercent": 33.3333, "recipientEmail": address}
    await anna.put(f"/estimates/{estimate['id']}/document", facts)
    await anna.post(f"/estimates/{estimate['id']}/confirm")
    link = (await anna.post(f"/estimates/{estimate['id']}/links", {"locale": "en"})).json()
    await SharedEstimate(anna, estimate, link).accept()
    text = text_of(await last_email_to(app, address))
    assert re.search(r"Due with the order: €33.33\nBank account: IE29 .*\nReference: Estimate 1/20\d\d\n", text)


@pytest.mark.both_engines
@pytest.mark.parametrize("locale", ["en", "pl"])
async def test_a_comment_is_mailed_at_once_and_the_next_ones_together(
    app: App, locale: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    shared = await share(await app.person("Anna", locale=locale))
    for number in range(5):
        body = {"name": "Jan", "text": f"Question {number}"}
        assert (await shared.client.post("/client/estimate/comments", body)).status_code == 201
    [first] = await emails_to(app, shared.owner.email)
    assert "Question 0" in text_of(first)
    from backbench.values import times

    in_ten_minutes = times.later(times.now(), 601)
    monkeypatch.setattr("backbench.values.times.now", lambda: in_ten_minutes)
    monkeypatch.setattr(app.backbench.outbox_worker, "_clock", lambda: in_ten_minutes)
    _, second = await emails_to(app, shared.owner.email)
    assert re.findall(r"Question \d", text_of(second)) == [f"Question {number}" for number in range(1, 5)]


async def test_the_owner_reads_what_was_decided_in_the_subject_and_opens_that_estimate(app: App) -> None:
    anna = await app.owner()
    settings = {"currency": "EUR", "documentTitle": "quotation"}
    await anna.put(f"/workshops/{anna.workshop}/document-settings", settings)
    shared = await share(anna)
    await shared.accept()
    message = await last_email_to(app, anna.email)
    assert re.fullmatch(r"Accepted: 1/20\d\d “Oak table”, Jan Kowalski, €\S+", str(message["Subject"]))
    assert "The client has accepted the quotation 1/20" in text_of(message)
    assert f"/estimates/{shared.id}\n" in text_of(message)
