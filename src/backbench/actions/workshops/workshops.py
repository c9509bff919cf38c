"""Workshops: list, create, read, update and delete; context notes."""

from backbench.actions.billing.subscriptions import require_not_charged
from backbench.actions.services import Services
from backbench.domain.accounts.calls import Call
from backbench.domain.estimating.document_settings import default_settings
from backbench.domain.values.errors import Conflict
from backbench.domain.values.numbers import to_json_text
from backbench.domain.values.pagination import Page, PageQuery
from backbench.domain.workshops.audit import Audited, ChangeSource, Unchanged, source_of
from backbench.domain.workshops.workshops import (
    AddedWorkshop,
    ContextEdit,
    NewWorkshop,
    StoredWorkshop,
    Workshop,
    WorkshopContext,
    WorkshopEdit,
)
from backbench.storage.accounts import accounts
from backbench.storage.engine.database import Read, Write
from backbench.storage.workshops import audit, members, workshops


async def list_all(db: Read, call: Call, query: PageQuery, services: Services) -> Page[Workshop]:
    """List the workshops that the caller is a member of, newest first."""
    found = await workshops.list_page(db, call.uid, query)
    by_workshop = await members.list_by_workshop(db, call.uid)
    # Between the two statements the caller may have been removed from one of them.
    present = found.select(lambda workshop: workshop.id in by_workshop)
    return present.map(lambda workshop: workshop.to_response(by_workshop[workshop.id], call.now, services.plan_rules))


async def get(db: Read, call: Call, workshop: StoredWorkshop, services: Services) -> Workshop:
    """Read a workshop with its members."""
    return workshop.to_response(await members.list_all(db, workshop.id), call.now, services.plan_rules)


async def create(db: Write, call: Call, body: NewWorkshop, services: Services) -> Audited[Workshop]:
    """Create a workshop. The caller becomes its owner; an account's first workshop is its default.

    Raises Conflict `plan_limit` where the account owns as many workshops as it may.
    """
    # Locked first, so that of two created at once only one is the default.
    await db.lock(f"workshops of {call.uid}")
    owned = await members.count_owned(db, call.uid)
    limit = services.plan_rules.workshops_per_account
    if owned >= limit:
        raise Conflict("plan_limit", f"An account can own at most {limit} workshops", limit=limit, current=owned)
    is_first = not await workshops.list_all(db, call.uid)
    workshop_id = await create_workshop(db, source_of(call), call.uid, body, is_default=is_first)
    made = await workshops.find(db, workshop_id)
    return Audited(await get(db, call, made, services), workshop_id, workshop_id)


async def add_workshop(db: Write, source: ChangeSource, owner: str, new: NewWorkshop, *, is_default: bool) -> str:
    """Adds a workshop and its first audit entry, where no endpoint writes that entry; its id."""
    workshop_id = await create_workshop(db, source, owner, new, is_default=is_default)
    await audit.add(db, source.change(workshop_id, "workshop.created", workshop_id))
    return workshop_id


async def create_workshop(db: Write, source: ChangeSource, owner: str, new: NewWorkshop, *, is_default: bool) -> str:
    """Adds a workshop with `owner` as its owner; its id."""
    account = await accounts.find(db, owner)
    added = AddedWorkshop(
        id=source.new_id(),
        owner=owner,
        avatar_seed=source.new_id(),
        document_settings=to_json_text(default_settings(account.locale)),
        history=source.new_id(),
        is_default=is_default,
        created_at=source.now,
    )
    await workshops.add(db, new, added)
    return added.id


async def update(
    db: Write, call: Call, workshop_id: str, body: WorkshopEdit, services: Services
) -> Workshop | Unchanged[Workshop]:
    """Change the profile of a workshop."""
    before = await workshops.find(db.locking(), workshop_id)
    await workshops.save_edit(db, workshop_id, body)
    after = await workshops.find(db, workshop_id)
    response = await get(db, call, after, services)
    return response if after != before else Unchanged(response)


async def delete(db: Write, call: Call, workshop_id: str) -> None:
    """Delete a workshop and everything in it, its audit trail included. Owners only.

    Raises Conflict `subscription_running` while the payment provider may go on charging for it.
    """
    # Locked before it is read again: the provider may report a subscription at this very moment.
    await db.lock(f"plan {workshop_id}")
    workshop = await workshops.find(db, workshop_id)
    await require_not_charged(db, workshop, call.now)
    await workshops.delete(db, workshop_id)
    await audit.delete_all(db, workshop_id)


async def replace_context(
    db: Write, call: Call, workshop_id: str, body: ContextEdit
) -> WorkshopContext | Unchanged[WorkshopContext]:
    """Replace the context notes, with surrounding whitespace removed. Nothing is derived from them yet."""
    notes = body.notes.strip()
    before = await workshops.find(db.locking(), workshop_id)
    if before.context_updated_at is not None and before.context_notes == notes:
        return Unchanged(WorkshopContext(notes, before.context_updated_at))
    await workshops.save_context(db, workshop_id, notes, call.now)
    return WorkshopContext(notes, call.now)
