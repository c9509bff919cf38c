"""Password hashing with argon2id, in a low-priority thread apart from the event loop."""

import asyncio
import contextlib
import os
import sys
import threading
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import TypeVar

import argon2

from backbench.values.errors import Unavailable
from backbench.values.fair_queue import FairQueue

Result = TypeVar("Result")

# OWASP's second recommended parameters: 19 MiB, so that a burst of sign-ins fits a small machine.
_MEMORY_KIB = 19 * 1024
_ROUNDS = 2
_LANES = 1
_LOWEST_PRIORITY = 19
# At 20 ms each, the last request in the queue waits ten seconds. Clients would give up before a longer wait ended.
_MAX_QUEUED = 500
_RETRY_AFTER_SECONDS = 5


class Passwords:
    """Hashes passwords in one thread of the lowest priority, so that a burst of sign-ins does not delay other requests.

    Raises Unavailable if `max_queued` calls are queued.
    """

    def __init__(self, max_queued: int = _MAX_QUEUED, memory_kib: int = _MEMORY_KIB, rounds: int = _ROUNDS) -> None:
        # The call that is being made counts as queued.
        self._queue: FairQueue[str, None] = FairQueue(max_queued - 1, _too_many)
        self._is_hashing = False
        self._hasher = argon2.PasswordHasher(time_cost=rounds, memory_cost=memory_kib, parallelism=_LANES)
        self._thread = ThreadPoolExecutor(1, "passwords", initializer=_lower_thread_priority)
        self._dummy_hash: str | None = None

    async def hash(self, password: str, network: str = "") -> str:
        """`network`: the client's; networks are served in turn."""
        return await self._in_thread(network, self._hasher.hash, _encodable(password))

    async def verify(self, password_hash: str | None, password: str, network: str = "") -> bool:
        """Takes the same time for an account that does not exist (`password_hash` is None) as for one that does."""
        return await self._in_thread(network, self._verify, password_hash, _encodable(password))

    def is_outdated(self, password_hash: str) -> bool:
        return self._hasher.check_needs_rehash(password_hash)

    def close(self) -> None:
        self._thread.shutdown()

    def _verify(self, password_hash: str | None, password: bytes) -> bool:
        if self._dummy_hash is None:
            self._dummy_hash = self._hasher.hash("dummy password")
        try:
            matches = self._hasher.verify(password_hash or self._dummy_hash, password)
        except argon2.exceptions.VerifyMismatchError:
            return False
        return matches and password_hash is not None

    async def _in_thread(self, network: str, call: Callable[..., Result], *values: object) -> Result:
        """Waits for its turn. A request that is cancelled before leaves the queue, and nothing is hashed for it."""
        if self._is_hashing:
            await self._queue.wait(network, lambda _: self._start_next())
        self._is_hashing = True
        started = asyncio.get_running_loop().run_in_executor(self._thread, call, *values)
        # At the end of the call, and not of the request, which may be cancelled before.
        started.add_done_callback(lambda _: self._start_next())
        return await asyncio.shield(started)

    def _start_next(self) -> None:
        found = self._queue.pop()
        self._is_hashing = found is not None
        if found is not None:
            found[1].set_result(None)


def _too_many() -> Unavailable:
    return Unavailable("unavailable", "Too many password checks are queued", wait=_RETRY_AFTER_SECONDS)


def _encodable(password: str) -> bytes:
    return password.encode("utf-8", "surrogatepass")


def _lower_thread_priority() -> None:
    """Sets the lowest priority on Linux, which has priorities per thread."""
    # Other systems would interpret the thread id as a process id.
    if sys.platform != "linux":
        return
    with contextlib.suppress(PermissionError):
        os.setpriority(os.PRIO_PROCESS, threading.get_native_id(), _LOWEST_PRIORITY)
