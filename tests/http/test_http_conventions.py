"""HTTP conventions of every operation: headers, methods, entity tags, conditional requests, unhandled errors."""

import itertools
import json
import re
from collections.abc import AsyncIterator, Callable
from typing import Any

import httpx
import pytest
from structlog.testing import capture_logs

from backbench.engine.database import Database, Write
from backbench.http.authentication import Authenticator
from backbench.http.concurrency import ConcurrencyLimit
from backbench.http.context import Context
from backbench.http.operations import Operation, public
from backbench.http.router import Router
from backbench.routes import OPERATIONS, PREFIX
from backbench.values.errors import Unavailable
from backbench.values.limits import LinkLimits, SessionLife
from tests.people import App, Person
from tests.support import operation_samples
from tests.support.databases import running_app
from tests.support.operation_samples import line
from tests.support.violations import violations, violations_or_changes

SECURITY_HEADERS = {
    "x-content-type-options": "nosniff",
    "referrer-policy": "no-referrer",
    "cross-origin-resource-policy": "same-origin",
}

read = [operation for operation in OPERATIONS if operation.method == "GET" and operation.status == 200]
representations = [
    operation
    for operation in read
    if operation.content_type == "application/json" and operation.response and operation.is_representation
]
readable = {operation.path for operation in read}
# Its sample account has no such method: 404.
UNCONDITIONAL = {"DELETE /me/sign-in-methods/google"}
conditional_changes = [
    operation for operation in OPERATIONS if operation.is_conditional and line(operation) not in UNCONDITIONAL
]
# Their samples have a wrong password.
REJECTED_ANYWAY = {"PUT /me/password", "DELETE /me"}


@pytest.fixture(scope="module")
async def anna(new_database_url: Callable[[], str]) -> AsyncIterator[Person]:
    async with running_app(new_database_url(), workshops_per_account=1_000) as app:
        yield await app.owner("Anna")


@pytest.fixture(scope="module")
def objects(anna: Person) -> operation_samples.SharedObjects:
    """Objects of Anna for requests that change none of them."""
    return operation_samples.SharedObjects(anna)


async def new_workshop(person: Person) -> Person:
    """The same person with a new workshop and a new session, which the test may delete."""
    again = await operation_samples.signed_in_again(person)
    # An account has a limited number of sessions: the oldest end.
    person.browser.cookies = (await operation_samples.signed_in_again(person)).browser.cookies
    made = await person.post("/workshops", {"name": "Oak & Ash"})
    assert made.status_code == 201, (made.status_code, made.headers, made.text)
    again.workshop = made.json()["id"]
    return again


def must_have_security_headers(response: httpx.Response) -> None:
    assert {name: response.headers.get(name) for name in SECURITY_HEADERS} == SECURITY_HEADERS
    policy = set(response.headers["content-security-policy"].split("; "))
    assert {"default-src 'none'", "frame-ancestors 'none'"} <= policy
    assert response.headers["x-request-id"]
    assert response.headers["cache-control"] in ("no-store", "private, no-cache")


# Headers


async def test_every_response_has_the_security_headers(anna: Person) -> None:
    order = await anna.order()
    one = f"/orders/{order['id']}"
    anonymous = anna.app.anonymous()
    responses = {
        200: await anna.get(one),
        201: await anna.post(f"/workshops/{anna.workshop}/orders", {"title": "x"}),
        204: await anna.delete(f"/orders/{(await anna.order())['id']}"),
        304: await anna.get(one, if_none_match="*"),
        400: await anna.patch(one, {}),
        401: await anonymous.get(one),
        403: await anna.patch(one, {"title": "x"}, x_csrf_token="x"),
        404: await anna.get("/orders/nothing"),
        405: await anna.post(one, {}),
        412: await anna.patch(one, {"title": "x"}, if_match='"x"'),
        413: await anna.patch(one, b" " * 300_000),
        415: await anna.patch(one, b"{}", content_type="text/plain"),
    }
    for status, response in responses.items():
        assert response.status_code == status
        must_have_security_headers(response)
    must_have_security_headers(await anna.get("/nothing/at/all"))
    must_have_security_headers(await anna.get("/me/data-export"))


