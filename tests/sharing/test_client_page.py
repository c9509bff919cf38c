"""The client's page: comments, openings, limits, and what of it is in exports."""

import json
from typing import Any

import pytest

from tests.exports.test_archives import archived
from tests.people import App, pointers
from tests.support.counted_data import assert_counted
from tests.support.shared_links import DRAWN, SharedEstimate, client_of, share


async def openings(shared: SharedEstimate) -> dict[str, Any]:
    links = (await shared.owner.get(f"{shared.path}/links")).json()["links"]
    found: dict[str, Any] = links[0]["openings"]
    return found


async def events(shared: SharedEstimate) -> list[str]:
    entries = (await shared.owner.get(f"/workshops/{shared.owner.workshop}/audit")).json()["entries"]
    return [entry["action"] for entry in entries if entry["actorKind"] == "client"]


async def test_client_and_members_comment_on_a_link(app: App) -> None:
    shared = await share(await app.owner())
    assert pointers(await shared.client.post("/client/estimate/comments", {"name": "Jan", "text": ""})) == ["/text"]
    asked = await shared.client.post("/client/estimate/comments", {"name": "Jan", "text": "In ash?\nOr oak?"})
    assert (asked.status_code, asked.json()["author"]) == (201, "client")
    answered = await shared.owner.post(f"/links/{shared.link['id']}/comments", {"text": "Ash costs the same."})
    assert (answered.status_code, answered.json()["author"]) == (201, "workshop")
    assert answered.json()["authorUid"] == shared.owner.uid
    shown = (await shared.client.get("/client/estimate")).json()["comments"]
    assert [(comment["author"], comment["name"]) for comment in shown] == [("client", "Jan"), ("workshop", "Anna")]
    assert shown[0] == asked.json()
    listed = (await shared.owner.get(f"{shared.path}/comments")).json()["comments"]
    assert [comment["text"] for comment in listed] == ["Ash costs the same.", "In ash?\nOr oak?"]
    assert await events(shared) == ["estimate.commented"]


async def test_a_client_sends_at_most_twenty_comments_an_hour(app: App, monkeypatch: pytest.MonkeyPatch) -> None:
    shared = await share(await app.owner())
    codes = []
    for hour in ("01", "03", "05"):
        monkeypatch.setattr("backbench.values.times.now", lambda hour=hour: f"2999-01-01T{hour}:00:00.000Z")
        for _ in range(21):
            response = await shared.client.post("/client/estimate/comments", {"name": "Jan", "text": "Hello"})
            codes.append(response.status_code)
    assert codes == ([201] * 20 + [429]) * 2 + [201] * 10 + [409] * 10 + [429]


@pytest.mark.both_engines
async def test_openings_are_counted_but_not_those_of_members(app: App) -> None:
    shared = await share(await app.owner())
    assert (await shared.client.get("/client/estimate")).status_code == 200
    assert await openings(shared) == {"count": 0}
    for _ in range(2):
        assert (await shared.client.post("/client/estimate/opened")).status_code == 204
    counted = await openings(shared)
    assert (counted["count"], counted["firstAt"] <= counted["lastAt"]) == (2, True)
    assert await events(shared) == ["estimate.opened"]
    member, stranger = await app.member(shared.owner), await app.owner("Olga")
    for person, count in ((shared.owner, 2), (member, 2), (stranger, 3)):
        response = await person.post("/client/estimate/opened", authorization=f"Bearer {shared.client.bearer}")
        assert response.status_code == 204
        assert (await openings(shared))["count"] == count


async def test_reads_of_a_link_are_limited_and_those_of_another_are_not(app: App) -> None:
    shared = await share(await app.owner())
    other = await shared.another()
    codes = [(await shared.client.get("/client/estimate")).status_code for _ in range(121)]
    assert codes == [200] * 120 + [429]
    refused = await shared.client.get("/client/estimate/pdf")
    assert (refused.status_code, refused.json()["code"]) == (429, "rate_limited")
    assert 1 <= int(refused.headers["retry-after"]) <= 60
    assert (await other.client.get("/client/estimate")).status_code == 200


async def test_bad_tokens_of_an_address_are_limited_and_good_ones_are_not(app: App) -> None:
    shared = await share(await app.owner())
    codes = []
    for number in range(61):
        guess = client_of(app, f"#bbl_{number}", "203.0.113.99")
        codes.append((await guess.get("/client/estimate")).status_code)
    assert codes == [401] * 60 + [429]
    client = client_of(app, shared.url, "203.0.113.99")
    assert (await client.get("/client/estimate")).status_code == 200


async def test_a_key_that_may_only_read_does_not_get_the_pdf_of_a_link(app: App) -> None:
    shared = await share(await app.owner())
    export = shared.link["pdfExportId"]
    reader, writer = await shared.owner.integrator("estimates:read", "files:read"), shared.owner
    for path in (
        f"{shared.path}/pdf-exports/{export}",
        f"{shared.path}/pdf-exports/{export}/pages/1",
        f"/files/{export}",
    ):
        refused = await reader.get(path)
        assert (refused.status_code, refused.content) == (403, b"")
        assert 'scope="estimates:write"' in refused.headers["www-authenticate"]
        assert (await writer.get(path)).status_code == 200


async def test_the_archive_has_links_decisions_with_evidence_and_comments(app: App) -> None:
    shared = await share(await app.owner())
    await shared.client.post("/client/estimate/opened")
    await shared.client.post("/client/estimate/comments", {"name": "Jan", "text": "Fine"})
    accepted = (await shared.accept(signature=DRAWN)).json()
    [sharing] = (await archived(shared.owner, "sharing"))["estimates"]
    assert sharing["estimateId"] == shared.id
    (link,), (decision,), (comment,) = (sharing[name] for name in ("links", "decisions", "comments"))
    assert (link["state"], link["openings"]["count"], comment["text"]) == ("accepted", 1, "Fine")
    assert accepted.items() <= decision.items()
    assert decision["strokes"] == DRAWN["strokes"]
    assert (decision["address"], decision["document"]) == ("198.51.100.7", link["document"])
    assert json.loads(link["document"])["name"] == "Oak table"
    assert shared.client.bearer is not None
    assert shared.client.bearer not in json.dumps(sharing)


async def test_the_brand_mark_follows_the_plan_of_this_moment(free_app: App) -> None:
    anna = await free_app.owner()
    await free_app.put_on_pro(anna.workshop)
    shared = await share(anna, toggles={"showBrandMark": False})
    assert (await shared.client.get("/client/estimate")).json()["brandMark"] is False
    await free_app.put_on_pro(anna.workshop, until="2026-01-01T00:00:00.000Z")
    assert (await shared.client.get("/client/estimate")).json()["brandMark"] is True


async def test_what_a_link_stores_is_counted(app: App) -> None:
    shared = await share(await app.owner())
    await shared.client.post("/client/estimate/comments", {"name": "Żaneta", "text": "Świetnie"})
    decision = (await shared.accept(signature=DRAWN)).json()
    await shared.owner.post(f"/decisions/{decision['id']}/void", {"reason": "Pomyłka"})
    await assert_counted(app, shared.owner.workshop)
    assert (await shared.owner.delete(shared.path)).status_code == 204
    await assert_counted(app, shared.owner.workshop)
