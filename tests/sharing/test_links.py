"""Links: what a client sees with one, and when it no longer sees it."""

import hashlib
import json
from typing import Any

import pytest

from backbench.sharing.links import end_of, new_token
from tests.people import App, pointers
from tests.support.shared_links import LINES, client_of, share

# What changes after the link was created, and so is not part of what is hashed.
STATUS = (
    "documentHash",
    "pdfHash",
    "state",
    "canDecide",
    "expiresAt",
    "brandMark",
    "logoImage",
    "receipt",
    "consent",
    "decision",
    "voidedDecision",
    "payment",
    "comments",
)


def rfc8785(value: Any) -> str:
    """Canonical JSON, written for this test alone: objects by UTF-16 code units, shortest escapes, no white space."""
    if isinstance(value, dict):
        names = sorted(value, key=lambda name: name.encode("utf-16-be"))
        return "{" + ",".join(f"{rfc8785(name)}:{rfc8785(value[name])}" for name in names) + "}"
    if isinstance(value, list):
        return "[" + ",".join(map(rfc8785, value)) + "]"
    assert isinstance(value, str | int), value
    return json.dumps(value, ensure_ascii=False)


async def test_a_client_sees_the_confirmed_revision_without_an_account(app: App) -> None:
    shared = await share(await app.owner())
    assert shared.url == f"http://127.0.0.1:8000/e/#{shared.client.bearer}"
    shown = (await shared.client.get("/client/estimate")).json()
    totals = (await shared.owner.get(f"{shared.path}/revisions/1/totals")).json()
    assert (shown["name"], shown["revisionNumber"], shown["currency"]) == ("Oak table", 1, totals["currency"])
    assert shown["recipient"] == {"name": "Jan Kowalski"}
    assert [line["label"] for line in shown["lines"]] == [line["label"] for line in LINES]
    assert shown["sums"]["total"] == str(totals["total"])
    assert shown["validUntil"] == totals["validUntil"]
    assert (shown["state"], shown["canDecide"], shown["comments"]) == ("open", True, [])


async def test_the_hash_can_be_computed_from_what_was_downloaded(app: App) -> None:
    shared = await share(await app.owner())
    shown = (await shared.client.get("/client/estimate")).json()
    document = {name: value for name, value in shown.items() if name not in STATUS}
    assert hashlib.sha256(rfc8785(document).encode()).hexdigest() == shown["documentHash"]
    pdf = await shared.client.get("/client/estimate/pdf")
    assert (pdf.status_code, pdf.headers["content-type"]) == (200, "application/pdf")
    assert hashlib.sha256(pdf.content).hexdigest() == shown["pdfHash"]


@pytest.mark.parametrize("toggles", [{"breakdown": False}, {"showMarkup": True}, {"showRecipient": False}, {}])
async def test_the_lines_and_sums_are_those_of_the_toggles(app: App, toggles: dict[str, bool]) -> None:
    shared = await share(await app.owner(), toggles=toggles)
    shown = (await shared.client.get("/client/estimate")).json()
    assert ("markup" in shown["sums"]) == toggles.get("showMarkup", False)
    assert ("recipient" in shown) == toggles.get("showRecipient", True)
    assert len(shown["lines"]) == (2 if toggles.get("breakdown", True) else 1)
    if not toggles.get("breakdown", True):
        assert shown["lines"] == [{"label": "Oak table", "amount": shown["sums"]["subtotal"]}]


async def test_later_changes_never_alter_what_a_link_shows(app: App) -> None:
    shared = await share(await app.owner())
    anna = shared.owner
    before, pdf = await shared.client.get("/client/estimate"), await shared.client.get("/client/estimate/pdf")
    await anna.patch(shared.path, {"name": "Bench", "lineItems": [], "markupPercent": 50})
    await anna.put(f"{shared.path}/document", {"intro": "Hello", "taxPercent": 23})
    await anna.put(f"/workshops/{anna.workshop}/document-settings", {"currency": "USD", "taxPercent": 8})
    await anna.patch(f"/workshops/{anna.workshop}", {"name": "Other"})
    await shared.confirm()
    after = await shared.client.get("/client/estimate")
    assert {**after.json(), "state": "open", "canDecide": True} == before.json()
    assert after.json()["state"] == "superseded"
    assert (await shared.client.get("/client/estimate/pdf")).content == pdf.content


