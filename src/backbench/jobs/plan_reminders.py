"""Plan reminders: an email to the owners of a workshop five days before its pro plan ends.

Every worker looks for them at an interval. An end is recorded as announced in the transaction that queues its emails,
so the owners get one email, however many workers there are and whenever they restart.
"""

from collections.abc import Callable

from backbench.billing import plan_reminders
from backbench.billing.plan_reminders import EndingPlan
from backbench.billing.plans import PlanRules
from backbench.engine.database import Database, Write
from backbench.mail import outbox
from backbench.mail.details import PlanEndDetails
from backbench.mail.outbox import EmailKind, NewEmail
from backbench.values.ids import NewId
from backbench.values.numbers import to_json_text
from backbench.values.times import Instant, later
from backbench.workshops import members

REMINDER_SECONDS = 5 * 86_400
# Workshops of one transaction: on SQLite other writes wait for it.
_BATCH = 50


class PlanReminders:
    """Queues the reminders that are due. A server whose default plan is pro has none: nothing ends there."""

    def __init__(self, db: Database, rules: PlanRules, clock: Callable[[], Instant], new_id: NewId) -> None:
        self._db = db
        self._rules = rules
        self._clock = clock
        self._new_id = new_id

    async def queue_due(self) -> int:
        """Returns for how many workshops. Raises Unavailable."""
        if self._rules.default == "pro":
            return 0
        now = self._clock()
        async with self._db.read() as read:
            if not await plan_reminders.has_due(read, now, later(now, REMINDER_SECONDS)):
                return 0
        queued = 0
        while count := await self._db.write(lambda write: self._queue_batch(write, now)):
            queued += count
        return queued

    async def _queue_batch(self, db: Write, now: Instant) -> int:
        ending = await plan_reminders.claim_due(db, now, later(now, REMINDER_SECONDS), _BATCH)
        for plan in ending:
            await self._queue(db, plan, now)
        return len(ending)

    async def _queue(self, db: Write, plan: EndingPlan, now: Instant) -> None:
        details = to_json_text(PlanEndDetails(plan.workshop_id, plan.ends_at))
        kind: EmailKind = "trial_ending" if plan.source == "trial" else "plan_ending"
        for owner in await members.list_owners(db, plan.workshop_id):
            await outbox.add(
                db, self._new_id(), NewEmail(kind, owner.email, owner.locale, owner.id, details=details), now
            )
