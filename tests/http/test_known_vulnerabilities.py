"""Known vulnerabilities of other products, each tried on this one.

docs/security.md lists them with the tests in other files; the tests here belong to no resource.
"""

import itertools
from collections.abc import AsyncIterator, Awaitable, Callable
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import httpx
import msgspec
import pytest

from backbench.accounts import tokens
from backbench.accounts.sessions import JoinedLookup, LockedLookup, SeparateLookup
from backbench.accounts.tokens import StoredToken
from backbench.engine.objects import Loaded
from backbench.routes import OPERATIONS
from backbench.values import times
from backbench.values.limits import Limit
from backbench.workshops import members
from tests.people import PASSWORD, App, Person
from tests.support import image_files, operation_samples
from tests.support.database_dump import dump_of
from tests.support.databases import running_app
from tests.support.mailbox import token_for
from tests.support.operation_samples import line
from tests.support.statements import recorded
from tests.support.uploads import icon, upload
from tests.support.violations import violations, violations_or_changes

Attempt = Callable[[Person], Awaitable[httpx.Response]]


@pytest.fixture(scope="module")
async def app(new_database_url: Callable[[], str]) -> AsyncIterator[App]:
    """An app for this file only, since its whole content is compared in most tests."""
    async with running_app(new_database_url()) as opened:
        yield opened


@pytest.fixture(scope="module")
async def anna(app: App) -> Person:
    return await app.owner("Anna")


@pytest.fixture(scope="module")
async def eve(app: App) -> Person:
    """An owner who tries to reach another workshop."""
    return await app.owner("Eve")


@pytest.fixture(scope="module")
def objects(anna: Person) -> operation_samples.SharedObjects:
    """Objects of Anna for requests that change none of them."""
    return operation_samples.SharedObjects(anna)


def stored_files(app: App) -> set[Path]:
    """Every stored file."""
    folder = Path(urlsplit(app.backbench.settings.files_url).path)
    return {path for path in folder.rglob("*") if path.is_file()}


# Directus, CVE-2025-55746: a rejected file was written or replaced all the same.


async def test_an_unauthorized_upload_is_rejected_and_not_stored(new_database_url: Callable[[], str]) -> None:
    async with running_app(new_database_url()) as app:
        anna, eve = await app.owner("Anna"), await app.owner("Eve")
        record = await icon(anna)
        before, files = await dump_of(app.db), stored_files(app)
        assert len(files) == 1
        hidden = {"id": record["id"], "workshopId": anna.workshop}
        for person, status in ((app.anonymous(), 401), (eve, 403)):
            assert (await upload(person, image_files.png(9, 9), workshopId=anna.workshop)).status_code == status
            for method in ("PUT", "PATCH", "POST"):
                response = await person.send(method, f"/files/{record['id']}", image_files.png(9, 9))
                assert response.status_code == 405
        assert (await upload(eve, image_files.png(9, 9), **hidden)).status_code == 400
        assert (await upload(anna, image_files.png(9, 9), **hidden)).status_code == 400
        await app.backbench.sweep_job.sweep()
        assert await dump_of(app.db) == before
        assert stored_files(app) == files


# Directus, CVE-2026-26185: the duration of a reset revealed whether an account exists.


async def test_a_password_reset_request_looks_up_no_account(app: App) -> None:
    """Not even a fast query: the account is looked up when the email is sent, after the response."""
    anna = await app.owner("Anna")
    for path in ("/password-resets", "/accounts/verify/resend"):
        for person in (anna, app.anonymous()):
            with recorded() as statements:
                response = await app.anonymous("198.51.100.40").post(path, {"email": person.email})
            assert (response.status_code, response.content) == (202, b"")
            assert [sql for sql in statements if "INTO outbox" in sql], "the email is queued"
            assert [sql for sql in statements if "accounts" in sql] == []


# Directus, GHSA-56p6-qw3c-fq2g: the session of a suspended account remained valid until its end.


