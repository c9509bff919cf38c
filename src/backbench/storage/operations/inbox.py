"""Inbox in the database: the facts that its items follow from, one statement for each source, and what people marked.

Each statement begins at an index with the workshop, and finds other rows by theirs.
"""

from collections.abc import Collection
from typing import Any

import msgspec

from backbench.domain.operations.inbox import Dismissal, InboxItem, Marks
from backbench.domain.operations.inbox_sources import (
    InboxClock,
    LimitedOrder,
    OpenQuestion,
    OwedOrder,
    StandingDecision,
    TimedOrder,
    UndecidedEstimate,
)
from backbench.domain.orders.stored_orders import LinkedEstimate
from backbench.domain.values.numbers import to_json_text
from backbench.storage.engine.database import Read, Value, Write
from backbench.storage.engine.rows import JoinedRow
from backbench.storage.orders.order_details import ESTIMATE_COLUMNS
from backbench.storage.orders.owed import IS_OWED

# Of each source the newest: neither a person nor the event loop gets through more.
MOST_FACTS = 500
# A client who declined is asked again with the next revision.
_IS_UNDECIDED = """NOT EXISTS (
    SELECT 1 FROM decisions a WHERE a.estimate_id = e.id AND a.voided_at IS NULL
        AND (a.outcome = 'accepted' OR a.revision_number >= e.latest_revision)
)"""
_QUESTIONS = """
    SELECT * FROM (
        SELECT c.id, c.created_at AS at, c.name, c.text, e.name AS title, e.id AS estimate_id, NULL AS order_id
        FROM link_comments c JOIN estimates e ON e.id = c.estimate_id
        WHERE c.workshop_id = :workshop_id AND c.author = 'client' AND NOT EXISTS (
            SELECT 1 FROM link_comments n
            WHERE n.estimate_id = c.estimate_id AND (n.created_at, n.id) > (c.created_at, c.id)
        )
        UNION ALL
        SELECT q.id, q.at, q.name, q.text, o.title, NULL AS estimate_id, o.id AS order_id
        FROM order_questions q JOIN orders o ON o.id = q.order_id
        WHERE q.workshop_id = :workshop_id AND q.author = 'customer' AND NOT EXISTS (
            SELECT 1 FROM order_questions n WHERE n.order_id = q.order_id AND (n.at, n.id) > (q.at, q.id)
        )
    ) AS questions ORDER BY at DESC, id DESC LIMIT :most
"""
# An acceptance waits until an order is made of the estimate.
_DECISIONS = """
    SELECT d.id, d.recorded_at, d.outcome, coalesce(d.name, e.recipient_name) AS name, d.reason,
        e.id AS estimate_id, e.name AS title
    FROM decisions d JOIN estimates e ON e.id = d.estimate_id
    WHERE d.workshop_id = :workshop_id AND d.voided_at IS NULL AND NOT (
        d.outcome = 'accepted'
        AND EXISTS (SELECT 1 FROM orders o WHERE o.estimate_id = e.id AND o.created_at > d.recorded_at)
    )
    ORDER BY d.recorded_at DESC, d.id DESC LIMIT :most
"""
_ESTIMATES = f"""
    SELECT e.id, e.name AS title, e.recipient_name, e.state, e.updated_at, r.revision_number,
        r.created_at AS confirmed_at, r.snapshot,
        (SELECT max(h.created_at) FROM handoffs h
            WHERE h.estimate_id = e.id AND h.revision_number = e.latest_revision) AS handed_off_at,
        (SELECT max(l.created_at) FROM links l WHERE l.estimate_id = e.id
            AND l.revision_number = e.latest_revision AND l.revoked_at IS NULL) AS shared_at
    FROM estimates e JOIN revisions r ON r.estimate_id = e.id AND r.revision_number = e.latest_revision
    WHERE e.workshop_id = :workshop_id AND {_IS_UNDECIDED}
    ORDER BY e.updated_at DESC, e.id DESC LIMIT :most
"""
_UNCOLLECTED_ORDERS = """
    SELECT o.id, o.title, o.customer_name, o.status, o.status_history, d.due_on, d.due_time
    FROM order_details d JOIN orders o ON o.id = d.order_id
    WHERE d.workshop_id = :workshop_id
        AND o.status = 'done' AND d.collected_at IS NULL AND o.created_at <= :ready_before
    ORDER BY o.last_activity_at DESC, o.id DESC LIMIT :most
"""
_DUE_ORDERS = """
    SELECT o.id, o.title, o.customer_name, o.status, '[]' AS status_history, d.due_on, d.due_time
    FROM order_details d JOIN orders o ON o.id = d.order_id
    WHERE d.workshop_id = :workshop_id AND o.status <> 'done' AND d.due_on <= :today
    ORDER BY d.due_on DESC, o.id DESC LIMIT :most
"""
OWED = f"""
    SELECT o.id, o.title, o.customer_name, d.collected_at, d.owed_thousandths AS thousandths,
        d.owed_currency AS currency
    FROM order_details d JOIN orders o ON o.id = d.order_id
    WHERE d.workshop_id = :workshop_id AND {IS_OWED}
    ORDER BY d.collected_at DESC, d.order_id DESC LIMIT :most
"""
_LIMITED = f"""
    SELECT o.id, o.title, o.customer_name, d.price_limit, e.updated_at, {ESTIMATE_COLUMNS}
    FROM order_details d JOIN orders o ON o.id = d.order_id JOIN estimates e ON e.id = o.estimate_id
    WHERE d.workshop_id = :workshop_id AND d.price_limit IS NOT NULL
        AND NOT (o.status = 'done' AND d.collected_at IS NOT NULL) AND {_IS_UNDECIDED}
    ORDER BY e.updated_at DESC, o.id DESC LIMIT :most
"""


