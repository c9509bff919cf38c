"""Deliveries of webhooks in the database: what is to be sent, shared by every worker and node."""

from backbench.domain.connections.webhooks import TEST, Attempt, DueDelivery, StoredDelivery, StoredWebhook
from backbench.domain.values.times import Instant, later
from backbench.domain.workshops.audit import AuditEntry
from backbench.storage.engine.database import Read, Write
from backbench.storage.engine.objects import Loaded
from backbench.storage.engine.rows import columns

_COLUMNS = columns(StoredDelivery)
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


async def add(db: Write, delivery_id: str, webhook: StoredWebhook, entry: AuditEntry, now: Instant) -> None:
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
    sql = f"SELECT {_COLUMNS} FROM webhook_deliveries WHERE webhook_id = :id ORDER BY id DESC LIMIT :limit"
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
    """Leases it for `lease` seconds and counts the attempt. False where another worker has it."""
    sql = """
        UPDATE webhook_deliveries SET attempts = attempts + 1, next_attempt_at = :until
        WHERE id = :id AND status = 'pending' AND attempts = :attempts AND next_attempt_at <= :now
    """
    until = later(now, lease)
    return await db.run(sql, id=delivery.id, attempts=delivery.attempts, now=now, until=until) > 0


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


async def delete_expired(db: Write, now: Instant) -> None:
    await db.run("DELETE FROM webhook_deliveries WHERE at < :before", before=later(now, -_KEPT_SECONDS))
