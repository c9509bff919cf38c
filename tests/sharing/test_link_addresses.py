"""Addresses of a link: who made one, when it ends, and what the evidence of a decision says about it."""

import io
import re

import pytest
from pypdf import PdfReader

from backbench.hosting import administration
from backbench.values import times
from backbench.values.ids import new_id
from tests.exports.test_archives import archived
from tests.integrations.pdf.pdf_text import has_image
from tests.people import PASSWORD, App, Person
from tests.support.mailbox import last_email_to, text_of
from tests.support.shared_links import SharedEstimate, client_of, share
from tests.support.uploads import icon


async def further(person: Person, shared: SharedEstimate) -> Person:
    """A client with a further address of the link."""
    made = await person.post(f"/links/{shared.link['id']}/addresses")
    assert made.status_code == 201, made.text
    assert made.json().keys() == {"url"}
    return client_of(shared.owner.app, made.json()["url"])


async def mailed(person: Person, shared: SharedEstimate) -> Person:
    address = f"jan.{shared.id}@example.com"
    sent = await person.post(f"/links/{shared.link['id']}/mail", {"email": address, "tone": "formal"})
    assert sent.status_code == 202, sent.text
    found = re.search(r"http\S+/e/#bbl_\w+", text_of(await last_email_to(person.app, address)))
    assert found is not None
    return client_of(person.app, found[0])


async def printed(shared: SharedEstimate) -> Person:
    """A client with the address that the PDF has."""
    content = (await shared.client.get("/client/estimate/pdf")).content
    links = [
        annotation.get_object()["/A"]["/URI"]
        for page in PdfReader(io.BytesIO(content)).pages
        for annotation in page.get("/Annots", [])
        if "/A" in annotation.get_object()
    ]
    [url] = {str(link) for link in links if "/e/#" in str(link)}
    return client_of(shared.owner.app, url)


async def works(client: Person) -> bool:
    codes = {
        (await client.get("/client/estimate")).status_code,
        (await client.post("/client/estimate/comments", {"name": "Jan", "text": "Hello"})).status_code,
    }
    assert codes in ({200, 201}, {401})
    return codes != {401}


async def kinds(shared: SharedEstimate) -> list[tuple[str, bool]]:
    links = (await shared.owner.get(f"{shared.path}/links")).json()["links"]
    return [(each["kind"], each.get("ended", False)) for each in links[0]["addresses"]]


async def test_a_client_who_lost_the_address_gets_another_one_of_the_same_link(app: App) -> None:
    shared = await share(await app.owner())
    other = await further(shared.owner, shared)
    assert (await other.get("/client/estimate")).json() == (await shared.client.get("/client/estimate")).json()
    for _ in range(19):
        await further(shared.owner, shared)
    refused = await shared.owner.post(f"/links/{shared.link['id']}/addresses")
    assert (refused.status_code, refused.json()["code"], refused.json()["limit"]) == (409, "plan_limit", 20)
    await mailed(shared.owner, shared)
    await shared.owner.delete(f"/links/{shared.link['id']}")
    assert not await works(other)


async def test_what_a_member_was_shown_ends_when_the_member_leaves(app: App) -> None:
    anna = await app.owner()
    shared, bob = await share(anna), await app.member(anna, "Bob")
    of_bob, from_mail = await further(bob, shared), await mailed(bob, shared)
    assert await works(of_bob)
    await anna.delete(f"/workshops/{anna.workshop}/members/{bob.uid}")
    assert not await works(of_bob)
    # Clients have these.
    assert await works(from_mail)
    assert await works(shared.client)
    assert sorted(await kinds(shared)) == [("mailed", False), ("printed", False), ("shown", False), ("shown", True)]


async def test_what_a_member_was_shown_ends_when_the_account_is_suspended(app: App) -> None:
    anna = await app.owner()
    shared, bob = await share(anna), await app.member(anna, "Bob")
    of_bob = await further(bob, shared)
    await app.db.write(lambda db: administration.suspend(db, bob.email, times.now(), new_id))
    assert not await works(of_bob)
    assert await works(shared.client)


