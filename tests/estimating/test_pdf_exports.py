"""PDF exports API: the exported revision, toggles, limits of the plan, storage and deletion."""

import asyncio
from typing import Any

import httpx
import pytest

from backbench.billing.plans import MIB
from backbench.documents.documents import EstimateDocument
from backbench.integrations.pdf.renderer import RenderError, RenderUnavailable
from backbench.values.errors import Unavailable
from tests.integrations.pdf.pdf_text import text_of
from tests.people import App, Person, ids, pointers
from tests.support.uploads import used
from tests.support.violations import all_of

OAK: dict[str, Any] = {"label": "Oak", "unit": "sqm", "unitPrice": 120.5, "quantity": 2.5}
ALL_TOGGLES = {
    "breakdown": True,
    "showMarkup": False,
    "showDiscount": False,
    "showRecipient": True,
    "showBrandMark": True,
}


async def add_confirmed_estimate(person: Person, **fields: Any) -> str:
    """Adds an estimate with one revision. Returns its path."""
    estimate = await person.estimate(**{"lineItems": [OAK], **fields})
    path = f"/estimates/{estimate['id']}"
    assert (await person.post(f"{path}/confirm")).status_code == 201
    return path


async def create_export(person: Person, path: str, **body: Any) -> httpx.Response:
    return await person.post(f"{path}/pdf-exports", {"locale": "en", "preliminary": False, **body})


async def exported_pdf(person: Person, path: str, **body: Any) -> bytes:
    response = await create_export(person, path, **body)
    assert response.status_code == 201, response.text
    return (await person.get(f"{path}/pdf-exports/{response.json()['id']}")).content


def renderer_of_every_node(app: App) -> Any:
    """The class, to be patched: `tests/cluster/test_operations_over_nodes.py` has three nodes, each with a renderer."""
    return type(app.backbench.renderer)


async def test_a_pdf_export_is_recorded_and_downloaded(app: App) -> None:
    anna = await app.owner()
    path = await add_confirmed_estimate(anna)
    response = await create_export(anna, path, locale="pl", preliminary=True)
    export = response.json()
    assert response.status_code == 201
    assert export == {
        "id": export["id"],
        "revisionNumber": 1,
        "toggles": ALL_TOGGLES,
        "generatedAt": export["generatedAt"],
        "createdByUid": anna.uid,
        "locale": "pl",
        "preliminary": True,
    }
    assert (await anna.get(f"{path}/pdf-exports")).json() == {"pdfExports": [export]}
    pdf = await anna.get(f"{path}/pdf-exports/{export['id']}")
    assert (pdf.status_code, pdf.headers["content-type"]) == (200, "application/pdf")
    assert pdf.content.startswith(b"%PDF-")
    number = (await anna.get(f"{path}/revisions/1/totals")).json()["number"].replace("/", "-")
    assert pdf.headers["content-disposition"].startswith(f'inline; filename="Wycena {number} Kitchen v1 (wstepna).pdf"')


async def test_a_pdf_export_is_a_file_and_counts_towards_the_storage_quota(app: App) -> None:
    anna = await app.owner()
    path = await add_confirmed_estimate(anna)
    export = (await create_export(anna, path)).json()
    [file] = (await anna.get(f"/workshops/{anna.workshop}/files")).json()["files"]
    estimate_id = path.rpartition("/")[2]
    assert (file["scope"], file["scopeId"], file["estimateId"]) == ("estimate", estimate_id, estimate_id)
    assert (file["category"], file["contentType"]) == ("estimate_pdf", "application/pdf")
    pdf = (await anna.get(f"{path}/pdf-exports/{export['id']}")).content
    assert file["sizeBytes"] == len(pdf) == await used(anna)


