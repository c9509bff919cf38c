"""Estimate summaries: state by content, totals, latest revision, hand-off, PDF export and order, in one statement."""

import asyncio
from decimal import Decimal
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from backbench.engine.database import Read
from backbench.engine.sqlite_queue import SQLiteHandle
from backbench.estimating.line_items import Figures, LineItem
from backbench.jobs.sweep import SweepJob
from backbench.values import times
from backbench.values.currencies import MINOR_DIGITS
from backbench.values.money import total
from backbench.values.numbers import Number
from tests.people import App, Person, pointers
from tests.support.shared_links import share

OAK = {"label": "Oak", "unit": "sqm", "unitPrice": 99.995, "quantity": 1}


async def summaries(person: Person, query: str = "") -> list[dict[str, Any]]:
    response = await person.get(f"/workshops/{person.workshop}/estimate-summaries{query}")
    assert response.status_code == 200, response.text
    found: list[dict[str, Any]] = response.json()["summaries"]
    return found


async def names(person: Person, query: str = "") -> list[str]:
    return [summary["name"] for summary in await summaries(person, query)]


async def test_the_summary_of_one_estimate_is_found_by_its_id(app: App) -> None:
    anna, ben = await app.owner(), await app.owner("Ben")
    first, second, other = await anna.estimate(), await anna.estimate(), await ben.estimate()
    for estimate in (first, second):
        assert [each["estimateId"] for each in await summaries(anna, f"?estimateId={estimate['id']}")] == [
            estimate["id"]
        ]
    assert await summaries(anna, f"?estimateId={other['id']}") == await summaries(anna, "?estimateId=none") == []
    assert await names(anna, f"?estimateId={first['id']}&state=confirmed") == []


async def test_a_summary_names_the_latest_of_everything(app: App) -> None:
    anna = await app.owner()
    estimate = await anna.estimate(recipientName="Łucja", lineItems=[OAK, OAK], markupPercent=10)
    path = f"/estimates/{estimate['id']}"
    common = {"estimateId": estimate["id"], "name": "Kitchen", "recipientName": "Łucja", "lines": 2, "currency": "EUR"}
    line_id = estimate["lineItems"][0]["id"]
    draft = {**common, "total": 220, "updatedAt": estimate["updatedAt"], "state": "draft"}
    assert await summaries(anna) == [draft]
    revision = (await anna.post(f"{path}/confirm")).json()["revision"]
    pdf = (await anna.post(f"{path}/pdf-exports", {"locale": "pl", "preliminary": False})).json()
    sent = {"kind": "pdf-shared", "locale": "pl", "preliminary": False, "tone": "formal", "aiDrafted": False}
    await anna.post(f"{path}/handoffs", {**sent, "kind": "message-copied"})
    handoff = (await anna.post(f"{path}/handoffs", sent)).json()
    await anna.post(f"{path}/orders", {})
    order = (await anna.post(f"{path}/orders", {"title": "Second part"})).json()
    await anna.put(f"/workshops/{anna.workshop}/document-settings", {"currency": "JPY", "taxPercent": 10})
    [summary] = await summaries(anna)
    assert summary["latestRevision"].pop("validUntil") > revision["createdAt"][:10]
    assert summary == {
        **draft,
        "number": f"1/{summary['latestRevision']['confirmedAt'][:4]}",
        "currency": "JPY",
        "total": 242,
        "state": "confirmed",
        "latestRevision": {"number": 1, "confirmedAt": revision["createdAt"], "total": 220},
        "lastHandoff": {"kind": "pdf-shared", "createdAt": handoff["createdAt"], "revisionNumber": 1},
        "lastPdfExportId": pdf["id"],
        "orderId": order["id"],
        "sentAt": handoff["createdAt"],
    }
    assert summary["total"] == (await anna.get(f"{path}/totals")).json()["total"]
    assert await names(anna, f"?q={summary['number']}") == ["Kitchen"]
    await anna.put(f"{path}/document", {"lineTaxes": {line_id: 5}})
    [taxed] = await summaries(anna)
    assert (taxed["state"], taxed["total"]) == ("changed", (await anna.get(f"{path}/totals")).json()["total"])
    assert taxed["total"] != 242
    await anna.put(f"{path}/document", {})
    assert (await summaries(anna))[0]["state"] == "confirmed"
    assert "estimateId" not in (await anna.get(f"/orders/{order['id']}")).json()["order"]


