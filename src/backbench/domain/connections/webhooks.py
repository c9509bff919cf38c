"""Webhooks: addresses of other programs that hear of changes (Standard Webhooks 1.0.0, standardwebhooks.com)."""

import base64
import hashlib
import hmac
import secrets
from typing import Annotated, Literal

from msgspec import UNSET, Meta, Struct, UnsetType

from backbench.domain.connections.addresses import Url
from backbench.domain.values.numbers import to_json
from backbench.domain.values.times import Instant, later, parse
from backbench.domain.workshops.audit import EventType

MAX_WEBHOOKS = 10
ANY = "*"
TEST = "webhook.test"
_SECRET_PREFIX = "whsec_"  # noqa: S105 - the public beginning of every secret
_SECRET_BYTES = 32
# How long the secret from before a rotation signs along.
ROTATION_SECONDS = 86_400
# Seconds from one attempt to the next, as the standard recommends.
_WAITS = (5, 300, 1800, 7200, 18_000, 36_000, 50_400, 72_000, 86_400)
MAX_ATTEMPTS = len(_WAITS) + 1
_JITTER = 0.2
# After so long without a success the webhook is disabled.
FAILING_SECONDS = 5 * 86_400
# How long deliveries are listed.
KEPT_SECONDS = 30 * 86_400

EventName = Literal[EventType, "*"]
Description = Annotated[str, Meta(max_length=250)]
DisabledReason = Literal["gone", "failing", "owner", "owner_left"]
DeliveryStatus = Literal["pending", "delivered", "failed"]


class NewWebhook(Struct, frozen=True, forbid_unknown_fields=True):
    """`events`: names of event types, or `*` for all."""

    url: Url
    events: Annotated[list[EventName], Meta(min_length=1, max_length=100)]
    description: Description | UnsetType = UNSET


class WebhookEdit(Struct, frozen=True, forbid_unknown_fields=True):
    url: Url | UnsetType = UNSET
    events: Annotated[list[EventName], Meta(min_length=1, max_length=100)] | UnsetType = UNSET
    description: Description | UnsetType = UNSET
    enabled: bool | UnsetType = UNSET


class Replay(Struct, frozen=True, forbid_unknown_fields=True):
    """`since`: a moment; what happened from then on is sent again."""

    since: Annotated[str, Meta(max_length=40, extra_json_schema={"format": "date-time"})]


class Webhook(Struct, frozen=True, rename="camel"):
    id: str
    url: str
    events: list[str]
    enabled: bool
    created_at: Instant
    description: str | UnsetType = UNSET
    disabled_reason: DisabledReason | UnsetType = UNSET


class AddedWebhook(Struct, frozen=True):
    """`secret` is in no other response."""

    webhook: Webhook
    secret: str


class WebhookSecret(Struct, frozen=True):
    secret: str


class WebhooksList(Struct, frozen=True):
    webhooks: list[Webhook]


class StoredWebhook(Struct, frozen=True):
    """`old_secret` signs along until `old_until`. `failing_since`: of the first failure after the last success.

    `created_by`: the account that answers for it, since it made or enabled it; None where no log says who.
    """

    id: str
    workshop_id: str
    url: str
    events: list[str]
    description: str | None
    enabled: bool
    disabled_reason: DisabledReason | None
    secret: str
    old_secret: str | None
    old_until: Instant | None
    read_version: int
    failing_since: Instant | None
    created_at: Instant
    created_by: str | None

    def to_response(self) -> Webhook:
        return Webhook(
            self.id,
            self.url,
            self.events,
            self.enabled,
            self.created_at,
            self.description or UNSET,
            self.disabled_reason or UNSET,
        )

    def hears(self, event: str) -> bool:
        return ANY in self.events or event in self.events

    def secrets_at(self, now: Instant) -> list[str]:
        is_old_valid = self.old_secret is not None and self.old_until is not None and now < self.old_until
        return [self.secret, *([self.old_secret] if is_old_valid and self.old_secret else [])]


class Delivery(Struct, frozen=True, rename="camel"):
    id: str
    event: str
    attempts: int
    status: DeliveryStatus
    response_status: int | UnsetType = UNSET
    next_attempt_at: Instant | UnsetType = UNSET


class DeliveriesList(Struct, frozen=True):
    deliveries: list[Delivery]


class StoredDelivery(Struct, frozen=True):
    """`message_id` is the id of the entry of the log: the same in every attempt."""

    id: str
    webhook_id: str
    workshop_id: str
    message_id: str
    event: str
    object_id: str
    version: int
    at: Instant
    attempts: int
    status: DeliveryStatus
    response_status: int | None
    next_attempt_at: Instant

    def to_response(self) -> Delivery:
        is_pending = self.status == "pending"
        return Delivery(
            self.id,
            self.event,
            self.attempts,
            self.status,
            UNSET if self.response_status is None else self.response_status,
            self.next_attempt_at if is_pending else UNSET,
        )

    def body(self) -> bytes:
        data = {"workshopId": self.workshop_id, "objectId": self.object_id, "version": self.version}
        return to_json({"type": self.event, "timestamp": self.at, "data": data})

    def after_failure(self, now: Instant, spread: float) -> Instant | None:
        """When to try again; None after the last attempt. `spread` from 0 to 1 keeps attempts of many apart."""
        if self.attempts >= MAX_ATTEMPTS:
            return None
        return later(now, _WAITS[self.attempts - 1] * (1 - _JITTER + 2 * _JITTER * spread))


class DueDelivery(StoredDelivery, frozen=True):
    """One that is to be sent. `owner`: the account that answers for the webhook, else the workshop."""

    owner: str


class Attempt(Struct, frozen=True):
    """How an attempt ended. `status` is None where there was no response."""

    status: int | None

    @property
    def is_success(self) -> bool:
        return self.status is not None and 200 <= self.status < 300

    @property
    def is_gone(self) -> bool:
        return self.status == 410


def new_secret() -> str:
    return _SECRET_PREFIX + base64.b64encode(secrets.token_bytes(_SECRET_BYTES)).decode()


def headers(delivery: StoredDelivery, keys: list[str], body: bytes, now: Instant) -> dict[str, str]:
    """Those of the standard: the time is that of the attempt."""
    timestamp = str(int(parse(now).timestamp()))
    signed = f"{delivery.message_id}.{timestamp}.".encode() + body
    return {
        "webhook-id": delivery.message_id,
        "webhook-timestamp": timestamp,
        "webhook-signature": " ".join(_signature(key, signed) for key in keys),
    }


def _signature(secret: str, signed: bytes) -> str:
    key = base64.b64decode(secret.removeprefix(_SECRET_PREFIX))
    return "v1," + base64.b64encode(hmac.digest(key, signed, hashlib.sha256)).decode()


def is_failing_for_good(since: Instant | None, now: Instant) -> bool:
    return since is not None and later(since, FAILING_SECONDS) <= now
