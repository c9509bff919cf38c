"""Demo workshops: created at the first start, unchanged by the next; the printed lines work when pasted."""

import re
import subprocess
from collections import Counter
from collections.abc import AsyncIterator, Callable
from pathlib import Path
from typing import Any, NamedTuple, get_args

import msgspec
import pytest
from msgspec import structs

from backbench.commands.configuration import of_demo
from backbench.demo import workshop as planned
from backbench.demo.pictures import Picture, drawn
from backbench.demo.setup import Demo, open_demo
from backbench.documents.invoices import InvoiceKind
from backbench.estimating.document_facts import DocumentFacts
from backbench.estimating.estimates import EstimateEdit
from backbench.estimating.handoffs import NewHandoff
from backbench.hosting import administration
from backbench.settings import Settings
from backbench.values import times
from backbench.values.ids import new_id
from backbench.values.numbers import to_json
from tests.people import App, Person
from tests.support.command_line import CommandLine
from tests.support.databases import running_app
from tests.support.invoice_rules import broken_rules


@pytest.fixture
async def new_app(new_database_url: Callable[[], str]) -> AsyncIterator[App]:
    """With an empty database of its own."""
    async with running_app(new_database_url()) as opened:
        yield opened


class Opened(NamedTuple):
    """A demo that no test changes, and what was there before."""

    url: str
    owners: dict[str, Person]
    anna: Person
    annas_order: dict[str, Any]


@pytest.fixture(scope="module")
async def opened(new_database_url: Callable[[], str]) -> AsyncIterator[Opened]:
    url = new_database_url()
    async with running_app(url) as app:
        anna = await app.owner("Anna")
        order = await anna.order()
        demo, piotr = await sign_in_to_demo(app)
        # The password opens both workshops, until the next start.
        halina = app.anonymous()
        halina.email = demo.polish_email
        assert (await halina.sign_in(demo.password)).status_code == 200
        (workshop,) = (await halina.get("/workshops")).json()["workshops"]
        halina.workshop = workshop["id"]
        yield Opened(url, {"joinery": piotr, "upholstery": halina}, anna, order)


@pytest.fixture(scope="module")
def piotr(opened: Opened) -> Person:
    """The owner of the joinery."""
    return opened.owners["joinery"]


WORKSHOPS = ("joinery", "upholstery")


async def sign_in_to_demo(app: App) -> tuple[Demo, Person]:
    backbench = app.backbench
    services = structs.replace(backbench.services, public_url="https://demo.example")
    demo = await open_demo(app.db, services, times.now(), new_id)
    piotr = app.anonymous()
    piotr.email = demo.email
    piotr.workshop = demo.workshop_id
    assert (await piotr.sign_in(demo.password)).status_code == 200
    return demo, piotr


async def everything_of(piotr: Person) -> dict[str, Any]:
    lists = ("orders", "estimates", "grids", "files")
    found = {name: (await piotr.get(f"/workshops/{piotr.workshop}/{name}")).json() for name in lists}
    return found | {"workshop": (await piotr.get(f"/workshops/{piotr.workshop}")).json()}


async def test_orders_span_two_months_and_both_languages(piotr: Person) -> None:
    orders = (await everything_of(piotr))["orders"]["orders"]
    assert len(orders) >= 25
    assert min(Counter(order["status"] for order in orders).values()) >= 5
    created = sorted(times.parse(order["createdAt"]) for order in orders)
    assert (created[-1] - created[0]).days >= 60
    assert any("ó" in order["title"] or "ł" in order["title"] for order in orders)


async def test_every_status_history_is_consistent(piotr: Person) -> None:
    for order in (await everything_of(piotr))["orders"]["orders"]:
        moments = [change["at"] for change in order["statusHistory"]]
        assert moments == sorted(moments)
        assert moments[0] == order["createdAt"]
        assert moments[-1] == order["lastActivityAt"] < times.now()
        assert order["statusHistory"][-1]["status"] == order["status"]


