"""Webhooks: addresses of other programs that hear of changes, and what is sent to them (Standard Webhooks 1.0.0)."""

import base64
import hashlib
import hmac
import secrets
from typing import Annotated, Literal

from msgspec import UNSET, Meta, Struct, UnsetType
from msgspec.structs import replace

from backbench.accounts.rate_limits import Counter, count_success
from backbench.connections import attempts
from backbench.connections.attempts import Attempt, next_attempt
from backbench.engine.database import Read, Write
from backbench.engine.objects import Loaded
from backbench.engine.rows import columns
from backbench.integrations.public_addresses import Url, require_public
from backbench.mail import outbox
from backbench.mail.details import WebhookDetails
from backbench.mail.outbox import EmailKind, NewEmail
from backbench.services import Services
from backbench.values.calls import Call
from backbench.values.errors import Conflict, FieldError, NotFound, ValidationError
from backbench.values.ids import NewId
from backbench.values.limits import Limit
from backbench.values.numbers import to_json, to_json_text
from backbench.values.shapes import edited, made_of
from backbench.values.times import Instant, given, later, parse
from backbench.workshops import audit, members
from backbench.workshops.audit import Audited, AuditEntry, EventType, Unchanged

MAX_WEBHOOKS = 10
ANY = "*"
TEST = "webhook.test"
_SECRET_PREFIX = "whsec_"  # noqa: S105 - the public beginning of every secret
_SECRET_BYTES = 32
# How long the secret from before a rotation signs along.
ROTATION_SECONDS = 86_400
# Seconds from one attempt to the next, as the standard recommends.
WAITS = (5, 300, 1800, 7200, 18_000, 36_000, 50_400, 72_000, 86_400)
MAX_ATTEMPTS = len(WAITS) + 1
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


class WebhookWithSecret(Struct, frozen=True):
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
        return made_of(Delivery, self, next_attempt_at=self.next_attempt_at if self.status == "pending" else UNSET)

    def body(self) -> bytes:
        data = {"workshopId": self.workshop_id, "objectId": self.object_id, "version": self.version}
        return to_json({"type": self.event, "timestamp": self.at, "data": data})

    def after_failure(self, now: Instant, spread: float) -> Instant | None:
        """When to try again; None after the last attempt."""
        return next_attempt(WAITS, self.attempts, now, spread)


class DueDelivery(StoredDelivery, frozen=True):
    """One that is to be sent. `owner`: the account that answers for the webhook, else the workshop."""

    owner: str


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


# Statements


_COLUMNS = columns(StoredWebhook)


async def add_row(db: Write, webhook: StoredWebhook) -> None:
    """It hears of what happens from now on."""
    await db.run(
        """
        INSERT INTO webhooks (id, workshop_id, url, events, description, secret, read_version, created_at,
            created_by)
        SELECT :id, :workshop_id, :url, :events, :description, :secret, c.version, :created_at, :created_by
        FROM workshop_counters c WHERE c.workshop_id = :workshop_id
        """,
        id=webhook.id,
        workshop_id=webhook.workshop_id,
        url=webhook.url,
        events=to_json_text(webhook.events),
        description=webhook.description,
        secret=webhook.secret,
        created_at=webhook.created_at,
        created_by=webhook.created_by,
    )


# The webhook of a path.
WEBHOOK = Loaded(StoredWebhook, "webhook", "webhooks w", key="webhook_id", of_owner=True)


async def find(db: Read, webhook_id: str) -> StoredWebhook:
    """Raises NotFound."""
    found = await db.one(StoredWebhook, f"SELECT {_COLUMNS} FROM webhooks WHERE id = :id", id=webhook_id)
    if found is None:
        raise NotFound
    return found


async def list_stored(db: Read, workshop_id: str) -> list[StoredWebhook]:
    """Oldest first."""
    sql = f"SELECT {_COLUMNS} FROM webhooks WHERE workshop_id = :workshop_id ORDER BY id"
    return await db.all(StoredWebhook, sql, workshop_id=workshop_id)


