"""Sign-in rate limits: per account and IP address, per IP address, per account, and the 429 response."""

import asyncio
import ipaddress
from collections.abc import AsyncIterator, Callable
from typing import Any

import httpx
import pytest

from backbench.accounts.sessions import digest
from backbench.app import Backbench
from backbench.values.limits import Limit
from tests.people import PASSWORD, App, Person
from tests.support.databases import running_app

LIMIT, CEILING, WINDOW = 10, 100, 900


@pytest.fixture
async def url(new_database_url: Callable[[], str]) -> str:
    return new_database_url()


@pytest.fixture(scope="module")
async def low_ceilings(new_database_url: Callable[[], str]) -> AsyncIterator[App]:
    """An app with low ceilings, so that they are soon reached."""
    async with running_app(new_database_url(), sign_in_ceiling=Limit(15, WINDOW)) as opened:
        yield opened


async def attempts(person: Person, number: int, body: Any = None, **headers: str) -> list[int]:
    """The statuses of that many attempts."""
    sent = {"email": person.email, "password": "wrong"} if body is None else body
    return [(await person.post("/authenticate", sent, **headers)).status_code for _ in range(number)]


async def test_the_eleventh_attempt_in_900_seconds_is_429(app: App) -> None:
    anonymous = app.anonymous("203.0.113.1")
    assert await attempts(anonymous, LIMIT + 1) == [401] * LIMIT + [429]


async def test_successful_attempts_count_as_well(app: App) -> None:
    anna = await app.owner("Anna")
    await anna.sign_in()
    right = {"email": anna.email, "password": PASSWORD}
    # Anna's own sign-in from the same address has used one.
    assert await attempts(anna, LIMIT, right) == [200] * (LIMIT - 1) + [429]


async def test_the_correct_password_is_429_over_the_limit(app: App) -> None:
    anna = await app.owner("Anna")
    await attempts(anna, LIMIT)
    assert (await anna.sign_in()).status_code == 429


async def test_a_429_response_has_retry_after_and_rate_limit_headers(app: App) -> None:
    anonymous = app.anonymous("203.0.113.2")
    await attempts(anonymous, LIMIT)
    response = await anonymous.sign_in()
    wait = int(response.headers["retry-after"])
    assert response.status_code == 429
    assert WINDOW - 600 < wait <= WINDOW
    assert response.headers["ratelimit-policy"] == f'"pair";q={LIMIT};w={WINDOW}'
    assert response.headers["ratelimit"] == f'"pair";r=0;t={wait}'
    problem = response.json()
    assert (problem["status"], problem["code"]) == (429, "rate_limited")
    assert {"type", "title", "detail"} <= set(problem)


async def test_all_attempts_are_available_again_after_the_window(low_ceilings: App) -> None:
    anonymous = low_ceilings.anonymous("203.0.113.3")
    await attempts(anonymous, LIMIT + 1)
    await low_ceilings.db.write(lambda db: db.run("UPDATE attempts SET ends_at = '2020-01-01T00:00:00.000Z'"))
    assert await attempts(anonymous, LIMIT + 1) == [401] * LIMIT + [429]


async def test_another_ip_address_is_counted_separately(app: App) -> None:
    anna = await app.owner("Anna")
    attacker = Person(app, anna.email, "203.0.113.4")
    await attempts(attacker, LIMIT + 1)
    assert (await anna.sign_in()).status_code == 200


async def test_another_account_is_counted_separately(app: App) -> None:
    address = "203.0.113.5"
    await attempts(app.anonymous(address), LIMIT + 1)
    assert await attempts(app.anonymous(address), 1) == [401]


async def test_the_email_of_an_attempt_is_case_insensitive(app: App) -> None:
    anonymous = app.anonymous("203.0.113.6")
    await attempts(anonymous, LIMIT)
    assert await attempts(anonymous, 1, {"email": anonymous.email.upper(), "password": "x"}) == [429]


@pytest.mark.parametrize(
    ("body", "headers", "status"),
    [
        (b"", {}, 400),
        (b"{", {}, 400),
        ({}, {}, 400),
        ({"email": "anna", "password": "x"}, {}, 400),
        (b"{}", {"content_type": "text/plain"}, 415),
        (b"{}", {"content_encoding": "gzip"}, 415),
        (b"x" * 300_000, {}, 413),
    ],
    ids=["empty", "not JSON", "no members", "no address", "plain text", "compressed", "too large"],
)
async def test_a_malformed_attempt_counts_for_its_ip_address_only(
    app: App, body: Any, headers: dict[str, str], status: int
) -> None:
    address = fresh_address()
    anonymous = app.anonymous(address)
    assert await attempts(anonymous, LIMIT + 1, body, **headers) == [status] * LIMIT + [429]
    # Neither another account at the same address nor another address is limited.
    assert await attempts(anonymous, 1) == [401]
    assert await attempts(app.anonymous(fresh_address()), 1, body, **headers) == [status]


