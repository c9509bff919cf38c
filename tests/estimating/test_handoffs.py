"""Hand-offs API: records of estimates and messages sent to clients."""

from typing import Any

import httpx

from backbench.values import times
from tests.people import App, Person, pointers

BODY = {"kind": "message-copied", "locale": "pl", "preliminary": False, "tone": "formal", "aiDrafted": True}
REQUIRED = {*BODY, "id", "revisionNumber", "createdAt", "createdByUid"}


async def hand_off(person: Person, estimate: dict[str, Any], **fields: Any) -> httpx.Response:
    return await person.post(f"/estimates/{estimate['id']}/handoffs", BODY | fields)


async def pdf_of(person: Person, estimate: dict[str, Any]) -> str:
    """The id of a PDF export of the estimate's first revision."""
    await person.post(f"/estimates/{estimate['id']}/confirm")
    response = await person.post(f"/estimates/{estimate['id']}/pdf-exports", {"locale": "pl", "preliminary": False})
    assert response.status_code == 201, response.text
    return str(response.json()["id"])


async def test_a_handoff_is_recorded_with_its_author_and_time(app: App) -> None:
    anna = await app.owner("Anna")
    marek = await app.member(anna)
    before = times.now()
    response = await hand_off(marek, await anna.estimate())
    handoff = response.json()
    assert response.status_code == 201
    assert set(handoff) == REQUIRED
    assert {name: handoff[name] for name in BODY} == BODY
    assert handoff["createdByUid"] == marek.uid
    assert before <= handoff["createdAt"] <= times.now()


async def test_every_kind_tone_and_locale_is_stored_as_sent(app: App) -> None:
    anna = await app.owner("Anna")
    estimate = await anna.estimate()
    bodies: list[dict[str, Any]] = [
        {"kind": kind, "tone": tone, "locale": locale, "preliminary": preliminary, "aiDrafted": drafted}
        for kind, tone, locale, preliminary, drafted in (
            ("message-copied", "formal", "pl", True, True),
            ("message-shared", "friendly", "en", False, False),
            ("pdf-shared", "formal", "en", True, False),
            ("pdf-and-message-shared", "friendly", "pl", False, True),
            ("email-opened", "formal", "pl", False, False),
        )
    ]
    for fields in bodies:
        handoff = (await hand_off(anna, estimate, **fields)).json()
        assert {name: handoff[name] for name in fields} == fields


async def test_a_handoff_records_the_latest_revision(app: App) -> None:
    anna = await app.owner("Anna")
    estimate = await anna.estimate()
    numbers = []
    for _ in range(3):
        numbers.append((await hand_off(anna, estimate)).json()["revisionNumber"])
        await anna.post(f"/estimates/{estimate['id']}/confirm")
    assert numbers == [0, 1, 2]


async def test_a_handoff_records_a_pdf_export_of_the_estimate(app: App) -> None:
    anna = await app.owner("Anna")
    estimate = await anna.estimate()
    pdf = await pdf_of(anna, estimate)
    handoff = (await hand_off(anna, estimate, kind="pdf-shared", pdfExportId=pdf)).json()
    assert set(handoff) == {*REQUIRED, "pdfExportId"}
    assert handoff["pdfExportId"] == pdf


async def test_a_pdf_export_of_another_estimate_is_400_without_a_body(app: App) -> None:
    anna, jan = await app.owner("Anna"), await app.owner("Jan")
    estimate, other = await anna.estimate(), await anna.estimate()
    foreign = await pdf_of(jan, await jan.estimate())
    sibling = await pdf_of(anna, other)
    for unknown in ("x", foreign, sibling, "x" * 5000, " ", "ł\u2028🪚"):
        response = await hand_off(anna, estimate, pdfExportId=unknown)
        assert (response.status_code, response.content) == (400, b""), unknown
        assert "content-type" not in response.headers
    assert (await anna.get(f"/estimates/{estimate['id']}/handoffs")).json() == {"handoffs": []}


async def test_a_schema_violation_is_a_validation_error(app: App) -> None:
    anna = await app.owner("Anna")
    estimate = await anna.estimate()
    wrong: list[tuple[dict[str, Any], str]] = [
        ({"kind": "phone"}, "/kind"),
        ({"kind": "message-copied\n"}, "/kind"),
        ({"locale": "de"}, "/locale"),
        ({"preliminary": "false"}, "/preliminary"),
        ({"preliminary": 0}, "/preliminary"),
        ({"tone": "rude"}, "/tone"),
        ({"aiDrafted": None}, "/aiDrafted"),
        ({"pdfExportId": ""}, "/pdfExportId"),
        ({"pdfExportId": None}, "/pdfExportId"),
        ({"pdfExportId": 1}, "/pdfExportId"),
        ({"revisionNumber": 1}, "/revisionNumber"),
    ]
    for fields, pointer in wrong:
        assert pointers(await hand_off(anna, estimate, **fields)) == [pointer], fields
    response = await anna.post(f"/estimates/{estimate['id']}/handoffs", {})
    assert pointers(response) == [f"/{name}" for name in ("kind", "locale", "preliminary", "tone", "aiDrafted")]


async def test_schema_violations_are_reported_before_an_unknown_pdf_export(app: App) -> None:
    anna = await app.owner("Anna")
    response = await hand_off(anna, await anna.estimate(), kind="phone", pdfExportId="x")
    assert pointers(response) == ["/kind"]


async def test_a_stranger_cannot_learn_which_pdf_exports_exist(app: App) -> None:
    anna, jan = await app.owner("Anna"), await app.owner("Jan")
    estimate = await anna.estimate()
    pdf = await pdf_of(anna, estimate)
    for known in (pdf, "x"):
        response = await hand_off(jan, estimate, pdfExportId=known)
        assert (response.status_code, response.content) == (403, b"")
        response = await hand_off(jan, {"id": "nothing"}, pdfExportId=known)
        assert (response.status_code, response.content) == (404, b"")
