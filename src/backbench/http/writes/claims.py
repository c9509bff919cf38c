"""Claims of Idempotency-Keys: leased, renewed while their request is in progress, and free soon after a crash."""

import asyncio
import contextlib
from collections.abc import AsyncIterator

import structlog

from backbench.domain.operations.idempotency import IdempotentRequest
from backbench.domain.values import times
from backbench.domain.values.errors import Unavailable
from backbench.domain.values.times import Instant, later
from backbench.storage.engine.database import Database
from backbench.storage.operations import idempotency

log = structlog.get_logger()

# How long a key stays claimed by a request whose process died.
_LEASE_SECONDS = 120
# Several renewals may fail, or come late, before the lease ends.
_RENEWAL_SECONDS = 30.0


def leased_until(now: Instant) -> Instant:
    return later(now, _LEASE_SECONDS)


@contextlib.asynccontextmanager
async def renewed(db: Database, claim: IdempotentRequest) -> AsyncIterator[None]:
    """Renews the claim within the block. An upload may take hours, and a PDF export may wait for others."""
    task = asyncio.create_task(_renew(db, claim))
    try:
        yield
    finally:
        task.cancel()
        await asyncio.wait([task])


async def _renew(db: Database, claim: IdempotentRequest) -> None:
    is_held = True
    while is_held:
        await asyncio.sleep(_RENEWAL_SECONDS)
        try:
            is_held = await db.write(lambda write: idempotency.renew(write, claim, leased_until(times.now())))
        except Unavailable as error:
            # Tried again. An expired claim is good as long as no repetition takes it over.
            log.warning("idempotency key not renewed", reason=error.detail)
