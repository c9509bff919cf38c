"""Owners: for whom work is done that others wait for, and the queue in which they take turns.

An owner is an account, or credentials that are not known yet; None is for what the application does by itself. It is
set for each request, as a function that is called only where it matters: by PostgreSQL's connection pool and by the
queues of worker processes, so that nobody keeps them from others.
"""

import asyncio
import math
from collections import deque
from collections.abc import Callable, Hashable
from contextvars import ContextVar
from typing import Any, Generic, TypeVar

Owner = TypeVar("Owner", bound=Hashable)
Given = TypeVar("Given")


def _nobody() -> None:
    return None


owner: ContextVar[Callable[[], Hashable]] = ContextVar("owner", default=_nobody)


class FairQueue(Generic[Owner, Given]):
    """Waiting calls by owner, taken from the owners in turn: much of one delays another by one call at a time.

    A call beyond `max_length` displaces the newest one of the owner that has most, which gets the error of `too_many`;
    unless that is its own owner: then it gets the error itself.
    """

    def __init__(self, max_length: float = math.inf, too_many: Callable[[], Exception] = TimeoutError) -> None:
        self._max_length = max_length
        self._too_many = too_many
        self._length = 0
        self._by_owner: dict[Owner, deque[asyncio.Future[Given]]] = {}

    def __len__(self) -> int:
        """The calls that wait."""
        return self._length

    async def wait(self, owner: Owner, give_back: Callable[[Given], None], seconds: float = math.inf) -> Given:
        """What the call is given with its turn. One that was cancelled at that moment gives it back.

        Raises the error of `too_many`, and TimeoutError after `seconds` without a turn.
        """
        loop = asyncio.get_running_loop()
        turn: asyncio.Future[Given] = loop.create_future()
        self._add(owner, turn)
        # Of the turn, not of the call: a turn that comes at the last moment is taken.
        timer = loop.call_later(seconds, end, turn) if seconds < math.inf else None
        try:
            return await turn
        except BaseException:
            self._remove(owner, turn)
            if turn.done() and not turn.cancelled() and turn.exception() is None:
                give_back(turn.result())
            raise
        finally:
            if timer is not None:
                timer.cancel()

    def pop(self, may_have: Callable[[Owner], bool] = lambda _: True) -> tuple[Owner, asyncio.Future[Given]] | None:
        """The next call, of an owner that may have one, to be given its result; its owner goes to the end."""
        for owner in list(self._by_owner):
            if not may_have(owner):
                continue
            calls = self._by_owner.pop(owner)
            found = None
            while calls and found is None:
                turn = calls.popleft()
                self._length -= 1
                found = None if turn.done() else turn
            if calls:
                self._by_owner[owner] = calls
            if found is not None:
                return owner, found
        return None

    def _add(self, owner: Owner, turn: asyncio.Future[Given]) -> None:
        if self._length >= self._max_length:
            self._displace(owner)
        self._by_owner.setdefault(owner, deque()).append(turn)
        self._length += 1

    def _remove(self, owner: Owner, turn: asyncio.Future[Given]) -> None:
        """Removes a call that waits no more, if it is still in the queue."""
        calls = self._by_owner.get(owner)
        if calls is None or turn not in calls:
            return
        calls.remove(turn)
        self._length -= 1
        if not calls:
            del self._by_owner[owner]

    def _displace(self, owner: Owner) -> None:
        most = max(self._by_owner, key=lambda each: len(self._by_owner[each]), default=owner)
        own = len(self._by_owner.get(owner, ()))
        if len(self._by_owner.get(most, ())) <= own + 1:
            raise self._too_many()
        turn = self._by_owner[most].pop()
        self._length -= 1
        if not turn.done():
            turn.set_exception(self._too_many())


def end(turn: asyncio.Future[Any]) -> None:
    if not turn.done():
        turn.set_exception(TimeoutError())
