"""Recipients: the people for whom a workshop has made estimates and orders."""

from typing import Annotated

from msgspec import UNSET, Meta, Struct, UnsetType

from backbench.engine.database import Read, Value
from backbench.engine.rows import containing
from backbench.estimating.document_facts import NO_FACTS, DocumentFacts
from backbench.values.calls import Call
from backbench.values.times import Instant


class Recipient(Struct, frozen=True, rename="camel"):
    """`name` is written as in its latest use. Names that differ only in case are the same recipient."""

    name: str
    last_used_at: Instant
    address: str | UnsetType = UNSET
    tax_id: str | UnsetType = UNSET
    email: str | UnsetType = UNSET
    phone: str | UnsetType = UNSET
    customer_id: str | UnsetType = UNSET


class RecipientsList(Struct, frozen=True):
    recipients: list[Recipient]


class RecipientsQuery(Struct, frozen=True):
    q: Annotated[str, Meta(max_length=250)] | None = None
    limit: Annotated[int, Meta(ge=1, le=500)] = 20


# Statements


# Of each kind. A list for typing ahead needs no older ones, and a workshop can have a million orders.
_LATEST = 2000
# `condition` narrows the names; `of_orders` adds those of orders.
_USED = """
    SELECT name, used_at AS last_used_at, customer_id,
        (SELECT facts FROM estimates WHERE id = described_by) AS facts
    FROM (
        SELECT name, used_at,
            first_value(estimate_id) OVER (PARTITION BY folded ORDER BY estimate_id IS NULL, used_at DESC)
                AS described_by,
            first_value(customer_id) OVER (PARTITION BY folded ORDER BY customer_id IS NULL, used_at DESC)
                AS customer_id,
            row_number() OVER (PARTITION BY folded ORDER BY used_at DESC, name) AS place
        FROM (
            SELECT * FROM (
                SELECT recipient_name AS name, coalesce(recipient_folded, lower(recipient_name)) AS folded,
                    updated_at AS used_at, CASE WHEN facts LIKE '%"recipient%' THEN id END AS estimate_id,
                    customer_id
                FROM estimates WHERE workshop_id = :workshop_id ORDER BY updated_at DESC, id DESC LIMIT :latest
            ) AS of_estimates
            {of_orders}
        ) AS uses WHERE name <> '' {condition}
    ) AS placed WHERE place = 1 ORDER BY used_at DESC, name LIMIT :limit"""
_OF_ORDERS = """
            UNION ALL SELECT * FROM (
                SELECT customer_name AS name, customer_folded AS folded, created_at AS used_at, NULL AS estimate_id,
                    (SELECT d.customer_id FROM order_details d WHERE d.order_id = orders.id) AS customer_id
                FROM orders WHERE workshop_id = :workshop_id ORDER BY created_at DESC, id DESC LIMIT :latest
            ) AS of_orders"""


class _Row(Struct, frozen=True):
    name: str
    last_used_at: Instant
    customer_id: str | UnsetType
    # Of the latest estimate for the recipient that states anything about it.
    facts: DocumentFacts | None

    def to_recipient(self) -> Recipient:
        facts = self.facts or NO_FACTS
        return Recipient(
            self.name,
            self.last_used_at,
            address=facts.recipient_address,
            tax_id=facts.recipient_tax_id,
            email=facts.recipient_email,
            phone=facts.recipient_phone,
            customer_id=self.customer_id,
        )


async def list_stored(db: Read, workshop_id: str, q: str | None, limit: int, *, has_orders: bool) -> list[Recipient]:
    """Those used last, first. An estimate uses its recipient when it is changed, an order when it is created."""
    condition, values = "", dict[str, Value]()
    if q:
        condition, values = "AND folded LIKE :pattern ESCAPE '!'", {"pattern": containing(q)}
    rows = await db.all(
        _Row,
        _USED.format(condition=condition, of_orders=_OF_ORDERS if has_orders else ""),
        workshop_id=workshop_id,
        latest=_LATEST,
        limit=limit,
        **values,
    )
    return [row.to_recipient() for row in rows]


# Verbs


async def list_latest(db: Read, call: Call, workshop_id: str, query: RecipientsQuery) -> RecipientsList:
    """List the recipients of a workshop's latest estimates and orders, the latest first.

    For a key without `orders:read`: of its estimates alone.
    """
    has_orders = call.caller.may("orders:read")
    return RecipientsList(await list_stored(db, workshop_id, query.q, query.limit, has_orders=has_orders))
