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
from backbench.storage.workshops import workshops


async def get(db: Read, caller: LinkCaller, now: Instant, plan_rules: PlanRules) -> bytes:
    """Read what a link shows: its revision, which never changes, the state of the link and the comments.

    By the plan of this moment: a plan that ended shows the mark again.
    """
    link = caller.link
    plan = (await workshops.find(db, link.workshop_id)).plan_at(now, plan_rules)
    shown = await comments.list_for_client(db, link.estimate_id)
    has_logo_image = await revisions.has_logo_image(db, link.estimate_id, link.revision_number)
    return client_estimate(
        link, shown, now, may_hide_brand_mark=plan.may_hide_brand_mark, has_logo_image=has_logo_image
    )


async def find_file(db: Read, caller: LinkCaller) -> StoredFile:
    """The PDF that is bound to the link. Raises NotFound."""
    if caller.link.pdf_export_id is None:
        raise NotFound
    return await files.find(db, caller.link.pdf_export_id)


async def find_logo(db: Read, caller: LinkCaller) -> StoredFile:
    """The image logo of the revision that the link shows. Raises NotFound where the documents show none."""
    confirmed = await revisions.find_confirmed(db, caller.link.estimate_id, caller.link.revision_number)
    file_id = confirmed.snapshot.logo_file_id if confirmed.snapshot.settings.show_logo else None
    logo = None if file_id is None else await files.lookup_with_deleted(db, file_id)
    if logo is None:
        raise NotFound
    return logo
