"""Counters of workshops in the database: `version` (docs/decisions/0029) and `data_bytes`.

Triggers maintain `data_bytes` for every table but the audit trail, whose entries are counted with the version
(docs/decisions/0025).
"""

from msgspec import Struct

from backbench.storage.engine.database import Read, Write

# The bytes of every counted row, with the expressions of the triggers.
_ROWS = """
    SELECT workshop_id, 500 + octet_length(title) + octet_length(customer_name) + octet_length(notes)
        + octet_length(status_history) AS bytes FROM orders
    UNION ALL SELECT workshop_id, 500 + octet_length(name) + octet_length(line_items)
        + octet_length(coalesce(recipient_name, '')) + octet_length(coalesce(facts, '')) AS bytes FROM estimates
    UNION ALL SELECT workshop_id, 500 + octet_length(name) + octet_length(line_items)
        + octet_length(coalesce(recipient_name, '')) + octet_length(coalesce(terms, ''))
        + octet_length(coalesce(facts, '')) + octet_length(coalesce(snapshot, '')) AS bytes FROM revisions
    UNION ALL SELECT workshop_id, 500 AS bytes FROM handoffs
    UNION ALL SELECT workshop_id, 500 + octet_length(name) + octet_length(buttons) AS bytes FROM grids
    UNION ALL SELECT workshop_id, 300 AS bytes FROM audit_entries
    UNION ALL SELECT workshop_id, 1000 + octet_length(document) AS bytes FROM links
    UNION ALL SELECT workshop_id, 1000 + octet_length(document) + octet_length(coalesce(signature, ''))
        + octet_length(coalesce(name, '')) + octet_length(coalesce(reason, ''))
        + octet_length(coalesce(void_reason, '')) AS bytes FROM decisions
    UNION ALL SELECT workshop_id, 500 + octet_length(name) + octet_length(text) AS bytes FROM link_comments
    UNION ALL SELECT workshop_id, octet_length(coalesce(phone, '')) + octet_length(coalesce(item, ''))
        + octet_length(coalesce(place, '')) + octet_length(coalesce(collected_by, '')) AS bytes FROM order_details
    UNION ALL SELECT workshop_id, 500 + octet_length(name) + octet_length(text) AS bytes FROM order_questions
    UNION ALL SELECT workshop_id, 300 AS bytes FROM order_notices
"""


async def add(db: Write, workshop_id: str, history: str) -> None:
    """Adds the counters of a new workshop. `history` names its log, for cursors."""
    await db.run(
        """
        INSERT INTO workshop_counters (workshop_id, data_bytes, version, history, last_entry_id)
        VALUES (:id, 0, 0, :history, '')
        """,
        id=workshop_id,
        history=history,
    )


async def data_bytes(db: Read, workshop_id: str) -> int:
    """The bytes of data that the workshop holds."""
    return int(await db.value("SELECT data_bytes FROM workshop_counters WHERE workshop_id = :id", id=workshop_id) or 0)


class Mismatch(Struct, frozen=True):
    """A workshop whose counter is not the sum of its rows."""

    workshop_id: str
    counted: int
    actual: int


async def list_mismatches(db: Read) -> list[Mismatch]:
    """Reads every counted row: for tests and for `backbench doctor`."""
    return await db.all(
        Mismatch,
        f"""
        SELECT c.workshop_id, c.data_bytes AS counted, CAST(coalesce(r.bytes, 0) AS BIGINT) AS actual
        FROM workshop_counters c LEFT JOIN (
            SELECT workshop_id, sum(bytes) AS bytes FROM ({_ROWS}) AS counted_rows GROUP BY workshop_id
        ) AS r ON r.workshop_id = c.workshop_id
        WHERE c.data_bytes <> coalesce(r.bytes, 0) ORDER BY c.workshop_id
        """,
    )