async def test_a_suspended_account_cannot_use_earlier_credentials(app: App) -> None:
    anna = await app.owner("Anna")
    order = await anna.order()
    await app.anonymous().post("/password-resets", {"email": anna.email})
    token = await token_for(app, anna.email)
    program = await anna.integrator("orders:read", "orders:write")
    repeated = {"idempotency_key": "before"}
    await anna.post(f"/workshops/{anna.workshop}/orders", {"title": "Oak bench"}, **repeated)
    attempts: list[Attempt] = [
        lambda person: person.get("/me"),
        lambda person: person.get("/me/data-export"),
        lambda person: person.get(f"/orders/{order['id']}", if_none_match="*"),
        lambda person: person.post(f"/workshops/{anna.workshop}/orders", {"title": "Oak bench"}, **repeated),
        lambda person: person.sign_in(),
    ]
    await app.db.write(lambda db: db.run("UPDATE accounts SET status = 'suspended' WHERE id = :uid", uid=anna.uid))
    before = await dump_of(app.db)
    # Only the status has changed: every session and key is still stored.
    for attempt in attempts:
        assert [(await attempt(person)).status_code for person in (anna, program)] == [401, 401]
    new = {"token": token, "password": "another plane and saw"}
    assert (await app.anonymous().post("/password-resets/confirm", new)).status_code == 400
    assert await dump_of(app.db) == before


# Directus, CVE-2026-126539: a caller that could not be identified got every permission.


@pytest.mark.parametrize(
    ("broken_lookups", "by_key"),
    [
        ([(SeparateLookup, "active"), (JoinedLookup, "active"), (LockedLookup, "active")], False),
        ([(SeparateLookup, "active"), (JoinedLookup, "active"), (LockedLookup, "active")], True),
        ([(members, "lookup_role"), (Loaded, "_permitted")], False),
    ],
    ids=["session", "key", "membership"],
)
async def test_a_failed_permission_lookup_grants_no_access(
    app: App, anna: Person, monkeypatch: pytest.MonkeyPatch, broken_lookups: list[tuple[Any, str]], by_key: bool
) -> None:
    order = await anna.order(customerName="The Duchess of Oak")
    program = await anna.integrator("orders:read", "orders:write")
    before = await dump_of(app.db)

    def broken(*_: Any, **__: Any) -> Any:
        raise LookupError("the drawer is stuck")

    for place, name in broken_lookups:
        monkeypatch.setattr(place, name, broken)
    caller = program if by_key else anna
    for response in (
        await caller.get(f"/orders/{order['id']}"),
        await caller.get(f"/workshops/{anna.workshop}/orders"),
        await caller.patch(f"/orders/{order['id']}/status", {"status": "done"}),
        await caller.post(f"/workshops/{anna.workshop}/orders", {"title": "Oak bench"}),
    ):
        assert response.status_code == 500
        assert "Duchess" not in response.text
    monkeypatch.undo()
    assert await dump_of(app.db) == before


async def test_an_invalid_bearer_token_has_no_fallback(app: App) -> None:
    """Neither the session of the same request nor public access is used instead."""
    anna = await app.owner("Anna")
    expired = (await anna.integrator("orders:read", "orders:write")).bearer
    await app.db.write(lambda db: db.run("UPDATE api_keys SET expires_at = :now", now=times.now()))
    for bearer in (f"Bearer {expired}", "Bearer null", "Bearer ", "Bearer undefined", "Basic Og=="):
        for path in (f"/workshops/{anna.workshop}/orders", "/me", "/catalog"):
            response = await anna.get(path, authorization=bearer)
            assert (response.status_code, response.content) == (401, b"")


# PocketBase, CVE-2026-44166: tests/accounts/test_google.py and tests/accounts/test_sign_up.py.


# Vaultwarden, CVE-2026-27898: a partial update skipped the ownership check.