async def test_estimates_are_confirmed_and_handed_off(piotr: Person) -> None:
    revisions, handoffs = 0, 0
    for estimate in (await everything_of(piotr))["estimates"]["estimates"]:
        assert estimate["lineItems"]
        revisions += len((await piotr.get(f"/estimates/{estimate['id']}/revisions")).json()["revisions"])
        handoffs += len((await piotr.get(f"/estimates/{estimate['id']}/handoffs")).json()["handoffs"])
    assert revisions >= 5
    assert handoffs >= 4


async def test_every_state_of_an_estimate_is_there_to_look_at(piotr: Person) -> None:
    listed = (await piotr.get(f"/workshops/{piotr.workshop}/estimate-summaries")).json()["summaries"]
    assert len(listed) >= 14
    assert min(Counter(summary["state"] for summary in listed).values()) >= 2
    open_ones = [summary for summary in listed if "orderId" not in summary]
    assert 4 <= len(open_ones) < len(listed)
    days = [days_since(summary["lastHandoff"]["createdAt"]) for summary in open_ones if "lastHandoff" in summary]
    assert min(days) <= 1
    assert max(days) >= 9
    assert any(summary["state"] == "confirmed" and "lastHandoff" not in summary for summary in open_ones)
    assert max(summary.get("latestRevision", {}).get("number", 0) for summary in listed) == 3


def days_since(instant: str) -> int:
    return (times.parse(times.now()).date() - times.parse(instant).date()).days


async def test_the_same_password_opens_a_workshop_in_polish(opened: Opened) -> None:
    halina = opened.owners["upholstery"]
    (workshop,) = (await halina.get("/workshops")).json()["workshops"]
    settings = (await halina.get(f"/workshops/{workshop['id']}/document-settings")).json()
    assert ((await halina.get("/me")).json()["locale"], settings["currency"]) == ("pl", "PLN")
    assert [member["role"] for member in workshop["members"]].count("owner") == 1
    assert len(workshop["members"]) == 2
    for path, least in (("orders", 9), ("estimates", 6), ("grids", 2)):
        assert len((await halina.get(f"/workshops/{workshop['id']}/{path}")).json()[path]) >= least
    # Clients have asked, and accepted what is no order yet.
    inbox = (await halina.get(f"/workshops/{workshop['id']}/inbox")).json()["items"]
    kinds = [item["kind"] for item in inbox]
    assert {"accepted", "question"} <= set(kinds)
    # One order was due yesterday, and one is due today, until five o'clock.
    assert "overdue" in kinds
    assert kinds.count("due_today") + kinds.count("overdue") == 2


async def test_there_are_pdf_exports_in_both_languages(piotr: Person) -> None:
    locales = set()
    for estimate in (await everything_of(piotr))["estimates"]["estimates"]:
        for export in (await piotr.get(f"/estimates/{estimate['id']}/pdf-exports")).json()["pdfExports"]:
            pdf = await piotr.get(f"/estimates/{estimate['id']}/pdf-exports/{export['id']}")
            assert pdf.content.startswith(b"%PDF-")
            locales.add(export["locale"])
    assert locales == {"en", "pl"}


@pytest.mark.parametrize(("workshop", "text"), [("joinery", "240.00 EUR"), ("upholstery", "1160.00 PLN")])
async def test_one_collected_order_is_owed_for(opened: Opened, workshop: str, text: str) -> None:
    person = opened.owners[workshop]
    inbox = (await person.get(f"/workshops/{person.workshop}/inbox")).json()["items"]
    assert [item["text"] for item in inbox if item["kind"] == "owed"] == [text]
    assert (await person.get(f"/workshops/{person.workshop}/numbers")).json()["owed"]["customers"] == 1


@pytest.mark.parametrize("workshop", WORKSHOPS)
async def test_there_is_an_invoice_of_each_kind(opened: Opened, workshop: str) -> None:
    person = opened.owners[workshop]
    listed = (await person.get(f"/workshops/{person.workshop}/invoices")).json()["invoices"]
    assert Counter(each["kind"] for each in listed if each["state"] == "issued").keys() == set(get_args(InvoiceKind))
    assert [each["state"] for each in listed].count("draft") == 1
    today = times.now()[:10]
    issued = [each for each in listed if each["state"] == "issued"]
    assert all(each["issueDate"] < today for each in issued)
    # One is overdue; the others were paid, with what their advances and corrections leave.
    [unpaid] = (await person.get(f"/workshops/{person.workshop}/invoices?unpaid=true")).json()["invoices"]
    assert unpaid["dueDate"] < today
    for each in issued:
        for format_ in ("cii", "ubl", *(["fa3"] if workshop == "upholstery" else [])):
            response = await person.get(f"/invoices/{each['id']}/xml?format={format_}")
            assert response.status_code == 200, response.text
            assert broken_rules(response.content, format_) == []


