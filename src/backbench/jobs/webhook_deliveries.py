"""Webhook deliveries: reads the log of each workshop with webhooks, and sends what they are to hear of.

A receiver may get a message twice, with the same `webhook-id`.
"""

import contextlib
import random
from collections.abc import Callable
from functools import partial

from msgspec.structs import replace

from backbench.connections import webhooks
from backbench.connections.attempts import Attempt
from backbench.connections.webhooks import (
    DueDelivery,
    StoredDelivery,
    StoredWebhook,
    headers,
    is_failing_for_good,
    notify_owners,
)
from backbench.engine.database import Database, Write
from backbench.integrations.public_addresses import RequestFailed
from backbench.jobs.deliveries import LEASE_SECONDS, Deliveries, Requests
from backbench.logs import log
from backbench.values.errors import NotFound, Unavailable
from backbench.values.ids import NewId
from backbench.values.times import Instant
from backbench.workshops import audit

# Entries of a log, and webhooks, that are read at once.
_ENTRIES = 200
_WEBHOOKS = 100


class WebhookDeliveries(Deliveries[DueDelivery]):
    def __init__(self, db: Database, requests: Requests, clock: Callable[[], Instant], new_id: NewId) -> None:
        super().__init__("webhooks", requests)
        self._db = db
        self._clock = clock
        self._new_id = new_id

    async def read_logs(self) -> None:
        """Stores the deliveries of what has happened since."""
        async with self._db.read() as read:
            behind = await webhooks.list_behind(read, _WEBHOOKS)
        for webhook_id in behind:
            with contextlib.suppress(NotFound):
                await self._db.write(partial(self._read_log, webhook_id=webhook_id))

    async def _read_log(self, db: Write, webhook_id: str) -> None:
        webhook = await webhooks.find(db.locking(), webhook_id)
        # The place in the log is kept, so the rest is read as those that wait are sent.
        places = await webhooks.places(db, webhook_id)
        most = min(_ENTRIES, places)
        entries = await audit.list_after(db, webhook.workshop_id, webhook.read_version, most) if most else []
        if not entries or not await webhooks.save_read(db, webhook, entries[-1].version):
            return
        now = self._clock()
        for entry in entries:
            if webhook.hears(entry.action):
                await webhooks.add_delivery(db, self._new_id(), webhook, entry, now)

    async def list_due(self) -> list[DueDelivery]:
        async with self._db.read() as read:
            return await webhooks.list_due(read, self._clock())

    def receiver_of(self, message: DueDelivery) -> str:
        return message.webhook_id

    def owner_of(self, message: DueDelivery) -> str:
        return message.owner

    async def send(self, message: DueDelivery) -> None:
        now, delivery = self._clock(), message
        try:
            if not await self._db.write(lambda db: webhooks.claim(db, delivery, now, LEASE_SECONDS)):
                return
            async with self._db.read() as read:
                webhook = await webhooks.find(read, delivery.webhook_id)
            delivery = replace(delivery, attempts=delivery.attempts + 1)
            attempt = await self._attempt(webhook, delivery, now)
            await self._db.write(lambda db: self._save(db, webhook, delivery, attempt))
        except (NotFound, Unavailable) as error:
            # Deleted meanwhile, or sent again after its lease.
            log.info("webhook delivery not stored", delivery=delivery.id, reason=type(error).__name__)

    async def _attempt(self, webhook: StoredWebhook, delivery: DueDelivery, now: Instant) -> Attempt:
        body = delivery.body()
        sent = {
            "content-type": "application/json",
            "user-agent": "Backbench-Webhooks",
            **headers(delivery, webhook.secrets_at(now), body, now),
        }
        try:
            return Attempt(await self.post(delivery, webhook.url, body, sent))
        except RequestFailed as error:
            log.info("webhook not reached", webhook=webhook.id, reason=str(error))
            return Attempt(None)

    async def _save(self, db: Write, webhook: StoredWebhook, delivery: StoredDelivery, attempt: Attempt) -> None:
        now = self._clock()
        if attempt.is_success:
            await webhooks.save_delivered(db, delivery, attempt)
            await webhooks.save_failing(db, webhook.id, None)
            return
        next_at = delivery.after_failure(now, random.random())  # noqa: S311 - no secret
        await webhooks.save_failed(db, delivery, attempt, next_at)
        await webhooks.save_failing(db, webhook.id, now)
        if attempt.is_gone:
            await webhooks.save_disabled(db, webhook.id, "gone")
        elif is_failing_for_good(webhook.failing_since, now) and await webhooks.save_disabled(
            db, webhook.id, "failing"
        ):
            await notify_owners(db, "webhook_disabled", webhook, now, self._new_id)
