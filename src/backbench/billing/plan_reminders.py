"""Plan reminders: which plans end soon and have not been announced."""

from msgspec import Struct

from backbench.billing.plans import WorkshopPlanSource
from backbench.engine.database import Read, Write
from backbench.values.times import Instant


class EndingPlan(Struct, frozen=True):
    workshop_id: str
    source: WorkshopPlanSource
    ends_at: Instant


# A subscription that is not cancelled is renewed: its plan does not end.
_IS_DUE = """
    plan = 'pro' AND plan_expires_at > :now AND plan_expires_at <= :before
    AND (plan_end_announced IS NULL OR plan_end_announced <> plan_expires_at)
    AND (plan_source <> 'subscription' OR billing_cancel_at_period_end = 1)
"""


async def has_due(db: Read, now: Instant, before: Instant) -> bool:
    return await db.value(f"SELECT 1 FROM workshops WHERE {_IS_DUE} LIMIT 1", now=now, before=before) is not None


async def claim_due(db: Write, now: Instant, before: Instant, limit: int) -> list[EndingPlan]:
    """At most `limit` plans that end from `now` to `before`; recorded as announced, so nothing claims them again."""
    return await db.all(
        EndingPlan,
        f"""
        UPDATE workshops SET plan_end_announced = plan_expires_at
        WHERE {_IS_DUE} AND id IN (
            SELECT id FROM workshops WHERE {_IS_DUE} ORDER BY plan_expires_at, id LIMIT :limit {db.skip_locked}
        )
        RETURNING id AS workshop_id, plan_source AS source, plan_expires_at AS ends_at
        """,
        now=now,
        before=before,
        limit=limit,
    )
