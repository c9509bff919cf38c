"""ETag and Location of responses to writes: those of the GET that reads the resource at that time."""

from collections.abc import AsyncIterator, Callable
from typing import Any

import httpx
import pytest

from backbench.http.operations import Operation
from backbench.http.responses import location_of, representation_of
from backbench.routes import OPERATIONS, PREFIX
from tests.people import App, Person
from tests.support import operation_samples
from tests.support.databases import running_app
from tests.support.operation_samples import STATUSES, line
from tests.support.uploads import FORM_TYPE, sample_form
from tests.support.violations import violations

READABLE = [operation for operation in OPERATIONS if operation.method == "GET"]


def has_tag(operation: Operation) -> bool:
    return representation_of(operation, READABLE) is not None


def has_location(operation: Operation) -> bool:
    return location_of(operation, representation_of(operation, READABLE)) is not None


TAGGED = [operation for operation in OPERATIONS if has_tag(operation)]
LOCATED = [operation for operation in OPERATIONS if has_location(operation)]


@pytest.fixture(scope="module")
async def anna(new_database_url: Callable[[], str]) -> AsyncIterator[Person]:
    # Its workshop can start a trial.
    async with running_app(new_database_url(), default_plan="free") as app:
        yield await app.owner("Anna")


async def sent(operation: Operation, person: Person) -> tuple[str, Any]:
    """The path of the operation, and the response to its sample."""
    path = await operation_samples.create_path_for(operation, person)
    if operation.form is not None:
        return path, await person.post(path, sample_form(operation.path, person), content_type=FORM_TYPE)
    if path.endswith("/pdf-exports"):
        await person.post(path.replace("/pdf-exports", "/confirm"))
    body = operation_samples.body_for(operation)
    if operation.name == "reorderGrids":
        grids = (await person.get(f"/workshops/{person.workshop}/grids")).json()["grids"]
        body = {"gridIds": [grid["id"] for grid in grids]}
    if operation.name == "acceptInvitation":
        body = {"token": await operation_samples.invitation_secret(await person.app.owner("Zofia"), person)}
    return path, await person.send(operation.method, path, body)


def test_writes_of_these_resources_carry_an_etag() -> None:
    names = {operation.name for operation in TAGGED}
    assert names >= {
        *("createOrder", "updateOrder", "moveOrder", "createOrderFromEstimate"),
        *("createEstimate", "updateEstimate", "duplicateEstimate"),
        *("createGrid", "updateGrid"),
        *("createWorkshop", "updateWorkshop", "acceptInvitation", "replaceDocumentSettings"),
    }


def test_what_can_be_read_by_its_id_has_a_location() -> None:
    created = {operation.name for operation in OPERATIONS if operation.status == 201}
    # Calendars, push subscriptions,
    # API keys, invitations, hand-offs, feedback, links, comments, decisions and payments are in lists only.
    without = {"createApiKey", "createInvitation", "createHandoff", "createFeedback"}
    without |= {
        "createCalendar",
        "createPushSubscription",
        "createLink",
        "addInvitationAddress",
        "addLinkAddress",
        "answerComment",
        "addClientComment",
        "recordDecision",
        "acceptEstimate",
        "declineEstimate",
        "askAboutOrder",
        "answerOrderQuestion",
        "createNotice",
        "recordPayment",
    }
    assert {operation.name for operation in LOCATED} == created - without


def read_path(operation: Operation, path: str, body: Any) -> str:
    """Where what the operation answered is read: at the id of what was created, or at the path's own ids."""
    read = representation_of(operation, READABLE)
    assert read is not None
    own = dict(zip(operation.path.split("/"), path.split("/"), strict=True))
    last = read.path.rpartition("/")[2]
    is_created = last.startswith("{") and "id" in body
    return "/".join(body["id"] if is_created and part == last else own.get(part, part) for part in read.path.split("/"))


async def test_the_etag_of_a_write_is_that_of_a_get(anna: Person) -> None:
    with violations() as case:
        for operation in TAGGED:
            if line(operation) in STATUSES:
                # No sample of it succeeds.
                continue
            with case(line(operation)):
                path, response = await sent(operation, anna)
                assert response.status_code == operation.status, response.text
                read = await anna.get(read_path(operation, path, response.json()))
                assert response.headers["etag"] == read.headers["etag"]