async def test_the_state_of_an_estimate_follows_its_content(app: App) -> None:
    anna = await app.owner()
    estimate = await anna.estimate(lineItems=[OAK])
    path = f"/estimates/{estimate['id']}"
    line = estimate["lineItems"][0]

    async def state() -> str:
        return str((await summaries(anna))[0]["state"])

    await anna.patch(path, {"name": "Attic"})
    assert await state() == "draft"
    await anna.post(f"{path}/confirm")
    for changed, back in (
        ({"name": "Cellar"}, {"name": "Attic"}),
        ({"recipientName": "Jan"}, {"recipientName": None}),
        ({"discountPercent": 5}, {"discountPercent": 0}),
        ({"lineItems": []}, {"lineItems": [line]}),
    ):
        assert (await state(), await names(anna, "?state=changed")) == ("confirmed", [])
        await anna.patch(path, changed)
        assert (await state(), len(await names(anna, "?state=changed"))) == ("changed", 1)
        await anna.patch(path, back)
    assert await state() == "confirmed"
    await anna.delete(f"{path}/line-items/{line['id']}")
    assert await state() == "changed"
    await anna.post(f"{path}/confirm")
    assert await state() == "confirmed"


async def test_summaries_are_listed_by_their_latest_change(app: App) -> None:
    anna = await app.owner()
    first = await anna.estimate(name="First")
    await anna.estimate(name="Second", recipientName="ŁUCJA 100%")
    await anna.estimate(name="Third")
    # Of two within a millisecond the newer one comes first.
    await asyncio.sleep(0.002)
    await anna.patch(f"/estimates/{first['id']}", {"markupPercent": 1})
    assert await names(anna) == ["First", "Third", "Second"]
    response = await anna.get(f"/workshops/{anna.workshop}/estimate-summaries?limit=2")
    assert [summary["name"] for summary in response.json()["summaries"]] == ["First", "Third"]
    cursor = response.headers["link"].partition("cursor=")[2].partition(">")[0].partition("&")[0]
    assert await names(anna, f"?limit=2&cursor={cursor}") == ["Second"]
    assert await names(anna, "?q=%C5%82ucja") == await names(anna, "?q=100%25") == ["Second"]
    assert await names(anna, "?q=IR") == ["First", "Third"]
    await anna.put(f"/estimates/{first['id']}/document", {"number": "ŻÓŁW/7"})
    assert await names(anna, "?q=%C5%BC%C3%B3%C5%82w%2F7") == ["First"]
    assert await names(anna, "?q=_&state=draft") == await names(anna, "?state=confirmed") == []
    wrong = await anna.get(f"/workshops/{anna.workshop}/estimate-summaries?state=open&limit=0")
    assert sorted(pointers(wrong)) == ["/limit", "/state"]


async def test_a_page_of_summaries_is_one_statement(app: App, monkeypatch: pytest.MonkeyPatch) -> None:
    if app.engine != "sqlite":
        pytest.skip("the same statements run on both engines")
    anna = await app.owner()
    statements: list[str] = []
    read_all = SQLiteHandle.all

    async def recorded(self: Read, type_: Any, sql: str, /, **values: Any) -> list[Any]:
        statements.append(sql)
        return await read_all(self, type_, sql, **values)  # type: ignore[arg-type]

    for number in range(3):
        estimate = await anna.estimate(name=f"Estimate {number}", lineItems=[OAK])
        await anna.post(f"/estimates/{estimate['id']}/confirm")
    monkeypatch.setattr(SQLiteHandle, "all", recorded)
    assert len(await summaries(anna, "?limit=50")) == 3
    assert len([sql for sql in statements if "FROM estimates" in sql]) == 1


