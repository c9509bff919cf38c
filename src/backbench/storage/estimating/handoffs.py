"""Hand-offs in the database."""

from backbench.domain.estimating.handoffs import Handoff
from backbench.storage.engine.database import Write
from backbench.storage.engine.lists import NewestFirst


async def add(db: Write, workshop_id: str, estimate_id: str, handoff: Handoff) -> None:
    await db.add("handoffs", handoff, workshop_id=workshop_id, estimate_id=estimate_id)


def of_estimate(estimate_id: str) -> NewestFirst[Handoff]:
    """The estimate's hand-offs."""
    select = """
        SELECT id, kind, locale, preliminary, tone, ai_drafted, revision_number, created_at, created_by_uid,
            pdf_export_id
        FROM handoffs WHERE estimate_id = :estimate_id"""
    return NewestFirst(Handoff, select, {"estimate_id": estimate_id})
