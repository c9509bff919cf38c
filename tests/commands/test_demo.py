"""The demo workshop: there at the first start, the same at the next, and its lines work when pasted."""

import re
import subprocess
from collections import Counter
from collections.abc import AsyncIterator, Callable, Iterator
from pathlib import Path
from typing import Any

import msgspec
import pytest

from backbench.actions.operations import administration
from backbench.demo import workshop as planned
from backbench.demo.setup import Demo, open_demo
from backbench.domain.values import times
from backbench.domain.values.ids import new_id
from backbench.domain.values.numbers import to_json
from tests.people import Person, Shop
from tests.support.engines import opened_shop
from tests.support.hosts import Host, Server


@pytest.fixture
async def new_shop(new_database_url: Callable[[], str]) -> AsyncIterator[Shop]:
    """A shop of the test's own, in which nobody is yet."""
    async with opened_shop(new_database_url()) as opened:
        yield opened


@pytest.fixture(scope="module")
async def piotr(new_database_url: Callable[[], str]) -> AsyncIterator[Person]:
    """The owner of a demo workshop that nobody changes."""
    async with opened_shop(new_database_url()) as opened:
        yield (await at_the_demo(opened))[1]


async def at_the_demo(shop: Shop) -> tuple[Demo, Person]:
    app = shop.app
    demo = await open_demo(shop.db, app.passwords, app.renderer, app.blobs, times.now(), new_id)
    piotr = shop.visitor()
    piotr.email = demo.email
    piotr.workshop = demo.workshop_id
    assert (await piotr.sign_in(demo.password)).status_code == 200
    return demo, piotr


async def all_that_is_there(piotr: Person) -> dict[str, Any]:
    lists = ("orders", "estimates", "grids", "files")
    found = {name: (await piotr.get(f"/workshops/{piotr.workshop}/{name}")).json() for name in lists}
    return found | {"workshop": (await piotr.get(f"/workshops/{piotr.workshop}")).json()}


async def test_the_board_is_full_of_weeks_of_work_in_both_languages(piotr: Person) -> None:
    orders = (await all_that_is_there(piotr))["orders"]["orders"]
    assert len(orders) >= 25
    assert min(Counter(order["status"] for order in orders).values()) >= 5
    opened = sorted(times.parse(order["createdAt"]) for order in orders)
    assert (opened[-1] - opened[0]).days >= 60
    assert any("ó" in order["title"] or "ł" in order["title"] for order in orders)


async def test_every_history_is_one_that_could_have_happened(piotr: Person) -> None:
    for order in (await all_that_is_there(piotr))["orders"]["orders"]:
        moments = [change["at"] for change in order["statusHistory"]]
        assert moments == sorted(moments)
        assert moments[0] == order["createdAt"]
        assert moments[-1] == order["lastActivityAt"] < times.now()
        assert order["statusHistory"][-1]["status"] == order["status"]


async def test_estimates_are_confirmed_and_handed_off(piotr: Person) -> None:
    revisions, handoffs = 0, 0
    for estimate in (await all_that_is_there(piotr))["estimates"]["estimates"]:
        assert estimate["lineItems"]
        revisions += len((await piotr.get(f"/estimates/{estimate['id']}/revisions")).json()["revisions"])
        handoffs += len((await piotr.get(f"/estimates/{estimate['id']}/handoffs")).json()["handoffs"])
    assert revisions >= 5
    assert handoffs >= 4


async def test_papers_are_there_in_both_languages(piotr: Person) -> None:
    locales = set()
    for estimate in (await all_that_is_there(piotr))["estimates"]["estimates"]:
        for export in (await piotr.get(f"/estimates/{estimate['id']}/pdf-exports")).json()["pdfExports"]:
            paper = await piotr.get(f"/estimates/{estimate['id']}/pdf-exports/{export['id']}")
            assert paper.content.startswith(b"%PDF-")
            locales.add(export["locale"])
    assert locales == {"en", "pl"}


