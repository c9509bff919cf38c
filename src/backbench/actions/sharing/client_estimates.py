"""The client's view of an estimate, for the holder of a link."""

from backbench.domain.billing.plans import PlanRules
from backbench.domain.estimating.files import StoredFile
from backbench.domain.sharing.client_estimates import client_estimate
from backbench.domain.sharing.links import LinkCaller
from backbench.domain.values.errors import NotFound
from backbench.domain.values.times import Instant
from backbench.storage.engine.database import Read
from backbench.storage.estimating import files, revisions
from backbench.storage.sharing import comments


async def get(db: Read, caller: LinkCaller, now: Instant, plan_rules: PlanRules) -> bytes:
    """Read what a link shows: the revision that it was created for, which never changes, and the state of the link."""
    return client_estimate(caller.link, await comments.list_of_link(db, caller.link.id), now, plan_rules)


async def find_file(db: Read, caller: LinkCaller) -> StoredFile:
    """The PDF that is bound to the link. Raises NotFound."""
    if caller.link.pdf_export_id is None:
        raise NotFound
    return await files.find(db, caller.link.pdf_export_id)


async def find_logo(db: Read, caller: LinkCaller) -> StoredFile:
    """The image logo of the revision that the link shows; it stays with the revision. Raises NotFound."""
    snapshot = (await revisions.find_confirmed(db, caller.link.estimate_id, caller.link.revision_number)).snapshot
    if snapshot.logo_file_id is None or not snapshot.settings.show_logo:
        raise NotFound
    file = await files.lookup_with_deleted(db, snapshot.logo_file_id)
    if file is None:
        raise NotFound
    return file
