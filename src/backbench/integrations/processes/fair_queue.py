"""Fair queue: what waits is taken from its owners in turn, so that much of one delays another by one at a time."""

import asyncio
from collections import deque
from collections.abc import Callable, Hashable

Turn = asyncio.Future[None]


class FairQueue:
    """Waiting calls by owner. One beyond `max_length` displaces the newest call of the owner that has most.

    Unless that is its own owner: then it gets the error of `too_many` itself.
    """

    def __init__(self, max_length: int, too_many: Callable[[], Exception]) -> None:
        self._max_length = max_length
        self._too_many = too_many
        self._length = 0
        self._by_owner: dict[Hashable, deque[Turn]] = {}

    def add(self, owner: Hashable, turn: Turn) -> None:
        """Raises the error of `too_many`."""
        if self._length >= self._max_length:
            self._displace(owner)
        self._by_owner.setdefault(owner, deque()).append(turn)
        self._length += 1

    def pop(self, may_have: Callable[[Hashable], bool] = lambda _: True) -> tuple[Hashable, Turn] | None:
        """The next call, of an owner that may have one; its owner goes to the end."""
        for owner in [each for each in self._by_owner if may_have(each)]:
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

    def remove(self, owner: Hashable, turn: Turn) -> None:
        """Removes a call that waits no more, if it is still in the queue."""
        calls = self._by_owner.get(owner)
        if calls is None or turn not in calls:
            return
        calls.remove(turn)
        self._length -= 1
        if not calls:
            del self._by_owner[owner]

    def _displace(self, owner: Hashable) -> None:
        most = max(self._by_owner, key=lambda each: len(self._by_owner[each]), default=owner)
        own = len(self._by_owner.get(owner, ()))
        if len(self._by_owner.get(most, ())) <= own + 1:
            raise self._too_many()
        turn = self._by_owner[most].pop()
        self._length -= 1
        if not turn.done():
            turn.set_exception(self._too_many())
