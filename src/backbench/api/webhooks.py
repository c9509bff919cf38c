"""Webhooks: events of the payment provider."""

from backbench.actions.billing import billing
from backbench.actions.services import Services
from backbench.domain.accounts.calls import Call
from backbench.domain.billing.billing import BillingEvent
from backbench.domain.values.errors import Unavailable
from backbench.http.requests import Request
from backbench.storage.engine.database import Database, Write


async def read_event(db: Database, request: Request, services: Services) -> BillingEvent:
    """The event of the request. Raises ValidationError for a bad signature, Unavailable without a provider."""
    if services.payments is None:
        raise Unavailable("payments_not_configured", "No payment provider is set up on this server")
    payload = await request.body()
    return await services.payments.event(payload, request.header(b"stripe-signature") or "")


async def receive(db: Write, call: Call, prepared: BillingEvent) -> None:
    """Receive an event of the payment provider, signed over the raw body. Each is applied once, in any order."""
    await billing.apply(db, prepared, call.now, call.new_id)
