"""What members do with a workshop: its look, its notes, what its plan entitles it to."""

from backbench.actions.authorization import must_be_member, must_be_owner
from backbench.actions.billing.subscriptions import must_not_be_charged
from backbench.domain.accounts.sessions import Caller
from backbench.domain.billing.plans import (
    BrandMarkEntitlement,
    CheckoutAvailability,
    RevisionsEntitlement,
    StorageEntitlement,
    WorkshopBilling,
    WorkshopEntitlementsUsage,
)
from backbench.domain.estimating.document_settings import default_settings
from backbench.domain.values.ids import NewId
from backbench.domain.values.numbers import to_json, to_json_text
from backbench.domain.values.pagination import Page, Part
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
from backbench.storage.workshops import audit, workshops


async def show_all(db: Read, caller: Caller, query: Part, now: Instant) -> Page:
    """WorkshopsList as JSON; a page of it where a limit was asked for."""
    found, following = await workshops.part_of(db, caller.uid, query)
    members = await workshops.members_of_all(db, caller.uid)
    return Page(to_json(WorkshopsList([each.shown(members[each.id], now) for each in found])), following)


async def show(db: Read, caller: Caller, workshop_id: str, now: Instant) -> Workshop:
    workshop = await workshops.find(db, workshop_id)
    await must_be_member(db, caller, workshop_id)
    return workshop.shown(await workshops.members(db, workshop_id), now)


async def create(db: Write, caller: Caller, body: NewWorkshop, now: Instant, new_id: NewId) -> Workshop:
    """The caller is its owner. An account's first workshop is its default one."""
    # Held first, so that of two that are opened at once only one is the default.
    await db.hold(f"workshops of {caller.uid}")
    is_first = not await workshops.all_of(db, caller.uid)
    workshop_id = await open_workshop(db, caller.uid, body, is_default=is_first, now=now, new_id=new_id)
    return await show(db, caller, workshop_id, now)


async def open_workshop(
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
    await must_be_member(db, caller, workshop_id)
    await workshops.save_edit(db, workshop_id, body)
    return await show(db, caller, workshop_id, now)


async def remove(db: Write, caller: Caller, workshop_id: str, now: Instant) -> None:
    """Removes the workshop and everything in it. Refused while a subscription runs, which would go on charging."""
    # Held first: the provider may be telling of a subscription at this very moment.
    await db.hold(f"plan {workshop_id}")
    workshop = await workshops.find(db, workshop_id)
    await must_be_owner(db, caller, workshop_id)
    await must_not_be_charged(db, workshop, now)
    await workshops.remove(db, workshop_id)
    await audit.remove_all(db, workshop_id)
    caller.acted_on.clear()


async def write_context(
    db: Write, caller: Caller, workshop_id: str, body: ContextEdit, now: Instant
) -> WorkshopContext:
    """Replaces the notes whole, trimmed; nothing else happens."""
    await workshops.find(db, workshop_id)
    await must_be_member(db, caller, workshop_id)
    notes = body.notes.strip()
    await workshops.save_context(db, workshop_id, notes, now)
    return WorkshopContext(notes, now)


async def entitlements(
    db: Read, caller: Caller, workshop_id: str, now: Instant, checkout: CheckoutAvailability
) -> WorkshopEntitlementsUsage:
    """From stored state alone; the payment provider is never asked."""
    workshop = await workshops.find(db, workshop_id)
    await must_be_member(db, caller, workshop_id)
    plan = workshop.plan_at(now)
    return WorkshopEntitlementsUsage(
        plan=plan.plan,
        plan_expires_at=plan.expires_at,
        brand_mark=BrandMarkEntitlement(plan.may_hide_brand_mark),
        file_storage=StorageEntitlement(workshop.storage_used_bytes, plan.storage_bytes),
        revisions=RevisionsEntitlement(plan.revisions_per_estimate),
        billing=WorkshopBilling(
            has_account=workshop.billing_customer_id is not None,
            plan_source=plan.source,
            cancel_at_period_end=plan.source == "subscription" and workshop.billing_cancel_at_period_end,
            checkout_availability=checkout,
        ),
    )
