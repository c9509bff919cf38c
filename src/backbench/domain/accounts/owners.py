"""For whom work is done that others wait for: an account, or credentials that are not known yet.

Set for each request, as a function that is called only where it matters: by PostgreSQL's connection pool and by the
queues of worker processes, so that nobody keeps them from others. None is for what the application does by itself.
"""

from collections.abc import Callable, Hashable
from contextvars import ContextVar


def _nobody() -> None:
    return None


owner: ContextVar[Callable[[], Hashable]] = ContextVar("owner", default=_nobody)
