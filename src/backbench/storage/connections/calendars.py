"""Calendars in the database; only the SHA-256 of a feed's secret is stored."""

from backbench.domain.accounts.sessions import digest
from backbench.domain.connections.calendars import Calendar, DueOrder, OpenEstimate, Span, StoredCalendar
from backbench.domain.values.errors import NotFound
from backbench.storage.engine.database import Read, Write

_WITH_LOCALE = """
    SELECT c.id, c.workshop_id, c.name, c.shows AS show, c.names, a.locale, v.version, v.history
    FROM calendars c JOIN accounts a ON a.id = c.account_id JOIN workshop_counters v ON v.workshop_id = c.workshop_id
    WHERE c.secret_hash = :secret_hash AND a.status = 'active'
"""
_ORDERS = """
    SELECT o.id, d.number, o.title, o.customer_name, CASE WHEN o.status = 'done' THEN 1 ELSE 0 END AS is_done,
        d.due_on, d.due_time, o.created_at, o.last_activity_at, d.changed_at
    FROM order_details d JOIN orders o ON o.id = d.order_id
    WHERE d.workshop_id = :workshop_id AND d.due_on >= :first AND d.due_on <= :last
    ORDER BY d.due_on, d.number LIMIT :most
"""
# A client who declined is asked again with the next revision.
_ESTIMATES = """
    SELECT e.id, e.name AS title, e.recipient_name, e.created_at, r.created_at AS confirmed_at, r.snapshot
    FROM estimates e JOIN revisions r ON r.estimate_id = e.id AND r.revision_number = e.latest_revision
    WHERE e.workshop_id = :workshop_id AND NOT EXISTS (
        SELECT 1 FROM decisions a WHERE a.estimate_id = e.id AND a.voided_at IS NULL
            AND (a.outcome = 'accepted' OR a.revision_number >= e.latest_revision)
    )
        AND (r.valid_until IS NULL OR (r.valid_until >= :first AND r.valid_until <= :last))
    ORDER BY e.id LIMIT :most
"""


async def add(db: Write, new: Calendar, workshop_id: str, uid: str, secret: str) -> None:
    await db.add(
        "calendars",
        id=new.id,
        workshop_id=workshop_id,
        account_id=uid,
        name=new.name,
        shows=new.show,
        names=new.names,
        secret_hash=digest(secret),
        created_at=new.created_at,
    )


async def list_all(db: Read, workshop_id: str, uid: str, *, of_others: bool) -> list[Calendar]:
    """The feeds that the account has made, oldest first; with `of_others` every feed of the workshop."""
    sql = """
        SELECT c.id, c.name, c.shows AS show, c.names, c.created_at,
            CASE WHEN c.account_id = :uid THEN NULL ELSE a.name END AS by
        FROM calendars c JOIN accounts a ON a.id = c.account_id
        WHERE c.workshop_id = :workshop_id AND (c.account_id = :uid OR :of_others = 1) ORDER BY c.id
    """
    return await db.all(Calendar, sql, workshop_id=workshop_id, uid=uid, of_others=int(of_others))


async def delete(db: Write, calendar_id: str, uid: str) -> None:
    """Raises NotFound, also for a feed of another account, unless this one owns the workshop."""
    sql = """
        DELETE FROM calendars WHERE id = :id AND (account_id = :uid OR EXISTS (
            SELECT 1 FROM members m
            WHERE m.workshop_id = calendars.workshop_id AND m.account_id = :uid AND m.role = 'owner'
        ))
    """
    if await db.run(sql, id=calendar_id, uid=uid) == 0:
        raise NotFound


async def find_by_token(db: Read, token: str) -> StoredCalendar:
    """Raises NotFound."""
    found = await db.one(StoredCalendar, _WITH_LOCALE, secret_hash=digest(token))
    if found is None:
        raise NotFound
    return found


async def list_due_orders(db: Read, workshop_id: str, span: Span, most: int) -> list[DueOrder]:
    """Those that are due first."""
    return await db.all(DueOrder, _ORDERS, workshop_id=workshop_id, most=most, **_days(span))


async def list_open_estimates(db: Read, workshop_id: str, span: Span, most: int) -> list[OpenEstimate]:
    """Those that are valid until a day of the span, and those without a validity."""
    return await db.all(OpenEstimate, _ESTIMATES, workshop_id=workshop_id, most=most, **_days(span))


def _days(span: Span) -> dict[str, str]:
    return {"first": span.first.isoformat(), "last": span.last.isoformat()}