async def test_error_bodies_are_json_problems(anna: Person) -> None:
    one = f"/orders/{(await anna.order())['id']}"
    for response in (
        await anna.patch(one, {}),
        await anna.patch(one, {"title": "x"}, if_match='"x"'),
        await anna.patch(one, b" " * 300_000),
        await anna.patch(one, b"{}", content_type="text/plain"),
    ):
        assert response.headers["content-type"] == "application/json"
        problem = response.json()
        assert {"type", "title", "status", "detail", "code"} <= set(problem)
        assert problem["status"] == response.status_code


async def test_invented_methods_and_paths_need_no_memory(anna: Person) -> None:
    counts = anna.app.backbench.router.request_counts
    await anna.browser.request("BREW", "/api/me")
    await anna.browser.request("GET", "/api/nowhere")
    known = set(counts)
    for number in range(20):
        assert (await anna.browser.request(f"BREW{number}", f"/api/{number}")).status_code == 501
        assert (await anna.browser.request("GET", f"/api/{number}")).status_code == 404
    assert set(counts) == known


async def test_a_request_id_does_not_count_the_requests_of_others(anna: Person) -> None:
    ids = [(await anna.get("/me")).headers["x-request-id"] for _ in range(2)]
    assert abs(int(ids[0], 16) - int(ids[1], 16)) > 1_000_000


async def test_every_request_id_is_unique(anna: Person) -> None:
    seen = {(await anna.get("/me")).headers["x-request-id"] for _ in range(20)}
    assert len(seen) == 20


async def test_only_successful_reads_may_be_cached_by_a_browser(anna: Person) -> None:
    path = f"/workshops/{anna.workshop}/orders"
    assert (await anna.get(path)).headers["cache-control"] == "private, no-cache"
    assert (await anna.post(path, {"title": "x"})).headers["cache-control"] == "no-store"
    assert (await anna.get("/orders/nothing")).headers["cache-control"] == "no-store"


async def test_hsts_is_sent_with_an_https_public_url(new_database_url: Callable[[], str]) -> None:
    async with running_app(new_database_url(), public_url="https://office.example.com") as app:
        assert "max-age=" in (await app.anonymous().get("/me")).headers["strict-transport-security"]


async def test_there_is_no_hsts_header_over_plain_http(anna: Person) -> None:
    assert "strict-transport-security" not in (await anna.get("/me")).headers


# Paths and methods


UNKNOWN_PATHS = (
    *("/", "/nothing", "/me/", "/me/nothing", "//me", "/orders", "/orders/", "/orders//status", "/ME"),
    "/orders/a/b/c",
)


async def test_an_unknown_path_is_404_without_a_body(anna: Person) -> None:
    with violations() as case:
        for path, method in itertools.product(UNKNOWN_PATHS, ("GET", "POST", "DELETE", "OPTIONS")):
            with case(f"{method} {path}"):
                response = await anna.browser.request(method, f"{PREFIX}{path}")
                assert (response.status_code, response.content) == (404, b"")


