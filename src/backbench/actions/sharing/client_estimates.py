"""The client's view of an estimate, for the holder of a link."""

from backbench.actions.services import Services
from backbench.domain.estimating.files import StoredFile
from backbench.domain.sharing.client_estimates import client_estimate
from backbench.domain.sharing.links import LinkCall
from backbench.domain.values.errors import NotFound
from backbench.storage.engine.database import Read
from backbench.storage.estimating import files
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
