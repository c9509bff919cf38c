"""Team: owners invite people, members join, change roles and leave. A workshop always has an owner."""

from functools import partial
from typing import Annotated

from msgspec import Struct

from backbench.accounts import accounts, tokens
from backbench.accounts.accounts import INVALID_TOKEN, AcceptedTerms, Token, is_same_mailbox
from backbench.accounts.page_links import page_link
from backbench.accounts.passwords import Password
from backbench.accounts.rate_limits import count_invitation, may_notify
from backbench.accounts.sessions import new_secret
from backbench.accounts.tokens import StoredToken
from backbench.connections.webhooks import end_of_ownership
from backbench.engine.database import Database, Read, Write
from backbench.engine.lists import list_all_newest_first, list_newest_first
from backbench.engine.objects import Loaded
from backbench.engine.rows import columns
from backbench.integrations.qr_code import QUIET_MODULES, qr_svg
from backbench.mail import outbox
from backbench.mail.details import MembershipDetails
from backbench.mail.outbox import NewEmail
from backbench.orders.order_details import release_assignee
from backbench.services import Services
from backbench.values.calls import Call
from backbench.values.enums import UserLocale
from backbench.values.errors import Conflict, Forbidden, NotFound, ValidationError
from backbench.values.numbers import Column, to_json_text
from backbench.values.pagination import Page, PagedList, PageQuery
from backbench.values.scalars import AccountName, Email, email_key
from backbench.values.shapes import made_of
from backbench.values.times import Instant, later
from backbench.workshops import members, workshops
from backbench.workshops.audit import Audited, Unchanged, source_of
from backbench.workshops.members import MemberEdit, MemberRole, WorkshopMember
from backbench.workshops.workshops import Workshop

DAYS = 7
# Open invitations of a workshop at a time. Craft workshops have a handful of members.
MAX_OPEN = 100
# Addresses of an invitation that an owner passes on, besides those that are emailed.
MAX_ADDRESSES = 20


class Invitation(Struct, frozen=True, rename="camel"):
    id: str
    email: Email
    role: MemberRole
    created_at: Instant
    expires_at: Instant
    invited_by_uid: Annotated[str, Column("invited_by")]


class InvitationsList(PagedList, frozen=True):
    invitations: list[Invitation]


class AddedInvitation(Invitation, frozen=True, rename="camel"):
    """An invitation with an address to pass on: `url` has its token, which is returned only once."""

    url: str
    qr_code: str


class InvitationAddress(Struct, frozen=True, rename="camel"):
    """`url` has the token of the address, which is returned only once; `qrCode` is an SVG image of it."""

    url: str
    qr_code: str


class InvitationPreview(Struct, frozen=True, rename="camel"):
    """What the page of an invitation shows before it is accepted."""

    workshop_name: str
    inviter_name: str
    email: str
    role: MemberRole
    expires_at: Instant


class StoredInvitation(Invitation, frozen=True):
    """The row."""

    workshop_id: str


class NewInvitation(Struct, frozen=True, forbid_unknown_fields=True):
    email: Email
    role: MemberRole


class InvitationTokenDetails(Struct, frozen=True, rename="camel", omit_defaults=True):
    """What is stored with the token of an invitation. Only one that was emailed proves the address of its recipient."""

    was_shown: bool = False


class InvitationJoin(Struct, frozen=True, rename="camel", forbid_unknown_fields=True):
    """What an account is made of by somebody who was invited and has none."""

    token: Token
    name: AccountName
    password: Password
    accept_terms: AcceptedTerms
    locale: UserLocale = "en"


class InvitationAcceptance(Struct, frozen=True, forbid_unknown_fields=True):
    token: Token


class InvitationQuery(Struct, frozen=True, forbid_unknown_fields=True):
    token: Token


# Statements


