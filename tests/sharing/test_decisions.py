"""Decisions: a client accepts or declines exactly what a link shows, once, with evidence."""

import asyncio
import hashlib
from collections import Counter
from typing import Any

import pytest

from backbench.sharing import decisions
from backbench.values import times
from tests.people import App, pointers
from tests.support.shared_links import DRAWN, share
from tests.support.violations import all_of, violations


async def stored(app: App, decision_id: str) -> Any:
    async with app.db.read() as db:
        return await decisions.find(db, decision_id)


async def test_an_acceptance_is_stored_with_its_evidence(app: App) -> None:
    shared = await share(await app.owner())
    body = await shared.acceptance(signature=DRAWN)
    accepted = await shared.client.post("/client/estimate/accept", body, user_agent="Phone/1.0")
    assert accepted.status_code == 201, accepted.text
    decision = accepted.json()
    shown = (await shared.client.get("/client/estimate")).json()
    assert (decision["outcome"], decision["method"], decision["signature"]) == ("accepted", "link", "drawn")
    assert (decision["documentHash"], decision["pdfHash"]) == (shown["documentHash"], shown["pdfHash"])
    assert decision["consent"] == shown["consent"]["text"]
    assert (shown["state"], shown["canDecide"]) == ("accepted", False)
    assert shown["decision"]["name"] == "Jan Kowalski"
    assert not {"address", "userAgent", "recordedByUid"} & decision.keys()
    evidence = await stored(app, decision["id"])
    assert hashlib.sha256(evidence.document.encode()).hexdigest() == decision["documentHash"]
    assert (evidence.address, evidence.user_agent) == ("198.51.100.7", "Phone/1.0")
    assert [[[float(number) for number in point] for point in stroke] for stroke in evidence.signature.strokes] == (
        DRAWN["strokes"]
    )
    listed = (await shared.owner.get(f"{shared.path}/decisions")).json()["decisions"]
    assert listed == [decision]


async def test_a_decline_needs_neither_a_name_nor_a_reason(app: App) -> None:
    shared = await share(await app.owner())
    declined = await shared.client.post("/client/estimate/decline", {})
    assert declined.status_code == 201
    assert not {"name", "reason", "consent", "signature"} & declined.json().keys()
    assert (await shared.client.get("/client/estimate")).json()["state"] == "declined"
    other = await share(shared.owner)
    declined = await other.client.post("/client/estimate/decline", {"name": "Jan", "reason": "Too late\nfor us"})
    assert declined.json()["reason"] == "Too late\nfor us"


@all_of(
    ("fields", "pointer"),
    [
        ({"agreed": False}, "/agreed"),
        ({"name": ""}, "/name"),
        ({"name": "\u200b "}, "/name"),
        ({"name": "\u3164"}, "/name"),
        ({"name": "123"}, "/name"),
        ({"consentId": ""}, "/consentId"),
        ({"signature": {"kind": "drawn"}}, "/signature/strokes"),
        ({"signature": {"kind": "typed", "strokes": [[[1, 1]]]}}, "/signature/strokes"),
        ({"documentHash": "abc"}, "/documentHash"),
        ({"signature": {"kind": "stamp"}}, "/signature/kind"),
        ({"signature": {"kind": "drawn", "strokes": []}}, "/signature/strokes"),
        ({"signature": {"kind": "drawn", "strokes": [[[1]]]}}, "/signature/strokes/0/0"),
        ({"signature": {"kind": "drawn", "strokes": [[[1, -1]]]}}, "/signature/strokes/0/0/1"),
        ({"signature": {"kind": "drawn", "strokes": [[[1, 1]]] * 65}}, "/signature/strokes"),
        ({"signature": {"kind": "drawn", "strokes": [[[1, 1]] * 513]}}, "/signature/strokes/0"),
        ({"signature": {"kind": "drawn", "strokes": [[[1000.25, 2000.25]] * 512] * 5}}, "/signature/strokes"),
    ],
)
async def test_an_invalid_acceptance_is_refused(app: App, fields: dict[str, Any], pointer: str) -> None:
    shared = await share(await app.owner())
    assert pointers(await shared.accept(**fields)) == [pointer]
    assert (await shared.owner.get(f"{shared.path}/decisions")).json() == {"decisions": []}


async def test_only_what_is_shown_can_be_accepted(app: App) -> None:
    shared = await share(await app.owner())
    for other in ({"documentHash": "0" * 64}, {"consentId": "accept-0"}):
        refused = await shared.accept(**other)
        assert (refused.status_code, refused.json()["code"]) == (409, "changed")
    body = await shared.acceptance()
    del body["consentId"]
    assert pointers(await shared.client.post("/client/estimate/accept", body)) == ["/consentId"]
    await shared.owner.patch(shared.path, {"markupPercent": 20})
    await shared.confirm()
    refused = await shared.accept()
    assert (refused.status_code, refused.json()["code"]) == (409, "superseded")