async def test_everything_made_with_a_key_ends_when_the_key_is_revoked(app: App) -> None:
    anna = await app.owner()
    issued = (await anna.post("/me/api-keys", {"name": "Script", "scopes": ["estimates:write"]})).json()
    program = app.anonymous()
    program.uid, program.workshop, program.bearer = anna.uid, anna.workshop, issued["secret"]
    shared = await share(program)
    clients = [shared.client, await further(program, shared), await mailed(program, shared), await printed(shared)]
    assert [await works(client) for client in clients] == [True] * 4
    own = client_of(app, (await anna.post(f"/links/{shared.link['id']}/addresses")).json()["url"])
    assert (await anna.delete(f"/me/api-keys/{issued['apiKey']['id']}")).status_code == 204
    assert [await works(client) for client in clients] == [False] * 4
    assert await works(own)
    shared.owner = anna
    assert [ended for _, ended in await kinds(shared)] == [True] * 4 + [False]


@pytest.mark.both_engines
@pytest.mark.parametrize("ends", [True, False])
async def test_a_changed_password_ends_the_addresses_of_the_account_by_choice(app: App, ends: bool) -> None:
    anna = await app.owner()
    shared = await share(anna)
    clients = [shared.client, await mailed(anna, shared), await printed(shared)]
    body = {"currentPassword": PASSWORD, "newPassword": "a chisel and glue", **({"endLinks": True} if ends else {})}
    assert (await anna.put("/me/password", body)).status_code == 204
    assert [await works(client) for client in clients] == [not ends] * 3
    assert [ended for _, ended in await kinds(shared)] == [ends] * 3


async def test_the_evidence_says_which_address_was_used(app: App) -> None:
    anna = await app.owner()
    for make, kind in ((further, "shown"), (mailed, "mailed"), (None, "printed")):
        shared = await share(anna)
        shared.client = await printed(shared) if make is None else await make(anna, shared)
        decision = (await shared.accept()).json()
        used = decision["linkAddress"]
        assert (used["kind"], used["byUid"], used.get("email")) == (
            kind,
            anna.uid,
            f"jan.{shared.id}@example.com" if kind == "mailed" else None,
        )
        certificate = await anna.get(f"/decisions/{decision['id']}/certificate")
        text = "".join(page.extract_text() for page in PdfReader(io.BytesIO(certificate.content)).pages)
        words = {"shown": "Shown to a member", "mailed": f"Mailed to jan.{shared.id}", "printed": "Code printed"}
        assert words[kind] in " ".join(text.replace("\u00ad", "").split())
        assert "Made by Anna" in text


async def test_a_member_cannot_act_as_the_client_unnoticed(app: App) -> None:
    anna = await app.owner()
    shared, bob = await share(anna), await app.member(anna, "Bob")
    await mailed(anna, shared)
    token = (await further(bob, shared)).bearer
    shown = await shared.acceptance()
    accepted = await bob.post("/client/estimate/accept", shown, authorization=f"Bearer {token}")
    assert accepted.status_code == 201, accepted.text
    assert accepted.json()["linkAddress"]["byUid"] == bob.uid
    [sharing] = (await archived(anna, "sharing"))["estimates"]
    [evidence] = sharing["decisions"]
    assert (evidence["signedInUid"], evidence["receiptEmail"]) == (bob.uid, f"jan.{shared.id}@example.com")
    # The client gets the receipt of what she did not do.
    assert "accepted" in (await last_email_to(app, f"jan.{shared.id}@example.com"))["Subject"]


async def test_a_key_neither_records_nor_voids_a_decision(app: App) -> None:
    shared = await share(await app.owner())
    program = await shared.owner.integrator("estimates:read", "estimates:write")
    body = {"revisionNumber": 1, "outcome": "accepted", "method": "phone", "name": "Jan"}
    assert (await program.post(f"{shared.path}/decisions", body)).status_code == 401
    decision = (await shared.accept()).json()
    assert (await program.post(f"/decisions/{decision['id']}/void", {"reason": "Mistake"})).status_code == 401