EDITS: dict[str, dict[str, Any]] = {
    "PATCH /imports/{importId}": {"mapping": {"phone": None}, "answers": {}},
    "PATCH /workshops/{workshopId}": {
        "name": "Eve & Ash",
        "tagline": "Made by Eve",
        "logo": "🪚",
        "crafterName": "Eve",
        "background": "linen",
        "customBackground": None,
        "titleFont": "mono",
        "accentColor": "#102030",
    },
    "PATCH /workshops/{workshopId}/members/{userId}": {"role": "owner"},
    "PATCH /customers/{customerId}": {
        "name": "Eve",
        "kind": "company",
        "phones": [],
        "emails": [],
        "notes": "Eve's",
        "address": "Eve's street",
        "siteAddress": "Eve's house",
        "taxId": "1",
        "locale": "pl",
    },
    "PATCH /webhooks/{webhookId}": {
        "url": "https://eve.example/",
        "events": ["*"],
        "description": "Eve's",
        "enabled": False,
    },
    "PATCH /orders/{orderId}": {"title": "Eve's", "customerName": "Eve", "notes": "Deliver to Eve"},
    "PATCH /orders/{orderId}/status": {"status": "done"},
    "PATCH /orders/{orderId}/details": {
        "customerId": None,
        "phone": "600 100 200",
        "item": {"description": "Eve's ring"},
        "dueOn": "2030-01-31",
        "dueTime": "16:00",
        "priceLimit": 1,
        "place": "Eve's shelf",
        "assignedTo": None,
        "waitingFor": "parts",
        "waitingUntil": "2030-01-30",
        "outcome": "declined",
        "estimateId": None,
    },
    "PATCH /photos/{photoId}": {"kind": "after", "caption": "Eve's", "shared": True},
    "PATCH /links/{linkId}": {"revisionNumber": 1, "expiresAt": "2030-01-31T00:00:00.000Z", "canDecide": True},
    "PATCH /estimates/{estimateId}": {
        "name": "Eve's",
        "recipientName": "Eve",
        "markupPercent": 1,
        "discountPercent": 100,
        "lineItems": [],
    },
    "PATCH /estimates/{estimateId}/line-items/{lineId}": {
        "label": "Eve's",
        "unit": "hour",
        "unitPrice": 1,
        "quantity": 7,
    },
    "PATCH /invoices/{invoiceId}": {
        "revisionNumber": None,
        "lines": [{"label": "Eve's", "unit": "hour", "quantity": 7, "unitPrice": 1}],
        "amount": None,
        "saleDate": "2030-01-01",
        "dueDate": "2030-01-31",
        "method": "card",
        "buyer": {"name": "Eve"},
        "notes": "Eve's",
    },
    "PATCH /grids/{gridId}": {"name": "Eve's", "iconSize": "large", "buttons": []},
}
edits = [operation for operation in OPERATIONS if operation.method == "PATCH" and operation.path_names]


async def test_a_single_field_edit_is_authorized_like_any_other(app: App, anna: Person, eve: Person) -> None:
    paths = {line(operation): await operation_samples.create_path_for(operation, anna) for operation in edits}
    async with violations_or_changes(app.db) as case:
        for operation in edits:
            with case(line(operation)):
                edit = EDITS[line(operation)]
                assert set(edit) == {field.encode_name for field in msgspec.structs.fields(operation.body)}
                for name, value in edit.items():
                    response = await eve.send(operation.method, paths[line(operation)], {name: value})
                    assert response.status_code == 403, name
    with violations() as case:
        for name, path in paths.items():
            with case(name):
                for field, value in EDITS[name].items():
                    assert (await anna.patch(path, {field: value})).status_code == 200, field


async def test_no_edit_changes_the_owner_of_an_object(app: App, anna: Person, eve: Person) -> None:
    paths = {line(operation): await operation_samples.create_path_for(operation, eve) for operation in edits}
    async with violations_or_changes(app.db) as case:
        for name, path in paths.items():
            with case(name):
                [(field, value), *_] = EDITS[name].items()
                for owned in (
                    {"workshopId": anna.workshop},
                    {"id": anna.workshop},
                    {"accountId": anna.uid},
                    {"plan": "pro"},
                ):
                    assert (await eve.patch(path, {field: value, **owned})).status_code == 400, owned


async def test_line_item_ids_of_another_workshop_change_nothing_there(anna: Person, eve: Person) -> None:
    item = {"label": "Oak", "unit": "sqm", "unitPrice": 120, "quantity": 2}
    original = await anna.estimate(lineItems=[item])
    stolen = [{**original["lineItems"][0], "unitPrice": 1}]
    copy = await eve.estimate(lineItems=stolen)
    assert (await eve.patch(f"/estimates/{copy['id']}", {"lineItems": stolen})).status_code == 200
    assert (await anna.get(f"/estimates/{original['id']}")).json()["lineItems"] == original["lineItems"]


# Bigcapital: a key of any account was revoked by its id.


