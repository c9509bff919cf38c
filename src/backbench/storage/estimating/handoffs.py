"""Hand-offs in the database."""

from backbench.domain.estimating.handoffs import Handoff
from backbench.storage.engine.database import Write
from backbench.storage.engine.lists import NewestFirst
from backbench.storage.engine.parameters import or_none


async def add(db: Write, workshop_id: str, estimate_id: str, handoff: Handoff) -> None:
    await db.run(
        """
        INSERT INTO handoffs (workshop_id, estimate_id, created_at, id, kind, locale, preliminary, tone, ai_drafted,
            revision_number, created_by_uid, pdf_export_id)
        VALUES (:workshop_id, :estimate_id, :created_at, :id, :kind, :locale, :preliminary, :tone, :ai_drafted,
            :revision_number, :created_by_uid, :pdf_export_id)
        """,
        workshop_id=workshop_id,
        estimate_id=estimate_id,
        created_at=handoff.created_at,
        id=handoff.id,
        kind=handoff.kind,
        locale=handoff.locale,
        preliminary=int(handoff.preliminary),
        tone=handoff.tone,
        ai_drafted=int(handoff.ai_drafted),
        revision_number=handoff.revision_number,
        created_by_uid=handoff.created_by_uid,
        pdf_export_id=or_none(handoff.pdf_export_id),
    )


def of_estimate(estimate_id: str) -> NewestFirst[Handoff]:
    """The estimate's hand-offs."""
    select = """
        SELECT id, kind, locale, preliminary, tone, ai_drafted, revision_number, created_at, created_by_uid,
            pdf_export_id
        FROM handoffs WHERE estimate_id = :estimate_id"""
    return NewestFirst(Handoff, select, {"estimate_id": estimate_id})