async def test_evidence_stays_when_the_decision_is_voided_and_the_estimate_deleted(app: App) -> None:
    shared = await share(await app.owner())
    anna = shared.owner
    decision = (await shared.accept()).json()
    path = f"/decisions/{decision['id']}"
    assert (await anna.post(f"{path}/void", {"reason": "Mistake"})).status_code == 200
    assert (await anna.delete(shared.path)).status_code == 204
    certificate = await anna.get(f"{path}/certificate")
    assert certificate.status_code == 200
    text = "".join(page.extract_text() for page in PdfReader(io.BytesIO(certificate.content)).pages)
    assert "Jan Kowalski" in text
    assert (await anna.post(f"{path}/void", {"reason": "Again"})).json()["code"] == "voided"
    kept = (await archived(anna, "kept-decisions"))["decisions"]
    assert [(each["id"], each["documentHash"]) for each in kept] == [(decision["id"], decision["documentHash"])]
    stranger = await app.owner("Olga")
    assert (await stranger.get(f"{path}/certificate")).status_code == 403


async def test_names_in_a_certificate_are_those_of_the_decision(app: App) -> None:
    shared = await share(await app.owner())
    body = {"revisionNumber": 1, "outcome": "accepted", "method": "phone", "name": "Jan"}
    decision = (await shared.owner.post(f"{shared.path}/decisions", body)).json()
    await shared.owner.post(f"/decisions/{decision['id']}/void", {"reason": "Mistake"})
    await shared.owner.patch("/me", {"name": "Somebody Else"})
    certificate = await shared.owner.get(f"/decisions/{decision['id']}/certificate")
    text = "".join(page.extract_text() for page in PdfReader(io.BytesIO(certificate.content)).pages)
    assert "Anna" in text
    assert "Somebody Else" not in text


async def test_the_holder_of_one_address_keeps_nobody_else_out(app: App) -> None:
    shared = await share(await app.owner())
    paper = await printed(shared)
    body = await shared.acceptance()
    wrong = {**body, "documentHash": "0" * 64}
    codes = [(await paper.post("/client/estimate/accept", wrong)).status_code for _ in range(20)]
    # What cannot succeed uses up no attempts: a page that is out of date sends it, too.
    assert codes == [409] * 20
    codes = [(await paper.get("/client/estimate")).status_code for _ in range(101)]
    assert codes == [200] * 100 + [429]
    assert (await shared.client.get("/client/estimate")).status_code == 200
    assert (await shared.client.post("/client/estimate/accept", body)).status_code == 201


async def test_the_evidence_names_the_link_of_an_earlier_version(app: App) -> None:
    """Tokens that the release before has made have neither a kind nor a maker."""
    shared = await share(await app.owner())
    await app.db.write(
        lambda db: db.run(
            "UPDATE link_tokens SET kind = NULL, made_by_uid = NULL WHERE link_id = :id", id=shared.link["id"]
        )
    )
    decision = (await shared.accept()).json()
    assert (decision["linkAddress"]["kind"], decision["linkAddress"]["byUid"]) == ("unknown", shared.owner.uid)


async def test_a_repeated_request_by_a_link_changes_nothing_twice(app: App) -> None:
    shared, other = await share(await app.owner()), await share(await app.owner())
    comment = {"name": "Jan", "text": "In ash?"}
    key = {"idempotency_key": "question-1"}
    first = await shared.client.post("/client/estimate/comments", comment, **key)
    again = await shared.client.post("/client/estimate/comments", comment, **key)
    assert (again.status_code, again.content) == (201, first.content)
    assert again.headers["idempotency-replayed"] == "true"
    changed = await shared.client.post("/client/estimate/comments", {**comment, "text": "In oak?"}, **key)
    assert changed.status_code == 422
    # The key is the link's own, whichever of its addresses is used.
    assert (await (await further(shared.owner, shared)).post("/client/estimate/comments", comment, **key)).content == (
        first.content
    )
    unrelated = await other.client.post("/client/estimate/comments", comment, **key)
    assert unrelated.json()["id"] != first.json()["id"]
    body = await shared.acceptance()
    accepted = await shared.client.post("/client/estimate/accept", body, idempotency_key="accept-1")
    repeated = await shared.client.post("/client/estimate/accept", body, idempotency_key="accept-1")
    assert (accepted.status_code, repeated.status_code, repeated.content) == (201, 201, accepted.content)
    assert len((await shared.client.get("/client/estimate")).json()["comments"]) == 1