async def test_a_link_that_only_shows_cannot_be_decided(app: App) -> None:
    shared = await share(await app.owner(), canDecide=False)
    assert (await shared.client.get("/client/estimate")).json()["canDecide"] is False
    for refused in (await shared.accept(), await shared.client.post("/client/estimate/decline", {})):
        assert (refused.status_code, refused.json()["code"]) == (409, "not_decidable")


async def test_an_expired_link_can_be_read_but_not_decided(app: App, monkeypatch: pytest.MonkeyPatch) -> None:
    shared = await share(await app.owner(), expiresAt="2999-01-01T00:00:00Z")
    body = await shared.acceptance()
    monkeypatch.setattr("backbench.values.times.now", lambda: "2999-01-01T00:00:00.000Z")
    refused = await shared.client.post("/client/estimate/accept", body)
    assert (refused.status_code, refused.json()["code"]) == (409, "expired")
    assert (await shared.client.get("/client/estimate")).status_code == 200
    monkeypatch.setattr("backbench.values.times.now", lambda: "2998-12-31T23:59:59.000Z")
    assert (await shared.client.post("/client/estimate/accept", body)).status_code == 201


@pytest.mark.both_engines
async def test_a_hundred_parallel_answers_leave_one_decision(app: App) -> None:
    shared = await share(await app.owner())
    all_links = [shared, *[await shared.another() for _ in range(9)]]
    bodies = [await each.acceptance() for each in all_links]
    responses = await asyncio.gather(
        *(
            each.client.post("/client/estimate/accept", body)
            if number % 2
            else each.client.post("/client/estimate/decline", {})
            for number in range(10)
            for each, body in zip(all_links, bodies, strict=True)
        )
    )
    statuses = Counter(response.status_code for response in responses)
    # 503 only on a busy machine, to requests that waited too long for a connection to PostgreSQL.
    assert statuses.pop(201) == 1
    assert statuses.keys() <= {409, 503}
    assert {response.json()["code"] for response in responses if response.status_code == 409} == {"decided"}
    listed = (await shared.owner.get(f"{shared.path}/decisions")).json()["decisions"]
    assert listed == [response.json() for response in responses if response.status_code == 201]
    trail = (await shared.owner.get(f"/workshops/{shared.owner.workshop}/audit")).json()["entries"]
    assert len([entry for entry in trail if entry["action"] in ("estimate.accepted", "estimate.declined")]) == 1


async def test_a_voided_decision_keeps_its_evidence_and_can_be_made_again(app: App) -> None:
    shared = await share(await app.owner())
    decision = (await shared.accept()).json()
    path = f"/decisions/{decision['id']}/void"
    assert pointers(await shared.owner.post(path, {"reason": ""})) == ["/reason"]
    voided = await shared.owner.post(path, {"reason": "Signed by mistake"})
    assert voided.status_code == 200
    assert voided.json()["voided"]["reason"] == "Signed by mistake"
    assert {name: value for name, value in voided.json().items() if name != "voided"} == decision
    assert (await shared.owner.post(path, {"reason": "Again"})).json()["code"] == "voided"
    shown = (await shared.client.get("/client/estimate")).json()
    assert (shown["state"], shown["voidedDecision"]) == ("open", {"decidedAt": decision["decidedAt"]})
    assert (await shared.accept()).status_code == 201
    assert "voidedDecision" not in (await shared.client.get("/client/estimate")).json()
    assert len((await shared.owner.get(f"{shared.path}/decisions")).json()["decisions"]) == 2


async def test_a_member_records_a_decision_made_elsewhere(app: App) -> None:
    shared = await share(await app.owner())
    path = f"{shared.path}/decisions"
    body = {"revisionNumber": 1, "outcome": "accepted", "method": "phone", "name": "Jan"}
    assert pointers(await shared.owner.post(path, {**body, "revisionNumber": 2})) == ["/revisionNumber"]
    assert pointers(await shared.owner.post(path, {**body, "decidedAt": "2999-01-01T00:00:00Z"})) == ["/decidedAt"]
    assert pointers(await shared.owner.post(path, {**body, "method": "link"})) == ["/method"]
    assert pointers(await shared.owner.post(path, {**body, "decidedAt": "0001-01-01T00:00:00Z"})) == ["/decidedAt"]
    revision = (await shared.owner.get(f"{shared.path}/revisions/1")).json()
    before = times.later(revision["createdAt"], -0.001)
    assert pointers(await shared.owner.post(path, {**body, "decidedAt": before})) == ["/decidedAt"]
    at = revision["createdAt"].replace("Z", "+00:00")
    recorded = await shared.owner.post(path, {**body, "decidedAt": at})
    assert recorded.status_code == 201, recorded.text
    assert recorded.json()["decidedAt"] == revision["createdAt"]
    assert recorded.json()["recordedByUid"] == shared.owner.uid
    assert (await shared.owner.post(path, body)).json()["code"] == "decided"
    assert (await shared.accept()).json()["code"] == "decided"
    assert (await shared.client.get("/client/estimate")).json()["state"] == "accepted"


