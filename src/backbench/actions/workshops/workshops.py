"""What members do with a workshop: its look, its notes, what its plan entitles it to."""

from backbench.actions.authorization import require_member, require_owner
from backbench.actions.billing.subscriptions import require_not_charged
from backbench.domain.accounts.sessions import Caller
from backbench.domain.estimating.document_settings import default_settings
from backbench.domain.values.ids import NewId
from backbench.domain.values.numbers import to_json, to_json_text
from backbench.domain.values.pagination import Page, PageQuery
from backbench.domain.values.times import Instant
from backbench.domain.workshops.workshops import (
    ContextEdit,
    NewWorkshop,
    Workshop,
    WorkshopContext,
    WorkshopEdit,
    WorkshopsList,
)
from backbench.storage.accounts import accounts
from backbench.storage.engine.database import Read, Write
from backbench.storage.workshops import audit, members, workshops


async def show_all(db: Read, caller: Caller, query: PageQuery, now: Instant) -> Page:
    """WorkshopsList as JSON; a page of it where a limit was asked for."""
    found, following = await workshops.list_page(db, caller.uid, query)
    by_workshop = await members.list_by_workshop(db, caller.uid)
    return Page(to_json(WorkshopsList([each.to_response(by_workshop[each.id], now) for each in found])), following)


async def show(db: Read, caller: Caller, workshop_id: str, now: Instant) -> Workshop:
    workshop = await workshops.find(db, workshop_id)
    await require_member(db, caller, workshop_id)
    return workshop.to_response(await members.list_all(db, workshop_id), now)


async def create(db: Write, caller: Caller, body: NewWorkshop, now: Instant, new_id: NewId) -> Workshop:
    """The caller is its owner. An account's first workshop is its default one."""
    # Held first, so that of two that are opened at once only one is the default.
    await db.lock(f"workshops of {caller.uid}")
    is_first = not await workshops.list_all(db, caller.uid)
    workshop_id = await create_workshop(db, caller.uid, body, is_default=is_first, now=now, new_id=new_id)
    return await show(db, caller, workshop_id, now)


async def create_workshop(
    db: Write, owner: str, new: NewWorkshop, *, is_default: bool, now: Instant, new_id: NewId
) -> str:
    """Opens a workshop for the account; the id of the workshop."""
    account = await accounts.find(db, owner)
    workshop_id = new_id()
    await workshops.add(
        db,
        new,
        workshop_id=workshop_id,
        owner=owner,
        avatar_seed=new_id(),
        document_settings=to_json_text(default_settings(account.locale)),
        is_default=is_default,
        at=now,
    )
    return workshop_id


async def edit(db: Write, caller: Caller, workshop_id: str, body: WorkshopEdit, now: Instant) -> Workshop:
    await workshops.find(db, workshop_id)
    await require_member(db, caller, workshop_id)
    await workshops.save_edit(db, workshop_id, body)
    return await show(db, caller, workshop_id, now)


async def delete(db: Write, caller: Caller, workshop_id: str, now: Instant) -> None:
    """Removes the workshop and everything in it. Refused while a subscription runs, which would go on charging."""
    # Held first: the provider may be telling of a subscription at this very moment.
    await db.lock(f"plan {workshop_id}")
    workshop = await workshops.find(db, workshop_id)
    await require_owner(db, caller, workshop_id)
    await require_not_charged(db, workshop, now)
    await workshops.delete(db, workshop_id)
    await audit.delete_all(db, workshop_id)
    caller.acted_on.clear()


async def write_context(
    db: Write, caller: Caller, workshop_id: str, body: ContextEdit, now: Instant
) -> WorkshopContext:
    """Replaces the notes whole, trimmed; nothing else happens."""
    await workshops.find(db, workshop_id)
    await require_member(db, caller, workshop_id)
    notes = body.notes.strip()
    await workshops.save_context(db, workshop_id, notes, now)
    return WorkshopContext(notes, now)
