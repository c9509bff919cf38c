"""What the payment provider sends."""

from backbench.actions import billing
from backbench.api.answers import Answer, empty
from backbench.api.requests import Request
from backbench.domain.errors import Unavailable
from backbench.outside.payments import Payments
from backbench.storage.database import Database


async def stripe(db: Database, request: Request, payments: Payments | None) -> Answer:
    """Takes an event of the payment provider, signed over the raw body; each is applied once, in any order."""
    if payments is None:
        raise Unavailable("payments_not_configured", "No payment provider is set up on this server")
    payload = await request.body()
    event = await payments.event(payload, request.header(b"stripe-signature") or "")
    await db.write(lambda write: billing.apply(write, event))
    return empty(204)
