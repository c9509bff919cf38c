"""Completion of an action that makes its own transactions."""

from collections.abc import Awaitable, Callable
from typing import Any

from backbench.domain.workshops.audit import Audited
from backbench.storage.engine.database import Write

# Called by the action in its last transaction: the endpoint then writes the audit entry, and the stored response where
# the request has an Idempotency-Key, together with the change itself.
Complete = Callable[[Write, Audited[Any]], Awaitable[None]]


async def complete_without_audit(_db: Write, _result: Audited[Any]) -> None:
    """For callers other than an HTTP request, such as the demo."""