async def test_the_log_has_every_change_in_the_order_of_time(piotr: Person) -> None:
    entries = (await piotr.get(f"/workshops/{piotr.workshop}/audit?limit=500")).json()["entries"]
    times_of_entries = [entry["at"] for entry in reversed(entries)]
    assert times_of_entries == sorted(times_of_entries)
    counted = Counter(entry["action"] for entry in entries)
    assert counted["order.created"] == len((await everything_of(piotr))["orders"]["orders"])
    assert min(counted[f"estimate.{event}"] for event in ("confirmed", "shared", "opened", "accepted")) >= 1


async def test_a_client_accepted_one_link_and_another_is_open(piotr: Person) -> None:
    found = []
    for estimate in (await everything_of(piotr))["estimates"]["estimates"]:
        found += (await piotr.get(f"/estimates/{estimate['id']}/links")).json()["links"]
    assert sorted(link["state"] for link in found) == ["accepted", "open"]
    assert all(link["openings"]["count"] for link in found)
    accepted = next(link for link in found if link["state"] == "accepted")
    comments = (await piotr.get(f"/estimates/{accepted['estimateId']}/comments")).json()["comments"]
    assert [comment["author"] for comment in comments] == ["workshop", "client"]


async def test_the_next_start_changes_nothing_in_the_workshop(piotr: Person) -> None:
    before = await everything_of(piotr)
    _, again = await sign_in_to_demo(piotr.app)
    assert await everything_of(again) == before


async def test_every_start_replaces_the_password_and_the_api_key(piotr: Person) -> None:
    app = piotr.app
    former, piotr = await sign_in_to_demo(app)
    piotr.bearer = former.api_key
    assert (await piotr.get(f"/workshops/{former.workshop_id}/orders")).status_code == 200
    later, _ = await sign_in_to_demo(app)
    assert (await piotr.get(f"/workshops/{former.workshop_id}/orders")).status_code == 401
    piotr.bearer = None
    assert (await piotr.sign_in(former.password)).status_code == 401
    piotr.bearer = later.api_key
    assert (await piotr.get(f"/workshops/{former.workshop_id}/orders")).status_code == 200


async def test_it_is_created_again_after_its_deletion_and_suspension(new_app: App) -> None:
    demo, piotr = await sign_in_to_demo(new_app)
    assert (await piotr.delete(f"/workshops/{demo.workshop_id}?withInvoices=true")).status_code == 204
    await new_app.db.write(lambda db: administration.suspend(db, demo.email, times.now(), new_id))
    _, again = await sign_in_to_demo(new_app)
    assert len((await everything_of(again))["orders"]["orders"]) >= 25


@pytest.mark.both_engines
async def test_other_accounts_are_unchanged(opened: Opened) -> None:
    listed = (await opened.anna.get(f"/workshops/{opened.anna.workshop}/orders")).json()
    assert listed == {"orders": [opened.annas_order]}


@pytest.mark.parametrize("name", planned.WORKSHOPS)
async def test_its_contents_are_valid_request_bodies(app: App, name: str) -> None:
    anna = await app.owner("Anna")
    contents = planned.contents(name)
    settings = await anna.put(f"/workshops/{anna.workshop}/document-settings", to_json(contents.documents))
    assert settings.status_code == 200, settings.text
    profile = await anna.patch(f"/workshops/{anna.workshop}", to_json(contents.workshop))
    assert profile.status_code == 200, profile.text
    for order in contents.orders:
        await require_created(anna, "orders", order.body)
    for grid in contents.grids:
        await require_created(anna, "grids", grid)
    for estimate in contents.estimates:
        path = f"/estimates/{await require_created(anna, 'estimates', estimate.body)}"
        for step in estimate.steps:
            await require_accepted(anna, path, step.body)


