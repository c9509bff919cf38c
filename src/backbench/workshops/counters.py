"""Counters of workshops in the database: `version` (docs/decisions/one-numbered-log-per-workshop.md) and `data_bytes`.

The write that takes a version adds to `data_bytes` what it stores at most (docs/decisions/data-quota.md).
A recount sums up the rows. `counted_version` is the version of the last recount: at that version the counter is exact,
and afterwards too high by what was deleted or replaced since.
"""

import re

from msgspec import Struct

from backbench.engine.database import Read, Write

# What each row counts: its texts in UTF-8, and a fixed number. `{}` is a condition.
_ROWS = """
    SELECT workshop_id, 500 + octet_length(title) + octet_length(customer_name) + octet_length(notes)
        + octet_length(status_history) AS bytes FROM orders {0}
    UNION ALL SELECT workshop_id, 500 + octet_length(name) + octet_length(line_items)
        + octet_length(coalesce(recipient_name, '')) + octet_length(coalesce(facts, '')) AS bytes FROM estimates {0}
    UNION ALL SELECT workshop_id, 500 + octet_length(name) + octet_length(line_items)
        + octet_length(coalesce(recipient_name, '')) + octet_length(coalesce(terms, ''))
        + octet_length(coalesce(facts, '')) + octet_length(coalesce(own_facts, ''))
        + octet_length(coalesce(snapshot, '')) AS bytes FROM revisions {0}
    UNION ALL SELECT workshop_id, 500 AS bytes FROM handoffs {0}
    UNION ALL SELECT workshop_id, 500 + octet_length(name) + octet_length(buttons) AS bytes FROM grids {0}
    UNION ALL SELECT workshop_id, 300 AS bytes FROM audit_entries {0}
    UNION ALL SELECT workshop_id, 1000 + octet_length(document) AS bytes FROM links {0}
    UNION ALL SELECT workshop_id, 1000 + octet_length(document) + octet_length(coalesce(signature, ''))
        + octet_length(coalesce(name, '')) + octet_length(coalesce(reason, ''))
        + octet_length(coalesce(void_reason, '')) AS bytes FROM decisions {0}
    UNION ALL SELECT workshop_id, 1000 + octet_length(document) + octet_length(coalesce(signature, ''))
        + octet_length(coalesce(name, '')) + octet_length(coalesce(reason, ''))
        + octet_length(coalesce(void_reason, '')) AS bytes FROM kept_decisions {0}
    UNION ALL SELECT workshop_id, 500 + octet_length(name) + octet_length(text) AS bytes FROM link_comments {0}
    UNION ALL SELECT workshop_id, octet_length(coalesce(phone, '')) + octet_length(coalesce(item, ''))
        + octet_length(coalesce(place, '')) + octet_length(coalesce(collected_by, '')) AS bytes FROM order_details {0}
    UNION ALL SELECT workshop_id, 500 + octet_length(name) + octet_length(text) AS bytes FROM order_questions {0}
    UNION ALL SELECT workshop_id, 300 AS bytes FROM order_notices {0}
    UNION ALL SELECT workshop_id, 300 + octet_length(strokes) AS bytes FROM order_signatures {0}
    UNION ALL SELECT workshop_id, 500 + octet_length(coalesce(note, '')) + octet_length(coalesce(reason, '')) AS bytes
        FROM payments {0}
    UNION ALL SELECT workshop_id, 300 + octet_length(coalesce(caption, '')) AS bytes FROM photos {0}
    UNION ALL SELECT workshop_id, 500 + octet_length(name) + octet_length(phones) + octet_length(emails)
        + octet_length(notes) + octet_length(coalesce(address, '')) + octet_length(coalesce(site_address, ''))
        + octet_length(coalesce(tax_id, '')) + octet_length(coalesce(given, '')) AS bytes FROM customers {0}
    UNION ALL SELECT workshop_id, 500 + octet_length(file_name) + octet_length(headings) + octet_length(mapping)
        + octet_length(sample) + octet_length(errors) + octet_length(notes) + octet_length(questions)
        + octet_length(duplicates) + octet_length(coalesce(result, '')) AS bytes FROM imports {0}
    UNION ALL SELECT workshop_id, 300 + octet_length(signature) + octet_length(headings) AS bytes
        FROM import_mappings {0}
"""
# Rows of a workshop that do not count: what limits each table.
NOT_COUNTED = {
    "ai_attempts": "drafts a day, and kept for a day",
    "api_keys": "keys of an account",
    "billing_customers": "one at the payment provider",
    "billing_subscriptions": "purchases",
    "calendars": "feeds of a member",
    "customer_keys": "phones, addresses and tax ids of customers, which count",
    "document_numbers": "one for each entry of the log, which counts",
    "document_series": "one a year",
    "files": "storage, in bytes",
    "inbox_dismissals": "one for each entry of the log, which counts",
    "inbox_reads": "one a member, with items that the inbox has",
    "invitations": "invitations of a workshop",
    "line_uses": "lines of estimates, which count",
    "members": "one an account that accepted an invitation",
    "order_series": "one",
    "pdf_exports": "storage, in bytes",
    "push_messages": "subscriptions of members, and kept for a day",
    "push_watches": "one",
    "webhook_deliveries": "a thousand that wait, and a hundred others, of each webhook",
    "webhooks": "ten",
    "workshop_counters": "one",
}
_ACTUAL = f"""
    SELECT CAST(coalesce(sum(bytes), 0) AS BIGINT) FROM ({_ROWS.format("WHERE workshop_id = :id")}) AS counted_rows
"""