async def test_the_location_is_where_what_was_created_can_be_read(anna: Person) -> None:
    with violations() as case:
        for operation in LOCATED:
            with case(line(operation)):
                _, response = await sent(operation, anna)
                location = response.headers["location"]
                assert location.startswith(f"{PREFIX}/")
                read = await anna.get(location.removeprefix(PREFIX))
                assert read.status_code == 200
                if read.headers["content-type"] == "application/json" and "etag" in response.headers:
                    assert read.headers["etag"] == response.headers["etag"]


async def sent_twice(operation: Operation, person: Person) -> list[httpx.Response]:
    """Both responses to one request that is repeated with its Idempotency-Key."""
    path = await operation_samples.create_path_for(operation, person)
    if path.endswith("/pdf-exports"):
        await person.post(path.replace("/pdf-exports", "/confirm"))
    body: Any = operation_samples.body_for(operation)
    kind = {}
    if operation.form is not None:
        body, kind = sample_form(operation.path, person), {"content_type": FORM_TYPE}
    return [await person.post(path, body, idempotency_key="k", **kind) for _ in range(2)]


async def test_a_replay_has_the_headers_of_the_first_response(anna: Person) -> None:
    with violations() as case:
        for operation in LOCATED:
            if operation.is_secret:
                # Its response is not stored.
                continue
            with case(line(operation)):
                first, again = await sent_twice(operation, anna)
                assert again.headers["idempotency-replayed"] == "true"
                for name in ("location", "etag"):
                    assert again.headers.get(name) == first.headers.get(name)


async def test_a_move_that_is_repeated_adds_one_history_entry(app: App) -> None:
    """Also with the ETag from before the first one, which is no longer current."""
    anna = await app.owner("Anna")
    order = await anna.order()
    path = f"/orders/{order['id']}/status"
    tag = (await anna.get(f"/orders/{order['id']}")).headers["etag"]
    moves = [await anna.patch(path, {"status": "done"}, if_match=tag, idempotency_key="k") for _ in range(2)]
    assert [move.status_code for move in moves] == [200, 200]
    assert moves[0].json() == moves[1].json()
    assert moves[1].headers["idempotency-replayed"] == "true"
    assert len((await anna.get(f"/orders/{order['id']}")).json()["order"]["statusHistory"]) == 2
    other = await anna.patch(path, {"status": "todo"}, idempotency_key="k")
    assert (other.status_code, other.json()["code"]) == (422, "idempotency_mismatch")


async def test_a_former_member_gets_no_replay_of_a_move(app: App) -> None:
    anna = await app.owner("Anna")
    marek = await app.member(anna)
    path = f"/orders/{(await anna.order())['id']}/status"
    assert (await marek.patch(path, {"status": "done"}, idempotency_key="k")).status_code == 200
    await anna.delete(f"/workshops/{anna.workshop}/members/{marek.uid}")
    assert (await marek.patch(path, {"status": "done"}, idempotency_key="k")).status_code == 403


async def test_the_etag_of_a_write_does_not_depend_on_how_numbers_are_written(anna: Person) -> None:
    line = b'{"label":"\\u0141ata \\/ \\"x\\"","unit":"sqm","unitPrice":12.10,"quantity":1.0}'
    body = b'{"name":"Kitchen","markupPercent":5e0,"lineItems":[' + line + b"]}"
    created = await anna.post(f"/workshops/{anna.workshop}/estimates", body)
    path = f"/estimates/{created.json()['id']}"
    assert created.headers["etag"] == (await anna.get(path)).headers["etag"]
    updated = await anna.patch(path, b'{"discountPercent":0.50}', if_match=created.headers["etag"])
    assert updated.headers["etag"] == (await anna.get(path)).headers["etag"]


# The contract has a browser keep them: a photo never changes, and its address cannot be guessed.
NEVER_CHANGED = {"downloadPhoto", "downloadThumbnail"}


async def test_a_browser_shows_no_copy_of_a_response_without_asking(app: App) -> None:
    """An account that signs in after another one, or the holder of another link, would see it."""
    anna = await app.owner("Anna")
    with violations() as case:
        for operation in READABLE:
            # A stream has no end, and what is for everybody may be kept.
            if operation.content_type == "text/event-stream" or not operation.access.needs_session:
                continue
            with case(line(operation)):
                caller = await operation_samples.caller_for(operation, anna)
                response = await caller.get(await operation_samples.create_path_for(operation, anna))
                assert response.status_code in (200, 404), response.text
                if operation.name in NEVER_CHANGED and response.status_code == 200:
                    assert response.headers["cache-control"] == "private, max-age=31536000, immutable"
                else:
                    assert response.headers["cache-control"] in ("no-store", "private, no-store", "private, no-cache")
