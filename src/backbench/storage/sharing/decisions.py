"""Decisions in the database. The evidence of one is never changed, and stays when its estimate is deleted."""

from backbench.domain.sharing.decisions import StoredDecision
from backbench.domain.values.enums import DecisionOutcome
from backbench.domain.values.errors import NotFound
from backbench.domain.values.numbers import to_json_text
from backbench.domain.values.times import Instant
from backbench.storage.engine.database import Read, Write
from backbench.storage.engine.lists import NewestFirst
from backbench.storage.engine.objects import Loaded
from backbench.storage.engine.rows import columns

_OF_REVISION = """(SELECT r.{} FROM revisions r
        WHERE r.estimate_id = :estimate_id AND r.revision_number = :revision_number)"""
_NAMES = StoredDecision.__struct_fields__
_COLUMNS = columns(StoredDecision)
# With what the numbers of the workshop sum up of the revision, which never changes.
_ADD = f"""
    INSERT INTO decisions ({_COLUMNS}, currency, total_thousandths)
    VALUES ({", ".join(f":{name}" for name in _NAMES)}, {_OF_REVISION.format("currency")},
        {_OF_REVISION.format("total_thousandths")})
"""
_FIND = f"""
    SELECT {_COLUMNS} FROM decisions WHERE id = :decision_id
    UNION ALL SELECT {_COLUMNS} FROM kept_decisions WHERE id = :decision_id
"""
# The decision of a path, also one of an estimate that was deleted since. It is voided under the lock of its estimate.
DECISION = Loaded(
    StoredDecision,
    "decision",
    f"({_FIND}) d",
    key="decision_id",
    locked="decisions d JOIN estimates e ON e.id = d.estimate_id",
    locks=("e",),
)
_JSON = ("signature", "consent", "openings", "link_address")


async def find(db: Read, decision_id: str) -> StoredDecision:
    """The decision, also one of an estimate that was deleted since. Raises NotFound."""
    decision = await db.one(StoredDecision, _FIND, decision_id=decision_id)
    if decision is None:
        raise NotFound
    return decision


def of_estimate(estimate_id: str) -> NewestFirst[StoredDecision]:
    """The estimate's decisions, voided ones included."""
    return _list("decisions WHERE estimate_id = :estimate_id", estimate_id=estimate_id)


def of_deleted_estimates(workshop_id: str) -> NewestFirst[StoredDecision]:
    """The decisions about estimates of the workshop that were deleted since."""
    return _list("kept_decisions WHERE workshop_id = :workshop_id", workshop_id=workshop_id)


def _list(source: str, **values: str) -> NewestFirst[StoredDecision]:
    return NewestFirst(
        StoredDecision,
        f"SELECT {_COLUMNS} FROM {source}",
        {**values},
        at="recorded_at",
        source=f"FROM {source}",
        size="octet_length(document) + octet_length(coalesce(signature, ''))",
    )


async def standing(db: Read, estimate_id: str) -> StoredDecision | None:
    """The decision that stands; None where none does."""
    sql = f"SELECT {_COLUMNS} FROM decisions WHERE estimate_id = :estimate_id AND voided_at IS NULL"
    return await db.one(StoredDecision, sql, estimate_id=estimate_id)


async def standing_outcome(db: Read, estimate_id: str) -> DecisionOutcome | None:
    """The outcome of the decision that stands; None where none does."""
    sql = "SELECT outcome FROM decisions WHERE estimate_id = :estimate_id AND voided_at IS NULL"
    outcome: DecisionOutcome | None = await db.value(sql, estimate_id=estimate_id)
    return outcome


async def add(db: Write, decision: StoredDecision) -> None:
    values = {name: getattr(decision, name) for name in _NAMES}
    for name in _JSON:
        values[name] = None if values[name] is None else to_json_text(values[name])
    await db.run(_ADD, **values)


async def keep(db: Write, estimate_id: str) -> None:
    """Keeps the decisions of an estimate that is deleted in the same transaction. They go on counting as data."""
    await db.run(
        f"""
        INSERT INTO kept_decisions ({_COLUMNS}) SELECT {_COLUMNS} FROM decisions WHERE estimate_id = :estimate_id
        """,
        estimate_id=estimate_id,
    )


async def save_voided(db: Write, decision_id: str, at: Instant, by_uid: str, by_name: str, reason: str) -> bool:
    """False where it was voided before."""
    changed = await db.run(
        """
        UPDATE decisions SET voided_at = :at, voided_by_uid = :by_uid, voided_by_name = :by_name,
            void_reason = :reason
        WHERE id = :id AND voided_at IS NULL
        """,
        id=decision_id,
        at=at,
        by_uid=by_uid,
        by_name=by_name,
        reason=reason,
    )
    return changed > 0


async def save_superseded(db: Write, decision_id: str, by_id: str, at: Instant) -> None:
    """A decline no longer stands once there is a decision about a newer revision."""
    await db.run(
        "UPDATE decisions SET voided_at = :at, superseded_by = :by_id WHERE id = :id AND voided_at IS NULL",
        id=decision_id,
        by_id=by_id,
        at=at,
    )
