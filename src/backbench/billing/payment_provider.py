"""Payment provider (Stripe): URLs of hosted pages, and parsing of webhook events. Its library loads on first use."""

import asyncio
from collections.abc import Awaitable, Callable, Sequence
from datetime import UTC, datetime
from types import ModuleType
from typing import Annotated, Any

import msgspec
from msgspec import Meta, Struct

from backbench.billing.subscriptions import (
    BillingChange,
    BillingEvent,
    CustomerDeleted,
    CustomerLinked,
    CustomerRefunded,
    Subscription,
    SubscriptionChanged,
)
from backbench.values.errors import FieldError, Unavailable, ValidationError
from backbench.values.times import Instant, from_datetime

_TOLERANCE_SECONDS = 300
# Other strings are not stored; Stripe's ids are far shorter.
_Id = Annotated[str, Meta(pattern=r"\A[\x21-\x7e]{1,255}\Z")]
_Page = Annotated[str, Meta(pattern="^https?://")]
_Seconds = Annotated[int, Meta(ge=0, le=253_402_300_799)]


class _EventData(Struct, frozen=True):
    object: dict[str, Any]


class _Event(Struct, frozen=True):
    """The members that all kinds of events share."""

    id: _Id
    type: str
    created: _Seconds
    data: _EventData


class Payments:
    """A client of Stripe, through its library."""

    def __init__(
        self, secret_key: str, webhook_secret: str, price: str, api_url: str = "", seconds: float = 15
    ) -> None:
        """`price`: the id of the price of pro; after commas, earlier ones that still count.

        `seconds`: the timeout of a call, including connecting and one retry.
        """
        self._secret_key = secret_key
        self._webhook_secret = webhook_secret
        self._prices = tuple(each.strip() for each in price.split(","))
        self._api_url = api_url
        self._seconds = seconds

    async def checkout(self, workshop_id: str, customer_id: str | None, email: str, back: str) -> str:
        """The URL of a checkout page for the pro plan of a workshop. Raises Unavailable."""
        buyer = {"customer": customer_id} if customer_id else {"customer_email": email}
        parameters = {
            "mode": "subscription",
            "line_items": [{"price": self._prices[0], "quantity": 1}],
            "client_reference_id": workshop_id,
            # Who pays through a payment link of the same provider can set the reference, and no metadata.
            "metadata": {"workshopId": workshop_id},
            "subscription_data": {"metadata": {"workshopId": workshop_id}},
            "success_url": back,
            "cancel_url": back,
            **buyer,
        }
        return await self._page(lambda pages: pages.checkout.sessions.create_async(parameters))

    async def portal(self, customer_id: str, back: str) -> str:
        """The URL of the page where a customer changes or cancels its subscription. Raises Unavailable."""
        parameters = {"customer": customer_id, "return_url": back}
        return await self._page(lambda pages: pages.billing_portal.sessions.create_async(parameters))

    async def event(self, payload: bytes, signature: str) -> BillingEvent:
        """Verifies the signature of the payload and parses the event. Raises ValidationError."""
        stripe = await _library()
        try:
            stripe.WebhookSignature.verify_header(payload, signature, self._webhook_secret, _TOLERANCE_SECONDS)
            event = msgspec.json.decode(payload, type=_Event)
            change = _change(event.type, event.data.object, event.created, self._prices)
            return BillingEvent(event.id, event.type, _instant(event.created), change)
        except stripe.SignatureVerificationError:
            raise ValidationError(FieldError("", "signature", "Not signed by the payment provider")) from None
        except (msgspec.MsgspecError, UnicodeDecodeError, AttributeError, LookupError, TypeError, ValueError) as error:
            raise ValidationError(FieldError("", "malformed", f"Not a supported event: {error!r}")) from None

    async def _page(self, create: Callable[[Any], Awaitable[Any]]) -> str:
        stripe = await _library()
        # In a thread, since it reads certificates. One for each call: a connection must not outlive its event loop.
        http = await asyncio.to_thread(stripe.HTTPXClient, timeout=self._seconds)
        try:
            async with asyncio.timeout(self._seconds):
                page = await create(self._client(stripe, http).v1)
            return msgspec.convert(page["url"], _Page)
        except (stripe.StripeError, TimeoutError, LookupError, AttributeError, TypeError, ValueError) as error:
            detail = f"The payment provider returned no page ({type(error).__name__})"
            raise Unavailable("unavailable", detail, wait=30) from error
        finally:
            await http.close_async()

    def _client(self, stripe: ModuleType, http: Any) -> Any:
        base_addresses = {"api": self._api_url} if self._api_url else None
        return stripe.StripeClient(
            self._secret_key, base_addresses=base_addresses, http_client=http, max_network_retries=1
        )