_COLUMNS = columns(StoredInvitation)
_IS_OF_OWNER = """EXISTS (
    SELECT 1 FROM members JOIN accounts ON accounts.id = members.account_id
    WHERE members.workshop_id = i.workshop_id AND members.account_id = i.invited_by
        AND members.role = 'owner' AND accounts.status = 'active'
)"""
_IS_OPEN = f"i.expires_at > :now AND {_IS_OF_OWNER}"
# The invitation of a path, for owners, also once it has expired.
INVITATION = Loaded(
    StoredInvitation,
    "invitation",
    "invitations i",
    key="invitation_id",
    condition=f"i.id = :invitation_id AND {_IS_OF_OWNER}",
    of_owner=True,
)
_OPEN = f"SELECT {_COLUMNS} FROM invitations i WHERE workshop_id = :workshop_id AND {_IS_OPEN}"


async def lookup_open(db: Read, invitation_id: str, now: Instant) -> StoredInvitation | None:
    """The invitation, if it may still be accepted."""
    return await db.one(
        StoredInvitation,
        f"SELECT {_COLUMNS} FROM invitations i WHERE id = :id AND {_IS_OPEN}",
        id=invitation_id,
        now=now,
    )


async def list_page(db: Read, workshop_id: str, now: Instant, page: PageQuery) -> Page[StoredInvitation]:
    """The workshop's open invitations, newest first."""
    return await list_newest_first(db, StoredInvitation, _OPEN, page, workshop_id=workshop_id, now=now)


async def list_stored(db: Read, workshop_id: str, now: Instant) -> list[StoredInvitation]:
    """Every open invitation of the workshop, newest first."""
    return await list_all_newest_first(db, StoredInvitation, _OPEN, workshop_id=workshop_id, now=now)


async def has_open(db: Read, email: str, now: Instant) -> bool:
    """Whether there is an open invitation of any workshop to this address."""
    sql = f"SELECT 1 FROM invitations i WHERE email_key = :key AND {_IS_OPEN} LIMIT 1"
    return await db.value(sql, key=email_key(email), now=now) is not None


async def add_row(db: Write, invitation: StoredInvitation) -> None:
    """Replaces an earlier invitation of the workshop to the same address, whose links are invalid from then on."""
    key = email_key(invitation.email)
    await db.run(
        "DELETE FROM invitations WHERE workshop_id = :workshop_id AND email_key = :key",
        workshop_id=invitation.workshop_id,
        key=key,
    )
    await db.add("invitations", invitation, email_key=key)


async def delete_row(db: Write, invitation_id: str) -> bool:
    """False when it does not exist."""
    return await db.run("DELETE FROM invitations WHERE id = :id", id=invitation_id) > 0


async def delete_of_inviter(db: Write, uid: str, workshop_id: str | None = None) -> None:
    """Deletes the invitations that the account created, in one workshop or in all; their links stop working."""
    await db.run(
        "DELETE FROM invitations WHERE invited_by = :uid AND workshop_id = coalesce(:workshop_id, workshop_id)",
        uid=uid,
        workshop_id=workshop_id,
    )


async def delete_expired(db: Write, now: Instant) -> int:
    """The number of invitations deleted."""
    return await db.run("DELETE FROM invitations WHERE expires_at <= :now", now=now)


# Verbs


_SHOWN = to_json_text(InvitationTokenDetails(was_shown=True))


class InvitationOfToken(Struct, frozen=True):
    """`is_mailed`: the token proves that its bearer reads the emails to the invited address."""

    invitation: StoredInvitation
    is_mailed: bool


async def list_invitations(db: Read, call: Call, workshop_id: str, query: PageQuery) -> Page[Invitation]:
    """List the invitations that may still be accepted, newest first. Owners only."""
    return (await list_page(db, workshop_id, call.now, query)).map(partial(made_of, Invitation))


