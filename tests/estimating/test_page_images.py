"""Page images API: previews of an estimate and pages of stored PDF exports, as PNG."""

import asyncio
import itertools
from typing import Any
from urllib.parse import urlencode

import httpx
import pytest

from backbench.integrations.pdf.estimates.layout import page_layout
from backbench.integrations.pdf.render_protocol import DrawnPage
from tests.estimating.test_pdf_exports import ALL_TOGGLES, OAK, add_confirmed_estimate, create_export
from tests.integrations.pdf.png_size import pixel_size
from tests.people import App, Person, pointers
from tests.support.uploads import used
from tests.support.violations import all_of

MANY: dict[str, Any] = {"lineItems": [OAK] * 40}


class Drawn:
    """A renderer that records which documents it draws, and draws two empty pages of each."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch, app: App) -> None:
        self.documents: list[Any] = []
        monkeypatch.setattr(app.backbench.renderer, "draw_page", self.draw_page)

    async def draw_page(self, document: Any, number: int, width: int) -> DrawnPage:
        self.documents.append(document)
        return DrawnPage(b"%d" % number if number <= 2 else None, 2)


async def export(person: Person, path: str, **body: Any) -> str:
    """The path of a new PDF export."""
    return f"{path}/pdf-exports/{(await create_export(person, path, **body)).json()['id']}"


def is_png(response: httpx.Response) -> bool:
    return response.headers["content-type"] == "image/png" and response.content.startswith(b"\x89PNG")


async def test_a_preview_is_a_picture_of_the_estimate_as_it_stands(app: App) -> None:
    anna = await app.owner()
    path = f"/estimates/{(await anna.estimate(**MANY))['id']}"
    before = (await anna.get(path)).json(), await used(anna)
    first = await anna.get(f"{path}/preview")
    second = await anna.get(f"{path}/preview?page=2&width=390")

    assert is_png(first)
    assert is_png(second)
    assert [pixel_size(first.content)[0], pixel_size(second.content)[0]] == [1080, 390]
    assert first.headers["page-count"] == second.headers["page-count"] == "2"
    assert (await anna.get(f"{path}/preview?page=3")).status_code == 404
    # Nothing is confirmed, stored or counted.
    assert before == ((await anna.get(path)).json(), await used(anna))
    assert (await anna.get(f"{path}/revisions")).json() == {"revisions": []}


async def test_a_preview_is_preliminary_and_has_the_next_revision_number(
    app: App, monkeypatch: pytest.MonkeyPatch
) -> None:
    anna = await app.owner()
    path = await add_confirmed_estimate(anna)
    await anna.patch(path, {"name": "Larger kitchen", "recipientName": "Łucja"})
    drawn = Drawn(monkeypatch, app)
    await anna.get(f"{path}/preview")
    (document,) = drawn.documents

    # The mark alone: the title, the validity and the signatures are those of the document to come.
    layout = page_layout(document)
    assert layout.watermark == "/watermark-en.svg"
    assert layout.acceptance is not None
    assert document.valid_until is not None
    assert (document.revision_number, document.name) == (2, "Larger kitchen")
    assert document.recipient.name == "Łucja"


async def test_a_preview_is_in_the_language_of_the_caller_or_the_requested_one(
    app: App, monkeypatch: pytest.MonkeyPatch
) -> None:
    anna = await app.owner()
    path = await add_confirmed_estimate(anna)
    drawn = Drawn(monkeypatch, app)
    await anna.patch("/me", {"locale": "pl"})
    for query in ("", "?locale=en"):
        await anna.get(f"{path}/preview{query}")
    assert [document.locale for document in drawn.documents] == ["pl", "en"]


async def test_a_preview_takes_every_combination_of_toggles(app: App, monkeypatch: pytest.MonkeyPatch) -> None:
    anna = await app.owner()
    await app.put_on_pro(anna.workshop)
    path = await add_confirmed_estimate(anna)
    drawn = Drawn(monkeypatch, app)
    combinations = list(itertools.product((True, False), repeat=5))
    for values in combinations:
        named = dict(zip(ALL_TOGGLES, ("true" if value else "false" for value in values), strict=True))
        assert (await anna.get(f"{path}/preview?{urlencode(named)}")).status_code == 200
    shown = [document.options for document in drawn.documents]
    assert [
        (each.breakdown, each.show_markup, each.show_discount, each.show_recipient, each.show_brand_mark)
        for each in shown
    ] == combinations


async def test_a_plan_may_require_the_brand_mark_of_a_preview(free_app: App, monkeypatch: pytest.MonkeyPatch) -> None:
    anna = await free_app.owner()
    path = await add_confirmed_estimate(anna)
    drawn = Drawn(monkeypatch, free_app)
    await anna.get(f"{path}/preview?showBrandMark=false")
    assert drawn.documents[0].options.show_brand_mark is True


@all_of("query", ["width=319", "width=1601", "page=0", "locale=de", "breakdown=1", "showMarkup=", "size=3", "page=x"])
async def test_other_query_parameters_of_a_preview_are_errors(app: App, query: str) -> None:
    anna = await app.owner()
    response = await anna.get(f"/estimates/{(await anna.estimate())['id']}/preview?{query}")
    assert response.status_code == 400
    assert pointers(response) == ["/" + query.partition("=")[0]]


async def test_an_unchanged_preview_is_not_drawn_again(app: App, monkeypatch: pytest.MonkeyPatch) -> None:
    anna = await app.owner()
    path = f"/estimates/{(await anna.estimate(lineItems=[OAK]))['id']}"
    drawn = Drawn(monkeypatch, app)
    first = await anna.get(f"{path}/preview")
    known = {"If-None-Match": first.headers["etag"]}
    assert first.headers["cache-control"] == "private, no-cache"
    assert (await anna.get(f"{path}/preview", **known)).status_code == 304
    assert len(drawn.documents) == 1
    # Another width, and another estimate, are other images.
    assert (await anna.get(f"{path}/preview?width=390", **known)).status_code == 200
    await anna.patch(path, {"markupPercent": 5})
    assert (await anna.get(f"{path}/preview", **known)).status_code == 200
    # It does not say that a page exists.
    assert (await anna.get(f"{path}/preview?page=3", **{"If-None-Match": "*"})).status_code == 404


async def test_images_of_one_account_are_drawn_one_after_the_other(app: App, monkeypatch: pytest.MonkeyPatch) -> None:
    anna = await app.owner()
    path = f"/estimates/{(await anna.estimate(lineItems=[OAK]))['id']}"
    running, most = 0, 0

    async def draw(document: Any, number: int, width: int) -> DrawnPage:
        nonlocal running, most
        running += 1
        most = max(most, running)
        await asyncio.sleep(0)
        running -= 1
        return DrawnPage(b"png", 1)

    monkeypatch.setattr(app.backbench.renderer, "draw_page", draw)
    responses = await asyncio.gather(*(anna.get(f"{path}/preview?width={320 + at}") for at in range(20)))
    assert most == 1
    assert {response.status_code for response in responses} <= {200, 503}


async def test_a_page_of_an_export_is_drawn_from_its_stored_bytes(app: App) -> None:
    anna = await app.owner()
    path = await add_confirmed_estimate(anna, **MANY)
    stored = await export(anna, path)
    before = [await anna.get(f"{stored}/pages/{number}?width=320") for number in (1, 2)]
    # No later change has an effect, not even one of the letterhead.
    await anna.patch(path, {"name": "Other"})
    await anna.patch(f"/workshops/{anna.workshop}", {"name": "Other", "accentColor": "#FF0000"})
    after = [await anna.get(f"{stored}/pages/{number}?width=320") for number in (1, 2)]

    assert all(map(is_png, before))
    assert [page.content for page in before] == [page.content for page in after]
    assert before[0].content != before[1].content
    assert {page.headers["page-count"] for page in before} == {"2"}
    assert before[0].headers["cache-control"] == "private, no-cache"
    assert pixel_size(before[0].content)[0] == 320


async def test_a_page_of_an_export_that_a_client_has_is_not_drawn_again(
    app: App, monkeypatch: pytest.MonkeyPatch
) -> None:
    anna = await app.owner()
    stored = await export(anna, await add_confirmed_estimate(anna))
    first = await anna.get(f"{stored}/pages/1?width=320")
    monkeypatch.setattr(app.backbench.renderer, "draw_stored_page", None)
    again = await anna.get(f"{stored}/pages/1?width=320", **{"If-None-Match": first.headers["etag"]})
    assert (again.status_code, again.headers["cache-control"]) == (304, first.headers["cache-control"])


@all_of("number", ["0", "2", "01", "-1", "1.0", "²", "99999", "x"])
async def test_a_pdf_has_no_other_pages(app: App, number: str) -> None:
    anna = await app.owner()
    stored = await export(anna, await add_confirmed_estimate(anna))
    assert (await anna.get(f"{stored}/pages/{number}")).status_code == 404


async def test_images_are_not_compressed_again(app: App) -> None:
    anna = await app.owner()
    path = f"/estimates/{(await anna.estimate(lineItems=[OAK]))['id']}"
    image = await anna.get(f"{path}/preview?width=320", **{"Accept-Encoding": "gzip, zstd"})
    assert "content-encoding" not in image.headers
    assert int(image.headers["content-length"]) == len(image.content) > 4096
