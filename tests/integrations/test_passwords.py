"""Hashing passwords: what is stored, and what happens when many come at once."""

import asyncio
from collections.abc import Iterator

import pytest

from backbench.domain.values.errors import Unavailable
from backbench.integrations.passwords import Passwords


@pytest.fixture
def passwords() -> Iterator[Passwords]:
    """With room for three in line."""
    hasher = Passwords(most_waiting=3)
    yield hasher
    hasher.close()


async def test_a_hash_is_argon2id_with_the_parameters_that_owasp_recommends(passwords: Passwords) -> None:
    hashed = await passwords.hash("a plane and a saw")
    assert hashed.startswith("$argon2id$v=19$m=19456,t=2,p=1$")


async def test_the_same_password_is_never_stored_alike(passwords: Passwords) -> None:
    assert await passwords.hash("a plane and a saw") != await passwords.hash("a plane and a saw")


async def test_every_character_of_a_long_password_counts(passwords: Passwords) -> None:
    hashed = await passwords.hash("ł" * 255 + "a")
    assert await passwords.verify(hashed, "ł" * 255 + "a")
    assert not await passwords.verify(hashed, "ł" * 255 + "b")
    assert not await passwords.verify(hashed, "ł" * 255)


async def test_whoever_would_wait_too_long_is_told_so_at_once(passwords: Passwords) -> None:
    tries = [asyncio.create_task(passwords.verify(None, "a plane and a saw")) for _ in range(8)]
    told = await asyncio.gather(*tries, return_exceptions=True)
    assert [type(answer) for answer in told] == [bool] * 3 + [Unavailable] * 5


async def test_there_is_room_again_once_the_line_is_shorter(passwords: Passwords) -> None:
    for _ in range(5):
        assert await passwords.verify(None, "a plane and a saw") is False


async def test_whoever_gives_up_makes_room(passwords: Passwords) -> None:
    tries = [asyncio.create_task(passwords.verify(None, "a plane and a saw")) for _ in range(3)]
    await asyncio.sleep(0)
    for one in tries:
        one.cancel()
    await asyncio.wait(tries)
    assert await passwords.verify(None, "a plane and a saw") is False
