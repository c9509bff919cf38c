"""Totals over HTTP are the same in the API, the client's JSON and PDF, the client page and the app."""

import json
from collections.abc import Iterator
from decimal import Decimal
from typing import Any

import pytest
from hypothesis import given, settings

from backbench.values import numbers
from tests.documents.generated_documents import Ask, jobs, process
from tests.integrations.pdf.pdf_text import text_of
from tests.people import App, Person
from tests.support.shared_links import client_of

GENERATED = 12


@pytest.fixture(scope="module")
def page() -> Iterator[Ask]:
    with process("page_sums_process.js") as ask:
        yield ask


@pytest.fixture(scope="module")
def client_app() -> Iterator[Ask]:
    with process("unit/totals_process.js") as ask:
        yield ask


def generated() -> list[Any]:
    found: list[Any] = []
    collected = given(jobs)(lambda job: found.append(job))
    settings(max_examples=GENERATED, deadline=None, derandomize=True, database=None)(collected)()
    return found


async def test_totals_are_the_same_over_http(app: App, page: Ask, client_app: Ask) -> None:
    anna = await app.owner()
    await app.put_on_pro(anna.workshop)
    for job in generated():
        path, link = await shared(anna, job)
        await check(anna, path, link, page, client_app)


async def shared(anna: Person, job: Any) -> tuple[str, dict[str, Any]]:
    """The path of the estimate, and its link, with the PDF that the toggles ask for."""
    items, markup, discount, facts, options, locale, currency = job
    chosen = {"currency": currency, "timeZone": "Europe/Warsaw", "iban": "PL61109010140000071219812874"}
    assert (await anna.put(f"/workshops/{anna.workshop}/document-settings", chosen)).status_code == 200
    estimate = await anna.estimate(
        name="Doors", lineItems=plain(items), markupPercent=plain(markup), discountPercent=plain(discount)
    )
    path = f"/estimates/{estimate['id']}"
    assert (await anna.put(f"{path}/document", plain(facts))).status_code == 200
    assert (await anna.post(f"{path}/confirm")).status_code == 201
    toggles = {"showMarkup": options.show_markup, "showDiscount": options.show_discount}
    response = await anna.post(f"{path}/links", {"locale": locale, "toggles": toggles})
    assert response.status_code == 201, response.text
    return path, response.json()


def plain(value: Any) -> Any:
    return json.loads(numbers.to_json(value))


async def check(anna: Person, path: str, link: dict[str, Any], page: Ask, client_app: Ask) -> None:
    client = client_of(anna.app, link["url"])
    of_revision = exact(await anna.get(f"{path}/revisions/1/totals"))
    present = exact(await anna.get(f"{path}/totals"))
    shown = (await client.get("/client/estimate")).json()
    assert present["total"] == of_revision["total"] == Decimal(shown["sums"]["total"])
    assert present["net"] == of_revision["net"] == Decimal(shown["sums"]["net"])

    in_app = client_app({"estimate": await as_in_app(anna, path), "currency": shown["currency"]})
    assert Decimal(in_app["total"]) == of_revision["total"]
    assert Decimal(in_app["net"]) == of_revision["net"]
    deposit = shown["sums"].get("deposit", {}).get("amount", 0)
    assert Decimal(in_app.get("deposit", 0)) == Decimal(deposit)

    sums = page(shown)
    pdf = await client.get("/client/estimate/pdf")
    text = " ".join(text_of(pdf.content).replace("\u00a0", " ").split())
    for label, figure in [*sums["above"], sums["total"], *sums["included"], *sums["deposit"]]:
        assert f"{label} {figure}".replace("\u00a0", " ") in text


async def as_in_app(anna: Person, path: str) -> dict[str, Any]:
    """What the app has of an estimate: the estimate with its facts."""
    facts = (await anna.get(f"{path}/document")).json()
    return {"taxKind": "rate", **facts, **(await anna.get(path)).json()}


def exact(response: Any) -> Any:
    assert response.status_code == 200, response.text
    return json.loads(response.text, parse_float=Decimal, parse_int=Decimal)
