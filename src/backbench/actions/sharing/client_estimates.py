"""The client's view of an estimate, for the holder of a link."""

from backbench.actions.estimating.documents import shown_logo
from backbench.actions.services import Services
from backbench.actions.sharing import deposits
from backbench.domain.estimating.files import StoredFile
from backbench.domain.sharing.client_estimates import client_estimate
from backbench.domain.sharing.links import LinkCall
from backbench.domain.values.errors import NotFound
from backbench.storage.engine.database import Read
from backbench.storage.estimating import files, revisions
from backbench.storage.sharing import comments
from backbench.storage.workshops import workshops


async def get(db: Read, call: LinkCall, services: Services) -> bytes:
    """Read what a link shows: its revision, which never changes, the state of the link and the comments.

    By the plan of this moment: a plan that ended shows the mark again.
    """
    link = call.caller.link
    plan = (await workshops.find(db, link.workshop_id)).plan_at(call.now, services.plan_rules)
    shown = await comments.list_for_client(db, link.estimate_id)
    has_logo_image = await revisions.has_logo_image(db, link.estimate_id, link.revision_number)
    deposit = await deposits.lookup(db, link, call.now)
    return client_estimate(
        link,
        shown,
        None if deposit is None else deposit.request,
        call.now,
        may_hide_brand_mark=plan.may_hide_brand_mark,
        can_mail=services.has_mail_server,
        has_logo_image=has_logo_image,
    )


async def find_file(db: Read, call: LinkCall) -> StoredFile:
    """The PDF that is bound to the link. Raises NotFound."""
    if call.caller.link.pdf_export_id is None:
        raise NotFound
    return await files.find(db, call.caller.link.pdf_export_id)


async def find_logo(db: Read, call: LinkCall) -> StoredFile:
    """The image logo of the revision that the link shows. Raises NotFound where the documents show none."""
    link = call.caller.link
    confirmed = await revisions.find_confirmed(db, link.estimate_id, link.revision_number)
    logo = await shown_logo(db, confirmed)
    if logo is None:
        raise NotFound
    return logo
