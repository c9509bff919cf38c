"""What a member sets for the workshop's papers and messages."""

from backbench.actions.authorization import require_member
from backbench.domain.accounts.sessions import Caller
from backbench.domain.estimating.document_settings import DocumentSettings
from backbench.storage.engine.database import Read, Write
from backbench.storage.estimating import document_settings
from backbench.storage.workshops import workshops


async def show(db: Read, caller: Caller, workshop_id: str) -> DocumentSettings:
    await workshops.find(db, workshop_id)
    await require_member(db, caller, workshop_id)
    return await document_settings.find(db, workshop_id)


async def write(db: Write, caller: Caller, workshop_id: str, body: DocumentSettings) -> DocumentSettings:
    """Replaces the settings whole: what is left out is empty, and no tax is shown."""
    await workshops.find(db, workshop_id)
    await require_member(db, caller, workshop_id)
    await document_settings.save(db, workshop_id, body)
    return body
