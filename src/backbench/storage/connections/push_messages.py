"""Push messages in the database: what is to be sent, and how far logs were read; shared by all workers and nodes."""

from backbench.domain.connections.push import KEPT_SECONDS, NewMessage, PushWatch, StoredMessage
from backbench.domain.values.errors import NotFound
from backbench.domain.values.times import Instant, later
from backbench.storage.engine.database import Read, Write

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
    await db.run(
        """
        INSERT INTO push_messages (subscription_id, matter, workshop_id, object_id, at, attempts, next_attempt_at)
        VALUES (:subscription_id, :matter, :workshop_id, :object_id, :at, 0, :now)
        ON CONFLICT (subscription_id, matter) DO UPDATE SET at = excluded.at, attempts = 0,
            next_attempt_at = excluded.next_attempt_at
        """,
        subscription_id=new.subscription_id,
        matter=new.matter,
        workshop_id=new.workshop_id,
        object_id=new.object_id,
        at=new.at,
        now=now,
    )


async def list_due(db: Read, now: Instant) -> list[StoredMessage]:
    """Those that have waited longest come first."""
    sql = f"""
        SELECT {_COLUMNS} FROM push_messages m JOIN push_subscriptions p ON p.id = m.subscription_id
        WHERE m.next_attempt_at <= :now ORDER BY m.next_attempt_at, m.subscription_id, m.matter
    """
    return await db.all(StoredMessage, sql, now=now)


async def claim(db: Write, message: StoredMessage, now: Instant, lease: float) -> bool:
    """Leases it for `lease` seconds and counts the attempt. False where another worker has it."""
    claimed = await db.run(
        """
        UPDATE push_messages SET attempts = attempts + 1, next_attempt_at = :until
        WHERE subscription_id = :subscription_id AND matter = :matter AND at = :at
            AND attempts = :attempts AND next_attempt_at <= :now
        """,
        subscription_id=message.subscription_id,
        matter=message.matter,
        at=message.at,
        attempts=message.attempts,
        now=now,
        until=later(now, lease),
    )
    return claimed > 0


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