class LimitedRow(JoinedRow, frozen=True):
    order: LimitedOrder
    estimate: LinkedEstimate


async def list_facts(
    db: Read, workshop_id: str, clock: InboxClock
) -> list[OpenQuestion | StandingDecision | UndecidedEstimate | OwedOrder | TimedOrder]:
    """The facts of the kinds that follow from one row, the newest of each source."""
    found: list[Any] = []
    for type_, sql in (
        (OpenQuestion, _QUESTIONS),
        (StandingDecision, _DECISIONS),
        (UndecidedEstimate, _ESTIMATES),
        (OwedOrder, OWED),
    ):
        found += await db.all(type_, sql, workshop_id=workshop_id, most=MOST_FACTS)
    of_workshop: dict[str, Value] = {"workshop_id": workshop_id, "most": MOST_FACTS}
    found += await db.all(TimedOrder, _UNCOLLECTED_ORDERS, ready_before=clock.uncollected_from, **of_workshop)
    return found + await db.all(TimedOrder, _DUE_ORDERS, today=clock.today, **of_workshop)


async def list_limited(db: Read, workshop_id: str) -> list[LimitedRow]:
    """The orders with a price limit and an estimate that nobody has decided about."""
    return await db.all(LimitedRow, _LIMITED, workshop_id=workshop_id, most=MOST_FACTS)


async def find_marks(db: Read, workshop_id: str, uid: str) -> Marks:
    sql = "SELECT item_id, item_at FROM inbox_dismissals WHERE workshop_id = :workshop_id"
    dismissed = await db.all(Dismissal, sql, workshop_id=workshop_id)
    sql = "SELECT item_ids FROM inbox_reads WHERE workshop_id = :workshop_id AND account_id = :uid"
    read = await db.value(sql, workshop_id=workshop_id, uid=uid)
    ids = frozenset() if read is None else msgspec.json.decode(read, type=frozenset[str])
    return Marks({each.item_id: each.item_at for each in dismissed}, ids)


async def save_read(db: Write, workshop_id: str, uid: str, item_ids: Collection[str]) -> None:
    """Replaces the items that the account has read."""
    await db.run(
        """
        INSERT INTO inbox_reads (workshop_id, account_id, item_ids) VALUES (:workshop_id, :uid, :item_ids)
        ON CONFLICT (workshop_id, account_id) DO UPDATE SET item_ids = excluded.item_ids
        """,
        workshop_id=workshop_id,
        uid=uid,
        item_ids=to_json_text(sorted(item_ids)),
    )


async def save_dismissed(db: Write, workshop_id: str, item: InboxItem) -> None:
    """Replaces what was dismissed of the same kind and object before."""
    await db.run(
        """
        INSERT INTO inbox_dismissals (workshop_id, kind, object_id, item_id, item_at)
        VALUES (:workshop_id, :kind, :object_id, :item_id, :item_at)
        ON CONFLICT (workshop_id, kind, object_id) DO UPDATE SET item_id = excluded.item_id, item_at = excluded.item_at
        """,
        workshop_id=workshop_id,
        kind=item.kind,
        object_id=item.object_id,
        item_id=item.id,
        item_at=item.at,
    )
