"""Stripe events: payloads of the payment provider, signed as the provider signs them."""

import hashlib
import hmac
import itertools
import time
from typing import Any

import httpx
import msgspec

from tests.people import App, Person
from tests.support.providers.stripe_server import SECRET_KEY, WEBHOOK_SECRET

DAY = 86_400
PRICE = "price_pro"
_numbers = itertools.count(1)

# Settings of a service that sells pro. The URL of the provider is unreachable, because reads must not need it.
SELLING: dict[str, Any] = {
    "stripe_secret_key": SECRET_KEY,
    "stripe_webhook_secret": WEBHOOK_SECRET,
    "stripe_price": PRICE,
    "stripe_api_url": "http://127.0.0.1:9",
}


def new_customer() -> str:
    return f"cus_{next(_numbers)}"


def now_seconds() -> int:
    return int(time.time())


def mac_of(payload: bytes, at: int, secret: str = WEBHOOK_SECRET) -> str:
    return hmac.new(secret.encode(), b"%d.%s" % (at, payload), hashlib.sha256).hexdigest()


def signed(event: Any, secret: str = WEBHOOK_SECRET, at: int | None = None) -> tuple[bytes, str]:
    """The bytes of the event and their signature."""
    payload = msgspec.json.encode(event)
    at = now_seconds() if at is None else at
    return payload, f"t={at},v1={mac_of(payload, at, secret)}"


async def send_event(app: App, event: Any) -> httpx.Response:
    payload, signature = signed(event)
    return await app.anonymous().post("/webhooks/stripe", payload, stripe_signature=signature)


async def send_events(app: App, *events: dict[str, Any]) -> None:
    for event in events:
        response = await send_event(app, event)
        assert response.status_code == 204, response.text


def event_of(kind: str, subject: dict[str, Any], at: int) -> dict[str, Any]:
    return {"id": f"evt_{next(_numbers)}", "object": "event", "type": kind, "created": at, "data": {"object": subject}}


def item(price: str, start: int, end: int) -> dict[str, Any]:
    return {"price": {"id": price}, "current_period_start": start, "current_period_end": end}


def subscription(
    workshop_id: str | None,
    customer: str,
    *,
    start: int,
    status: str = "active",
    days: int = 30,
    cancels: bool = False,
    number: int = 1,
) -> dict[str, Any]:
    return {
        "id": f"sub_{customer}_{number}",
        "object": "subscription",
        "customer": customer,
        "status": status,
        "cancel_at_period_end": cancels,
        "metadata": {} if workshop_id is None else {"workshopId": workshop_id},
        "items": {"data": [item(PRICE, start, start + days * DAY)]},
    }


def bought(workshop_id: str | None, customer: str, at: int, **fields: Any) -> dict[str, Any]:
    """The event of an updated subscription, whose period starts at the time of the event unless `start` is given."""
    subject = subscription(workshop_id, customer, **{"start": at, **fields})
    return event_of("customer.subscription.updated", subject, at)


def checked_out(workshop_id: str, customer: str, at: int) -> dict[str, Any]:
    page = {
        "id": "cs_1",
        "mode": "subscription",
        "customer": customer,
        "client_reference_id": workshop_id,
        "metadata": {"workshopId": workshop_id},
    }
    return event_of("checkout.session.completed", page, at)


def refunded(customer: str, paid_at: int, at: int) -> dict[str, Any]:
    charge = {"id": "ch_1", "object": "charge", "customer": customer, "refunded": True, "created": paid_at}
    return event_of("charge.refunded", charge, at)


def customer_gone(customer: str, at: int) -> dict[str, Any]:
    return event_of("customer.deleted", {"id": customer, "object": "customer"}, at)


async def entitlements(person: Person) -> dict[str, Any]:
    response = await person.get(f"/workshops/{person.workshop}/entitlements")
    assert response.status_code == 200, response.text
    current: dict[str, Any] = response.json()
    return current


async def plan_of(person: Person) -> tuple[str, str | None]:
    """The plan and its source."""
    current = await entitlements(person)
    return current["plan"], current["billing"]["planSource"]
