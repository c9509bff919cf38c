"""Sharing in the demo: a link of an estimate, and what the client did with it. No email is sent about it."""

from msgspec import structs

from backbench.actions.sharing import decisions, links
from backbench.demo.log import Log
from backbench.demo.workshop import Shared, instant
from backbench.domain.accounts.clients import Client
from backbench.domain.accounts.sessions import Caller
from backbench.domain.billing.plans import PlanRules
from backbench.domain.sharing.comments import EstimateComment
from backbench.domain.sharing.consents import acceptance
from backbench.domain.sharing.decisions import Signature
from backbench.domain.sharing.links import LinkAddress, LinkCaller, StoredLink
from backbench.domain.values.ids import NewId
from backbench.domain.values.times import Instant
from backbench.integrations.blobs import Blobs
from backbench.integrations.pdf.renderer import PdfRenderer
from backbench.storage.accounts import accounts
from backbench.storage.engine.database import Database, Write
from backbench.storage.sharing import comments
from backbench.storage.sharing import decisions as stored_decisions
from backbench.storage.sharing import links as stored_links

# An address for documentation.
_BROWSER = Client("203.0.113.24", "Mozilla/5.0 (Linux; Android 16; Mobile) Chrome/142.0.0.0", None)


async def share(
    db: Database,
    owner: Caller,
    estimate_id: str,
    planned: Shared,
    renderer: PdfRenderer,
    blobs: Blobs,
    public_url: str,
    now: Instant,
    new_id: NewId,
    log: Log,
) -> None:
    at = instant(planned.at, now)
    shown = await links.prepare_create(
        db, owner, estimate_id, planned.link, renderer, blobs, public_url, at, new_id, PlanRules()
    )
    created = await db.write(
        lambda write: links.create(write, owner, estimate_id, planned.link, shown, public_url, at, new_id, PlanRules())
    )
    log.record(owner, "estimate.shared", estimate_id, at)
    link_id = created.result.link.id

    async def used(write: Write) -> LinkCaller:
        for opened in planned.opened:
            await stored_links.save_opening(write, link_id, instant(opened, now))
        link = await stored_links.lookup_active(write, link_id)
        assert link is not None
        client = LinkCaller("", link_id=link_id, link=link, address=LinkAddress("shown", at, owner.uid), token_hash="")
        await _comment(write, owner, link, planned, now, new_id)
        if planned.accepted is not None:
            await _accept(write, client, planned.client, instant(planned.accepted, now), new_id)
        return client

    client = await db.write(used)
    for opened in planned.opened:
        log.record(client, "estimate.opened", estimate_id, instant(opened, now))
    for each in planned.comments:
        log.record(owner if each.is_answer else client, "estimate.commented", estimate_id, instant(each.at, now))
    if planned.accepted is not None:
        log.record(client, "estimate.accepted", estimate_id, instant(planned.accepted, now))


async def _comment(db: Write, owner: Caller, link: StoredLink, planned: Shared, now: Instant, new_id: NewId) -> None:
    name = (await accounts.find(db, owner.uid)).name
    for each in planned.comments:
        at = instant(each.at, now)
        if each.is_answer:
            comment = EstimateComment(new_id(), at, link.id, "workshop", name, each.text, owner.uid)
        else:
            comment = EstimateComment(new_id(), at, link.id, "client", planned.client, each.text)
        await comments.add(db, link.workshop_id, link.estimate_id, comment)


async def _accept(db: Write, client: LinkCaller, name: str, at: Instant, new_id: NewId) -> None:
    decision = decisions.of_client(client, client.link, "accepted", _BROWSER, at, new_id)
    consent = acceptance(client.link.locale)
    await stored_decisions.add(db, structs.replace(decision, name=name, signature=Signature("typed"), consent=consent))
