"""The client's view of an estimate, for the holder of a link."""

from backbench.actions.services import Services
from backbench.domain.estimating.files import StoredFile
from backbench.domain.sharing.client_estimates import client_estimate
from backbench.domain.sharing.links import LinkCall
from backbench.domain.values.errors import NotFound
from backbench.storage.engine.database import Read
from backbench.storage.estimating import files, revisions
from backbench.storage.sharing import comments


async def get(db: Read, call: LinkCall, services: Services) -> bytes:
    """Read what a link shows: the revision that it was created for, which never changes, and the state of the link."""
    return client_estimate(
        call.caller.link, await comments.list_of_link(db, call.caller.link.id), call.now, services.plan_rules
    )


async def find_file(db: Read, call: LinkCall) -> StoredFile:
    """The PDF that is bound to the link. Raises NotFound."""
    if call.caller.link.pdf_export_id is None:
        raise NotFound
    return await files.find(db, call.caller.link.pdf_export_id)


async def find_logo(db: Read, call: LinkCall) -> StoredFile:
    """The image logo of the revision that the link shows; it stays with the revision. Raises NotFound."""
    link = call.caller.link
    snapshot = (await revisions.find_confirmed(db, link.estimate_id, link.revision_number)).snapshot
    if snapshot.logo_file_id is None or not snapshot.settings.show_logo:
        raise NotFound
    file = await files.lookup_with_deleted(db, snapshot.logo_file_id)
    if file is None:
        raise NotFound
    return file