async def add(db: Write, workshop_id: str, history: str) -> None:
    """Adds the counters of a new workshop. `history` names its log, for cursors."""
    await db.add(
        "workshop_counters",
        workshop_id=workshop_id,
        data_bytes=0,
        version=0,
        history=history,
        last_entry_id="",
        counted_version=0,
    )


async def data_bytes(db: Read, workshop_id: str) -> int:
    """The bytes of data that the workshop holds, or more: what was deleted since the last recount is included."""
    return int(await db.value("SELECT data_bytes FROM workshop_counters WHERE workshop_id = :id", id=workshop_id) or 0)


async def actual_bytes(db: Read, workshop_id: str) -> int:
    """The bytes of data that the workshop holds, exactly. Reads every row of it."""
    return int(await db.value(_ACTUAL, id=workshop_id))


def counted_tables() -> set[str]:
    """The tables whose rows count."""
    return set(re.findall(r"FROM (\w+) \{0\}", _ROWS))


async def correct(db: Write, workshop_id: str) -> int:
    """Sets the counter to what the workshop holds, and returns that.

    Locks the row of the counters, so that no other transaction adds to them meanwhile: what it adds would be lost.
    """
    lock = "UPDATE workshop_counters SET counted_version = version WHERE workshop_id = :id"
    await db.run(lock, id=workshop_id)
    actual = await actual_bytes(db, workshop_id)
    await db.run(
        "UPDATE workshop_counters SET data_bytes = :bytes WHERE workshop_id = :id", bytes=actual, id=workshop_id
    )
    return actual


class Recount(Struct, frozen=True):
    """What a workshop holds at a version, exactly."""

    workshop_id: str
    version: int
    bytes: int


async def recount_outdated(db: Read, after: str) -> Recount | None:
    """The next workshop by id that has changed since its data was counted last, counted. None: there is no other.

    `db` is a snapshot: the version and the rows belong together, and reading the rows takes time.
    """
    next_one = """
        SELECT workshop_id FROM workshop_counters WHERE counted_version <> version AND workshop_id > :after
        ORDER BY workshop_id LIMIT 1
    """
    workshop_id = await db.value(next_one, after=after)
    if workshop_id is None:
        return None
    version = await db.value("SELECT version FROM workshop_counters WHERE workshop_id = :id", id=workshop_id)
    return Recount(workshop_id, version, await actual_bytes(db, workshop_id))


async def save_recount(db: Write, recount: Recount) -> None:
    """Corrects the counter, unless the workshop has changed meanwhile."""
    await db.run(
        """
        UPDATE workshop_counters SET data_bytes = :bytes, counted_version = :version
        WHERE workshop_id = :id AND version = :version
        """,
        id=recount.workshop_id,
        version=recount.version,
        bytes=recount.bytes,
    )
