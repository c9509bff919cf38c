"""Push messages: what the browser of a member hears of, and when (RFC 8030); those that wait to be sent."""

import base64
import hashlib
from collections.abc import Collection
from datetime import timedelta
from typing import Annotated
from urllib.parse import urlsplit

from msgspec import Meta, Struct

from backbench.connections import attempts
from backbench.connections.attempts import next_attempt
from backbench.engine.database import Read, Write
from backbench.integrations.public_addresses import Url
from backbench.values.enums import UserLocale
from backbench.values.errors import NotFound
from backbench.values.scalars import END
from backbench.values.shapes import made_of
from backbench.values.times import Instant, later, local_date, of_wall_clock, seconds_between
from backbench.workshops.audit import AuditEntry
from backbench.workshops.inbox import InboxItem, InboxKind

# Of an account: its phones and computers, each with its browsers.
MAX_SUBSCRIPTIONS = 20
TEST = "test"
MORNING = "morning"
_MORNING_TIME = "08:00"
# By the event of what a client does. Answers of members have the same events.
_AT_ONCE: dict[str, InboxKind] = {
    "estimate.accepted": "accepted",
    "estimate.declined": "declined",
    "estimate.commented": "question",
    "order.asked": "question",
}
_KINDS_AT_ONCE = frozenset(_AT_ONCE.values())
# How long a message is of use: a push service keeps it for a phone that is off.
LIFE_SECONDS = 86_400
# How long a settled one is kept.
KEPT_SECONDS = 30 * 86_400
# Seconds from one attempt to the next.
WAITS = (30, 120, 600, 3600, 10_800)
Key = Annotated[
    str, Meta(pattern=r"^[A-Za-z0-9_\-]{87}=?" + END, extra={"detail": "Expected 65 bytes in the base64url encoding"})
]
Secret = Annotated[
    str,
    Meta(pattern=r"^[A-Za-z0-9_\-]{22}(==)?" + END, extra={"detail": "Expected 16 bytes in the base64url encoding"}),
]


class PushKey(Struct, frozen=True):
    key: str


class VapidKey(Struct, frozen=True):
    """The key pair of the installation, in the base64url encoding: 32 bytes, and a point of 65 bytes."""

    private_key: str
    public_key: str


class NewPushSubscription(Struct, frozen=True, forbid_unknown_fields=True):
    """`endpoint`, `p256dh` and `auth` are what the browser says of its subscription. `details`: whether messages name
    the customer and the work, which are then on the screen of a locked phone."""

    endpoint: Url
    p256dh: Key
    auth: Secret
    kinds: Annotated[list[InboxKind], Meta(max_length=20)]
    details: bool = False


class PushSubscription(Struct, frozen=True, rename="camel"):
    """`service`: the host of the push service, which the browser has chosen. `current`: of this session."""

    id: str
    kinds: list[InboxKind]
    details: bool
    service: str
    user_agent: str
    current: bool
    created_at: Instant


class PushSubscriptionsList(Struct, frozen=True):
    subscriptions: list[PushSubscription]


class StoredSubscription(Struct, frozen=True):
    id: str
    account_id: str
    session_id: str
    endpoint: str
    p256dh: str
    auth: str
    kinds: list[InboxKind]
    details: bool
    created_at: Instant
    user_agent: str
    locale: UserLocale

    def to_response(self, session_id: str | None) -> PushSubscription:
        is_current = self.session_id == session_id
        return made_of(PushSubscription, self, service=service_of(self.endpoint), current=is_current)

    def hears(self, entry: AuditEntry) -> bool:
        """Whether it is a client's doing of a kind that was chosen, and the account did not record it itself."""
        kind = kind_of(entry)
        return kind is not None and kind in self.kinds and entry.actor_uid != self.account_id

    @property
    def hears_in_the_morning(self) -> bool:
        return not _KINDS_AT_ONCE.issuperset(self.kinds)


class PushWatch(Struct, frozen=True):
    """How far the log of a workshop was read. `next_morning`: None where it is not worked out yet."""

    workshop_id: str
    read_version: int
    next_morning: Instant | None


class NewMessage(Struct, frozen=True):
    """What a subscription is to hear of. The one of a test is of no workshop."""

    subscription_id: str
    matter: str
    at: Instant
    workshop_id: str | None = None
    object_id: str | None = None


class StoredMessage(Struct, frozen=True):
    """`matter`: the kind and what it is about; another message about the same replaces it. `at`: when it happened."""

    subscription_id: str
    matter: str
    workshop_id: str | None
    object_id: str | None
    at: Instant
    attempts: int
    endpoint: str

    @property
    def kind(self) -> str:
        return self.matter.partition(".")[0]

    @property
    def topic(self) -> str:
        """Under which a push service keeps one message for a phone that is off; it says nothing."""
        digest = hashlib.sha256(f"{self.subscription_id} {self.matter}".encode()).digest()
        return base64.urlsafe_b64encode(digest)[:32].decode()

    def life_at(self, now: Instant) -> int:
        """The whole seconds for which it is still of use."""
        return LIFE_SECONDS - max(0, int(seconds_between(self.at, now)))

    def after_failure(self, now: Instant, spread: float) -> Instant | None:
        """When to try again; None after the last attempt."""
        return next_attempt(WAITS, self.attempts, now, spread)

    def select(self, waiting: Collection[InboxItem], kinds: Collection[InboxKind], since: Instant) -> list[InboxItem]:
        """Those of the inbox that it is about, newest first; none where the matter is settled already.

        `since`: of the morning before, for the message of a morning.
        """
        if self.kind == MORNING:
            found = [each for each in waiting if each.kind not in _KINDS_AT_ONCE and since < each.at <= self.at]
        else:
            found = [each for each in waiting if each.kind == self.kind and each.object_id == self.object_id][:1]
        return [each for each in found if each.kind in kinds and not each.read]


