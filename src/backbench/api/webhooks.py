"""Webhooks: events of the payment provider."""

from backbench.actions.billing import billing
from backbench.domain.values.errors import Unavailable
from backbench.domain.values.ids import NewId
from backbench.domain.values.times import Instant
from backbench.http.requests import Request
from backbench.http.responses import Response, empty
from backbench.integrations.payments import Payments
from backbench.storage.engine.database import Database


async def stripe(db: Database, request: Request, payments: Payments | None, now: Instant, new_id: NewId) -> Response:
    """Receive an event of the payment provider, signed over the raw body. Each is applied once, in any order."""
    if payments is None:
        raise Unavailable("payments_not_configured", "No payment provider is set up on this server")
    payload = await request.body()
    event = await payments.event(payload, request.header(b"stripe-signature") or "")
    await db.write(lambda write: billing.apply(write, event, now, new_id))
    return empty(204)