async def save_row(db: Write, webhook: StoredWebhook) -> None:
    """Replaces what people change. A webhook that is enabled again hears of what happens from now on."""
    await db.run(
        """
        UPDATE webhooks SET url = :url, events = :events, description = :description, disabled_reason = :reason,
            failing_since = CASE WHEN :enabled = 1 AND enabled = 0 THEN NULL ELSE failing_since END,
            read_version = CASE WHEN :enabled = 1 AND enabled = 0 THEN (
                SELECT c.version FROM workshop_counters c WHERE c.workshop_id = webhooks.workshop_id
            ) ELSE read_version END,
            enabled = :enabled, created_by = :created_by
        WHERE id = :id
        """,
        id=webhook.id,
        url=webhook.url,
        events=to_json_text(webhook.events),
        description=webhook.description,
        enabled=int(webhook.enabled),
        reason=webhook.disabled_reason,
        created_by=webhook.created_by,
    )


async def save_replay(db: Write, webhook_id: str, version: int, uid: str) -> None:
    """It hears again of what came after the version. What an enabled one has not heard of yet is not left out.

    Enabled by the account `uid`, where it was not.
    """
    await db.run(
        """
        UPDATE webhooks SET enabled = 1, disabled_reason = NULL, failing_since = NULL,
            created_by = CASE WHEN enabled = 1 THEN created_by ELSE :uid END,
            read_version = CASE WHEN enabled = 1 AND read_version < :version THEN read_version ELSE :version END
        WHERE id = :id
        """,
        id=webhook_id,
        version=version,
        uid=uid,
    )


async def save_disabled(db: Write, webhook_id: str, reason: DisabledReason) -> bool:
    """False where it is disabled already."""
    sql = "UPDATE webhooks SET enabled = 0, disabled_reason = :reason WHERE id = :id AND enabled = 1"
    return await db.run(sql, id=webhook_id, reason=reason) > 0


async def disable_of_maker(db: Write, uid: str, workshop_id: str | None) -> list[StoredWebhook]:
    """Disables those for which the account answers, in one workshop or in all, and returns them."""
    sql = f"""
        UPDATE webhooks SET enabled = 0, disabled_reason = 'owner_left'
        WHERE created_by = :uid AND enabled = 1 AND workshop_id = coalesce(:workshop_id, workshop_id)
        RETURNING {_COLUMNS}
    """
    found = await db.all(StoredWebhook, sql, uid=uid, workshop_id=workshop_id)
    return sorted(found, key=lambda each: each.id)


async def add_missing_makers(db: Write, most: int) -> int:
    """Looks up who made the webhooks of a version before. Returns how many were looked up."""
    sql = """
        UPDATE webhooks SET created_by = coalesce((
            SELECT max(e.actor_uid) FROM audit_entries e
            WHERE e.workshop_id = webhooks.workshop_id AND e.action = 'webhook.created' AND e.object_id = webhooks.id
        ), '') WHERE id IN (SELECT id FROM webhooks WHERE created_by IS NULL ORDER BY id LIMIT :most)
    """
    return await db.run(sql, most=most)


async def save_failing(db: Write, webhook_id: str, since: Instant | None) -> None:
    """Of the first failure after a success; None after a success."""
    sql = "UPDATE webhooks SET failing_since = :since WHERE id = :id AND (failing_since IS NULL OR :is_over = 1)"
    await db.run(sql, id=webhook_id, since=since, is_over=int(since is None))


async def delete_row(db: Write, webhook_id: str) -> None:
    await db.run("DELETE FROM webhooks WHERE id = :id", id=webhook_id)


async def count_waiting(db: Read) -> int:
    """The deliveries of all workshops that are to be made, now or later; none of a webhook that is off."""
    sql = """
        SELECT count(*) FROM webhook_deliveries d JOIN webhooks w ON w.id = d.webhook_id
        WHERE d.status = 'pending' AND w.enabled = 1
    """
    return int(await db.value(sql))