def kind_of(entry: AuditEntry) -> InboxKind | None:
    return _AT_ONCE.get(entry.action)


def service_of(endpoint: str) -> str:
    """The push service: its host, with the port where it is not the usual one."""
    return urlsplit(endpoint).netloc


def matter_of(kind: str, about: str) -> str:
    return f"{kind}.{about}"


def next_morning(now: Instant, zone: str) -> Instant:
    """The next time that the clock on the wall of the workshop shows eight."""
    day = local_date(now, zone)
    at = of_wall_clock(day, _MORNING_TIME, zone)
    return at if at > now else of_wall_clock(day + timedelta(1), _MORNING_TIME, zone)


def morning_before(at: Instant, zone: str) -> Instant:
    return of_wall_clock(local_date(at, zone) - timedelta(1), _MORNING_TIME, zone)


# Statements


_COLUMNS = "m.subscription_id, m.matter, m.workshop_id, m.object_id, m.at, m.attempts, p.endpoint"


async def begin(db: Write, uid: str, subscription_id: str) -> None:
    """From now on the logs of the account's workshops are read, where nobody else has them read already."""
    await db.run(
        """
        INSERT INTO push_watches (workshop_id, read_version)
        SELECT c.workshop_id, c.version
        FROM members m JOIN workshop_counters c ON c.workshop_id = m.workshop_id WHERE m.account_id = :uid
        ON CONFLICT (workshop_id) DO UPDATE SET read_version = excluded.read_version, next_morning = NULL
        WHERE NOT EXISTS (
            SELECT 1 FROM members o JOIN push_subscriptions p ON p.account_id = o.account_id
            WHERE o.workshop_id = push_watches.workshop_id AND p.id <> :subscription_id
        )
        """,
        uid=uid,
        subscription_id=subscription_id,
    )


async def list_behind(db: Read, now: Instant, limit: int) -> list[str]:
    """The ids of workshops with subscribers whose log goes on, or whose morning has come."""
    sql = """
        SELECT DISTINCT c.workshop_id
        FROM push_subscriptions p JOIN members m ON m.account_id = p.account_id
            JOIN workshop_counters c ON c.workshop_id = m.workshop_id
            LEFT JOIN push_watches w ON w.workshop_id = c.workshop_id
        WHERE w.workshop_id IS NULL OR w.read_version < c.version
            OR w.next_morning IS NULL OR w.next_morning <= :now
        ORDER BY c.workshop_id LIMIT :limit
    """
    return await db.all(str, sql, now=now, limit=limit)


async def lock_watch(db: Write, workshop_id: str) -> PushWatch:
    """A new one begins at the present version. Raises NotFound where the workshop was deleted meanwhile."""
    await db.run(
        """
        INSERT INTO push_watches (workshop_id, read_version)
        SELECT workshop_id, version FROM workshop_counters WHERE workshop_id = :workshop_id
        ON CONFLICT DO NOTHING
        """,
        workshop_id=workshop_id,
    )
    sql = "SELECT workshop_id, read_version, next_morning FROM push_watches WHERE workshop_id = :workshop_id"
    watch = await db.locking().one(PushWatch, sql, workshop_id=workshop_id)
    if watch is None:
        raise NotFound
    return watch


async def save_watch(db: Write, watch: PushWatch) -> None:
    await db.run(
        "UPDATE push_watches SET read_version = :version, next_morning = :morning WHERE workshop_id = :workshop_id",
        workshop_id=watch.workshop_id,
        version=watch.read_version,
        morning=watch.next_morning,
    )


async def save_new(db: Write, new: NewMessage, now: Instant) -> None:
    """To be sent now. It takes the place of an earlier one of the same matter."""
    await db.put("push_messages", new, key="subscription_id, matter", attempts=0, next_attempt_at=now)


async def list_due(db: Read, now: Instant) -> list[StoredMessage]:
    """Those that have waited longest come first."""
    sql = f"""
        SELECT {_COLUMNS} FROM push_messages m JOIN push_subscriptions p ON p.id = m.subscription_id
        WHERE m.next_attempt_at <= :now ORDER BY m.next_attempt_at, m.subscription_id, m.matter
    """
    return await db.all(StoredMessage, sql, now=now)


async def claim(db: Write, message: StoredMessage, now: Instant, lease: float) -> bool:
    row = {"subscription_id": message.subscription_id, "matter": message.matter, "at": message.at}
    return await attempts.claim(db, "push_messages", row, message.attempts, now, lease)


async def save_attempted(db: Write, message: StoredMessage, next_at: Instant | None) -> None:
    """`next_at`: when it is sent again; None where it is settled. One that was replaced meanwhile stays due."""
    sql = """
        UPDATE push_messages SET next_attempt_at = :next_at
        WHERE subscription_id = :subscription_id AND matter = :matter AND at = :at AND attempts = :attempts
    """
    await db.run(
        sql,
        subscription_id=message.subscription_id,
        matter=message.matter,
        at=message.at,
        attempts=message.attempts,
        next_at=next_at,
    )


async def delete_expired(db: Write, now: Instant) -> None:
    await db.run("DELETE FROM push_messages WHERE at < :before", before=later(now, -KEPT_SECONDS))
