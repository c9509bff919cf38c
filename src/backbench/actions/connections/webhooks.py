"""Webhooks of a workshop: list, make, change, delete, test, and what was sent. Owners only."""

from msgspec import UNSET
from msgspec.structs import replace

from backbench.actions.rate_limits import Counter, count_success
from backbench.actions.services import Services
from backbench.domain.accounts.calls import Call
from backbench.domain.connections.addresses import require_public
from backbench.domain.connections.webhooks import (
    KEPT_SECONDS,
    MAX_WEBHOOKS,
    ROTATION_SECONDS,
    TEST,
    AddedWebhook,
    DeliveriesList,
    NewWebhook,
    Replay,
    StoredDelivery,
    StoredWebhook,
    Webhook,
    WebhookEdit,
    WebhookSecret,
    WebhooksList,
    new_secret,
)
from backbench.domain.mail.details import WebhookDetails
from backbench.domain.mail.emails import EmailKind, NewEmail
from backbench.domain.values.errors import Conflict, FieldError, ValidationError
from backbench.domain.values.ids import NewId
from backbench.domain.values.limits import Limit
from backbench.domain.values.numbers import to_json_text
from backbench.domain.values.times import Instant, given, later
from backbench.domain.workshops.audit import Audited, AuditEntry, Unchanged
from backbench.storage.connections import webhook_deliveries, webhooks
from backbench.storage.engine.database import Read, Write
from backbench.storage.operations import email_outbox
from backbench.storage.workshops import audit, members

# Anybody's address can be given: it gets no more than so many messages that nothing has caused.
_TESTS = Limit(10, 3600)
_RESENDS = Limit(100, 3600)


async def list_all(db: Read, workshop_id: str) -> WebhooksList:
    """List the webhooks of a workshop, without their secrets."""
    return WebhooksList([each.to_response() for each in await webhooks.list_all(db, workshop_id)])


async def create(
    db: Write, call: Call, workshop_id: str, body: NewWebhook, services: Services
) -> Audited[AddedWebhook]:
    """Make a webhook. Its secret is in this response and nowhere else.

    Raises Conflict `plan_limit` where the workshop has ten.
    """
    require_public(body.url, "/url", allows_loopback=services.allows_loopback)
    await db.lock(f"webhooks {workshop_id}")
    count = len(await webhooks.list_all(db, workshop_id))
    if count >= MAX_WEBHOOKS:
        detail = f"A workshop can have at most {MAX_WEBHOOKS} webhooks; delete one first"
        raise Conflict("plan_limit", detail, limit=MAX_WEBHOOKS, current=count)
    new = StoredWebhook(
        id=call.new_id(),
        workshop_id=workshop_id,
        url=body.url,
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
    await webhooks.add(db, new)
    return Audited(AddedWebhook(new.to_response(), new.secret), workshop_id, new.id)


async def get(db: Read, webhook: StoredWebhook) -> Webhook:
    """Read a webhook."""
    return webhook.to_response()


async def update(
    db: Write, call: Call, webhook: StoredWebhook, body: WebhookEdit, services: Services
) -> Webhook | Unchanged[Webhook]:
    """Change a webhook. One that is enabled again hears of what happens from now on."""
    before = webhook
    if body.url is not UNSET:
        require_public(body.url, "/url", allows_loopback=services.allows_loopback)
    after = replace(
        before,
        url=before.url if body.url is UNSET else body.url,
        events=before.events if body.events is UNSET else list(dict.fromkeys(body.events)),
        description=before.description if body.description is UNSET else body.description or None,
    )
    if body.enabled is not UNSET and body.enabled != before.enabled:
        after = replace(after, enabled=body.enabled, disabled_reason=None if body.enabled else "owner")
    if after.enabled and not before.enabled:
        after = replace(after, created_by=call.uid)
    if after == before:
        return Unchanged(before.to_response())
    await webhooks.save(db, after)
    return after.to_response()


async def delete(db: Write, webhook: StoredWebhook) -> None:
    """Delete a webhook, with what was to be sent to it."""
    await webhooks.delete(db, webhook.id)


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
    if await webhook_deliveries.is_test_open(db, webhook.id):
        return
    await count_success(db, call, Counter(f"tests of webhook {webhook.id}", _TESTS, "tests"))
    entry = AuditEntry(call.new_id(), webhook.workshop_id, 0, call.now, "account", TEST, webhook.id)
    await webhook_deliveries.add(db, call.new_id(), webhook, entry, call.now)


async def list_deliveries(db: Read, webhook: StoredWebhook) -> DeliveriesList:
    """List the latest hundred deliveries of a webhook, newest first."""
    found = await webhook_deliveries.list_newest(db, webhook.id)
    return DeliveriesList([each.to_response() for each in found])


async def resend(db: Write, call: Call, delivery: StoredDelivery) -> None:
    """Send a delivery once more, with the same `webhook-id`.

    Raises Conflict `not_active` where the webhook is disabled, and RateLimited after a hundred of a webhook in an hour.
    """
    webhook = await webhooks.find(db, delivery.webhook_id)
    if not webhook.enabled:
        raise Conflict("not_active", "The webhook is disabled")
    await count_success(db, call, Counter(f"resends of webhook {webhook.id}", _RESENDS, "resends"))
    await webhook_deliveries.save_again(db, delivery.id, call.now)


async def replay(db: Write, call: Call, webhook: StoredWebhook, body: Replay) -> None:
    """Send again what happened since a moment, at most 30 days ago. A disabled webhook is enabled with it."""
    since = given(body.since)
    if since is None:
        raise ValidationError(FieldError("/since", "malformed", "Expected an ISO 8601 date-time with a time zone"))
    version = await audit.version_before(db, webhook.workshop_id, max(since, later(call.now, -KEPT_SECONDS)))
    await webhook_deliveries.delete_after(db, webhook.id, version)
    await webhooks.save_replay(db, webhook.id, version, call.uid)


async def end_of_ownership(db: Write, uid: str, now: Instant, new_id: NewId, workshop_id: str | None = None) -> None:
    """Disables the webhooks for which the account answers, which owns the workshop, or any, no longer.

    The owners that there are get an email for each: one of them may enable it.
    """
    for webhook in await webhooks.disable_of_maker(db, uid, workshop_id):
        await notify_owners(db, "webhook_owner_left", webhook, now, new_id)


async def notify_owners(db: Write, kind: EmailKind, webhook: StoredWebhook, now: Instant, new_id: NewId) -> None:
    details = to_json_text(WebhookDetails(webhook.workshop_id, webhook.id))
    for owner in await members.list_owners(db, webhook.workshop_id):
        await email_outbox.add(db, new_id(), NewEmail(kind, owner.email, owner.locale, owner.id, details=details), now)