async def test_summaries_of_earlier_versions_are_computed_and_then_stored(app: App) -> None:
    anna = await app.owner()
    estimate = await anna.estimate(name="ŁÓDŹ", recipientName="Jan", lineItems=[OAK, OAK])
    await anna.post(f"/estimates/{estimate['id']}/confirm")
    expected = await summaries(anna)
    missing = "UPDATE estimates SET figures = NULL, name_folded = NULL, recipient_folded = NULL WHERE id = :id"
    await app.db.write(lambda db: db.run(missing, id=estimate["id"]))
    await app.db.write(
        lambda db: db.run("UPDATE revisions SET figures = NULL WHERE estimate_id = :id", id=estimate["id"])
    )
    assert await summaries(anna) == await summaries(anna, "?q=jan") == expected
    await SweepJob(app.db, app.backbench.blobs, times.now).sweep()
    assert await summaries(anna, "?q=%C5%82%C3%B3d%C5%BA") == expected
    async with app.db.read() as db:
        sql = "SELECT count(*) FROM estimates e JOIN revisions r ON r.estimate_id = e.id WHERE e.id = :id"
        stored = f"{sql} AND e.figures = r.figures AND e.name_folded = 'łódź'"
        assert await db.value(stored, id=estimate["id"]) == 1


LINES = st.lists(
    st.builds(
        LineItem,
        id=st.just("x"),
        label=st.just("Oak"),
        unit=st.just("hour"),
        unit_price=st.decimals(0, 10**9, places=4).map(Number),
        quantity=st.decimals(0, 10**6, places=4).map(Number),
    ),
    max_size=6,
)
PERCENT = st.decimals(0, 100, places=4)


@settings(max_examples=100, deadline=None)
@given(LINES, LINES, PERCENT, PERCENT, st.none() | PERCENT, st.sampled_from(sorted(MINOR_DIGITS)))
def test_stored_figures_give_the_total_of_the_lines(
    lines: list[LineItem], more: list[LineItem], markup: Decimal, discount: Decimal, tax: Decimal | None, currency: str
) -> None:
    figures = Figures.parse(str(Figures.of(more).plus(lines).minus(more)))
    terms: dict[str, Any] = {"markup_percent": markup, "discount_percent": discount, "tax_percent": tax}
    assert figures.lines == len(lines)
    assert figures.total(**terms, currency=currency) == total(lines, **terms, currency=currency).total


@pytest.mark.both_engines
async def test_a_number_with_letters_beyond_ascii_is_found_without_regard_to_case(app: App) -> None:
    anna = await app.owner()
    estimate = await anna.estimate(name="Kitchen")
    await anna.put(f"/estimates/{estimate['id']}/document", {"number": "ŁÓD/7/2026"})
    for q in ("łód", "ŁÓD/7", "%C5%81%C3%B3d", "/7/"):
        assert await names(anna, f"?q={q}") == ["Kitchen"]
    await anna.put(f"/estimates/{estimate['id']}/document", {})
    assert await names(anna, "?q=łód") == []


async def test_a_summary_says_when_the_latest_revision_was_sent_and_opened(app: App) -> None:
    shared = await share(await app.owner())
    anna, client = shared.owner, shared.client
    [sent] = await summaries(anna)
    assert sent["sentAt"] == shared.link["createdAt"]
    assert "openedAt" not in sent
    await client.post("/client/estimate/opened")
    [seen] = await summaries(anna)
    opened = (await anna.get(f"{shared.path}/links")).json()["links"][0]["openings"]["lastAt"]
    assert seen["openedAt"] == opened
    # What was opened before the revision is of the one before.
    await anna.patch(shared.path, {"markupPercent": 50})
    revision = (await anna.post(f"{shared.path}/confirm")).json()["revision"]
    [confirmed] = await summaries(anna)
    assert "sentAt" not in confirmed
    await anna.patch(f"/links/{shared.link['id']}", {"revisionNumber": 2})
    [moved] = await summaries(anna)
    assert (moved["sentAt"], "openedAt" in moved) == (revision["createdAt"], False)
    await anna.delete(f"/links/{shared.link['id']}")
    assert "sentAt" not in (await summaries(anna))[0]
