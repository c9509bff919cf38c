"""Document settings of a workshop: what PDFs and messages show that the Workshop shape does not carry."""

from backbench.actions.authorization import member_of
from backbench.domain.accounts.sessions import Caller
from backbench.domain.estimating.document_settings import DocumentSettings
from backbench.storage.engine.database import Read, Write
from backbench.storage.estimating import document_settings


async def get(db: Read, caller: Caller, workshop_id: str) -> DocumentSettings:
    """Read the document settings of a workshop."""
    await member_of(db, caller, workshop_id)
    return await document_settings.find(db, workshop_id)


async def replace(db: Write, caller: Caller, workshop_id: str, body: DocumentSettings) -> DocumentSettings:
    """Replace the document settings. Absent members become empty; without `taxPercent` no tax is shown."""
    await member_of(db, caller, workshop_id)
    await document_settings.save(db, workshop_id, body)
    return body
