"""Sharing in the demo: a link of an estimate, what the client did with it, and a calendar. It sends no email."""

from msgspec import structs

from backbench.accounts import accounts
from backbench.connections import calendars
from backbench.connections.calendars import NewCalendar
from backbench.demo.log import Log
from backbench.demo.workshop import Shared, instant
from backbench.engine.database import Database, Write
from backbench.estimating.document_facts import EstimateRef
from backbench.services import Services
from backbench.sharing import comments, decisions, links, shared_links
from backbench.sharing.comments import EstimateComment
from backbench.sharing.decisions import Signature, acceptance
from backbench.sharing.links import LinkAddress, LinkCall, LinkCaller, StoredLink
from backbench.values.calls import Call, Client
from backbench.values.enums import UserLocale
from backbench.words import words

# An address for documentation.
_BROWSER = Client("203.0.113.24", "Mozilla/5.0 (Linux; Android 16; Mobile) Chrome/142.0.0.0", None)


async def share(db: Database, call: Call, estimate: EstimateRef, planned: Shared, services: Services, log: Log) -> None:
    owner, now, estimate_id = call.caller, call.now, estimate.id
    created = structs.replace(call, now=instant(planned.at, now))
    async with shared_links.prepare_create(db, created, estimate, planned.link, services) as shown:
        shared = await db.write(
            lambda write: shared_links.create(write, created, estimate, planned.link, shown, services)
        )
    log.record(owner, "estimate.shared", estimate_id, created.now)
    link_id = shared.result.link.id

    async def used(write: Write) -> LinkCaller:
        for opened in planned.opened:
            await links.save_opening(write, link_id, instant(opened, now))
        link = await links.lookup_active(write, link_id)
        assert link is not None
        address = LinkAddress("shown", created.now, call.uid)
        client = LinkCaller("", link_id=link_id, link=link, address=address, token_hash="")
        await _comment(write, call, link, planned)
        if planned.accepted is not None:
            accepted = LinkCall(client, instant(planned.accepted, now), find_client=lambda: _BROWSER)
            await _accept(write, accepted, planned.client)
        return client

    client = await db.write(used)
    for opened in planned.opened:
        log.record(client, "estimate.opened", estimate_id, instant(opened, now))
    for each in planned.comments:
        log.record(owner if each.is_answer else client, "estimate.commented", estimate_id, instant(each.at, now))
    if planned.accepted is not None:
        log.record(client, "estimate.accepted", estimate_id, instant(planned.accepted, now))


async def _comment(db: Write, call: Call, link: StoredLink, planned: Shared) -> None:
    name = (await accounts.find(db, call.uid)).name
    for each in planned.comments:
        id_, at = call.new_id(), instant(each.at, call.now)
        if each.is_answer:
            comment = EstimateComment(id_, at, link.id, "workshop", name, each.text, call.uid)
        else:
            comment = EstimateComment(id_, at, link.id, "client", planned.client, each.text)
        await comments.add_row(db, link.workshop_id, link.estimate_id, comment)


async def _accept(db: Write, call: LinkCall, name: str) -> None:
    link = call.caller.link
    decision = decisions.of_client(call, link, "accepted")
    consent = acceptance(link.locale)
    await decisions.add(db, structs.replace(decision, name=name, signature=Signature("typed"), consent=consent))


async def add_calendar(db: Write, call: Call, workshop_id: str, locale: UserLocale, services: Services) -> None:
    """One feed, so that its screen shows what it is for. Nobody has its address."""
    await calendars.create(
        db, call, workshop_id, NewCalendar(words(locale).names.demo_calendar, "both", "initials"), services
    )
