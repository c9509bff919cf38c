"""The client's view of an estimate, for the holder of a link."""

from backbench.domain.billing.plans import PlanRules
from backbench.domain.estimating.files import StoredFile
from backbench.domain.sharing.client_estimates import client_estimate
from backbench.domain.sharing.links import LinkCaller
from backbench.domain.values.errors import NotFound
from backbench.domain.values.times import Instant
from backbench.storage.engine.database import Read
from backbench.storage.estimating import files
from backbench.storage.sharing import comments


async def get(db: Read, caller: LinkCaller, now: Instant, plan_rules: PlanRules) -> bytes:
    """Read what a link shows: the revision that it was created for, which never changes, and the state of the link."""
    return client_estimate(caller.link, await comments.list_of_link(db, caller.link.id), now, plan_rules)


async def find_file(db: Read, caller: LinkCaller) -> StoredFile:
    """The PDF that is bound to the link. Raises NotFound."""
    if caller.link.pdf_export_id is None:
        raise NotFound
    return await files.find(db, caller.link.pdf_export_id)
