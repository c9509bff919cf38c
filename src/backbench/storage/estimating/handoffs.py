"""Hand-offs in the database."""

from backbench.domain.estimating.handoffs import Handoff
from backbench.domain.values.pagination import PageQuery
from backbench.storage.engine.cursors import list_newest_first
from backbench.storage.engine.database import Read, Write
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


async def list_page(db: Read, estimate_id: str, page: PageQuery) -> tuple[list[Handoff], str | None]:
    """The estimate's hand-offs, newest first, and the next cursor."""
    select = """
        SELECT id, kind, locale, preliminary, tone, ai_drafted, revision_number, created_at, created_by_uid,
            pdf_export_id
        FROM handoffs WHERE estimate_id = :estimate_id"""
    return await list_newest_first(db, Handoff, select, page, estimate_id=estimate_id)
