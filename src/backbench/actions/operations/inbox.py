"""Inbox of a workshop: what waits for a person. Its items follow from estimates, decisions, questions and orders."""

from backbench.domain.accounts.calls import Call
from backbench.domain.operations.inbox import Inbox, InboxItem, InboxQuery, InboxRead
from backbench.domain.operations.inbox_sources import InboxClock
from backbench.domain.values.errors import NotFound
from backbench.domain.values.times import Instant
from backbench.domain.workshops.audit import Unchanged
from backbench.storage.engine.database import Database, Read, Write
from backbench.storage.estimating import document_settings
from backbench.storage.operations import inbox


async def get(db: Read, call: Call, workshop_id: str, query: InboxQuery) -> Inbox:
    """Get what waits for a person in a workshop, newest first. A key without `payments:read` sees nothing owed."""
    found = await find_items(db, call.now, workshop_id)
    if not call.caller.may("payments:read"):
        found = [item for item in found if item.kind != "owed"]
    return (await inbox.find_marks(db, workshop_id, call.uid)).inbox(found, query.limit)


async def list_items(db: Database, call: Call, workshop_id: str) -> list[InboxItem]:
    """Every item, before a transaction that must not take long."""
    async with db.read() as read:
        return await find_items(read, call.now, workshop_id)


async def mark_read(db: Write, call: Call, workshop_id: str, body: InboxRead, prepared: list[InboxItem]) -> None:
    """Mark items of the inbox as read by the account."""
    # What is read in parallel would be lost.
    await db.lock(f"inbox {workshop_id} {call.uid}")
    present = {item.id for item in prepared}
    before = (await inbox.find_marks(db, workshop_id, call.uid)).read
    after = (before | set(body.ids)) & present
    if after != before:
        await inbox.save_read(db, workshop_id, call.uid, after)


async def dismiss(
    db: Write, call: Call, workshop_id: str, item_id: str, prepared: list[InboxItem]
) -> Unchanged[None] | None:
    """Take an item out of the inbox of every member, until something new happens there. Raises NotFound."""
    found = [item for item in prepared if item.id == item_id]
    if not found:
        raise NotFound
    if (await inbox.find_marks(db, workshop_id, call.uid)).is_dismissed(found[0]):
        return Unchanged(None)
    await inbox.save_dismissed(db, workshop_id, found[0])
    return None


async def find_items(db: Read, now: Instant, workshop_id: str) -> list[InboxItem]:
    """Every item, dismissed ones included, in no order."""
    settings = await document_settings.find(db, workshop_id)
    clock = InboxClock.of(now, settings)
    found = [item for fact in await inbox.list_facts(db, workshop_id, clock) for item in fact.items(clock)]
    for row in await inbox.list_limited(db, workshop_id):
        item = row.order.item(row.estimate, settings)
        if item is not None:
            found.append(item)
    return found
