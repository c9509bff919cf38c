"""The record of generated PDFs."""

from backbench.storage.database import Read


async def belongs(db: Read, pdf_export_id: str, estimate_id: str) -> bool:
    """Whether the estimate has this PDF export."""
    found = await db.value(
        "SELECT 1 FROM pdf_exports WHERE id = :id AND estimate_id = :estimate_id",
        id=pdf_export_id,
        estimate_id=estimate_id,
    )
    return found is not None
