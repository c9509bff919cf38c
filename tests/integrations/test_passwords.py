"""Password hashing: the stored hash, and the limit of queued calls."""

import asyncio
from collections.abc import Iterator

import pytest

from backbench.integrations.passwords import Passwords
from backbench.values.errors import Unavailable


@pytest.fixture
def passwords() -> Iterator[Passwords]:
    """With a queue of three."""
    hasher = Passwords(max_queued=3)
    yield hasher
    hasher.close()


async def test_a_hash_is_argon2id_with_parameters_recommended_by_owasp(passwords: Passwords) -> None:
    hashed = await passwords.hash("a plane and a saw")
    assert hashed.startswith("$argon2id$v=19$m=19456,t=2,p=1$")


async def test_hashes_of_the_same_password_differ(passwords: Passwords) -> None:
    assert await passwords.hash("a plane and a saw") != await passwords.hash("a plane and a saw")


async def test_every_character_of_a_long_password_counts(passwords: Passwords) -> None:
    hashed = await passwords.hash("ł" * 255 + "a")
    assert await passwords.verify(hashed, "ł" * 255 + "a")
    assert not await passwords.verify(hashed, "ł" * 255 + "b")
    assert not await passwords.verify(hashed, "ł" * 255)


async def test_a_call_beyond_the_queue_is_unavailable_at_once(passwords: Passwords) -> None:
    tries = [asyncio.create_task(passwords.verify(None, "a plane and a saw")) for _ in range(8)]
    results = await asyncio.gather(*tries, return_exceptions=True)
    assert [type(result) for result in results] == [bool] * 3 + [Unavailable] * 5


async def test_the_queue_accepts_calls_again_when_it_is_shorter(passwords: Passwords) -> None:
    for _ in range(5):
        assert await passwords.verify(None, "a plane and a saw") is False


async def test_a_cancelled_call_leaves_the_queue(passwords: Passwords) -> None:
    tries = [asyncio.create_task(passwords.verify(None, "a plane and a saw")) for _ in range(3)]
    await asyncio.sleep(0)
    for one in tries:
        one.cancel()
    await asyncio.wait(tries)
    assert await passwords.verify(None, "a plane and a saw") is False


async def test_networks_are_served_in_turn(passwords: Passwords) -> None:
    served: list[str] = []
    large = Passwords(memory_kib=8, rounds=1)

    async def verify(network: str) -> None:
        await large.verify(None, "a plane and a saw", network)
        served.append(network)

    await asyncio.gather(*[verify("flood") for _ in range(5)], verify("honest"))
    large.close()
    assert served.index("honest") == 2, "after the call that was being made, and one of the flood"


async def test_a_full_queue_displaces_a_call_of_the_network_with_most(passwords: Passwords) -> None:
    flood = [asyncio.create_task(passwords.verify(None, "a plane and a saw", "flood")) for _ in range(3)]
    await asyncio.sleep(0)
    assert await passwords.verify(None, "a plane and a saw", "honest") is False
    results = await asyncio.gather(*flood, return_exceptions=True)
    assert [type(result) for result in results] == [bool, bool, Unavailable]


async def test_nothing_is_hashed_for_a_cancelled_call(passwords: Passwords, monkeypatch: pytest.MonkeyPatch) -> None:
    hashed: list[bytes] = []

    def verify(_: str | None, password: bytes) -> bool:
        hashed.append(password)
        return False

    monkeypatch.setattr(passwords, "_verify", verify)
    calls = [asyncio.create_task(passwords.verify(None, f"password {number}")) for number in range(3)]
    await asyncio.sleep(0)
    calls[1].cancel()
    await asyncio.wait(calls)
    assert hashed == [b"password 0", b"password 2"]