async def test_the_same_revision_language_and_toggles_give_the_same_bytes(app: App) -> None:
    anna = await app.owner()
    path = await add_confirmed_estimate(anna, recipientName="Łucja")
    first, second = await exported_pdf(anna, path), await exported_pdf(anna, path)
    assert first == second
    assert await exported_pdf(anna, path, locale="pl") != first
    assert await exported_pdf(anna, path, toggles={"breakdown": False}) != first
    assert await exported_pdf(anna, path, preliminary=True) != first


async def test_a_pdf_export_shows_the_confirmed_revision_not_later_edits(app: App) -> None:
    anna = await app.owner()
    settings = f"/workshops/{anna.workshop}/document-settings"
    taxes = {"taxPercent": 20, "taxLabel": "VAT"}
    await anna.put(settings, {"currency": "GBP", "phone": "22 123 45 67", **taxes})
    path = await add_confirmed_estimate(anna, recipientName="Łucja")
    await anna.put(settings, {"currency": "PLN", "phone": "600 000 000"})
    await anna.patch(path, {"name": "Attic", "recipientName": "Somebody else", "lineItems": []})
    text = text_of(await exported_pdf(anna, path))
    for expected in ("Kitchen", "Łucja", "£301.25", "£361.50", "22 123 45 67"):
        assert expected in text
    for later_edit in ("Attic", "Somebody else", "PLN", "600 000 000"):
        assert later_edit not in text


async def test_a_pdf_export_is_of_the_latest_revision_unless_one_is_given(app: App) -> None:
    anna = await app.owner()
    path = await add_confirmed_estimate(anna)
    await anna.patch(path, {"name": "Kitchen and hall"})
    await anna.post(f"{path}/confirm")
    latest, first = (await create_export(anna, path)).json(), (await create_export(anna, path, revisionNumber=1)).json()
    assert (latest["revisionNumber"], first["revisionNumber"]) == (2, 1)
    assert "Kitchen and hall" in text_of((await anna.get(f"{path}/pdf-exports/{latest['id']}")).content)
    assert "Kitchen and hall" not in text_of((await anna.get(f"{path}/pdf-exports/{first['id']}")).content)


@all_of(
    ("body", "pointer"),
    [
        ({"revisionNumber": 2}, "/revisionNumber"),
        ({"revisionNumber": 0}, "/revisionNumber"),
        ({"revisionNumber": 2**40}, "/revisionNumber"),
        ({"revisionNumber": "1"}, "/revisionNumber"),
        ({"locale": "de"}, "/locale"),
        ({"preliminary": 1}, "/preliminary"),
        ({"toggles": {"breakdown": "yes"}}, "/toggles/breakdown"),
        ({"toggles": {"showLogo": True}}, "/toggles/showLogo"),
        ({"toggles": None}, "/toggles"),
        ({"colour": "red"}, "/colour"),
    ],
)
async def test_an_invalid_field_is_reported(app: App, body: dict[str, Any], pointer: str) -> None:
    anna = await app.owner()
    path = await add_confirmed_estimate(anna)
    assert pointers(await create_export(anna, path, **body)) == [pointer]
    assert (await anna.get(f"{path}/pdf-exports")).json() == {"pdfExports": []}


async def test_an_unconfirmed_estimate_cannot_be_exported(app: App) -> None:
    anna = await app.owner()
    estimate = await anna.estimate()
    response = await create_export(anna, f"/estimates/{estimate['id']}")
    assert (response.status_code, response.json()["code"]) == (409, "not_confirmed")


async def test_only_the_pro_plan_can_turn_off_the_brand_mark(free_app: App) -> None:
    anna = await free_app.owner()
    path = await add_confirmed_estimate(anna)
    export = (await create_export(anna, path, toggles={"showBrandMark": False})).json()
    assert export["toggles"] == ALL_TOGGLES
    await free_app.put_on_pro(anna.workshop)
    export = (await create_export(anna, path, toggles={"showBrandMark": False, "showMarkup": True})).json()
    assert export["toggles"] == {**ALL_TOGGLES, "showBrandMark": False, "showMarkup": True}


