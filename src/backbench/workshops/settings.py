"""Settings of documents and messages, read and replaced by members."""

from msgspec import UNSET, structs

from backbench.customers import customers
from backbench.engine.database import Database, Read, Write
from backbench.estimating import document_settings, grids
from backbench.estimating.document_settings import DocumentSettings, unknown_logo
from backbench.estimating.documents import PlannedDocument, of_settings
from backbench.integrations.pdf.renderer import RenderError
from backbench.orders import order_details
from backbench.services import Services
from backbench.values.calls import Call
from backbench.values.errors import FieldError, ValidationError
from backbench.values.times import default_time_zone
from backbench.workshops import members, workshops
from backbench.workshops.audit import Unchanged


async def get(db: Read, workshop_id: str) -> DocumentSettings:
    """Read the document settings of a workshop."""
    return await document_settings.find(db, workshop_id)


async def draw_logo(db: Database, call: Call, workshop_id: str, body: DocumentSettings, services: Services) -> None:
    """Draws a document with the logo, where it is another one than before.

    An image that cannot be decoded would make every later document, and each revision with it, impossible to draw.
    Raises ValidationError, Unavailable.
    """
    async with db.read() as read:
        planned = await _with_new_logo(read, call, workshop_id, body)
    if planned is None:
        return
    try:
        await services.renderer.render(await planned.with_logo(services.blobs))
    except RenderError as error:
        detail = "This image cannot be drawn: it is damaged, or of a kind that PDFs cannot have"
        raise ValidationError(FieldError("/logoFileId", "not_drawable", detail)) from error


async def _with_new_logo(db: Read, call: Call, workshop_id: str, body: DocumentSettings) -> PlannedDocument | None:
    present = await document_settings.find(db, workshop_id)
    if body.logo_file_id is UNSET or body.logo_file_id == present.logo_file_id:
        return None
    if unknown_logo(body, await grids.list_icon_ids(db, workshop_id)):
        # The transaction says so.
        return None
    workshop = await workshops.find(db, workshop_id)
    return await of_settings(db, workshop, DocumentSettings("EUR", logo_file_id=body.logo_file_id), call.now)


async def replace(
    db: Write, call: Call, workshop_id: str, body: DocumentSettings
) -> DocumentSettings | Unchanged[DocumentSettings]:
    """Replace the document settings. Absent members become empty; without `taxPercent` no tax is shown.

    Without `timeZone` it is the default for the language of the workshop's owner.
    """
    if body.logo_file_id is not UNSET:
        # Locked, so that a known image is not deleted before the settings are saved.
        await db.lock(f"icons {workshop_id}")
        field_errors = unknown_logo(body, await grids.list_icon_ids(db, workshop_id))
        if field_errors:
            raise ValidationError(*field_errors)
    body = body.with_clean_iban()
    if body.time_zone is UNSET:
        time_zone = default_time_zone(await members.owner_locale(db, workshop_id))
        body = structs.replace(body, time_zone=time_zone)
    before = await document_settings.find(db, workshop_id)
    is_changed = await document_settings.save(db, workshop_id, body)
    if body.zone != before.zone:
        await order_details.save_zone(db, workshop_id, call.now)
    if body.phone_country != before.phone_country:
        await customers.read_phones_again(db, call, workshop_id, body.phone_country)
    return body if is_changed else Unchanged(body)
