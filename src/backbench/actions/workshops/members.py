"""Members of a workshop and their roles. A workshop always has an owner."""

from backbench.actions.connections.webhooks import end_of_ownership
from backbench.actions.email_limits import may_notify
from backbench.actions.orders.order_details import release_assignee
from backbench.actions.services import Services
from backbench.domain.accounts.calls import Call
from backbench.domain.mail.details import MembershipDetails
from backbench.domain.mail.emails import NewEmail
from backbench.domain.values.errors import Conflict, Forbidden, NotFound
from backbench.domain.values.numbers import to_json_text
from backbench.domain.workshops.audit import Unchanged, source_of
from backbench.domain.workshops.members import MemberEdit
from backbench.domain.workshops.workshops import MemberRole, WorkshopMember
from backbench.storage.accounts import accounts
from backbench.storage.engine.database import Read, Write
from backbench.storage.operations import email_outbox
from backbench.storage.workshops import invitations, members


async def update(
    db: Write, call: Call, workshop_id: str, user_id: str, body: MemberEdit
) -> WorkshopMember | Unchanged[WorkshopMember]:
    """Change the role of a member. Owners only. The invitations of an owner who becomes a member end.

    Raises Conflict `last_owner` for the last owner.
    """
    member = await _find(db, workshop_id, user_id)
    if member.role == body.role:
        return Unchanged(member)
    if body.role != "owner":
        await _require_another_owner(db, workshop_id, user_id)
        await invitations.delete_of_inviter(db, user_id, workshop_id)
    await members.add(db, workshop_id, user_id, body.role, call.now)
    if body.role != "owner":
        await end_of_ownership(db, user_id, call.now, call.new_id, workshop_id)
    return await _find(db, workshop_id, user_id)


async def delete(db: Write, call: Call, workshop_id: str, role: MemberRole, user_id: str, services: Services) -> None:
    """Remove a member from a workshop; its invitations end. Owners remove anybody, members themselves.

    A member whom an owner removes is notified by email.

    Raises Conflict `last_owner` for the last owner.
    """
    if role != "owner" and user_id != call.uid:
        raise Forbidden
    await _find(db, workshop_id, user_id)
    await _require_another_owner(db, workshop_id, user_id)
    await members.delete(db, workshop_id, user_id)
    await release_assignee(db, source_of(call), workshop_id, user_id)
    await invitations.delete_of_inviter(db, user_id, workshop_id)
    await end_of_ownership(db, user_id, call.now, call.new_id, workshop_id)
    if user_id != call.uid and await may_notify(db, call, services.email_limits):
        await _notify_removed(db, call, workshop_id, user_id)


async def _notify_removed(db: Write, call: Call, workshop_id: str, user_id: str) -> None:
    account = await accounts.find(db, user_id)
    details = to_json_text(MembershipDetails(workshop_id, user_id))
    email = NewEmail.to_account("member_removed", account, details, sender=call.uid)
    await email_outbox.add(db, call.new_id(), email, call.now)


async def lock(db: Write, workshop_id: str) -> None:
    """Serializes changes to the members of a workshop, so that its last two owners cannot both leave."""
    await db.lock(f"members {workshop_id}")


async def _find(db: Read, workshop_id: str, user_id: str) -> WorkshopMember:
    for member in await members.list_all(db, workshop_id):
        if member.id == user_id:
            return member
    raise NotFound


async def _require_another_owner(db: Read, workshop_id: str, user_id: str) -> None:
    if await members.list_owner_ids(db, workshop_id) == [user_id]:
        raise Conflict("last_owner", "The workshop would have no owner")