async def test_an_expired_pro_plan_cannot_turn_off_the_brand_mark(free_app: App) -> None:
    anna = await free_app.owner()
    path = await add_confirmed_estimate(anna)
    await free_app.put_on_pro(anna.workshop, until="2020-01-01T00:00:00.000Z")
    export = (await create_export(anna, path, toggles={"showBrandMark": False})).json()
    assert export["toggles"]["showBrandMark"] is True


async def test_deleting_a_pdf_export_frees_its_storage(app: App) -> None:
    anna = await app.owner()
    path = await add_confirmed_estimate(anna)
    first, second = (await create_export(anna, path)).json(), (await create_export(anna, path)).json()
    assert (await anna.delete(f"{path}/pdf-exports/{first['id']}")).status_code == 204
    assert (await anna.get(f"{path}/pdf-exports/{first['id']}")).status_code == 404
    assert ids((await anna.get(f"{path}/pdf-exports")).json()["pdfExports"]) == [second["id"]]
    await anna.delete(f"/files/{second['id']}")
    assert (await anna.get(f"{path}/pdf-exports")).json() == {"pdfExports": []}
    assert await used(anna) == 0


async def test_deleting_an_estimate_deletes_the_bytes_of_its_pdf_exports(app: App) -> None:
    anna = await app.owner()
    path = await add_confirmed_estimate(anna)
    export = (await create_export(anna, path)).json()
    assert (await anna.delete(path)).status_code == 204
    assert (await anna.get(f"/files/{export['id']}")).status_code == 404
    assert await used(anna) == 0
    await app.backbench.sweep_job.sweep()
    with pytest.raises(Unavailable):
        await anext(app.backbench.blobs.read(export["id"], 0, 1))


async def test_a_handoff_keeps_the_id_of_a_deleted_pdf_export(app: App) -> None:
    anna = await app.owner()
    path = await add_confirmed_estimate(anna)
    export = (await create_export(anna, path)).json()
    handoff_body = {"kind": "pdf-shared", "locale": "en", "preliminary": False, "tone": "formal", "aiDrafted": False}
    await anna.post(f"{path}/handoffs", {**handoff_body, "pdfExportId": export["id"]})
    await anna.delete(f"{path}/pdf-exports/{export['id']}")
    [handoff] = (await anna.get(f"{path}/handoffs")).json()["handoffs"]
    assert handoff["pdfExportId"] == export["id"]


async def test_a_pdf_export_of_another_estimate_is_not_found(app: App) -> None:
    anna = await app.owner()
    path, other = await add_confirmed_estimate(anna), await add_confirmed_estimate(anna)
    export = (await create_export(anna, path)).json()
    assert (await anna.get(f"{other}/pdf-exports/{export['id']}")).status_code == 404
    assert (await anna.delete(f"{other}/pdf-exports/{export['id']}")).status_code == 404


async def test_a_pdf_export_over_the_storage_quota_is_rejected(free_app: App) -> None:
    anna = await free_app.owner()
    path = await add_confirmed_estimate(anna)
    sql = "UPDATE workshops SET storage_used_bytes = :taken WHERE id = :id"
    await free_app.db.write(lambda db: db.run(sql, taken=50 * MIB - 100, id=anna.workshop))
    response = await create_export(anna, path)
    assert (response.status_code, response.json()["code"]) == (409, "plan_limit")
    assert (await anna.get(f"{path}/pdf-exports")).json() == {"pdfExports": []}
    assert await used(anna) == 50 * MIB - 100


@pytest.mark.parametrize(
    ("error", "status"), [(RenderError("it takes too long"), 409), (RenderUnavailable("too many wait"), 503)]
)
async def test_a_failed_rendering_stores_nothing(
    app: App, monkeypatch: pytest.MonkeyPatch, error: Exception, status: int
) -> None:
    async def fail(_renderer: object, _document: EstimateDocument) -> bytes:
        raise error

    anna = await app.owner()
    path = await add_confirmed_estimate(anna)
    with monkeypatch.context() as broken:
        broken.setattr(renderer_of_every_node(app), "render", fail)
        response = await create_export(anna, path)
    assert response.status_code == status
    assert (await anna.get(f"{path}/pdf-exports")).json() == {"pdfExports": []}
    assert await used(anna) == 0