async def test_an_ip_address_has_a_ceiling_over_all_accounts(low_ceilings: App) -> None:
    address = "203.0.113.8"
    statuses = [(await attempts(low_ceilings.anonymous(address), 1))[0] for _ in range(16)]
    assert statuses == [401] * 15 + [429]
    assert await attempts(low_ceilings.anonymous("203.0.113.9"), 1) == [401]


async def test_an_account_has_a_ceiling_over_all_ip_addresses(low_ceilings: App) -> None:
    anna = await low_ceilings.owner("Anna")
    await anna.sign_in()
    statuses = [(await attempts(Person(low_ceilings, anna.email, f"203.0.113.{n}"), 1))[0] for n in range(10, 26)]
    # Anna's own sign-in has used one.
    assert statuses == [401] * 14 + [429] * 2


async def test_malformed_attempts_count_towards_the_ceiling_of_their_ip_address(low_ceilings: App) -> None:
    address = "203.0.113.30"
    await attempts(low_ceilings.anonymous(address), 15, {})
    assert await attempts(low_ceilings.anonymous(address), 1) == [429]


async def test_the_ceiling_of_the_contract_is_100(app: App) -> None:
    assert app.backbench.settings.sign_in_ceiling == Limit(CEILING, WINDOW)
    assert app.backbench.settings.sign_in_limit == Limit(LIMIT, WINDOW)


async def test_raising_one_limit_does_not_change_the_other(new_database_url: Callable[[], str]) -> None:
    limits = {"sign_in_limit": Limit(20, WINDOW), "sign_in_ceiling": Limit(15, WINDOW)}
    async with running_app(new_database_url(), **limits) as app:
        assert await attempts(app.anonymous("203.0.113.1"), 16) == [401] * 15 + [429]


async def test_counters_survive_a_restart_and_are_shared_by_every_node(url: str) -> None:
    async with running_app(url) as app:
        anonymous = app.anonymous("203.0.113.1")
        await attempts(anonymous, 6)
        async with running_app(url) as node:
            assert await attempts(Person(node, anonymous.email, "203.0.113.1"), 3) == [401] * 3
    async with running_app(url) as restarted:
        again = Person(restarted, anonymous.email, "203.0.113.1")
        assert await attempts(again, 2) == [401, 429]


@pytest.mark.both_engines
async def test_parallel_attempts_are_all_counted(app: App) -> None:
    anonymous = app.anonymous("203.0.113.40")
    body = {"email": anonymous.email, "password": "wrong"}
    responses = await asyncio.gather(*[anonymous.post("/authenticate", body) for _ in range(LIMIT + 6)])
    assert sorted(response.status_code for response in responses) == [401] * LIMIT + [429] * 6


async def test_ipv6_addresses_of_one_64_prefix_are_one_address(app: App) -> None:
    await attempts(app.anonymous("2001:db8:1:2::1"), LIMIT, {})
    assert await attempts(app.anonymous("2001:db8:1:2:ffff:ffff:ffff:ffff"), 1, {}) == [429]
    assert await attempts(app.anonymous("2001:db8:1:3::1"), 1, {}) == [400]


@pytest.mark.parametrize("network", ["2001:db8:a:{}00::1", "2001:db8:b:{}::1"])
async def test_ipv6_addresses_of_one_48_or_56_prefix_share_a_ceiling(low_ceilings: App, network: str) -> None:
    statuses = []
    for number in range(16):
        statuses += await attempts(low_ceilings.anonymous(network.format(hex(number)[2:])), 1)
    assert statuses == [401] * 15 + [429]
    assert await attempts(low_ceilings.anonymous("2001:db8:c::1"), 1) == [401]


async def test_strangers_cannot_lock_out_a_browser_that_has_signed_in(low_ceilings: App) -> None:
    anna = await low_ceilings.owner("Anna")
    await anna.sign_in()
    await anna.post("/logout")
    for number in range(16):
        stranger = Person(low_ceilings, anna.email, f"198.18.7.{number}")
        await attempts(stranger, 1)
    assert (await Person(low_ceilings, anna.email, "198.18.8.1").sign_in()).status_code == 429
    response = await anna.sign_in()
    assert response.status_code == 200
    assert "device=" not in " ".join(response.headers.get_list("set-cookie")), "the browser has one"


async def test_a_device_cookie_is_for_its_own_account(low_ceilings: App) -> None:
    anna, eve = await low_ceilings.owner("Anna"), await low_ceilings.owner("Eve")
    for number in range(16):
        await attempts(Person(low_ceilings, anna.email, f"198.18.9.{number}"), 1)
    eve.email = anna.email
    assert await attempts(eve, 1) == [429]


@pytest.mark.both_engines
async def test_a_browser_that_has_signed_in_has_a_ceiling_of_its_own(low_ceilings: App) -> None:
    anna = await low_ceilings.owner("Anna")
    await anna.sign_in()
    cookie = f"device={anna.browser.cookies['device']}"
    statuses = []
    for number in range(16):
        statuses += await attempts(Person(low_ceilings, anna.email, f"198.18.10.{number}"), 1, cookie=cookie)
    assert statuses == [401] * 15 + [429]