async def list_behind(db: Read, limit: int) -> list[str]:
    """The ids of some whose workshop's log goes on after what they have heard of; by chance, so that each comes soon.

    Not of those for which as many deliveries wait as may.
    """
    sql = """
        SELECT w.id FROM webhooks w JOIN workshop_counters c ON c.workshop_id = w.workshop_id
        WHERE w.enabled = 1 AND w.read_version < c.version AND (
            SELECT count(*) FROM webhook_deliveries d WHERE d.webhook_id = w.id AND d.status = 'pending'
        ) < :most ORDER BY random() LIMIT :limit
    """
    return await db.all(str, sql, limit=limit, most=MOST_WAITING)


async def save_read(db: Write, webhook: StoredWebhook, version: int) -> bool:
    """False where another worker has gone on meanwhile."""
    sql = "UPDATE webhooks SET read_version = :version WHERE id = :id AND read_version = :before"
    return await db.run(sql, id=webhook.id, version=version, before=webhook.read_version) > 0


_DELIVERY_COLUMNS = columns(StoredDelivery)
# The delivery of a path, for owners. Its webhook is locked, by which it is sent.
DELIVERY = Loaded(
    StoredDelivery,
    "delivery",
    "webhook_deliveries d",
    key="delivery_id",
    locked="webhook_deliveries d JOIN webhooks w ON w.id = d.webhook_id",
    locks=("w",),
    of_owner=True,
)
_KEPT_SECONDS = 30 * 86_400
# Of a webhook: those that wait to be sent, and of the others the newest, which are listed.
MOST_WAITING = 1000
MOST_LISTED = 100


async def add_delivery(db: Write, delivery_id: str, webhook: StoredWebhook, entry: AuditEntry, now: Instant) -> None:
    await db.add(
        "webhook_deliveries",
        id=delivery_id,
        webhook_id=webhook.id,
        workshop_id=webhook.workshop_id,
        message_id=entry.id,
        event=entry.action,
        object_id=entry.object_id,
        version=entry.version,
        at=entry.at,
        attempts=0,
        status="pending",
        next_attempt_at=now,
    )


async def list_newest(db: Read, webhook_id: str) -> list[StoredDelivery]:
    sql = f"SELECT {_DELIVERY_COLUMNS} FROM webhook_deliveries WHERE webhook_id = :id ORDER BY id DESC LIMIT :limit"
    return await db.all(StoredDelivery, sql, id=webhook_id, limit=MOST_LISTED)


async def is_test_open(db: Read, webhook_id: str) -> bool:
    sql = "SELECT count(*) FROM webhook_deliveries WHERE webhook_id = :id AND event = :test AND status = 'pending'"
    return bool(await db.value(sql, id=webhook_id, test=TEST))


async def places(db: Write, webhook_id: str) -> int:
    """For how many more there is a place until those that wait are sent. Deletes what is listed no more."""
    listed = """
        SELECT id FROM webhook_deliveries WHERE webhook_id = :id AND status <> 'pending' ORDER BY id DESC LIMIT :most
    """
    await db.run(
        f"DELETE FROM webhook_deliveries WHERE webhook_id = :id AND status <> 'pending' AND id NOT IN ({listed})",
        id=webhook_id,
        most=MOST_LISTED,
    )
    sql = "SELECT count(*) FROM webhook_deliveries WHERE webhook_id = :id AND status = 'pending'"
    return max(0, MOST_WAITING - int(await db.value(sql, id=webhook_id)))


async def list_due(db: Read, now: Instant) -> list[DueDelivery]:
    """The first that is due of each webhook: one that does not respond delays its own alone."""
    sql = f"""
        SELECT {columns(StoredDelivery, "d")}, coalesce(nullif(w.created_by, ''), w.workshop_id) AS owner
        FROM webhooks w JOIN webhook_deliveries d ON d.id = (
            SELECT n.id FROM webhook_deliveries n
            WHERE n.webhook_id = w.id AND n.status = 'pending' AND n.next_attempt_at <= :now
            ORDER BY n.next_attempt_at, n.id LIMIT 1
        )
        WHERE w.enabled = 1 ORDER BY d.next_attempt_at
    """
    return await db.all(DueDelivery, sql, now=now)