async def test_api_keys_and_sessions_of_others_cannot_be_ended(app: App) -> None:
    anna, eve = await app.owner("Anna"), await app.owner("Eve")
    issued = await anna.post("/me/api-keys", {"name": "Shop window", "scopes": ["orders:read"]})
    session = (await anna.get("/me/sessions")).json()["sessions"][0]["id"]
    program = Person(app, anna.email)
    program.bearer = issued.json()["secret"]
    before = await dump_of(app.db)
    for path in (f"/me/api-keys/{issued.json()['apiKey']['id']}", f"/me/sessions/{session}"):
        response = await eve.delete(path)
        assert (response.status_code, response.content) == (404, b"")
    assert await dump_of(app.db) == before
    assert (await program.get(f"/workshops/{anna.workshop}/orders")).status_code == 200
    assert (await anna.get("/me")).status_code == 200


# Frappe, CVE-2026-63654: a GET of a URL approved the object.


async def test_safe_methods_change_nothing(app: App, anna: Person, objects: operation_samples.SharedObjects) -> None:
    # Made by the service at the first request, once for all.
    await anna.get("/push/key")
    # Everything that a change needs.
    headers = {"x_csrf_token": anna.browser.cookies["csrf-token"], "x_http_method_override": "DELETE"}
    paths = [await objects.path_for(operation) for operation in OPERATIONS if operation.is_safe]
    async with violations_or_changes(app.db) as case:
        for path, method in itertools.product(paths, ("GET", "HEAD", "OPTIONS")):
            with case(f"{method} {path}"):
                for query in ("", "?_method=DELETE&method=POST&status=done&token=x"):
                    response = await anna.send(method, path + query, headers=headers)
                    assert response.status_code < 500


async def test_a_get_to_the_path_of_a_change_changes_nothing(
    app: App, anna: Person, objects: operation_samples.SharedObjects
) -> None:
    """Also if another operation reads at the same path, and with any method in the query."""
    changes = [operation for operation in OPERATIONS if not operation.is_safe]
    paths = [(operation, await objects.path_for(operation)) for operation in changes]
    async with violations_or_changes(app.db) as case:
        for operation, path in paths:
            with case(line(operation)):
                fields = {name: str(value) for name, value in (operation_samples.body_for(operation) or {}).items()}
                response = await anna.browser.get(f"/api{path}", params={**fields, "_method": operation.method})
                assert response.status_code in (200, 304, 400, 405)


async def test_opening_the_page_of_an_email_link_uses_no_token(new_database_url: Callable[[], str]) -> None:
    async with running_app(new_database_url(), sign_up="open") as app:
        zofia = app.anonymous()
        body = {"name": "Zofia", "email": zofia.email, "password": PASSWORD, "acceptTerms": True}
        assert (await zofia.post("/accounts", body)).status_code == 202
        token = await token_for(app, zofia.email)
        before = await dump_of(app.db)
        for page in ("verify", "reset", "join"):
            assert (await zofia.browser.get(f"/{page}/?lang=en&token={token}")).status_code == 200
        assert (await zofia.get(f"/accounts/verify?token={token}")).status_code == 405
        assert await dump_of(app.db) == before
        assert (await zofia.post("/accounts/verify", {"token": token, "password": PASSWORD})).status_code == 200


# Tryton, GNUHEALTH-SA-2016-1: every failed sign-in left a row forever.


async def test_a_flood_of_sign_ins_leaves_few_rows_until_the_sweep(new_database_url: Callable[[], str]) -> None:
    async with running_app(new_database_url(), sign_in_ceiling=Limit(5, 900)) as app:
        flood = [app.anonymous("203.0.113.77") for _ in range(20)]
        statuses = [(await person.sign_in("wrong")).status_code for person in flood]
        assert statuses == [401] * 5 + [429] * 15
        # One row for the IP address, and two for each account tried before its limit: the pair and the account.
        assert await rate_limit_rows(app) == 1 + 2 * 5
        await app.db.write(lambda db: db.run("UPDATE attempts SET ends_at = :now", now=times.now()))
        await app.backbench.sweep_job.sweep()
        assert await rate_limit_rows(app) == 0


async def rate_limit_rows(app: App) -> int:
    async with app.db.read() as db:
        number: int = await db.value("SELECT count(*) FROM attempts")
    return number


async def test_expired_tokens_are_swept(app: App) -> None:
    """Also those of links: an abandoned flow leaves no row."""
    expired = times.later(times.now(), -1)
    await app.db.write(lambda db: tokens.add(db, "a secret of long ago", "google", expired, StoredToken()))
    await app.backbench.sweep_job.sweep()
    async with app.db.read() as db:
        remaining = await db.value("SELECT count(*) FROM tokens WHERE expires_at <= :now", now=times.now())
    assert remaining == 0
