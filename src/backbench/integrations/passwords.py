"""Password hashing with argon2id, kept away from the event loop and from the requests that are being answered."""

import asyncio
import contextlib
import os
import sys
import threading
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import TypeVar

import argon2

from backbench.domain.values.errors import Unavailable

Result = TypeVar("Result")

# OWASP's second choice of parameters: 19 MiB, so that a burst of sign-ins fits a small box.
_MEMORY_KIB = 19 * 1024
_ROUNDS = 2
_LANES = 1
_LEAST_PRIORITY = 19
# At 20 ms each the last in line waits ten seconds; whoever comes after would have given up before it is their turn.
_MOST_WAITING = 500
_WAIT_SECONDS = 5


class Passwords:
    """One thread, of the least priority: a burst of sign-ins waits in line and nobody else notices.

    Raises Unavailable where `most_waiting` are in line already.
    """

    def __init__(self, most_waiting: int = _MOST_WAITING, memory_kib: int = _MEMORY_KIB, rounds: int = _ROUNDS) -> None:
        self._most_waiting = most_waiting
        self._waiting = 0
        self._hasher = argon2.PasswordHasher(time_cost=rounds, memory_cost=memory_kib, parallelism=_LANES)
        self._thread = ThreadPoolExecutor(1, "passwords", initializer=_step_back)
        self._nobodys: str | None = None

    async def hash(self, password: str) -> str:
        return await self._beside(self._hasher.hash, _encodable(password))

    async def verify(self, password_hash: str | None, password: str) -> bool:
        """Takes the same time for an account that does not exist (`password_hash` None) as for one that does."""
        return await self._beside(self._verify, password_hash, _encodable(password))

    def is_outdated(self, password_hash: str) -> bool:
        return self._hasher.check_needs_rehash(password_hash)

    def close(self) -> None:
        self._thread.shutdown()

    def _verify(self, password_hash: str | None, password: bytes) -> bool:
        if self._nobodys is None:
            self._nobodys = self._hasher.hash("nobody's password")
        try:
            matches = self._hasher.verify(password_hash or self._nobodys, password)
        except argon2.exceptions.VerifyMismatchError:
            return False
        return matches and password_hash is not None

    async def _beside(self, call: Callable[..., Result], *values: object) -> Result:
        if self._waiting >= self._most_waiting:
            raise Unavailable("unavailable", "Too many passwords wait to be checked", wait=_WAIT_SECONDS)
        self._waiting += 1
        try:
            return await asyncio.get_running_loop().run_in_executor(self._thread, call, *values)
        finally:
            self._waiting -= 1


def _encodable(password: str) -> bytes:
    return password.encode("utf-8", "surrogatepass")


def _step_back() -> None:
    """Gives this thread the least priority where the system knows priorities by the thread (Linux)."""
    # Elsewhere the call would take a thread's number for a process's.
    if sys.platform != "linux":
        return
    with contextlib.suppress(PermissionError):
        os.setpriority(os.PRIO_PROCESS, threading.get_native_id(), _LEAST_PRIORITY)
