"""RateLimit headers: whoever is counted is told what is left, and nothing about anybody else."""

from collections.abc import AsyncIterator, Callable

import httpx
import pytest

from backbench.api.routes import OPERATIONS
from backbench.domain.values.limits import Limit
from backbench.domain.values.quotas import Quota
from backbench.http.errors import rate_limit
from backbench.http.openapi.document import document
from tests.people import PASSWORD, Person, Shop
from tests.support.engines import opened_shop

SIGN_UP = {"name": "Anna", "password": "a hammer and a nail", "acceptTerms": True}


@pytest.fixture(scope="module")
async def village(new_database_url: Callable[[], str]) -> AsyncIterator[Shop]:
    """A shop where anybody may sign up."""
    async with opened_shop(new_database_url(), sign_up="open") as opened:
        yield opened


def left(answer: httpx.Response) -> dict[str, int]:
    """What is left, by the name of the limit; that no more is told of than the policies name, and how."""
    policies = _items(answer.headers.get("ratelimit-policy", ""))
    states = _items(answer.headers.get("ratelimit", ""))
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


async def test_every_sign_in_response_has_rate_limit_headers(shop: Shop) -> None:
    anna = await shop.owner("Anna")
    # One was used up by anna, who signed in.
    right, wrong = await authenticated(anna, PASSWORD), await authenticated(anna, "wrong")
    unreadable = await anna.post("/authenticate", {"email": anna.email})
    assert (right.status_code, left(right)) == (200, {"address": 98, "pair": 8})
    assert (wrong.status_code, left(wrong)) == (401, {"address": 97, "pair": 7})
    assert (unreadable.status_code, left(unreadable)) == (400, {"address": 96, "malformed": 9})


async def test_the_rate_limit_headers_follow_the_draft() -> None:
    quotas = {"address": Quota(Limit(100, 900), 96, 411), "pair": Quota(Limit(10, 900), 7, 850)}
    assert rate_limit(quotas) == (
        (b"ratelimit-policy", b'"address";q=100;w=900, "pair";q=10;w=900'),
        (b"ratelimit", b'"address";r=96;t=411, "pair";r=7;t=850'),
    )


async def test_known_and_unknown_addresses_get_the_same_rate_limit_headers(village: Shop) -> None:
    """Whoever uses an account elsewhere leaves no trace in what a stranger is told about its address."""
    anna = await village.owner("Anna")
    for _ in range(3):
        await authenticated(anna, PASSWORD)
        await anna.post("/password-resets", {"email": anna.email})
    told = []
    for number, email in enumerate([anna.email, "nobody@example.org"]):
        stranger = Person(village, email, f"198.51.100.{number}")
        answers = [
            await authenticated(stranger, "wrong"),
            await stranger.post("/accounts", {**SIGN_UP, "email": email}),
            await stranger.post("/accounts/verify/resend", {"email": email}),
            await stranger.post("/password-resets", {"email": email}),
        ]
        assert [answer.status_code for answer in answers] == [401, 202, 202, 202]
        told.append([left(answer) for answer in answers])
    assert told[0] == told[1] == [{"address": 99, "pair": 9}, {"address": 99}, {"address": 98}, {"address": 97}]


async def test_an_exhausted_mailbox_limit_is_429_with_its_header(village: Shop) -> None:
    answers = [await village.visitor(f"198.51.100.{n}").post("/password-resets", _TO_FULL) for n in range(20, 31)]
    assert [answer.status_code for answer in answers] == [202] * 10 + [429]
    assert left(answers[-1]) == {"mailbox": 0}


_TO_FULL = {"email": "full@example.org"}


async def test_an_invitation_counts_and_its_replay_does_not(shop: Shop) -> None:
    anna = await shop.owner("Anna")
    path, body = f"/workshops/{anna.workshop}/invitations", {"email": "jan@example.org", "role": "member"}
    first = await anna.post(path, body, idempotency_key="jan")
    again = await anna.post(path, body, idempotency_key="jan")
    second = await anna.post(path, body)
    assert (first.status_code, left(first)) == (201, {"account": 99})
    assert (again.status_code, left(again)) == (201, {})
    assert (second.status_code, left(second)) == (201, {"account": 98})


async def test_wrong_current_passwords_get_rate_limit_headers(shop: Shop) -> None:
    anna = await shop.owner("Anna")
    change = await anna.put("/me/password", {"currentPassword": "wrong", "newPassword": "a saw and a file"})
    removal = await anna.send("DELETE", "/me", {"password": "wrong"})
    assert (change.status_code, left(change)) == (400, {"account": 9})
    assert (removal.status_code, left(removal)) == (400, {"account": 8})


async def test_unlimited_operations_have_no_rate_limit_headers(shop: Shop) -> None:
    anna = await shop.owner("Anna")
    for answer in (await anna.get("/me"), await anna.get("/nowhere"), await anna.post("/accounts/verify", {})):
        assert left(answer) == {}


def test_openapi_declares_rate_limit_headers_of_limited_operations_only() -> None:
    paths = document(OPERATIONS)["paths"]
    for operation in OPERATIONS:
        described = paths[operation.path][operation.method.lower()]
        for status, answer in described["responses"].items():
            names = {"RateLimit", "RateLimit-Policy"} & answer.get("headers", {}).keys()
            assert len(names) == (2 if operation.is_limited else 0), (operation.path, status)