async def test_another_method_is_405_with_the_allow_header(anna: Person) -> None:
    methods: dict[str, set[str]] = {}
    for operation in OPERATIONS:
        methods.setdefault(operation.path, {"OPTIONS"}).add(operation.method)
    anonymous = anna.app.anonymous()
    with violations() as case:
        for path, known in methods.items():
            allowed = known | ({"HEAD"} if "GET" in known else set())
            url = f"{PREFIX}{path.replace('{', '').replace('}', '')}"
            for method in {"GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "TRACE"} - allowed:
                with case(f"{method} {path}"):
                    response = await anna.browser.request(method, url)
                    assert (response.status_code, response.content) == (405, b"")
                    assert set(response.headers["allow"].split(", ")) == allowed
            with case(f"OPTIONS {path}"):
                options = await anonymous.browser.request("OPTIONS", url)
                assert (options.status_code, options.content) == (204, b"")
                assert set(options.headers["allow"].split(", ")) == allowed


PAGES = ("/api/openapi.json", "/api/docs", "/", "/verify/", "/backbench.css", "/healthz", "/readyz", "/metrics")


async def test_pages_allow_only_get_head_and_options(anna: Person) -> None:
    anonymous = anna.app.anonymous().browser
    with violations() as case:
        for path in PAGES:
            for method, status in (("POST", 405), ("DELETE", 405), ("OPTIONS", 204)):
                with case(f"{method} {path}"):
                    response = await anonymous.request(method, path)
                    assert (response.status_code, response.content) == (status, b"")
                    assert response.headers["allow"] == "GET, HEAD, OPTIONS"
            with case(path):
                got, head = await anonymous.get(path), await anonymous.head(path)
                assert (got.status_code, head.status_code, head.content) == (200, 200, b"")
                assert got.headers["x-request-id"] != head.headers["x-request-id"]


async def test_a_missing_page_is_404_for_every_method(anna: Person) -> None:
    for method in ("GET", "HEAD", "POST", "DELETE", "OPTIONS"):
        response = await anna.browser.request(method, "/nowhere")
        assert response.status_code == 404, method
        assert response.headers["x-request-id"]


async def test_head_has_the_headers_of_get_and_no_body(anna: Person, objects: operation_samples.SharedObjects) -> None:
    with violations() as case:
        for operation in read:
            with case(line(operation)):
                path = await objects.path_for(operation)
                got, head = await anna.get(path), await anna.send("HEAD", path)
                assert (head.status_code, head.content) == (got.status_code, b"")
                names = {"content-type", "content-length", "etag", "cache-control", "vary", "content-encoding"}
                expected = {name: got.headers[name] for name in names & set(got.headers)}
                assert {name: head.headers.get(name) for name in expected} == expected


async def test_head_needs_the_same_authentication_as_get(
    anna: Person, objects: operation_samples.SharedObjects
) -> None:
    with violations() as case:
        for operation in read:
            with case(line(operation)):
                response = await anna.app.anonymous().send("HEAD", await objects.path_for(operation))
                assert response.status_code == (401 if operation.access.needs_session else 200)


@pytest.mark.both_engines
async def test_head_of_an_export_leaves_no_transaction_open(new_database_url: Callable[[], str]) -> None:
    """More requests than the largest pool has connections."""
    async with running_app(new_database_url()) as app:
        anna = await app.owner("Anna")
        for _ in range(25):
            assert (await anna.send("HEAD", "/me/data-export")).status_code == 200
        assert await open_transactions(app.db) == 0


async def open_transactions(db: Database) -> int:
    """Transactions left open; on SQLite they prevent a checkpoint from emptying the write-ahead log."""
    if db.engine == "postgres":
        sql = """
            SELECT count(*) FROM pg_stat_activity
            WHERE state = 'idle in transaction' AND datname = current_database()
            """
    else:
        await db.write(lambda write: write.run("CREATE TABLE probe (x TEXT)"))
        sql = "PRAGMA wal_checkpoint(TRUNCATE)"
    async with db.read() as handle:
        return int(await handle.value(sql))


# Entity tags


async def test_every_representation_has_a_strong_etag_and_supports_304(
    objects: operation_samples.SharedObjects,
) -> None:
    with violations() as case:
        for operation in representations:
            with case(line(operation)):
                path = await objects.path_for(operation)
                caller = await objects.caller_for(operation)
                first = await caller.get(path)
                tag = first.headers["etag"]
                assert re.fullmatch('"[^"]+"', tag)
                for known in (tag, f"W/{tag}", f'"x", {tag}', f'"x",W/{tag} , "y"', "*"):
                    again = await caller.get(path, if_none_match=known)
                    assert (again.status_code, again.content) == (304, b""), known
                    assert known == "*" or again.headers["etag"] == tag
                    assert again.headers["cache-control"] == first.headers["cache-control"]
                assert (await caller.get(path, if_none_match='"x"')).status_code == 200


async def test_an_etag_changes_with_the_content(anna: Person) -> None:
    order = await anna.order()
    one, board = f"/orders/{order['id']}", f"/workshops/{anna.workshop}/orders"
    tags = [{path: (await anna.get(path)).headers["etag"] for path in (one, board)}]
    await anna.patch(one, {"notes": "x"})
    tags.append({path: (await anna.get(path)).headers["etag"] for path in (one, board)})
    await anna.patch(one, {"notes": ""})
    tags.append({path: (await anna.get(path)).headers["etag"] for path in (one, board)})
    assert tags[0] == tags[2]
    assert tags[0][one] != tags[1][one]
    assert tags[0][board] != tags[1][board]


async def test_authorization_is_checked_before_if_none_match(anna: Person) -> None:
    stranger = await anna.app.owner("Jan")
    order = await anna.order()
    response = await stranger.get(f"/orders/{order['id']}", if_none_match="*")
    assert (response.status_code, response.content) == (403, b"")
    assert (await anna.get("/orders/nothing", if_none_match="*")).status_code == 404


# If-Match


async def tag_of(person: Person, operation: Operation, path: str) -> str | None:
    """The ETag for the If-Match of a change: at its own path, or the nearest one above it. None: it has no ETag."""
    reading = operation.read_at(readable)
    if reading is None:
        return None
    sent = path.split("/")
    read = "/".join(sent[at] if part.startswith("{") else part for at, part in enumerate(reading.split("/")))
    return str((await person.get(read)).headers["etag"])


@pytest.mark.both_engines
async def test_if_match_with_another_etag_is_412_and_changes_nothing(anna: Person) -> None:
    changes = []
    for operation in conditional_changes:
        person = await new_workshop(anna)
        changes.append((operation, person, await operation_samples.create_path_for(operation, person)))
    async with violations_or_changes(anna.app.db) as case:
        for operation, person, path in changes:
            with case(line(operation)):
                tag = await tag_of(person, operation, path)
                for expected in ('"x"', f"W/{tag}", '"x", "y"', ""):
                    # Sent as it is: `person.send` would omit an empty header.
                    response = await person.browser.request(
                        operation.method,
                        f"{PREFIX}{path}",
                        content=json.dumps(operation_samples.body_for(operation)).encode(),
                        headers={
                            "content-type": "application/json",
                            "x-csrf-token": person.browser.cookies["csrf-token"],
                            "if-match": expected,
                        },
                    )
                    assert response.status_code == 412, expected
                    assert response.json()["code"] == "precondition_failed"


async def test_if_match_with_the_current_etag_allows_the_change(anna: Person) -> None:
    with violations() as case:
        for operation, listed in itertools.product(conditional_changes, ("{}", '"x", {}', "*")):
            with case(f"{line(operation)} {listed}"):
                person = await new_workshop(anna)
                path = await operation_samples.create_path_for(operation, person)
                tag = await tag_of(person, operation, path)
                if tag is None and listed != "*":
                    continue
                body = operation_samples.body_for(operation)
                response = await person.send(
                    operation.method, path, body, {"if_match": listed.replace("{}", tag or "")}
                )
                if line(operation) in REJECTED_ANYWAY:
                    assert response.status_code in (400, 404), response.text
                else:
                    assert response.status_code == operation.status, response.text


async def test_if_match_rejects_the_second_of_two_changes(anna: Person) -> None:
    path = f"/orders/{(await anna.order())['id']}"
    tag = (await anna.get(path)).headers["etag"]
    first = await anna.patch(path, {"notes": "first"}, if_match=tag)
    second = await anna.patch(path, {"notes": "second"}, if_match=tag)
    assert (first.status_code, second.status_code) == (200, 412)
    assert (await anna.get(path)).json()["order"]["notes"] == "first"


async def test_authorization_is_checked_before_if_match(anna: Person) -> None:
    stranger = await anna.app.owner("Jan")
    order = await anna.order()
    for expected in ("*", '"x"'):
        response = await stranger.patch(f"/orders/{order['id']}", {"notes": "x"}, if_match=expected)
        assert (response.status_code, response.content) == (403, b"")
        response = await anna.patch("/orders/nothing", {"notes": "x"}, if_match=expected)
        assert (response.status_code, response.content) == (404, b"")


async def test_existence_is_checked_before_if_match_of_the_parent(anna: Person) -> None:
    member = await anna.app.member(anna, "Karol")
    owners = f"/workshops/{anna.workshop}/members"
    for expected in ("*", '"x"'):
        for path in (f"{owners}/nobody", "/me/sessions/nothing", "/me/api-keys/nothing"):
            response = await anna.send("DELETE", path, None, {"if_match": expected})
            assert (response.status_code, response.content) == (404, b"")
        response = await member.send("DELETE", f"{owners}/{anna.uid}", None, {"if_match": expected})
        assert (response.status_code, response.content) == (403, b"")


async def test_a_body_is_validated_before_if_match(anna: Person) -> None:
    order = await anna.order()
    assert (await anna.patch(f"/orders/{order['id']}", {}, if_match='"x"')).status_code == 400


# Unhandled errors


async def broken(db: Write) -> None:
    """An action that raises after it has written."""
    await db.run("DELETE FROM attempts")
    await db.run("INSERT INTO attempts (counted, number, ends_at) VALUES ('unhandled', 1, 'x')")
    raise ZeroDivisionError("the plane slipped")


async def unavailable(db: Write) -> None:
    """An action whose database is unavailable."""
    raise Unavailable("unavailable", "The database cannot be used now", wait=7)


@pytest.fixture
async def failing(app: App) -> httpx.AsyncClient:
    """An app whose operations fail."""
    operations = (
        Operation("breakDown", "POST", "/broken", public, broken, no_event="a test"),
        Operation("cutOff", "POST", "/cut-off", public, unavailable, no_event="a test"),
    )
    authenticator = Authenticator("http://127.0.0.1:8000", SessionLife(), LinkLimits())
    context = Context(db=app.db, authenticator=authenticator, large_lists=ConcurrencyLimit(1))
    service: Any = Router(operations, context, PREFIX)
    return httpx.AsyncClient(transport=httpx.ASGITransport(app=service), base_url="http://127.0.0.1:8000/api")


async def test_an_unhandled_error_is_500_with_the_request_id_of_the_log(failing: httpx.AsyncClient) -> None:
    with capture_logs() as logged:
        response = await failing.post("/broken")
    problem = response.json()
    assert (response.status_code, problem["code"]) == (500, "internal")
    assert problem["requestId"] == response.headers["x-request-id"]
    assert "plane" not in response.text
    must_have_security_headers(response)
    (line,) = [entry for entry in logged if entry["log_level"] == "error"]
    assert line["request_id"] == problem["requestId"]
    assert line["exc_info"]


@pytest.mark.both_engines
async def test_an_unhandled_error_rolls_its_transaction_back(failing: httpx.AsyncClient, app: App) -> None:
    await failing.post("/broken")
    async with app.db.read() as handle:
        assert await handle.value("SELECT number FROM attempts WHERE counted = 'unhandled'") is None


async def test_an_unavailable_database_is_503_with_retry_after(failing: httpx.AsyncClient) -> None:
    response = await failing.post("/cut-off")
    assert (response.status_code, response.json()["code"]) == (503, "unavailable")
    assert response.headers["retry-after"] == "7"
