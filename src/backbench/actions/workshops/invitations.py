"""Inviting people into a workshop, and joining one."""

from backbench.actions.authorization import require_member, require_owner
from backbench.actions.rate_limits import Counted, count_success
from backbench.actions.workshops import members
from backbench.domain.accounts.accounts import INVALID_TOKEN, is_same_mailbox
from backbench.domain.accounts.sessions import Caller, digest
from backbench.domain.values.errors import Conflict, Forbidden, ValidationError
from backbench.domain.values.ids import NewId
from backbench.domain.values.limits import EmailLimits
from backbench.domain.values.numbers import to_json
from backbench.domain.values.pagination import Page, PageQuery
from backbench.domain.values.scalars import fold_case
from backbench.domain.values.times import Instant, later
from backbench.domain.workshops.invitations import (
    DAYS,
    MAX_OPEN,
    Invitation,
    InvitationAcceptance,
    InvitationsList,
    NewInvitation,
    StoredInvitation,
)
from backbench.domain.workshops.workshops import Workshop
from backbench.storage.accounts import accounts, tokens
from backbench.storage.engine.database import Read, Write
from backbench.storage.operations import email_outbox
from backbench.storage.workshops import invitations, workshops


async def show_all(db: Read, caller: Caller, workshop_id: str, query: PageQuery, now: Instant) -> Page:
    """Every invitation that may still be accepted, newest first. Owners only."""
    await workshops.find(db, workshop_id)
    await require_owner(db, caller, workshop_id)
    shown, following = await invitations.list_page(db, workshop_id, now, query)
    return Page(to_json(InvitationsList([each.to_response() for each in shown])), following)


async def invite(
    db: Write,
    caller: Caller,
    workshop_id: str,
    body: NewInvitation,
    email_limits: EmailLimits,
    now: Instant,
    new_id: NewId,
) -> Invitation:
    """Invites an address for seven days and mails it. A second invitation takes the place of the first.

    Owners only. Conflict where the address belongs to a member.
    """
    await workshops.find(db, workshop_id)
    await require_owner(db, caller, workshop_id)
    await db.lock(f"invitations {workshop_id}")
    await _must_be_welcome(db, workshop_id, body.email, now)
    await _count(db, caller, body.email, email_limits, now)
    invitation = StoredInvitation(
        id=new_id(),
        workshop_id=workshop_id,
        email=body.email,
        role=body.role,
        created_at=now,
        expires_at=later(now, DAYS * 86_400),
        invited_by=caller.uid,
    )
    await invitations.add(db, invitation)
    inviter = await accounts.find(db, caller.uid)
    await email_outbox.add(db, new_id(), "invitation", body.email, inviter.locale, now, invitation_id=invitation.id)
    return invitation.to_response()


async def _must_be_welcome(db: Read, workshop_id: str, email: str, now: Instant) -> None:
    account = await accounts.lookup_by_email(db, email)
    if account is not None and await workshops.find_role(db, workshop_id, account.id) is not None:
        raise Conflict("already_member", "This address belongs to a member of the workshop")
    waiting = await invitations.list_all(db, workshop_id, now)
    others = [each for each in waiting if fold_case(each.email) != fold_case(email)]
    if len(others) >= MAX_OPEN:
        raise Conflict("too_many_invitations", f"At most {MAX_OPEN} invitations may be open at a time")


async def _count(db: Write, caller: Caller, email: str, limits: EmailLimits, now: Instant) -> None:
    mailbox = Counted(f"mails to {digest(fold_case(email))}", limits.mailbox, "mailbox", is_reported=False)
    await count_success(db, Counted(f"invitations by {caller.uid}", limits.ceiling, "account"), caller.quotas, now)
    await count_success(db, mailbox, caller.quotas, now)


async def withdraw(db: Write, caller: Caller, invitation_id: str, now: Instant) -> None:
    """The links that were mailed lead nowhere any more. Owners only."""
    invitation = await invitations.find(db, invitation_id, now)
    await require_owner(db, caller, invitation.workshop_id)
    await invitations.delete(db, invitation_id)


async def accept(db: Write, caller: Caller, body: InvitationAcceptance, now: Instant) -> Workshop:
    """Makes the caller a member. NotAllowed unless the caller's own, verified address is the invited one."""
    token = await tokens.find_active(db, body.token, "invitation", now)
    invitation = None if token is None else await invitations.find_open(db, token.invitation_id or "", now)
    if invitation is None:
        raise ValidationError(INVALID_TOKEN)
    account = await accounts.find(db, caller.uid)
    if account.email_verified_at is None or not is_same_mailbox(account.email, invitation.email):
        raise Forbidden
    await members.lock(db, invitation.workshop_id)
    if not await invitations.delete(db, invitation.id):
        raise ValidationError(INVALID_TOKEN)
    await _join(db, caller.uid, invitation, now)
    await require_member(db, caller, invitation.workshop_id)
    workshop = await workshops.find(db, invitation.workshop_id)
    return workshop.to_response(await workshops.members(db, workshop.id), now)


async def _join(db: Write, uid: str, invitation: StoredInvitation, now: Instant) -> None:
    """Somebody who has joined by another way meanwhile does not become less than they are."""
    if await workshops.find_role(db, invitation.workshop_id, uid) != "owner":
        await workshops.add_member(db, invitation.workshop_id, uid, invitation.role, now)
