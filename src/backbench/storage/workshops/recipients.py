"""Recipients in the database: the names of estimates and orders, each once."""

from msgspec import Struct, UnsetType

from backbench.domain.values.times import Instant
from backbench.domain.workshops.recipients import Recipient
from backbench.storage.engine.database import Read, Value
from backbench.storage.engine.parameters import containing

# Of each kind. A list for typing ahead needs no older ones, and a workshop can have a million orders.
_LATEST = 2000


class _Row(Struct, frozen=True):
    name: str
    last_used_at: Instant
    # The estimate of the latest use; absent where that is an order. The facts of its document belong to the recipient.
    estimate_id: str | UnsetType

    def to_recipient(self) -> Recipient:
        return Recipient(self.name, self.last_used_at)


async def list_latest(db: Read, workshop_id: str, q: str | None, limit: int) -> list[Recipient]:
    """Those used last, first. An estimate uses its recipient when it is changed, an order when it is created."""
    condition, values = "", dict[str, Value]()
    if q:
        condition, values = "AND folded LIKE :pattern ESCAPE '!'", {"pattern": containing(q)}
    rows = await db.all(
        _Row,
        f"""
        SELECT name, used_at AS last_used_at, estimate_id FROM (
            SELECT name, used_at, estimate_id,
                row_number() OVER (PARTITION BY folded ORDER BY used_at DESC, name) AS place
            FROM (
                SELECT * FROM (
                    SELECT recipient_name AS name, coalesce(recipient_folded, lower(recipient_name)) AS folded,
                        updated_at AS used_at, id AS estimate_id
                    FROM estimates WHERE workshop_id = :workshop_id ORDER BY updated_at DESC, id DESC LIMIT :latest
                ) AS of_estimates
                UNION ALL SELECT * FROM (
                    SELECT customer_name AS name, customer_folded AS folded, created_at AS used_at, NULL AS estimate_id
                    FROM orders WHERE workshop_id = :workshop_id ORDER BY created_at DESC, id DESC LIMIT :latest
                ) AS of_orders
            ) AS uses WHERE name <> '' {condition}
        ) AS placed WHERE place = 1 ORDER BY used_at DESC, name LIMIT :limit
        """,
        workshop_id=workshop_id,
        latest=_LATEST,
        limit=limit,
        **values,
    )
    return [row.to_recipient() for row in rows]