async def invite(db: Write, call: Call, workshop_id: str, body: NewInvitation, services: Services) -> AddedInvitation:
    """Invite an email address for seven days, by email and with the address in this response, which is nowhere else.

    A second invitation replaces the first. Owners only.

    Raises Conflict where the address belongs to a member, or too many invitations are open.
    """
    await lock_invitations(db, workshop_id)
    await _require_invitable(db, workshop_id, body.email, call.now)
    await count_invitation(db, call, body.email, services.email_limits)
    invitation = made_of(
        StoredInvitation,
        body,
        id=call.new_id(),
        workshop_id=workshop_id,
        created_at=call.now,
        expires_at=later(call.now, DAYS * 86_400),
        invited_by_uid=call.uid,
    )
    await add_row(db, invitation)
    inviter = await accounts.find(db, call.uid)
    email = NewEmail("invitation", body.email, inviter.locale, invitation_id=invitation.id, sender=call.uid)
    await outbox.add(db, call.new_id(), email, call.now)
    address = await _add_address(db, invitation, email.locale, services)
    return made_of(AddedInvitation, invitation, address)


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


async def lock_invitations(db: Write, workshop_id: str) -> None:
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
    waiting = await list_stored(db, workshop_id, now)
    others = [each for each in waiting if email_key(each.email) != email_key(email)]
    if len(others) >= MAX_OPEN:
        raise Conflict("too_many_invitations", f"At most {MAX_OPEN} invitations may be open at a time")


async def delete_invitation(db: Write, call: Call, invitation: StoredInvitation) -> None:
    """Delete an invitation; its links stop working. Owners only."""
    _require_open(invitation, call.now)
    await delete_row(db, invitation.id)


async def preview(db: Database, call: Call, body: InvitationQuery) -> InvitationPreview:
    """Read what an invitation is for, with its token. Raises ValidationError where it may no longer be accepted."""
    async with db.read() as read:
        invitation = (await find_by_token(read, body.token, call.now)).invitation
        workshop = await workshops.find(read, invitation.workshop_id)
        inviter = await accounts.find(read, invitation.invited_by_uid)
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
    invitation = None if found is None else await lookup_open(db, found.invitation_id or "", now)
    if invitation is None:
        raise ValidationError(INVALID_TOKEN)
    return InvitationOfToken(invitation, is_mailed=found is not None and found.details != _SHOWN)


async def redeem(db: Write, call: Call, invitation: StoredInvitation, uid: str) -> None:
    """The account becomes a member; one that joined in another way and is an owner stays one.

    Raises ValidationError for an invitation that was used meanwhile.
    """
    # The name of the account stays as it is until it is a member.
    await db.lock(f"workshops of {uid}")
    await lock_members(db, invitation.workshop_id)
    if not await delete_row(db, invitation.id):
        raise ValidationError(INVALID_TOKEN)
    if await members.lookup_role(db, invitation.workshop_id, uid) != "owner":
        await members.add(db, invitation.workshop_id, uid, invitation.role, call.now)


async def notify_accepted(db: Write, call: Call, invitation: StoredInvitation, uid: str) -> None:
    inviter = await accounts.find(db, invitation.invited_by_uid)
    details = to_json_text(MembershipDetails(invitation.workshop_id, uid))
    email = NewEmail.to_account("invitation_accepted", inviter, details, sender=uid)
    await outbox.add(db, call.new_id(), email, call.now)


async def update_member(
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
        await delete_of_inviter(db, user_id, workshop_id)
    await members.add(db, workshop_id, user_id, body.role, call.now)
    if body.role != "owner":
        await end_of_ownership(db, user_id, call.now, call.new_id, workshop_id)
    return await _find(db, workshop_id, user_id)


async def remove_member(
    db: Write, call: Call, workshop_id: str, role: MemberRole, user_id: str, services: Services
) -> None:
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
    await delete_of_inviter(db, user_id, workshop_id)
    await end_of_ownership(db, user_id, call.now, call.new_id, workshop_id)
    if user_id != call.uid and await may_notify(db, call, services.email_limits):
        await _notify_removed(db, call, workshop_id, user_id)


async def _notify_removed(db: Write, call: Call, workshop_id: str, user_id: str) -> None:
    account = await accounts.find(db, user_id)
    details = to_json_text(MembershipDetails(workshop_id, user_id))
    email = NewEmail.to_account("member_removed", account, details, sender=call.uid)
    await outbox.add(db, call.new_id(), email, call.now)


async def lock_members(db: Write, workshop_id: str) -> None:
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