async def claim(db: Write, delivery: StoredDelivery, now: Instant, lease: float) -> bool:
    row = {"id": delivery.id, "status": "pending"}
    return await attempts.claim(db, "webhook_deliveries", row, delivery.attempts, now, lease)


async def save_delivered(db: Write, delivery: StoredDelivery, attempt: Attempt) -> None:
    sql = "UPDATE webhook_deliveries SET status = 'delivered', response_status = :status WHERE id = :id"
    await db.run(sql, id=delivery.id, status=attempt.status)


async def save_failed(db: Write, delivery: StoredDelivery, attempt: Attempt, next_at: Instant | None) -> None:
    """`next_at`: None after the last attempt."""
    sql = """
        UPDATE webhook_deliveries SET response_status = :status, next_attempt_at = coalesce(:next_at, next_attempt_at),
            status = CASE WHEN :is_last = 1 THEN 'failed' ELSE status END
        WHERE id = :id AND status = 'pending'
    """
    await db.run(sql, id=delivery.id, status=attempt.status, next_at=next_at, is_last=int(next_at is None))


async def save_again(db: Write, delivery_id: str, now: Instant) -> None:
    """It is sent once more, as if it were new."""
    sql = "UPDATE webhook_deliveries SET status = 'pending', attempts = 0, next_attempt_at = :now WHERE id = :id"
    await db.run(sql, id=delivery_id, now=now)


async def delete_after(db: Write, webhook_id: str, version: int) -> None:
    """Those of changes after the version, before they are made anew."""
    sql = "DELETE FROM webhook_deliveries WHERE webhook_id = :id AND version > :version"
    await db.run(sql, id=webhook_id, version=version)


async def delete_expired_deliveries(db: Write, now: Instant) -> None:
    await db.run("DELETE FROM webhook_deliveries WHERE at < :before", before=later(now, -_KEPT_SECONDS))


# Verbs


# Anybody's address can be given: it gets no more than so many messages that nothing has caused.
_TESTS = Limit(10, 3600)
_RESENDS = Limit(100, 3600)


async def list_all(db: Read, workshop_id: str) -> WebhooksList:
    """List the webhooks of a workshop, without their secrets."""
    return WebhooksList([made_of(Webhook, each) for each in await list_stored(db, workshop_id)])


async def create(
    db: Write, call: Call, workshop_id: str, body: NewWebhook, services: Services
) -> Audited[WebhookWithSecret]:
    """Make a webhook. Its secret is in this response and nowhere else.

    Raises Conflict `plan_limit` where the workshop has ten.
    """
    require_public(body.url, "/url", allows_loopback=services.allows_loopback)
    await db.lock(f"webhooks {workshop_id}")
    count = len(await list_stored(db, workshop_id))
    if count >= MAX_WEBHOOKS:
        detail = f"A workshop can have at most {MAX_WEBHOOKS} webhooks; delete one first"
        raise Conflict("plan_limit", detail, limit=MAX_WEBHOOKS, current=count)
    new = made_of(
        StoredWebhook,
        body,
        id=call.new_id(),
        workshop_id=workshop_id,
        events=list(dict.fromkeys(body.events)),
        description=body.description or None,
        enabled=True,
        disabled_reason=None,
        secret=new_secret(),
        old_secret=None,
        old_until=None,
        read_version=0,
        failing_since=None,
        created_at=call.now,
        created_by=call.uid,
    )
    await add_row(db, new)
    return Audited(WebhookWithSecret(made_of(Webhook, new), new.secret), workshop_id, new.id)


async def get(db: Read, webhook: StoredWebhook) -> Webhook:
    """Read a webhook."""
    return made_of(Webhook, webhook)