async def test_other_writes_are_possible_during_rendering(app: App, monkeypatch: pytest.MonkeyPatch) -> None:
    """Rendering happens outside of any transaction."""
    anna = await app.owner()
    path = await add_confirmed_estimate(anna)
    renderer, has_started, may_end = renderer_of_every_node(app), asyncio.Event(), asyncio.Event()
    render = renderer.render

    async def render_later(own: object, document: EstimateDocument) -> bytes:
        has_started.set()
        await may_end.wait()
        content: bytes = await render(own, document)
        return content

    with monkeypatch.context() as slow:
        slow.setattr(renderer, "render", render_later)
        exporting = asyncio.create_task(create_export(anna, path))
        await has_started.wait()
        assert (await anna.patch(path, {"name": "Meanwhile"})).status_code == 200
        may_end.set()
        assert (await exporting).status_code == 201


async def test_exporting_an_estimate_deleted_during_rendering_is_404(app: App, monkeypatch: pytest.MonkeyPatch) -> None:
    anna = await app.owner()
    path = await add_confirmed_estimate(anna)
    renderer = renderer_of_every_node(app)
    render = renderer.render

    async def delete_meanwhile(own: object, document: EstimateDocument) -> bytes:
        content: bytes = await render(own, document)
        await anna.delete(path)
        return content

    with monkeypatch.context() as slow:
        slow.setattr(renderer, "render", delete_meanwhile)
        assert (await create_export(anna, path)).status_code == 404
    assert await used(anna) == 0


async def test_a_pdf_export_states_the_validity_unless_the_workshop_sets_none(app: App) -> None:
    anna = await app.owner()
    settings = f"/workshops/{anna.workshop}/document-settings"
    path = await add_confirmed_estimate(anna)
    assert "Valid until" in text_of(await exported_pdf(anna, path))
    await anna.put(settings, {"currency": "EUR", "validDays": 0})
    path = await add_confirmed_estimate(anna)
    assert "Valid until" not in text_of(await exported_pdf(anna, path))


async def test_a_pdf_export_adds_an_audit_entry(app: App) -> None:
    anna = await app.owner()
    path = await add_confirmed_estimate(anna)
    export = (await create_export(anna, path)).json()
    entries = (await anna.get(f"/workshops/{anna.workshop}/audit")).json()["entries"]
    assert (entries[0]["action"], entries[0]["objectId"]) == ("pdf.created", export["id"])


async def test_concurrent_pdf_exports_of_one_account_do_not_delay_others(
    app: App, monkeypatch: pytest.MonkeyPatch
) -> None:
    anna, marek = await app.owner("Anna"), await app.owner("Marek")
    path_of_anna, path_of_marek = await add_confirmed_estimate(anna, name="Slow"), await add_confirmed_estimate(marek)
    may_continue, started, render = asyncio.Event(), 0, app.backbench.renderer.render

    async def wait_for_one(document: EstimateDocument) -> bytes:
        nonlocal started
        if document.name == "Slow":
            started += 1
            await may_continue.wait()
        return await render(document)

    monkeypatch.setattr(app.backbench.renderer, "render", wait_for_one)
    waiting = [asyncio.create_task(create_export(anna, path_of_anna)) for _ in range(17)]
    [rejected], _ = await asyncio.wait(waiting, return_when=asyncio.FIRST_COMPLETED)
    assert (await create_export(marek, path_of_marek)).status_code == 201
    assert started == 1
    may_continue.set()
    responses = await asyncio.gather(*waiting)
    assert sorted(response.status_code for response in responses) == [201] * 16 + [503]
    assert rejected.result().headers["retry-after"] == "10"
