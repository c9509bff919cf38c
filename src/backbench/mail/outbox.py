"""Email outbox in the database: queued emails, shared by every worker and node."""

from msgspec import Struct

from backbench.engine.database import Read, Write
from backbench.engine.rows import columns
from backbench.mail.emails import FAILED_EMAIL_SECONDS, EmailKind, NewEmail, QueuedEmail, priority_of
from backbench.values.times import Instant, later

_COLUMNS = columns(QueuedEmail)


class FailingEmail(Struct, frozen=True):
    """An email that could not be sent: given up at `failed_at`, or to be retried."""

    id: str
    kind: EmailKind
    email: str
    failed_at: Instant | None
    last_error: str


async def add(db: Write, email_id: str, new: NewEmail, at: Instant) -> None:
    turn = 0
    if new.sender:
        sql = "SELECT count(*) FROM outbox WHERE sender = :sender AND failed_at IS NULL"
        turn = await db.value(sql, sender=new.sender)
    await db.add(
        "outbox",
        id=email_id,
        kind=new.kind,
        email=new.email,
        locale=new.locale,
        account_id=new.account_id,
        invitation_id=new.invitation_id,
        details=new.details,
        created_at=at,
        tries=0,
        due_at=new.due_at or at,
        priority=priority_of(new.kind),
        sender=new.sender,
        turn=turn,
    )


async def has_due(db: Read, now: Instant) -> bool:
    sql = "SELECT 1 FROM outbox WHERE failed_at IS NULL AND due_at <= :now LIMIT 1"
    return await db.value(sql, now=now) is not None


async def count_waiting(db: Read) -> int:
    """The emails that are to be sent, now or at the next try."""
    return int(await db.value("SELECT count(*) FROM outbox WHERE failed_at IS NULL"))


async def claim(db: Write, now: Instant, lease: float) -> QueuedEmail | None:
    """The next email that is due, leased to the caller for `lease` seconds; None when none is due.

    By priority, then by turn, so that the sender of a hundred emails does not delay the first email of another.
    """
    return await db.one(
        QueuedEmail,
        f"""
        UPDATE outbox SET due_at = :lease_until, tries = tries + 1
        WHERE failed_at IS NULL AND due_at <= :now AND id = (
            SELECT id FROM outbox WHERE failed_at IS NULL AND due_at <= :now
            ORDER BY priority, turn, due_at, id LIMIT 1 {db.skip_locked}
        )
        RETURNING {_COLUMNS}
        """,
        now=now,
        lease_until=later(now, lease),
    )


async def delete(db: Write, queued: QueuedEmail) -> bool:
    """False when the lease has expired and another worker has claimed the email since."""
    return await db.run("DELETE FROM outbox WHERE id = :id AND tries = :tries", id=queued.id, tries=queued.tries) > 0


async def save_retry(db: Write, queued: QueuedEmail, error: str, due_at: Instant) -> None:
    await db.run(
        "UPDATE outbox SET due_at = :due_at, last_error = :error WHERE id = :id AND tries = :tries",
        id=queued.id,
        tries=queued.tries,
        error=error,
        due_at=due_at,
    )


async def save_failure(db: Write, queued: QueuedEmail, error: str, at: Instant) -> None:
    """Records the failure and its reason, and deletes the details of the email."""
    await db.run(
        """
        UPDATE outbox SET failed_at = :at, last_error = :error, details = '{}'
        WHERE id = :id AND tries = :tries
        """,
        id=queued.id,
        tries=queued.tries,
        error=error,
        at=at,
    )


async def list_failing(db: Read) -> list[FailingEmail]:
    """Every email that failed at least once, newest first."""
    return await db.all(
        FailingEmail,
        "SELECT id, kind, email, failed_at, last_error FROM outbox WHERE last_error IS NOT NULL ORDER BY id DESC",
    )


async def delete_expired(db: Write, now: Instant) -> int:
    """Deletes emails that were given up a retention period ago. Returns how many."""
    return await db.run("DELETE FROM outbox WHERE failed_at <= :before", before=later(now, -FAILED_EMAIL_SECONDS))
