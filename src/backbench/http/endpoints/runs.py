"""One request on the path of `writes.py` or `actions.py`: its caller, its clock and the arguments of its action."""

from time import monotonic
from typing import Any

from backbench.domain.accounts.sessions import Caller
from backbench.domain.values.times import Instant
from backbench.http.requests import Request

# Credentials that were checked longer ago than this, before a slow body, are checked again before anything is written.
SLOW_SECONDS = 1.0


class Run:
    """The caller and the clock are both read again after a slow body."""

    __slots__ = ("caller", "checked_at", "must_check", "now", "received", "request", "values")

    def __init__(self, request: Request, now: Instant) -> None:
        self.request = request
        self.now = now
        # On the clock of `monotonic`: when the credentials were checked.
        self.checked_at = monotonic()
        self.caller: Caller | None = None
        # Whether they are to be checked again in the transaction.
        self.must_check = False
        self.values: dict[str, Any] = {}
        # The bytes of the JSON body.
        self.received = 0

    @property
    def is_slow(self) -> bool:
        return monotonic() - self.checked_at >= SLOW_SECONDS
