"""The payment provider: its hosted pages, and the events that it tells us of. Loaded when first used."""

import asyncio
from datetime import UTC, datetime
from types import ModuleType
from typing import Any

import msgspec

from backbench.domain.billing import (
    BillingEvent,
    CustomerDeleted,
    CustomerLinked,
    CustomerRefunded,
    Subscription,
    SubscriptionTold,
    Told,
)
from backbench.domain.errors import Fault, Invalid, Unavailable
from backbench.domain.times import Instant, from_datetime

_TIMEOUT_SECONDS = 15


class Payments:
    """Stripe, through its own library."""

    def __init__(self, secret_key: str, webhook_secret: str, price: str, api_url: str = "") -> None:
        self._secret_key = secret_key
        self._webhook_secret = webhook_secret
        self._price = price
        self._api_url = api_url

    async def checkout(self, workshop_id: str, customer_id: str | None, email: str, back: str) -> str:
        """The URL of a checkout page for one workshop's pro. Raises Unavailable when the provider does not answer."""
        stripe = await _library()
        buyer = {"customer": customer_id} if customer_id else {"customer_email": email}
        return await self._url_of(
            stripe,
            self._client(stripe).v1.checkout.sessions.create_async(
                {
                    "mode": "subscription",
                    "line_items": [{"price": self._price, "quantity": 1}],
                    "client_reference_id": workshop_id,
                    "subscription_data": {"metadata": {"workshopId": workshop_id}},
                    "success_url": back,
                    "cancel_url": back,
                    **buyer,
                }
            ),
        )

    async def portal(self, customer_id: str, back: str) -> str:
        """The URL of the page where a customer changes or ends its subscription. Raises Unavailable."""
        stripe = await _library()
        creating = self._client(stripe).v1.billing_portal.sessions.create_async(
            {"customer": customer_id, "return_url": back}
        )
        return await self._url_of(stripe, creating)

    async def event(self, payload: bytes, signature: str) -> BillingEvent:
        """The event, once its signature over the very bytes is found good. Raises Invalid."""
        stripe = await _library()
        try:
            stripe.WebhookSignature.verify_header(payload, signature, self._webhook_secret, tolerance=300)
            event = msgspec.json.decode(payload)
            at = _instant(event["created"])
            kind = event["type"]
            return BillingEvent(event["id"], kind, at, _told(kind, event["data"]["object"]))
        except stripe.SignatureVerificationError:
            raise Invalid(Fault("", "signature", "Not signed by the payment provider")) from None
        except (msgspec.DecodeError, UnicodeDecodeError, KeyError, TypeError, IndexError, ValueError) as error:
            raise Invalid(Fault("", "malformed", f"Not an event as known here: {error!r}")) from None

    async def _url_of(self, stripe: ModuleType, creating: Any) -> str:
        try:
            page = await creating
        except stripe.StripeError as error:
            raise Unavailable(
                "unavailable", f"The payment provider refused ({type(error).__name__})", wait=30
            ) from error
        url: str = page.url
        return url

    def _client(self, stripe: ModuleType) -> Any:
        addresses = {"api": self._api_url} if self._api_url else None
        # A client for each call: its connections belong to no loop that may have ended.
        return stripe.StripeClient(
            self._secret_key,
            base_addresses=addresses,
            http_client=stripe.HTTPXClient(timeout=_TIMEOUT_SECONDS),
            max_network_retries=1,
        )


async def _library() -> ModuleType:
    """Stripe's library takes half a second to load: beside the loop, and only where billing is used."""
    try:
        return await asyncio.to_thread(__import__, "stripe")
    except ImportError:
        raise Unavailable("payments_not_configured", "Install backbench[stripe] on the server") from None


def _told(kind: str, subject: dict[str, Any]) -> Told | None:
    match kind:
        case "customer.subscription.created" | "customer.subscription.updated" | "customer.subscription.deleted":
            return SubscriptionTold(_subscription(subject))
        case "checkout.session.completed" if subject.get("client_reference_id") and subject.get("customer"):
            return CustomerLinked(_id(subject["customer"]), subject["client_reference_id"])
        case "charge.refunded" if subject.get("refunded") and subject.get("customer"):
            return CustomerRefunded(_id(subject["customer"]))
        case "customer.deleted":
            return CustomerDeleted(subject["id"])
    return None


def _subscription(subject: dict[str, Any]) -> Subscription:
    # The period stands on the subscription or, since 2025, on its items.
    period = subject if "current_period_end" in subject else subject["items"]["data"][0]
    return msgspec.convert(
        {
            "id": subject["id"],
            "customer_id": _id(subject["customer"]),
            "workshop_id": (subject.get("metadata") or {}).get("workshopId"),
            "status": subject["status"],
            "period_starts_at": _instant(period["current_period_start"]),
            "period_ends_at": _instant(period["current_period_end"]),
            "cancels_at_period_end": bool(subject.get("cancel_at_period_end")),
        },
        Subscription,
    )


def _id(reference: str | dict[str, Any]) -> str:
    """A reference is an id, or the object itself where it was expanded."""
    return reference if isinstance(reference, str) else str(reference["id"])


def _instant(seconds: int) -> Instant:
    return from_datetime(datetime.fromtimestamp(seconds, UTC))
