"""PDF exports in the database. Each has a file with the same id, and is deleted with it."""

from backbench.domain.documents.pdf_exports import PdfExport
from backbench.domain.values.errors import NotFound
from backbench.storage.engine.database import Read, Write
from backbench.storage.engine.lists import NewestFirst
from backbench.storage.engine.rows import columns

_COLUMNS = columns(PdfExport)


async def exists(db: Read, pdf_export_id: str, estimate_id: str) -> bool:
    """Whether the estimate has this PDF export."""
    found = await db.value(
        "SELECT 1 FROM pdf_exports WHERE id = :id AND estimate_id = :estimate_id",
        id=pdf_export_id,
        estimate_id=estimate_id,
    )
    return found is not None


async def require_exists(db: Read, pdf_export_id: str, estimate_id: str) -> None:
    """Raises NotFound unless the estimate has this PDF export."""
    if not await exists(db, pdf_export_id, estimate_id):
        raise NotFound


def of_estimate(estimate_id: str) -> NewestFirst[PdfExport]:
    """The estimate's PDF exports."""
    select = f"SELECT {_COLUMNS} FROM pdf_exports WHERE estimate_id = :estimate_id"
    return NewestFirst(PdfExport, select, {"estimate_id": estimate_id}, at="generated_at")


async def add(db: Write, workshop_id: str, estimate_id: str, export: PdfExport) -> None:
    """Its file has to be added first."""
    await db.add("pdf_exports", export, workshop_id=workshop_id, estimate_id=estimate_id)
