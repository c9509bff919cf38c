"""Document settings of a workshop: what PDFs and messages show that the Workshop shape does not carry."""

from msgspec import UNSET, structs

from backbench.actions.authorization import member_of
from backbench.domain.accounts.calls import Call
from backbench.domain.estimating.document_settings import DocumentSettings, unknown_logo
from backbench.domain.values.errors import ValidationError
from backbench.domain.values.time_zones import default_time_zone
from backbench.domain.workshops.audit import Unchanged
from backbench.storage.engine.database import Read, Write
from backbench.storage.estimating import document_settings, files
from backbench.storage.workshops import members


async def get(db: Read, call: Call, workshop_id: str) -> DocumentSettings:
    """Read the document settings of a workshop."""
    await member_of(db, call, workshop_id)
    return await document_settings.find(db, workshop_id)


async def replace(
    db: Write, call: Call, workshop_id: str, body: DocumentSettings
) -> DocumentSettings | Unchanged[DocumentSettings]:
    """Replace the document settings. Absent members become empty; without `taxPercent` no tax is shown.

    Without `timeZone` it is the default for the language of the workshop's owner.
    """
    await member_of(db, call, workshop_id)
    if body.logo_file_id is not UNSET:
        # Locked, so that a known image is not deleted before the settings are saved.
        await db.lock(f"icons {workshop_id}")
        field_errors = unknown_logo(body, await files.list_icon_ids(db, workshop_id))
        if field_errors:
            raise ValidationError(*field_errors)
    if body.time_zone is UNSET:
        time_zone = default_time_zone(await members.owner_locale(db, workshop_id))
        body = structs.replace(body, time_zone=time_zone)
    is_changed = await document_settings.save(db, workshop_id, body)
    return body if is_changed else Unchanged(body)
