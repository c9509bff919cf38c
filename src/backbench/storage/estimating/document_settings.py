"""Document settings of a workshop in the database: one JSON text, read and replaced as a whole."""

from msgspec import Struct

from backbench.domain.estimating.document_settings import DocumentSettings
from backbench.domain.values.errors import NotFound
from backbench.domain.values.numbers import to_json_text
from backbench.storage.engine.database import Read, Write


class _Row(Struct, frozen=True):
    document_settings: DocumentSettings


async def find(db: Read, workshop_id: str) -> DocumentSettings:
    """Raises NotFound."""
    row = await db.one(_Row, "SELECT document_settings FROM workshops WHERE id = :id", id=workshop_id)
    if row is None:
        raise NotFound
    return row.document_settings


async def save(db: Write, workshop_id: str, settings: DocumentSettings) -> bool:
    """Whether they differ from those that the workshop had; if not, nothing is written."""
    changed = await db.run(
        "UPDATE workshops SET document_settings = :settings WHERE id = :id AND document_settings <> :settings",
        id=workshop_id,
        settings=to_json_text(settings),
    )
    return changed > 0