async def test_the_next_start_changes_nothing_in_the_workshop(piotr: Person) -> None:
    before = await all_that_is_there(piotr)
    _, again = await at_the_demo(piotr.shop)
    assert await all_that_is_there(again) == before


async def test_every_start_hands_out_a_new_password_and_a_new_key(piotr: Person) -> None:
    shop = piotr.shop
    former, piotr = await at_the_demo(shop)
    piotr.bearer = former.api_key
    assert (await piotr.get(f"/workshops/{former.workshop_id}/orders")).status_code == 200
    later, _ = await at_the_demo(shop)
    assert (await piotr.get(f"/workshops/{former.workshop_id}/orders")).status_code == 401
    piotr.bearer = None
    assert (await piotr.sign_in(former.password)).status_code == 401
    piotr.bearer = later.api_key
    assert (await piotr.get(f"/workshops/{former.workshop_id}/orders")).status_code == 200


async def test_it_opens_again_when_its_workshop_was_removed_and_its_account_suspended(new_shop: Shop) -> None:
    demo, piotr = await at_the_demo(new_shop)
    assert (await piotr.delete(f"/workshops/{demo.workshop_id}")).status_code == 204
    await new_shop.db.write(lambda db: administration.suspend(db, demo.email, times.now()))
    _, again = await at_the_demo(new_shop)
    assert len((await all_that_is_there(again))["orders"]["orders"]) >= 25


async def test_nobody_else_is_touched(new_shop: Shop) -> None:
    anna = await new_shop.owner("Anna")
    order = await anna.order()
    await at_the_demo(new_shop)
    assert (await anna.get(f"/workshops/{anna.workshop}/orders")).json() == {"orders": [order]}


@pytest.mark.parametrize(
    ("path", "bodies"),
    [
        ("orders", [order.body for order in planned.contents().orders]),
        ("estimates", [estimate.body for estimate in planned.contents().estimates]),
        ("grids", planned.contents().grids),
    ],
)
async def test_what_it_holds_is_what_the_api_takes(shop: Shop, path: str, bodies: list[Any]) -> None:
    anna = await shop.owner("Anna")
    for body in bodies:
        answer = await anna.post(f"/workshops/{anna.workshop}/{path}", to_json(body))
        assert answer.status_code == 201, answer.text


@pytest.fixture
def served(
    new_database_url: Callable[[], str],
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> Iterator[Server]:
    with Host(new_database_url(), tmp_path, monkeypatch, capsys).serving("--demo", "--json") as server:
        yield server


def test_the_printed_lines_work_when_pasted(served: Server) -> None:
    demo = msgspec.json.decode(served.first_words)
    listed, created, profile = (pasted(line) for line in demo["curl"])
    assert [order["status"] for order in listed[0]["orders"]] == ["todo"] * 3
    assert (created[0]["title"], created[0]["workshopId"]) == ("Oak bench", demo["workshopId"])
    assert profile[1]["email"] == demo["email"]


def test_the_printed_variables_fill_in_the_examples(
    new_database_url: Callable[[], str],
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    with Host(new_database_url(), tmp_path, monkeypatch, capsys).serving("--demo") as server:
        text = server.first_words
        (variables,) = re.findall(r"^  (export .+)$", text, re.MULTILINE)
        assert f"API={server.url}/api " in variables
        request = 'curl -sf -H "Authorization: Bearer $KEY" "$API/workshops/$WORKSHOP/orders?limit=1"'
        assert len(pasted(f"{variables}; {request}")[0]["orders"]) == 1
    shown = dict(re.findall(r"^  (Workshop|Email|Password) +(\S+)$", text, re.MULTILINE))
    for name, value in shown.items():
        assert f" {name.upper()}={value}" in variables
    assert len(shown) == 3


def pasted(line: str) -> list[Any]:
    """The answers to a line in a shell, a line each."""
    ran = subprocess.run(["bash", "-euc", line], capture_output=True, check=True)
    return [msgspec.json.decode(answer) for answer in ran.stdout.splitlines()]