async def test_the_image_logo_is_that_of_the_revision(app: App) -> None:
    anna = await app.owner()
    without = await share(anna)
    assert (await without.client.get("/client/estimate/logo")).status_code == 404
    emoji = await without.client.get("/client/estimate/logo?emoji=true")
    assert (emoji.status_code, emoji.headers["content-type"]) == (200, "image/png")
    assert emoji.content.startswith(b"\x89PNG")
    known = {"If-None-Match": emoji.headers["etag"]}
    assert (await without.client.get("/client/estimate/logo?emoji=true", **known)).status_code == 304
    uploaded = await icon(anna)
    settings = f"/workshops/{anna.workshop}/document-settings"
    assert (await anna.put(settings, {"currency": "EUR", "showLogo": False})).status_code == 200
    hidden = await share(anna)
    assert (await hidden.client.get("/client/estimate/logo?emoji=true")).status_code == 404
    assert (await anna.put(settings, {"currency": "EUR", "logoFileId": uploaded["id"]})).status_code == 200
    shared = await share(anna)
    assert (await anna.put(settings, {"currency": "EUR"})).status_code == 200
    assert (await anna.delete(f"/files/{uploaded['id']}")).status_code == 204
    logo = await shared.client.get("/client/estimate/logo")
    assert (logo.status_code, logo.headers["content-type"]) == (200, "image/png")
    assert logo.content.startswith(b"\x89PNG")
    for each, is_drawn in ((without, False), (shared, True)):
        decision = (await each.accept()).json()
        certificate = await anna.get(f"/decisions/{decision['id']}/certificate")
        assert has_image(certificate.content) is is_drawn
    assert (await without.client.get("/client/estimate/logo")).status_code == 404
    await anna.delete(f"/links/{shared.link['id']}")
    assert (await shared.client.get("/client/estimate/logo")).status_code == 401


async def test_the_certificate_of_a_deleted_estimate_has_the_workshops_logo(app: App) -> None:
    shared = await share(anna := await app.owner())
    decision = (await shared.accept()).json()
    await anna.post(f"/decisions/{decision['id']}/void", {"reason": "Mistake"})
    assert (await anna.delete(shared.path)).status_code == 204
    uploaded, settings = await icon(anna), f"/workshops/{anna.workshop}/document-settings"
    for options, is_drawn in (({}, False), ({"logoFileId": uploaded["id"]}, True), ({"showLogo": False}, False)):
        assert (await anna.put(settings, {"currency": "EUR", **options})).status_code == 200
        certificate = await anna.get(f"/decisions/{decision['id']}/certificate")
        assert has_image(certificate.content) is is_drawn


async def test_pages_of_a_link_are_not_taken_from_a_cache_for_another(app: App) -> None:
    shared = await share(await app.owner())
    page = await shared.client.get("/client/estimate/pages/1?width=320")
    assert page.headers["cache-control"] == "private, no-cache"
    known = await shared.client.get("/client/estimate/pages/1?width=320", if_none_match=page.headers["etag"])
    assert (known.status_code, known.headers["cache-control"]) == (304, "private, no-cache")
    await shared.owner.delete(f"/links/{shared.link['id']}")
    ended = await shared.client.get("/client/estimate/pages/1?width=320", if_none_match=page.headers["etag"])
    assert ended.status_code == 401