async def test_an_accepted_estimate_cannot_be_deleted(app: App) -> None:
    shared = await share(await app.owner())
    decision = (await shared.accept()).json()
    refused = await shared.owner.delete(shared.path)
    assert (refused.status_code, refused.json()["code"]) == (409, "accepted")
    export = f"{shared.path}/pdf-exports/{shared.link['pdfExportId']}"
    await shared.owner.delete(f"/links/{shared.link['id']}")
    assert (await shared.owner.delete(export)).json()["code"] == "pdf_in_use"
    await shared.owner.post(f"/decisions/{decision['id']}/void", {"reason": "Cancelled"})
    assert (await shared.owner.delete(shared.path)).status_code == 204
    assert (await shared.owner.get(f"{shared.path}/decisions")).status_code == 404


async def test_summaries_have_the_standing_decision(app: App) -> None:
    shared = await share(await app.owner())
    path = f"/workshops/{shared.owner.workshop}/estimate-summaries"
    assert "decision" not in (await shared.owner.get(path)).json()["summaries"][0]
    decision = (await shared.accept()).json()
    assert (await shared.owner.get(path)).json()["summaries"][0]["decision"] == {
        "outcome": "accepted",
        "decidedAt": decision["decidedAt"],
        "revisionNumber": 1,
    }
    await shared.owner.post(f"/decisions/{decision['id']}/void", {"reason": "Mistake"})
    assert "decision" not in (await shared.owner.get(path)).json()["summaries"][0]


async def test_the_audit_trail_names_clients_and_the_log_leads_to_the_estimate(app: App) -> None:
    shared = await share(await app.owner())
    path = f"/workshops/{shared.owner.workshop}"
    cursor = (await shared.owner.get(f"{path}/changes")).json()["cursor"]
    decision = (await shared.client.post("/client/estimate/decline", {})).json()
    await shared.owner.post(f"/decisions/{decision['id']}/void", {"reason": "Mistake"})
    entries = (await shared.owner.get(f"{path}/audit?limit=2")).json()["entries"]
    assert [(entry["action"], entry["actorKind"], entry["objectId"]) for entry in entries] == [
        ("decision.voided", "account", shared.id),
        ("estimate.declined", "client", shared.id),
    ]
    assert "actorUid" not in entries[1]
    changes = (await shared.owner.get(f"{path}/changes?since={cursor}")).json()
    assert [estimate["id"] for estimate in changes["estimates"]] == [shared.id]


async def test_attempts_to_decide_are_limited_for_each_address(app: App) -> None:
    shared = await share(await app.owner(), canDecide=False)
    codes = [(await shared.client.post("/client/estimate/decline", {})).status_code for _ in range(11)]
    assert codes == [409] * 10 + [429]


async def test_every_link_names_the_document_that_was_decided(app: App) -> None:
    """Also a link that shows it in another language, or an earlier revision."""
    old = await share(await app.owner())
    await old.owner.patch(old.path, {"markupPercent": 20})
    await old.confirm()
    shared, other = await old.another(), await old.another(locale="pl")
    decision = (await shared.accept()).json()
    decided = {name: decision[name] for name in ("documentHash", "pdfHash", "revisionNumber")}
    with violations() as case:
        for name, each in (("old", old), ("shared", shared), ("other", other)):
            with case(name):
                shown = (await each.client.get("/client/estimate")).json()
                assert shown["decision"].items() >= decided.items()
                assert (shown["documentHash"] == decided["documentHash"]) == (each is shared)
    await shared.owner.post(f"/decisions/{decision['id']}/void", {"reason": "By telephone"})
    body = {"revisionNumber": 2, "outcome": "accepted", "method": "phone", "name": "Jan"}
    recorded = (await shared.owner.post(f"{shared.path}/decisions", body)).json()
    shown = (await shared.client.get("/client/estimate")).json()["decision"]
    assert (shown["documentHash"], shown["method"], "pdfHash" in shown) == (recorded["documentHash"], "phone", False)