async def _library() -> ModuleType:
    """Stripe's library takes half a second to load: it is imported in a thread, and only if billing is used."""
    try:
        stripe = await asyncio.to_thread(__import__, "stripe")
    except ImportError:
        raise Unavailable("payments_not_configured", "The packages of the extra 'stripe' are not installed") from None
    # Telemetry would report this machine, and write an id for it to the user's configuration.
    stripe.__dict__["enable_telemetry"] = False
    return stripe


def _change(kind: str, subject: dict[str, Any], created: int, prices: Sequence[str]) -> BillingChange | None:
    match kind:
        case "customer.subscription.created" | "customer.subscription.updated" | "customer.subscription.deleted":
            return SubscriptionChanged(_subscription(subject, prices))
        case "checkout.session.completed" if _is_our_checkout(subject) and subject.get("customer"):
            return CustomerLinked(_customer(subject), _id(subject["client_reference_id"]))
        case "charge.refunded" if subject.get("refunded") and subject.get("customer"):
            return CustomerRefunded(_customer(subject), _instant(subject.get("created", created)))
        case "customer.deleted":
            return CustomerDeleted(_id(subject["id"]))
    return None


def _is_our_checkout(session: dict[str, Any]) -> bool:
    """Whether `Payments.checkout` has created it; other pages of the same provider account sell other things."""
    reference = session.get("client_reference_id")
    workshop_id = (session.get("metadata") or {}).get("workshopId")
    return reference is not None and reference == workshop_id and session.get("mode") == "subscription"


def _price(item: dict[str, Any]) -> str:
    """The id of the item's price; in older versions of the provider's API, of its plan."""
    reference = item.get("price") or item["plan"]
    return _id(reference["id"] if isinstance(reference, dict) else reference)


def _subscription(subject: dict[str, Any], prices: Sequence[str]) -> Subscription:
    items = subject["items"]["data"]
    ours = next((item for item in items if _price(item) in prices), None)
    # The period is a member of the subscription or, since 2025, of its items.
    period = subject if "current_period_end" in subject else ours or items[0]
    workshop_id = (subject.get("metadata") or {}).get("workshopId")
    # Some events have the time of the end only.
    is_last_period = 0 < (subject.get("cancel_at") or 0) <= period["current_period_end"]
    return msgspec.convert(
        {
            "id": _id(subject["id"]),
            "customer_id": _customer(subject),
            "workshop_id": None if workshop_id is None else _id(workshop_id),
            # A subscription to something else counts as ended: it may have been one to pro before.
            "status": "canceled" if ours is None else subject["status"],
            "period_starts_at": _instant(period["current_period_start"]),
            "period_ends_at": _instant(period["current_period_end"]),
            "cancels_at_period_end": is_last_period or bool(subject.get("cancel_at_period_end")),
        },
        Subscription,
    )


def _customer(subject: dict[str, Any]) -> str:
    """A reference is an id, or the object itself if it was expanded."""
    reference = subject["customer"]
    return _id(reference["id"] if isinstance(reference, dict) else reference)


def _id(identifier: Any) -> str:
    return msgspec.convert(identifier, _Id)


def _instant(seconds: Any) -> Instant:
    return from_datetime(datetime.fromtimestamp(msgspec.convert(seconds, _Seconds), UTC))
