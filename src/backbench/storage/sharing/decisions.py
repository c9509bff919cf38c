"""Decisions in the database. The evidence of one is never changed."""

from backbench.domain.sharing.decisions import StoredDecision
from backbench.domain.values.enums import DecisionOutcome
from backbench.domain.values.errors import NotFound
from backbench.domain.values.numbers import to_json_text
from backbench.domain.values.times import Instant
from backbench.storage.engine.database import Read, Write
from backbench.storage.engine.lists import NewestFirst

_COLUMNS = """id, workshop_id, estimate_id, recorded_at, revision_number, outcome, method, decided_at, locale, document,
    document_hash, link_id, name, reason, recorded_by_uid, pdf_hash, signature, consent, address, user_agent, openings,
    voided_at, voided_by_uid, void_reason"""


async def find(db: Read, decision_id: str) -> StoredDecision:
    """Raises NotFound."""
    sql = f"SELECT {_COLUMNS} FROM decisions WHERE id = :id"
    decision = await db.one(StoredDecision, sql, id=decision_id)
    if decision is None:
        raise NotFound
    return decision


def of_estimate(estimate_id: str) -> NewestFirst[StoredDecision]:
    """The estimate's decisions, voided ones included."""
    source = "FROM decisions WHERE estimate_id = :estimate_id"
    size = "octet_length(document) + octet_length(coalesce(signature, ''))"
    values = {"estimate_id": estimate_id}
    return NewestFirst(
        StoredDecision, f"SELECT {_COLUMNS} {source}", {**values}, at="recorded_at", source=source, size=size
    )


async def standing_outcome(db: Read, estimate_id: str) -> DecisionOutcome | None:
    """The outcome of the decision that stands; None where none does."""
    sql = "SELECT outcome FROM decisions WHERE estimate_id = :estimate_id AND voided_at IS NULL"
    outcome: DecisionOutcome | None = await db.value(sql, estimate_id=estimate_id)
    return outcome


async def add(db: Write, decision: StoredDecision) -> None:
    names = [name.strip() for name in _COLUMNS.split(",")]
    values = {name: getattr(decision, name) for name in names}
    for name in ("signature", "consent", "openings"):
        values[name] = None if values[name] is None else to_json_text(values[name])
    await db.run(
        f"INSERT INTO decisions ({_COLUMNS}) VALUES ({', '.join(f':{name}' for name in names)})",
        **values,
    )


async def save_voided(db: Write, decision_id: str, at: Instant, by_uid: str, reason: str) -> bool:
    """False where it was voided before."""
    changed = await db.run(
        """
        UPDATE decisions SET voided_at = :at, voided_by_uid = :by_uid, void_reason = :reason
        WHERE id = :id AND voided_at IS NULL
        """,
        id=decision_id,
        at=at,
        by_uid=by_uid,
        reason=reason,
    )
    return changed > 0
