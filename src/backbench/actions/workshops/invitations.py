"""Invitations to a workshop: list, create, delete and accept."""

from msgspec import Struct, structs

from backbench.actions.email_limits import count_invitation, may_notify
from backbench.actions.services import Services
from backbench.actions.workshops.members import lock as lock_members
from backbench.domain.accounts.accounts import INVALID_TOKEN, is_same_mailbox
from backbench.domain.accounts.calls import Call
from backbench.domain.accounts.page_links import page_link
from backbench.domain.accounts.sessions import new_secret
from backbench.domain.mail.details import MembershipDetails
from backbench.domain.mail.emails import NewEmail
from backbench.domain.values.enums import UserLocale
from backbench.domain.values.errors import Conflict, Forbidden, NotFound, ValidationError
from backbench.domain.values.numbers import to_json_text
from backbench.domain.values.pagination import Page, PageQuery
from backbench.domain.values.scalars import email_key
from backbench.domain.values.times import Instant, later
from backbench.domain.workshops.audit import Audited
from backbench.domain.workshops.invitations import (
    DAYS,
    MAX_ADDRESSES,
    MAX_OPEN,
    AddedInvitation,
    Invitation,
    InvitationAcceptance,
    InvitationAddress,
    InvitationPreview,
    InvitationQuery,
    InvitationTokenDetails,
    NewInvitation,
    StoredInvitation,
)
from backbench.domain.workshops.workshops import Workshop
from backbench.integrations.qr_code import QUIET_MODULES, qr_svg
from backbench.storage.accounts import accounts, tokens
from backbench.storage.accounts.tokens import StoredToken
from backbench.storage.engine.database import Database, Read, Write
from backbench.storage.operations import email_outbox
from backbench.storage.workshops import invitations, members, workshops

_SHOWN = to_json_text(InvitationTokenDetails(was_shown=True))


class InvitationOfToken(Struct, frozen=True):
    """`is_mailed`: the token proves that its bearer reads the emails to the invited address."""

    invitation: StoredInvitation
    is_mailed: bool


async def list_all(db: Read, call: Call, workshop_id: str, query: PageQuery) -> Page[Invitation]:
    """List the invitations that may still be accepted, newest first. Owners only."""
    return (await invitations.list_page(db, workshop_id, call.now, query)).map(StoredInvitation.to_response)


async def create(db: Write, call: Call, workshop_id: str, body: NewInvitation, services: Services) -> AddedInvitation:
    """Invite an email address for seven days, by email and with the address in this response, which is nowhere else.

    A second invitation replaces the first. Owners only.

    Raises Conflict where the address belongs to a member, or too many invitations are open.
    """
    await lock(db, workshop_id)
    await _require_invitable(db, workshop_id, body.email, call.now)
    await count_invitation(db, call, body.email, services.email_limits)
    invitation = StoredInvitation(
        id=call.new_id(),
        workshop_id=workshop_id,
        email=body.email,
        role=body.role,
        created_at=call.now,
        expires_at=later(call.now, DAYS * 86_400),
        invited_by=call.uid,
    )
    await invitations.add(db, invitation)
    inviter = await accounts.find(db, call.uid)
    email = NewEmail("invitation", body.email, inviter.locale, invitation_id=invitation.id, sender=call.uid)
    await email_outbox.add(db, call.new_id(), email, call.now)
    address = await _add_address(db, invitation, email.locale, services)
    return AddedInvitation(**structs.asdict(invitation.to_response()), **structs.asdict(address))


async def add_address(db: Write, call: Call, invitation: StoredInvitation, services: Services) -> InvitationAddress:
    """Make a further address of an open invitation, to pass it on by hand. Owners only.

    Raises Conflict `plan_limit`.
    """
    _require_open(invitation, call.now)
    number = await tokens.count_of_invitation(db, invitation.id, _SHOWN)
    if number >= MAX_ADDRESSES:
        detail = f"An invitation can have at most {MAX_ADDRESSES} addresses; invite again"
        raise Conflict("plan_limit", detail, limit=MAX_ADDRESSES, current=number)
    locale = (await accounts.find(db, call.uid)).locale
    return await _add_address(db, invitation, locale, services)


def _require_open(invitation: StoredInvitation, now: Instant) -> None:
    """Raises NotFound where it may no longer be accepted."""
    if invitation.expires_at <= now:
        raise NotFound