async def update(
    db: Write, call: Call, webhook: StoredWebhook, body: WebhookEdit, services: Services
) -> Webhook | Unchanged[Webhook]:
    """Change a webhook. One that is enabled again hears of what happens from now on."""
    before = webhook
    if body.url is not UNSET:
        require_public(body.url, "/url", allows_loopback=services.allows_loopback)
    after = edited(before, body)
    after = replace(after, events=list(dict.fromkeys(after.events)), description=after.description or None)
    if after.enabled != before.enabled:
        after = replace(after, disabled_reason=None if after.enabled else "owner")
    if after.enabled and not before.enabled:
        after = replace(after, created_by=call.uid)
    if after == before:
        return Unchanged(made_of(Webhook, before))
    await save_row(db, after)
    return made_of(Webhook, after)


async def delete(db: Write, webhook: StoredWebhook) -> None:
    """Delete a webhook, with what was to be sent to it."""
    await delete_row(db, webhook.id)


async def rotate(db: Write, call: Call, webhook: StoredWebhook) -> WebhookSecret:
    """Make another secret. The former one signs along for 24 hours."""
    secret = new_secret()
    until = later(call.now, ROTATION_SECONDS)
    await db.save("webhooks", webhook, old_secret=webhook.secret, old_until=until, secret=secret)
    return WebhookSecret(secret)


async def test(db: Write, call: Call, webhook: StoredWebhook) -> None:
    """Send a message of the type `webhook.test`. While one waits to be sent there is no second one.

    Raises Conflict `not_active` where the webhook is disabled, and RateLimited after ten tests in an hour.
    """
    if not webhook.enabled:
        raise Conflict("not_active", "The webhook is disabled")
    if await is_test_open(db, webhook.id):
        return
    await count_success(db, call, Counter(f"tests of webhook {webhook.id}", _TESTS, "tests"))
    entry = AuditEntry(call.new_id(), webhook.workshop_id, 0, call.now, "account", TEST, webhook.id)
    await add_delivery(db, call.new_id(), webhook, entry, call.now)


async def list_deliveries(db: Read, webhook: StoredWebhook) -> DeliveriesList:
    """List the latest hundred deliveries of a webhook, newest first."""
    found = await list_newest(db, webhook.id)
    return DeliveriesList([each.to_response() for each in found])


async def resend(db: Write, call: Call, delivery: StoredDelivery) -> None:
    """Send a delivery once more, with the same `webhook-id`.

    Raises Conflict `not_active` where the webhook is disabled, and RateLimited after a hundred of a webhook in an hour.
    """
    webhook = await find(db, delivery.webhook_id)
    if not webhook.enabled:
        raise Conflict("not_active", "The webhook is disabled")
    await count_success(db, call, Counter(f"resends of webhook {webhook.id}", _RESENDS, "resends"))
    await save_again(db, delivery.id, call.now)


async def replay(db: Write, call: Call, webhook: StoredWebhook, body: Replay) -> None:
    """Send again what happened since a moment, at most 30 days ago. A disabled webhook is enabled with it."""
    since = given(body.since)
    if since is None:
        raise ValidationError(FieldError("/since", "malformed", "Expected an ISO 8601 date-time with a time zone"))
    version = await audit.version_before(db, webhook.workshop_id, max(since, later(call.now, -KEPT_SECONDS)))
    await delete_after(db, webhook.id, version)
    await save_replay(db, webhook.id, version, call.uid)


async def end_of_ownership(db: Write, uid: str, now: Instant, new_id: NewId, workshop_id: str | None = None) -> None:
    """Disables the webhooks for which the account answers, which owns the workshop, or any, no longer.

    The owners that there are get an email for each: one of them may enable it.
    """
    for webhook in await disable_of_maker(db, uid, workshop_id):
        await notify_owners(db, "webhook_owner_left", webhook, now, new_id)


async def notify_owners(db: Write, kind: EmailKind, webhook: StoredWebhook, now: Instant, new_id: NewId) -> None:
    details = to_json_text(WebhookDetails(webhook.workshop_id, webhook.id))
    for owner in await members.list_owners(db, webhook.workshop_id):
        await outbox.add(db, new_id(), NewEmail(kind, owner.email, owner.locale, owner.id, details=details), now)