async def test_unknown_revoked_and_malformed_tokens_get_the_same_response(app: App) -> None:
    shared = await share(await app.owner())
    assert (await shared.owner.delete(f"/links/{shared.link['id']}")).status_code == 204
    assert (await shared.owner.delete(f"/links/{shared.link['id']}")).status_code == 404
    tokens = [shared.client.bearer, new_token(), "bbl_short", "", "x" * 53, "ż" * 20]
    responses = set()
    for path in ("/client/estimate", "/client/estimate/pdf", "/client/estimate/pages/1"):
        for token in tokens:
            client = client_of(app, f"#{token}", "203.0.113.77")
            response = await client.browser.get(f"/api{path}", headers=[(b"authorization", f"Bearer {token}".encode())])
            headers = {name: value for name, value in response.headers.items() if name != "x-request-id"}
            responses.add((response.status_code, response.content, str(sorted(headers.items()))))
    assert len(responses) == 1
    assert next(iter(responses))[:2] == (401, b"")
    listed = (await shared.owner.get(f"{shared.path}/links")).json()["links"]
    assert [(link["state"], "revokedAt" in link) for link in listed] == [("revoked", True)]


async def test_a_link_takes_neither_sessions_nor_keys_and_ignores_cookies(app: App) -> None:
    shared = await share(await app.owner())
    assert (await shared.owner.get("/client/estimate")).status_code == 401
    program = await shared.owner.integrator("estimates:read")
    assert (await program.get("/client/estimate")).status_code == 401
    shared.owner.bearer = shared.client.bearer
    assert (await shared.owner.get("/client/estimate")).status_code == 200
    assert (await shared.owner.get("/me")).status_code == 401


async def test_a_newer_revision_supersedes_older_ones_for_good(app: App) -> None:
    shared = await share(await app.owner())
    await shared.owner.patch(shared.path, {"markupPercent": 20})
    await shared.confirm()
    shown = (await shared.client.get("/client/estimate")).json()
    assert (shown["state"], shown["canDecide"], shown["revisionNumber"]) == ("superseded", False, 1)
    newer = await shared.another()
    assert (await newer.client.get("/client/estimate")).json()["revisionNumber"] == 2
    await newer.owner.delete(f"/links/{newer.link['id']}")
    # The price of the older revision does not come back.
    assert (await shared.accept()).json()["code"] == "superseded"
    assert (await shared.client.post("/client/estimate/decline", {})).json()["code"] == "superseded"


async def test_a_link_expires_when_the_last_day_ends_anywhere_on_earth(
    app: App, monkeypatch: pytest.MonkeyPatch
) -> None:
    shared = await share(await app.owner())
    shown = (await shared.client.get("/client/estimate")).json()
    end = shown["expiresAt"]
    assert end[10:] == "T12:00:00.000Z"
    assert end[:10] > shown["validUntil"]
    for at, state in (
        (end[:10] + "T11:59:59.000Z", "open"),
        (end, "expired"),
        (end[:10] + "T12:00:01.000Z", "expired"),
    ):
        monkeypatch.setattr("backbench.values.times.now", lambda at=at: at)
        shown = (await shared.client.get("/client/estimate")).json()
        assert (shown["state"], shown["canDecide"]) == (state, state == "open")


def test_the_end_of_a_day_is_that_of_the_last_time_zone() -> None:
    import datetime

    assert end_of(datetime.date(2026, 12, 31)) == "2027-01-01T12:00:00.000Z"


async def test_an_estimate_has_at_most_ten_open_links(app: App) -> None:
    anna = await app.owner()
    shared = await share(anna)
    assert pointers(await anna.post(f"{shared.path}/links", {"locale": "en", "expiresAt": "yesterday"})) == [
        "/expiresAt"
    ]
    for _ in range(9):
        await shared.another()
    refused = await anna.post(f"{shared.path}/links", {"locale": "en"})
    assert (refused.status_code, refused.json()["code"], refused.json()["limit"]) == (409, "plan_limit", 10)
    await anna.delete(f"/links/{shared.link['id']}")
    await shared.another()


async def test_an_estimate_without_a_revision_cannot_be_shared(app: App) -> None:
    anna = await app.owner()
    estimate = await anna.estimate()
    refused = await anna.post(f"/estimates/{estimate['id']}/links", {"locale": "en"})
    assert (refused.status_code, refused.json()["code"]) == (409, "not_confirmed")


async def test_the_pdf_of_a_link_cannot_be_deleted(app: App) -> None:
    shared = await share(await app.owner())
    export = shared.link["pdfExportId"]
    for path in (f"{shared.path}/pdf-exports/{export}", f"/files/{export}"):
        refused = await shared.owner.delete(path)
        assert (refused.status_code, refused.json()["code"]) == (409, "pdf_in_use")
    await shared.owner.delete(f"/links/{shared.link['id']}")
    assert (await shared.owner.delete(f"{shared.path}/pdf-exports/{export}")).status_code == 204
    listed = (await shared.owner.get(f"{shared.path}/links")).json()["links"]
    assert "pdfExportId" not in listed[0]


async def test_pages_are_drawn_from_the_pdf_of_the_link(app: App) -> None:
    shared = await share(await app.owner())
    page = await shared.client.get("/client/estimate/pages/1?width=320")
    assert (page.status_code, page.headers["content-type"], page.headers["page-count"]) == (200, "image/png", "1")
    assert (await shared.client.get("/client/estimate/pages/2")).status_code == 404
