"""RateLimit headers: a limited request gets its remaining quota, and nothing about other accounts."""

from collections.abc import AsyncIterator, Callable

import httpx
import pytest

from backbench.http.errors import rate_limit
from backbench.http.openapi.document import document
from backbench.reference import reference
from backbench.routes import OPERATIONS
from backbench.values.limits import Limit, Quota
from tests.people import PASSWORD, App, Person
from tests.support.databases import running_app

SIGN_UP = {"name": "Anna", "password": "a hammer and a nail", "acceptTerms": True}


@pytest.fixture(scope="module")
async def open_app(new_database_url: Callable[[], str]) -> AsyncIterator[App]:
    """An app in which anyone may sign up."""
    async with running_app(new_database_url(), sign_up="open") as opened:
        yield opened


def remaining(response: httpx.Response) -> dict[str, int]:
    """The remaining requests by the name of the limit. Both headers must name the same limits."""
    policies = _items(response.headers.get("ratelimit-policy", ""))
    states = _items(response.headers.get("ratelimit", ""))
    assert policies.keys() == states.keys()
    for name, state in states.items():
        assert 0 <= state["r"] < policies[name]["q"]
        assert 0 < state["t"] <= policies[name]["w"]
    return {name: state["r"] for name, state in states.items()}


def _items(header: str) -> dict[str, dict[str, int]]:
    """An RFC 9651 list of strings with whole numbers as parameters."""
    found = {}
    for item in filter(None, header.split(", ")):
        name, *parameters = item.split(";")
        assert name[0] == name[-1] == '"'
        found[name[1:-1]] = {key: int(value) for key, value in (each.split("=") for each in parameters)}
    return found


async def authenticated(person: Person, password: str) -> httpx.Response:
    return await person.post("/authenticate", {"email": person.email, "password": password})


async def test_every_sign_in_response_has_rate_limit_headers(app: App) -> None:
    anna = await app.owner("Anna")
    await anna.sign_in()
    # Anna's own sign-in has used one.
    right, wrong = await authenticated(anna, PASSWORD), await authenticated(anna, "wrong")
    unreadable = await anna.post("/authenticate", {"email": anna.email})
    assert (right.status_code, remaining(right)) == (200, {"address": 98, "pair": 8})
    assert (wrong.status_code, remaining(wrong)) == (401, {"address": 97, "pair": 7})
    assert (unreadable.status_code, remaining(unreadable)) == (400, {"address": 96, "malformed": 9})


async def test_the_rate_limit_headers_follow_the_draft() -> None:
    quotas = {"address": Quota(Limit(100, 900), 96, 411), "pair": Quota(Limit(10, 900), 7, 850)}
    assert rate_limit(quotas) == (
        (b"ratelimit-policy", b'"address";q=100;w=900, "pair";q=10;w=900'),
        (b"ratelimit", b'"address";r=96;t=411, "pair";r=7;t=850'),
    )


async def test_known_and_unknown_addresses_get_the_same_rate_limit_headers(open_app: App) -> None:
    """A stranger's headers do not depend on how the owner of an address uses the account."""
    anna = await open_app.owner("Anna")
    for _ in range(3):
        await authenticated(anna, PASSWORD)
        await anna.post("/password-resets", {"email": anna.email})
    seen = []
    for number, email in enumerate([anna.email, "nobody@example.org"]):
        stranger = Person(open_app, email, f"198.51.100.{number}")
        responses = [
            await authenticated(stranger, "wrong"),
            await stranger.post("/accounts", {**SIGN_UP, "email": email}),
            await stranger.post("/accounts/verify/resend", {"email": email}),
            await stranger.post("/password-resets", {"email": email}),
        ]
        assert [response.status_code for response in responses] == [401, 202, 202, 202]
        seen.append([remaining(response) for response in responses])
    assert seen[0] == seen[1] == [{"address": 99, "pair": 9}, {"address": 99}, {"address": 98}, {"address": 97}]


async def test_an_exhausted_mailbox_limit_is_429_with_its_header(open_app: App) -> None:
    responses = [
        await open_app.anonymous(f"198.51.100.{n}").post("/password-resets", _FULL_MAILBOX) for n in range(20, 31)
    ]
    assert [response.status_code for response in responses] == [202] * 10 + [429]
    assert remaining(responses[-1]) == {"mailbox": 0}


_FULL_MAILBOX = {"email": "full@example.org"}


async def test_an_invitation_counts_and_its_replay_does_not(app: App) -> None:
    anna = await app.owner("Anna")
    path, body = f"/workshops/{anna.workshop}/invitations", {"email": "jan@example.org", "role": "member"}
    first = await anna.post(path, body, idempotency_key="jan")
    again = await anna.post(path, body, idempotency_key="jan")
    second = await anna.post(path, body)
    assert (first.status_code, remaining(first)) == (201, {"account": 29})
    # Its response holds a secret, which is not stored.
    assert (again.status_code, again.json()["code"], remaining(again)) == (409, "already_created", {})
    assert (second.status_code, remaining(second)) == (201, {"account": 28})


async def test_wrong_current_passwords_get_rate_limit_headers(app: App) -> None:
    anna = await app.owner("Anna")
    change = await anna.put("/me/password", {"currentPassword": "wrong", "newPassword": "a saw and a file"})
    deletion = await anna.send("DELETE", "/me", {"password": "wrong"})
    assert (change.status_code, remaining(change)) == (400, {"account": 9})
    assert (deletion.status_code, remaining(deletion)) == (400, {"account": 8})


async def test_unlimited_operations_have_no_rate_limit_headers(app: App) -> None:
    anna = await app.owner("Anna")
    for response in (await anna.get("/me"), await anna.get("/nowhere"), await anna.post("/accounts/verify", {})):
        assert remaining(response) == {}


def test_openapi_declares_rate_limit_headers_of_limited_operations_only() -> None:
    paths = document(OPERATIONS, reference())["paths"]
    for operation in OPERATIONS:
        described = paths[operation.path][operation.method.lower()]
        for status, response in described["responses"].items():
            names = {"RateLimit", "RateLimit-Policy"} & response.get("headers", {}).keys()
            assert len(names) == (2 if operation.is_limited else 0), (operation.path, status)
