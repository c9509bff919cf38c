"""PDF exports over HTTP: what is drawn of which revision, what the plan decides, and how the papers come and go."""

import asyncio
from typing import Any

import httpx
import pytest

from backbench.domain.billing.plans import MIB
from backbench.domain.documents.documents import EstimateDocument
from backbench.domain.values.errors import Unavailable
from backbench.integrations.pdf.renderer import RenderError, RenderUnavailable
from tests.integrations.pdf.reading import text_of
from tests.people import Person, Shop, ids, pointers
from tests.support.uploads import used

OAK: dict[str, Any] = {"label": "Oak", "unit": "sqm", "unitPrice": 120.5, "quantity": 2.5}
ALL = {
    "breakdown": True,
    "showMarkup": False,
    "showDiscount": False,
    "showRecipient": True,
    "showBrandMark": True,
}


async def confirmed(person: Person, **fields: Any) -> str:
    """The path of an estimate with one revision."""
    estimate = await person.estimate(**{"lineItems": [OAK], **fields})
    path = f"/estimates/{estimate['id']}"
    assert (await person.post(f"{path}/confirm")).status_code == 201
    return path


async def draw(person: Person, path: str, **body: Any) -> httpx.Response:
    return await person.post(f"{path}/pdf-exports", {"locale": "en", "preliminary": False, **body})


async def drawn(person: Person, path: str, **body: Any) -> bytes:
    answer = await draw(person, path, **body)
    assert answer.status_code == 201, answer.text
    return (await person.get(f"{path}/pdf-exports/{answer.json()['id']}")).content


async def test_a_pdf_export_is_recorded_and_downloaded(shop: Shop) -> None:
    anna = await shop.owner()
    path = await confirmed(anna)
    answer = await draw(anna, path, locale="pl", preliminary=True)
    export = answer.json()
    assert answer.status_code == 201
    assert export == {
        "id": export["id"],
        "revisionNumber": 1,
        "toggles": ALL,
        "generatedAt": export["generatedAt"],
        "createdByUid": anna.uid,
        "locale": "pl",
        "preliminary": True,
    }
    assert (await anna.get(f"{path}/pdf-exports")).json() == {"pdfExports": [export]}
    paper = await anna.get(f"{path}/pdf-exports/{export['id']}")
    assert (paper.status_code, paper.headers["content-type"]) == (200, "application/pdf")
    assert paper.content.startswith(b"%PDF-")
    assert paper.headers["content-disposition"].startswith('inline; filename="Kitchen 1.pdf"')


async def test_a_pdf_export_is_a_file_and_counts_towards_the_storage_quota(shop: Shop) -> None:
    anna = await shop.owner()
    path = await confirmed(anna)
    export = (await draw(anna, path)).json()
    [file] = (await anna.get(f"/workshops/{anna.workshop}/files")).json()["files"]
    estimate_id = path.rpartition("/")[2]
    assert (file["scope"], file["scopeId"], file["estimateId"]) == ("estimate", estimate_id, estimate_id)
    assert (file["category"], file["contentType"]) == ("estimate_pdf", "application/pdf")
    paper = (await anna.get(f"{path}/pdf-exports/{export['id']}")).content
    assert file["sizeBytes"] == len(paper) == await used(anna)


async def test_the_same_revision_language_and_toggles_give_the_same_bytes(shop: Shop) -> None:
    anna = await shop.owner()
    path = await confirmed(anna, recipientName="Łucja")
    first, second = await drawn(anna, path), await drawn(anna, path)
    assert first == second
    assert await drawn(anna, path, locale="pl") != first
    assert await drawn(anna, path, toggles={"breakdown": False}) != first
    assert await drawn(anna, path, preliminary=True) != first


async def test_a_pdf_export_shows_the_confirmed_revision_not_later_edits(shop: Shop) -> None:
    anna = await shop.owner()
    settings = f"/workshops/{anna.workshop}/document-settings"
    await anna.put(settings, {"currency": "GBP", "taxPercent": 20, "taxLabel": "VAT"})
    path = await confirmed(anna, recipientName="Łucja")
    await anna.put(settings, {"currency": "PLN", "phone": "22 123 45 67"})
    await anna.patch(path, {"name": "Attic", "recipientName": "Somebody else", "lineItems": []})
    text = text_of(await drawn(anna, path))
    for shown in ("Kitchen", "Łucja", "£301.25", "£361.50", "22 123 45 67"):
        assert shown in text
    for changed in ("Attic", "Somebody else", "PLN"):
        assert changed not in text


