"""Push deliveries: reads the logs of workshops whose members have subscribed, and sends what they are to hear of.

Nothing is read and no connection is made while nobody has subscribed. The words of a message are made when it is sent:
what was settled meanwhile is not sent.
"""

import contextlib
import random
from collections.abc import Callable, Iterator, Sequence
from functools import partial

from msgspec import structs

from backbench.connections import push, push_subscriptions
from backbench.connections.attempts import Attempt
from backbench.connections.push import (
    MORNING,
    TEST,
    NewMessage,
    PushWatch,
    StoredMessage,
    StoredSubscription,
    kind_of,
    matter_of,
    morning_before,
    next_morning,
    service_of,
)
from backbench.connections.push_words import Notification, notification, test_notification
from backbench.engine.database import Database, Read, Write
from backbench.estimating import document_settings
from backbench.integrations.public_addresses import RequestFailed
from backbench.jobs.deliveries import LEASE_SECONDS, Deliveries, Requests
from backbench.logs import log
from backbench.values.errors import NotFound, Unavailable
from backbench.values.times import Instant, parse
from backbench.workshops import audit, inbox, workshops
from backbench.workshops.audit import AuditEntry
from backbench.workshops.inbox import find_items

# Requests at once to one push service: a slow one leaves threads to the others.
_OF_SERVICE = 8
# Entries of a log, and workshops, that are read at once.
_ENTRIES = 200
_WORKSHOPS = 100


class PushDeliveries(Deliveries[StoredMessage]):
    """`contact`: how a push service reaches the host, an address of an email or a page."""

    def __init__(
        self, db: Database, requests: Requests, clock: Callable[[], Instant], public_url: str, contact: str
    ) -> None:
        super().__init__("push", requests, _OF_SERVICE)
        self._db = db
        self._clock = clock
        self._public_url = public_url
        self._contact = contact

    async def read_logs(self) -> None:
        async with self._db.read() as read:
            behind = await push.list_behind(read, self._clock(), _WORKSHOPS)
        for workshop_id in behind:
            with contextlib.suppress(NotFound):
                await self._db.write(partial(self._read_log, workshop_id=workshop_id))

    async def _read_log(self, db: Write, workshop_id: str) -> None:
        now = self._clock()
        watch = await push.lock_watch(db, workshop_id)
        entries = await audit.list_after(db, workshop_id, watch.read_version, _ENTRIES)
        heard = [entry for entry in entries if kind_of(entry)]
        morning = watch.next_morning
        come = morning if morning is not None and morning <= now else None
        if heard or come:
            for each in await push_subscriptions.list_hearing(db, workshop_id, now):
                for new in _new_messages(each, workshop_id, heard, come):
                    await push.save_new(db, new, now)
        if morning is None or come:
            morning = next_morning(now, (await document_settings.find(db, workshop_id)).zone)
        version = entries[-1].version if entries else watch.read_version
        await push.save_watch(db, PushWatch(workshop_id, version, morning))

    async def list_due(self) -> list[StoredMessage]:
        async with self._db.read() as read:
            return await push.list_due(read, self._clock())

    def receiver_of(self, message: StoredMessage) -> str:
        return message.subscription_id

    def service_of(self, message: StoredMessage) -> str:
        return service_of(message.endpoint)

    async def send(self, message: StoredMessage) -> None:
        now = self._clock()
        try:
            if not await self._db.write(lambda db: push.claim(db, message, now, LEASE_SECONDS)):
                return
            claimed = structs.replace(message, attempts=message.attempts + 1)
            outcome = await self._attempt(claimed, now)
            await self._db.write(lambda db: self._save(db, claimed, outcome))
        except Unavailable as error:
            # Sent again after its lease.
            log.info("push message not stored", subscription=message.subscription_id, reason=type(error).__name__)

    async def _attempt(self, message: StoredMessage, now: Instant) -> Attempt | None:
        """None where there is nothing to send any more."""
        try:
            async with self._db.read() as read:
                subscription = await push_subscriptions.find_active(
                    read, message.subscription_id, message.workshop_id, now
                )
                key = await push_subscriptions.find(read)
                shown = await self._notification(read, message, subscription, now)
        except NotFound:
            return None
        if shown is None or message.life_at(now) <= 0:
            return None
        # Most servers have no subscribers.
        from backbench.connections import web_push

        body = web_push.encrypt(shown.payload(self._public_url), subscription.p256dh, subscription.auth)
        at = int(parse(now).timestamp())
        signed = web_push.authorization(key, subscription.endpoint, self._contact, at)
        try:
            return Attempt(await self.post(message, subscription.endpoint, body, _headers(message, signed, now)))
        except RequestFailed as error:
            log.info("push service not reached", subscription=subscription.id, reason=str(error))
            return Attempt(None)

    async def _notification(
        self, db: Read, message: StoredMessage, subscription: StoredSubscription, now: Instant
    ) -> Notification | None:
        """None where the matter is settled, or the account has seen it."""
        if message.kind == TEST or message.workshop_id is None:
            return test_notification(subscription.locale, message.matter)
        workshop_id = message.workshop_id
        workshop = await workshops.find(db, workshop_id)
        marks = await inbox.find_marks(db, workshop_id, subscription.account_id)
        waiting = marks.inbox(await find_items(db, now, workshop_id), None).items
        since = morning_before(message.at, (await document_settings.find(db, workshop_id)).zone)
        found = message.select(waiting, subscription.kinds, since)
        if not found:
            return None
        return notification(found, workshop.name, message.matter, subscription.locale, details=subscription.details)

    async def _save(self, db: Write, message: StoredMessage, outcome: Attempt | None) -> None:
        # Push services say 404 as well of a subscription that the browser has ended.
        if outcome is not None and (outcome.is_gone or outcome.status == 404):
            await push_subscriptions.delete_row(db, message.subscription_id)
            return
        next_at = None
        if outcome is not None and outcome.may_pass:
            next_at = message.after_failure(self._clock(), random.random())  # noqa: S311 - no secret
        elif outcome is not None and not outcome.is_success:
            log.warning("push message refused", subscription=message.subscription_id, status=outcome.status)
        await push.save_attempted(db, message, next_at)


def _headers(message: StoredMessage, signed: str, now: Instant) -> dict[str, str]:
    return {
        "authorization": signed,
        "content-encoding": "aes128gcm",
        "content-type": "application/octet-stream",
        "topic": message.topic,
        "ttl": str(message.life_at(now)),
        "urgency": "low" if message.kind == MORNING else "high",
        "user-agent": "Backbench-Push",
    }


def _new_messages(
    subscription: StoredSubscription, workshop_id: str, heard: Sequence[AuditEntry], morning: Instant | None
) -> Iterator[NewMessage]:
    """`heard`: what clients did. `morning`: the one that has come, if one has."""
    for entry in heard:
        kind = kind_of(entry)
        if kind is not None and subscription.hears(entry) and entry.at >= subscription.created_at:
            matter = matter_of(kind, entry.object_id)
            yield NewMessage(subscription.id, matter, entry.at, workshop_id, entry.object_id)
    if morning is not None and subscription.hears_in_the_morning:
        yield NewMessage(subscription.id, matter_of(MORNING, workshop_id), morning, workshop_id)
