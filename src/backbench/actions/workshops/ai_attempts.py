"""Rate limits of the AI operations: attempts are recorded before the language model is called."""

import math

from backbench.domain.accounts.calls import Call
from backbench.domain.drafting.providers import Kind
from backbench.domain.values.errors import RateLimited
from backbench.domain.values.limits import Limit
from backbench.domain.values.quotas import Quota
from backbench.domain.values.times import later, seconds_between
from backbench.storage.engine.database import Write
from backbench.storage.workshops import ai_attempts

_POLICIES: dict[Kind, str] = {"context_synthesis": "synthesis", "message_draft": "drafts"}


async def count_attempt(db: Write, call: Call, workshop_id: str, kind: Kind, limit: Limit) -> None:
    """Records an attempt. Raises RateLimited with the wait until the oldest attempt leaves the window.

    A rejected attempt is not recorded, so the limit opens again by itself. Call it in a transaction that ends before
    the model is called: the call has then been counted, with any outcome.
    """
    await db.lock(f"ai {workshop_id}")
    since = later(call.now, -limit.window)
    counted = await ai_attempts.list_times_since(db, workshop_id, kind, since=since, limit=limit.count)
    available_at = later(counted[-1] if counted else call.now, limit.window)
    wait = max(1, math.ceil(seconds_between(call.now, available_at)))
    if len(counted) >= limit.count:
        raise RateLimited(_POLICIES[kind], limit.count, limit.window, wait)
    await ai_attempts.delete_old(db, workshop_id, kind, until=since)
    await ai_attempts.add(db, workshop_id, kind, attempt_id=call.new_id(), at=call.now)
    call.quotas[_POLICIES[kind]] = Quota(limit, limit.count - len(counted) - 1, wait)