async def require_created(anna: Person, path: str, body: Any) -> str:
    answer = await anna.post(f"/workshops/{anna.workshop}/{path}", to_json(body))
    assert answer.status_code == 201, answer.text
    return str(answer.json()["id"])


async def require_accepted(anna: Person, path: str, body: Any) -> None:
    match body:
        case EstimateEdit():
            answer = await anna.patch(path, to_json(body))
        case DocumentFacts():
            answer = await anna.put(f"{path}/document", to_json(body))
        case NewHandoff():
            answer = await anna.post(f"{path}/handoffs", to_json(body))
        case planned.Accepted():
            answer = await anna.post(f"{path}/orders", to_json(body.body))
        case _:
            answer = await anna.post(f"{path}/confirm")
    assert answer.status_code in (200, 201), answer.text


async def test_the_printed_variables_fill_in_the_examples(
    # That a first start prints them, too, is in the tests of the installation.
    opened: Opened,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    command_line = CommandLine(opened.url, tmp_path, monkeypatch, capsys)
    with command_line.running_server("--demo") as server:
        text = server.printed
        (variables,) = re.findall(r"^  (export .+)$", text, re.MULTILINE)
        assert f"API={server.url}/api " in variables
        request = 'curl -sf -H "Authorization: Bearer $KEY" "$API/workshops/$WORKSHOP/orders?limit=1"'
        assert len(pasted(f"{variables}; {request}")[0]["orders"]) == 1
    # What a person needs first is printed first, and all of it fits on the screen of a laptop.
    lines = text.splitlines()
    email, password = (re.escape(lines[at].split()[0]) for at in (2, 3))
    assert lines[0].startswith(f"Open {server.url} and sign in")
    assert re.search(f" EMAIL={email} PASSWORD='?{password}'?$", variables)
    assert len(lines) <= 10


def test_the_demo_is_in_a_folder_of_its_own_unless_a_database_is_named() -> None:
    """Its account must not be in the default database; on another engine the demo can be tried, too."""
    default = of_demo(Settings())
    assert (default.database_url, default.files_url) == ("sqlite:///data-demo/backbench.db", "file:data-demo/files")
    named = Settings(database_url="postgresql://example/backbench")
    assert of_demo(named) == named


def pasted(line: str) -> list[Any]:
    """Runs the line in a shell; returns the JSON objects that it prints."""
    ran = subprocess.run(["bash", "-euc", line], capture_output=True, check=True)
    return [msgspec.json.decode(answer) for answer in ran.stdout.splitlines()]


@pytest.mark.parametrize("workshop", WORKSHOPS)
async def test_the_shelf_of_the_demo_shows_its_point(opened: Opened, workshop: str) -> None:
    person = opened.owners[workshop]

    async def found(query: str) -> list[dict[str, Any]]:
        summaries = (await person.get(f"/workshops/{person.workshop}/order-summaries?{query}")).json()["summaries"]
        return list(summaries)

    counts = (await person.get(f"/workshops/{person.workshop}/order-counts")).json()
    # What is due today becomes late in the evening.
    assert counts["overdue"] >= 1
    assert counts["overdue"] + counts["today"] >= 2
    assert [each["waitingFor"] for each in await found("stage=waiting")] == ["parts"]
    assert any(each.get("exceedsLimit") for each in await found("status=in_progress"))
    three_weeks_ago = times.later(times.now(), -21 * 86_400)
    assert any(each["readyAt"] < three_weeks_ago for each in await found("stage=ready"))


async def test_orders_of_the_demo_have_photos_that_it_draws_itself(piotr: Person) -> None:
    summaries = (await piotr.get(f"/workshops/{piotr.workshop}/order-summaries")).json()["summaries"]
    [larder] = [each for each in summaries if each["photos"]]
    [photo] = (await piotr.get(f"/orders/{larder['orderId']}/photos")).json()["photos"]
    assert (photo["caption"], photo["shared"], photo["width"]) == ("Larder door, dry fit", True, 800)
    assert (await piotr.get(f"/photos/{photo['id']}/image")).headers["content-type"] == "image/jpeg"
    for other in get_args(Picture):
        assert drawn(other).startswith(b"\x89PNG")