async def test_the_device_cookie_is_stored_as_a_hash_and_sent_to_sign_in_only(app: App) -> None:
    anna = await app.owner("Anna")
    await anna.sign_in()
    again = await Person(app, anna.email, "198.18.11.1").sign_in()
    [line] = [line for line in again.headers.get_list("set-cookie") if line.startswith("device=")]
    secret, _, flags = line.removeprefix("device=").partition("; ")
    assert flags == "Max-Age=31536000; Path=/api/authenticate; SameSite=Lax; HttpOnly"
    async with app.db.read() as db:
        stored = await db.all(str, "SELECT secret_hash FROM devices WHERE account_id = :uid", uid=anna.uid)
    assert len(stored) == 2
    assert secret not in stored
    assert digest(secret) in stored


async def test_an_ipv4_address_written_as_ipv6_is_the_same_address(app: App) -> None:
    address = fresh_address()
    await attempts(app.anonymous(address), LIMIT, {})
    assert await attempts(app.anonymous(f"::ffff:{address}"), 1, {}) == [429]


# Behind proxies


class ProxiedApp:
    """An app behind trusted proxies. The attempts are malformed: those count by address only."""

    def __init__(self, backbench: Backbench) -> None:
        self._app = backbench

    async def attempt(self, peer: str, *forwarded: bytes | str) -> int:
        """From `peer`, with these X-Forwarded-For headers."""
        lines = [line if isinstance(line, bytes) else line.encode() for line in forwarded]
        transport = httpx.ASGITransport(app=self._app, client=(peer, 50000))
        async with httpx.AsyncClient(transport=transport, base_url="http://127.0.0.1:8000") as client:
            headers = [(b"x-forwarded-for", line) for line in lines]
            response = await client.post("/api/authenticate", json={}, headers=headers)
            return response.status_code

    async def use_up(self, peer: str, *forwarded: bytes | str) -> None:
        statuses = [await self.attempt(peer, *forwarded) for _ in range(LIMIT + 1)]
        assert statuses == [400] * LIMIT + [429]


@pytest.fixture(scope="module")
async def proxied_app(new_database_url: Callable[[], str]) -> AsyncIterator[ProxiedApp]:
    trusted = (ipaddress.ip_network("10.0.0.0/8"), ipaddress.ip_network("fd00::/8"))
    async with running_app(new_database_url(), trusted_proxies=trusted) as app:
        yield ProxiedApp(app.backbench)


async def test_the_client_of_a_trusted_proxy_is_its_forwarded_hop(proxied_app: ProxiedApp) -> None:
    client = fresh_address()
    await proxied_app.use_up("10.0.0.1", client)
    assert await proxied_app.attempt("10.0.0.1", fresh_address()) == 400
    assert await proxied_app.attempt("10.0.0.2", client) == 429


async def test_hops_before_the_forwarded_one_are_ignored(proxied_app: ProxiedApp) -> None:
    client = fresh_address()
    await proxied_app.use_up("10.0.0.1", client)
    assert await proxied_app.attempt("10.0.0.1", f"198.51.100.1, {client}") == 429
    assert await proxied_app.attempt("10.0.0.1", "198.51.100.2", client) == 429
    assert await proxied_app.attempt("10.0.0.1", f"10.1.1.1, {client}") == 429


async def test_the_client_is_the_rightmost_untrusted_hop(proxied_app: ProxiedApp) -> None:
    client = fresh_address()
    await proxied_app.use_up("10.0.0.1", f"{client}, 10.0.0.9, fd00::1")
    assert await proxied_app.attempt("fd00::2", client) == 429


async def test_an_untrusted_peer_cannot_choose_its_address(proxied_app: ProxiedApp) -> None:
    peer = fresh_address()
    await proxied_app.use_up(peer, "198.51.100.1")
    assert await proxied_app.attempt(peer, "198.51.100.99") == 429
    assert await proxied_app.attempt(peer) == 429


@pytest.mark.parametrize(
    ("proxy", "header"),
    [
        ("10.9.0.1", b""),
        ("10.9.0.2", b"unknown"),
        ("10.9.0.3", b"203.0.113"),
        ("10.9.0.4", b"x" * 10_000),
        ("10.9.0.5", b", ,"),
        ("10.9.0.6", b"203.0.113.7 ,junk"),
        ("10.9.0.7", b"\xff"),
    ],
)
async def test_an_invalid_x_forwarded_for_counts_as_the_proxy(
    proxied_app: ProxiedApp, proxy: str, header: bytes
) -> None:
    await proxied_app.use_up(proxy, header)
    assert await proxied_app.attempt(proxy) == 429


async def test_x_forwarded_for_is_ignored_without_trusted_proxies(app: App) -> None:
    anonymous = app.anonymous(fresh_address())
    statuses = [(await attempts(anonymous, 1, {}, x_forwarded_for=fresh_address()))[0] for _ in range(LIMIT + 1)]
    assert statuses == [400] * LIMIT + [429]


_addresses = iter(ipaddress.ip_network("198.18.0.0/15"))


def fresh_address() -> str:
    return str(next(_addresses))
