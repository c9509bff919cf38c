"""Deletion of accounts and workshops, with everything that is in them."""

from msgspec import Struct

from backbench.accounts import accounts
from backbench.accounts.passwords import CurrentPassword, verify_password
from backbench.billing import billing
from backbench.billing.billing import require_not_charged
from backbench.connections.webhooks import end_of_ownership
from backbench.engine.database import Database, Write
from backbench.estimating import files
from backbench.mail import outbox
from backbench.mail.outbox import NewEmail
from backbench.orders import issued_invoices
from backbench.orders.issued_invoices import WithInvoices
from backbench.orders.order_details import release_assignee
from backbench.services import Services
from backbench.values.calls import Call
from backbench.values.errors import Conflict, WrongPassword
from backbench.workshops import audit, members, team, workshops
from backbench.workshops.audit import ChangeSource, source_of


class AccountDeletion(Struct, frozen=True, forbid_unknown_fields=True):
    password: CurrentPassword


async def delete_workshop_rows(db: Write, workshop_id: str) -> None:
    """Deletes the workshop with everything in it."""
    await files.delete_of_workshop(db, workshop_id)
    await billing.delete_of_workshop(db, workshop_id)
    await db.run("DELETE FROM workshops WHERE id = :id", id=workshop_id)


async def delete(db: Write, call: Call, verified_hash: str, *, with_invoices: bool) -> None:
    """Deletes the account with its sessions, API keys and the workshops without other members.

    Raises Conflict where a workshop with other members would have no owner, or a subscription is running.
    """
    account = await accounts.find(db, call.uid)
    if account.password_hash != verified_hash:
        raise WrongPassword
    await delete_account(db, source_of(call), call.uid, with_invoices=with_invoices)
    await outbox.add(db, call.new_id(), NewEmail("goodbye", account.email, account.locale), call.now)


async def verify_deletion(db: Database, call: Call, body: AccountDeletion, services: Services) -> str:
    """The hash that the password matches. Raises WrongPassword, RateLimited."""
    return await verify_password(db, call, body.password, services)


async def delete_account(db: Write, source: ChangeSource, uid: str, *, with_invoices: bool) -> None:
    """Deletes the account and the workshops without other members. It leaves its other workshops.

    Raises Conflict `last_owner` where a workshop with other members would have no owner, `subscription_running` where
    the provider would go on charging for a deleted one, `has_invoices` where one has issued invoices that are not to
    be deleted.
    """
    # Locked first: a workshop that the account creates meanwhile would stay without a member.
    await db.lock(f"workshops of {uid}")
    deleted, remaining = [], []
    for workshop in await workshops.list_stored(db, uid):
        await db.lock(f"members {workshop.id}")
        others = [member for member in await members.list_all(db, workshop.id) if member.id != uid]
        if not others:
            await db.lock(f"plan {workshop.id}")
            await require_not_charged(db, workshop, source.now)
            if not with_invoices:
                await issued_invoices.require_none(db, "workshop_id", workshop.id)
            deleted.append(workshop.id)
        elif not any(member.role == "owner" for member in others):
            raise Conflict("last_owner", "A workshop with other members would have no owner", workshopId=workshop.id)
        else:
            remaining.append(workshop.id)
    for workshop_id in deleted:
        await delete_workshop_rows(db, workshop_id)
        await audit.delete_all(db, workshop_id)
    await team.delete_of_inviter(db, uid)
    await accounts.delete(db, uid)
    await end_of_ownership(db, uid, source.now, source.new_id)
    # In the order of ids, so that two deletions that share workshops wait for each other in the same order.
    for workshop_id in sorted(remaining):
        await release_assignee(db, source, workshop_id, uid)
        await audit.add(db, source.change(workshop_id, "member.left", uid))


async def delete_workshop(db: Write, call: Call, workshop_id: str, query: WithInvoices) -> None:
    """Delete a workshop and everything in it, its audit trail included. Owners only.

    Raises Conflict `subscription_running` while the payment provider may go on charging for it, `has_invoices` where it
    has issued invoices, unless the query says that they are deleted, too.
    """
    # Locked before it is read again: the provider may report a subscription at this very moment.
    await db.lock(f"plan {workshop_id}")
    workshop = await workshops.find(db, workshop_id)
    await require_not_charged(db, workshop, call.now)
    if not query.is_allowed:
        await issued_invoices.require_none(db, "workshop_id", workshop_id)
    await delete_workshop_rows(db, workshop_id)
    await audit.delete_all(db, workshop_id)