async def test_a_pdf_export_is_of_the_latest_revision_unless_one_is_given(shop: Shop) -> None:
    anna = await shop.owner()
    path = await confirmed(anna)
    await anna.patch(path, {"name": "Kitchen and hall"})
    await anna.post(f"{path}/confirm")
    latest, first = (await draw(anna, path)).json(), (await draw(anna, path, revisionNumber=1)).json()
    assert (latest["revisionNumber"], first["revisionNumber"]) == (2, 1)
    assert "Kitchen and hall" in text_of((await anna.get(f"{path}/pdf-exports/{latest['id']}")).content)
    assert "Kitchen and hall" not in text_of((await anna.get(f"{path}/pdf-exports/{first['id']}")).content)


@pytest.mark.parametrize(
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
async def test_an_invalid_field_is_reported(shop: Shop, body: dict[str, Any], pointer: str) -> None:
    anna = await shop.owner()
    path = await confirmed(anna)
    assert pointers(await draw(anna, path, **body)) == [pointer]
    assert (await anna.get(f"{path}/pdf-exports")).json() == {"pdfExports": []}


async def test_an_unconfirmed_estimate_cannot_be_exported(shop: Shop) -> None:
    anna = await shop.owner()
    estimate = await anna.estimate()
    refusal = await draw(anna, f"/estimates/{estimate['id']}")
    assert (refusal.status_code, refusal.json()["code"]) == (409, "not_confirmed")


async def test_only_the_pro_plan_can_turn_off_the_brand_mark(shop: Shop) -> None:
    anna = await shop.owner()
    path = await confirmed(anna)
    export = (await draw(anna, path, toggles={"showBrandMark": False})).json()
    assert export["toggles"] == ALL
    await shop.put_on_pro(anna.workshop)
    export = (await draw(anna, path, toggles={"showBrandMark": False, "showMarkup": True})).json()
    assert export["toggles"] == {**ALL, "showBrandMark": False, "showMarkup": True}


async def test_an_expired_pro_plan_cannot_turn_off_the_brand_mark(shop: Shop) -> None:
    anna = await shop.owner()
    path = await confirmed(anna)
    await shop.put_on_pro(anna.workshop, until="2020-01-01T00:00:00.000Z")
    export = (await draw(anna, path, toggles={"showBrandMark": False})).json()
    assert export["toggles"]["showBrandMark"] is True


async def test_deleting_a_pdf_export_frees_its_storage(shop: Shop) -> None:
    anna = await shop.owner()
    path = await confirmed(anna)
    first, second = (await draw(anna, path)).json(), (await draw(anna, path)).json()
    assert (await anna.delete(f"{path}/pdf-exports/{first['id']}")).status_code == 204
    assert (await anna.get(f"{path}/pdf-exports/{first['id']}")).status_code == 404
    assert ids((await anna.get(f"{path}/pdf-exports")).json()["pdfExports"]) == [second["id"]]
    await anna.delete(f"/files/{second['id']}")
    assert (await anna.get(f"{path}/pdf-exports")).json() == {"pdfExports": []}
    assert await used(anna) == 0


async def test_deleting_an_estimate_deletes_the_bytes_of_its_pdf_exports(shop: Shop) -> None:
    anna = await shop.owner()
    path = await confirmed(anna)
    export = (await draw(anna, path)).json()
    assert (await anna.delete(path)).status_code == 204
    assert (await anna.get(f"/files/{export['id']}")).status_code == 404
    assert await used(anna) == 0
    await shop.app.sweep()
    with pytest.raises(Unavailable):
        await anext(shop.app.blobs.read(export["id"], 0, 1))


async def test_a_handoff_keeps_the_id_of_a_deleted_pdf_export(shop: Shop) -> None:
    anna = await shop.owner()
    path = await confirmed(anna)
    export = (await draw(anna, path)).json()
    told = {"kind": "pdf-shared", "locale": "en", "preliminary": False, "tone": "formal", "aiDrafted": False}
    await anna.post(f"{path}/handoffs", {**told, "pdfExportId": export["id"]})
    await anna.delete(f"{path}/pdf-exports/{export['id']}")
    [handoff] = (await anna.get(f"{path}/handoffs")).json()["handoffs"]
    assert handoff["pdfExportId"] == export["id"]


async def test_a_pdf_export_of_another_estimate_is_not_found(shop: Shop) -> None:
    anna = await shop.owner()
    path, other = await confirmed(anna), await confirmed(anna)
    export = (await draw(anna, path)).json()
    assert (await anna.get(f"{other}/pdf-exports/{export['id']}")).status_code == 404
    assert (await anna.delete(f"{other}/pdf-exports/{export['id']}")).status_code == 404


async def test_a_pdf_export_over_the_storage_quota_is_rejected(shop: Shop) -> None:
    anna = await shop.owner()
    path = await confirmed(anna)
    sql = "UPDATE workshops SET storage_used_bytes = :taken WHERE id = :id"
    await shop.db.write(lambda db: db.run(sql, taken=50 * MIB - 100, id=anna.workshop))
    refusal = await draw(anna, path)
    assert (refusal.status_code, refusal.json()["code"]) == (409, "plan_limit")
    assert (await anna.get(f"{path}/pdf-exports")).json() == {"pdfExports": []}
    assert await used(anna) == 50 * MIB - 100


@pytest.mark.parametrize(
    ("fault", "status"), [(RenderError("it takes too long"), 409), (RenderUnavailable("too many wait"), 503)]
)
async def test_a_failed_rendering_stores_nothing(
    shop: Shop, monkeypatch: pytest.MonkeyPatch, fault: Exception, status: int
) -> None:
    async def fail(_: EstimateDocument) -> bytes:
        raise fault

    anna = await shop.owner()
    path = await confirmed(anna)
    with monkeypatch.context() as broken:
        broken.setattr(shop.app.renderer, "render", fail)
        refusal = await draw(anna, path)
    assert refusal.status_code == status
    assert (await anna.get(f"{path}/pdf-exports")).json() == {"pdfExports": []}
    assert await used(anna) == 0


async def test_other_writes_are_possible_during_rendering(shop: Shop, monkeypatch: pytest.MonkeyPatch) -> None:
    """Drawing happens outside of any transaction: others write as if nobody drew."""
    anna = await shop.owner()
    path = await confirmed(anna)
    render, has_begun, may_end = shop.app.renderer.render, asyncio.Event(), asyncio.Event()

    async def wait(document: EstimateDocument) -> bytes:
        has_begun.set()
        await may_end.wait()
        return await render(document)

    with monkeypatch.context() as slow:
        slow.setattr(shop.app.renderer, "render", wait)
        drawing = asyncio.create_task(draw(anna, path))
        await has_begun.wait()
        assert (await anna.patch(path, {"name": "Meanwhile"})).status_code == 200
        may_end.set()
        assert (await drawing).status_code == 201


async def test_exporting_an_estimate_deleted_during_rendering_is_404(
    shop: Shop, monkeypatch: pytest.MonkeyPatch
) -> None:
    anna = await shop.owner()
    path = await confirmed(anna)
    render = shop.app.renderer.render

    async def remove_meanwhile(document: EstimateDocument) -> bytes:
        content = await render(document)
        await anna.delete(path)
        return content

    with monkeypatch.context() as slow:
        slow.setattr(shop.app.renderer, "render", remove_meanwhile)
        assert (await draw(anna, path)).status_code == 404
    assert await used(anna) == 0


async def test_a_pdf_export_states_the_validity_unless_the_workshop_sets_none(shop: Shop) -> None:
    anna = await shop.owner()
    settings = f"/workshops/{anna.workshop}/document-settings"
    path = await confirmed(anna)
    assert "Valid until" in text_of(await drawn(anna, path))
    await anna.put(settings, {"currency": "EUR", "validDays": 0})
    assert "Valid until" not in text_of(await drawn(anna, path))


async def test_a_pdf_export_adds_an_audit_entry(shop: Shop) -> None:
    anna = await shop.owner()
    path = await confirmed(anna)
    export = (await draw(anna, path)).json()
    entries = (await anna.get(f"/workshops/{anna.workshop}/audit")).json()["entries"]
    assert (entries[0]["action"], entries[0]["objectId"]) == ("pdf.created", export["id"])


async def test_concurrent_pdf_exports_of_one_account_do_not_delay_others(
    shop: Shop, monkeypatch: pytest.MonkeyPatch
) -> None:
    anna, marek = await shop.owner("Anna"), await shop.owner("Marek")
    hers, his = await confirmed(anna, name="A bomb"), await confirmed(marek)
    may_go_on, begun, render = asyncio.Event(), 0, shop.app.renderer.render

    async def slowly(document: EstimateDocument) -> bytes:
        nonlocal begun
        if document.name == "A bomb":
            begun += 1
            await may_go_on.wait()
        return await render(document)

    monkeypatch.setattr(shop.app.renderer, "render", slowly)
    waiting = [asyncio.create_task(draw(anna, hers)) for _ in range(17)]
    [refused], _ = await asyncio.wait(waiting, return_when=asyncio.FIRST_COMPLETED)
    assert (await draw(marek, his)).status_code == 201
    assert begun == 1
    may_go_on.set()
    answers = await asyncio.gather(*waiting)
    assert sorted(answer.status_code for answer in answers) == [201] * 16 + [503]
    assert refused.result().headers["retry-after"] == "10"