async def lock(db: Write, workshop_id: str) -> None:
    """Serializes what counts the invitations of a workshop, and their addresses."""
    await db.lock(f"invitations {workshop_id}")


async def _add_address(
    db: Write, invitation: StoredInvitation, locale: UserLocale, services: Services
) -> InvitationAddress:
    invited = await accounts.lookup_by_email(db, invitation.email)
    secret = new_secret()
    token = StoredToken(invitation_id=invitation.id, details=_SHOWN)
    await tokens.add(db, secret, "invitation", invitation.expires_at, token)
    url = page_link(services.public_url, "join", locale if invited is None else invited.locale, secret)
    return InvitationAddress(url, qr_svg(url, margin=QUIET_MODULES))


async def _require_invitable(db: Read, workshop_id: str, email: str, now: Instant) -> None:
    account = await accounts.lookup_by_email(db, email)
    if account is not None and await members.lookup_role(db, workshop_id, account.id) is not None:
        raise Conflict("already_member", "This address belongs to a member of the workshop")
    waiting = await invitations.list_all(db, workshop_id, now)
    others = [each for each in waiting if email_key(each.email) != email_key(email)]
    if len(others) >= MAX_OPEN:
        raise Conflict("too_many_invitations", f"At most {MAX_OPEN} invitations may be open at a time")


async def delete(db: Write, call: Call, invitation: StoredInvitation) -> None:
    """Delete an invitation; its links stop working. Owners only."""
    _require_open(invitation, call.now)
    await invitations.delete(db, invitation.id)


async def preview(db: Database, call: Call, body: InvitationQuery) -> InvitationPreview:
    """Read what an invitation is for, with its token. Raises ValidationError where it may no longer be accepted."""
    async with db.read() as read:
        invitation = (await find_by_token(read, body.token, call.now)).invitation
        workshop = await workshops.find(read, invitation.workshop_id)
        inviter = await accounts.find(read, invitation.invited_by)
    return InvitationPreview(workshop.name, inviter.name, invitation.email, invitation.role, invitation.expires_at)


async def accept(db: Write, call: Call, body: InvitationAcceptance, services: Services) -> Audited[Workshop]:
    """Accept an invitation: the caller becomes a member, and the inviter is notified by email.

    Raises Forbidden unless the caller's own email address is the invited one.
    """
    invitation = (await find_by_token(db, body.token, call.now)).invitation
    account = await accounts.find(db, call.uid)
    if not is_same_mailbox(account.email, invitation.email):
        raise Forbidden
    await redeem(db, call, invitation, call.uid)
    if await may_notify(db, call, services.email_limits):
        await notify_accepted(db, call, invitation, call.uid)
    workshop = await workshops.find(db, invitation.workshop_id)
    joined = workshop.to_response(await members.list_all(db, workshop.id), call.now, services.plan_rules)
    return Audited(joined, workshop.id, call.uid)


async def find_by_token(db: Read, token: str, now: Instant) -> InvitationOfToken:
    """The invitation of the token in its address. Raises ValidationError where it may no longer be accepted."""
    found = await tokens.lookup_active(db, token, "invitation", now)
    invitation = None if found is None else await invitations.lookup_open(db, found.invitation_id or "", now)
    if invitation is None:
        raise ValidationError(INVALID_TOKEN)
    return InvitationOfToken(invitation, is_mailed=found is not None and found.details != _SHOWN)


async def redeem(db: Write, call: Call, invitation: StoredInvitation, uid: str) -> None:
    """The account becomes a member; one that joined in another way and is an owner stays one.

    Raises ValidationError for an invitation that was used meanwhile.
    """
    await lock_members(db, invitation.workshop_id)
    if not await invitations.delete(db, invitation.id):
        raise ValidationError(INVALID_TOKEN)
    if await members.lookup_role(db, invitation.workshop_id, uid) != "owner":
        await members.add(db, invitation.workshop_id, uid, invitation.role, call.now)


async def notify_accepted(db: Write, call: Call, invitation: StoredInvitation, uid: str) -> None:
    inviter = await accounts.find(db, invitation.invited_by)
    details = to_json_text(MembershipDetails(invitation.workshop_id, uid))
    email = NewEmail.to_account("invitation_accepted", inviter, details, sender=uid)
    await email_outbox.add(db, call.new_id(), email, call.now)
