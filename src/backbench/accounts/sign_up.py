"""Sign-up: ask for an account, verify its address, or join a workshop by an invitation.

No response tells whether an email address has an account.
"""

import msgspec
from msgspec import Struct

from backbench.accounts import accounts, deletion, tokens
from backbench.accounts.accounts import (
    INVALID_TOKEN,
    Account,
    MeProfile,
    NewAccount,
    PasswordResetRequest,
    ProfileEdit,
    SignUp,
    Token,
    VerificationRequest,
    email_as_password,
)
from backbench.accounts.deletion import AccountDeletion
from backbench.accounts.passwords import Password
from backbench.accounts.sessions import digest
from backbench.accounts.sign_in import CLEAR_CACHE, NewSession, cleared_cookies, signed_in, start_session
from backbench.engine.database import Database, Read, Write
from backbench.http.requests import Request
from backbench.http.responses import Response, conditional, empty
from backbench.mail import outbox
from backbench.mail.outbox import EmailKind, NewEmail
from backbench.orders.issued_invoices import WithInvoices
from backbench.services import Services
from backbench.values.calls import Call
from backbench.values.errors import Conflict, Forbidden, ValidationError
from backbench.values.ids import NewId
from backbench.values.limits import SignUpRules
from backbench.values.numbers import to_json, to_json_text
from backbench.values.scalars import email_key
from backbench.values.shapes import sent
from backbench.values.times import Instant
from backbench.workshops import audit, members, team
from backbench.workshops.audit import Actor, ChangeSource, source_of
from backbench.workshops.team import InvitationJoin, find_by_token, notify_accepted, redeem
from backbench.workshops.workshops import NewWorkshop, add_workshop


class Verification(Struct, frozen=True, forbid_unknown_fields=True):
    token: Token
    password: Password


# Verbs


async def sign_up(db: Write, call: Call, body: NewAccount, services: Services) -> None:
    """Sign up: sends an email with a link that activates the account, with a password that is sent with the link.

    Response and response time are the same whether or not the address has an account. Raises Forbidden where sign-up
    is closed, or only open to invited addresses and this is none.
    """
    rules = services.sign_up_rules
    if not await may_sign_up(db, rules, body.email, call.now):
        raise Forbidden
    sign_up = SignUp(
        email=body.email,
        name=body.name,
        locale=body.locale,
        terms_version=rules.terms_version,
        terms_accepted_at=call.now,
    )
    await save_sign_up(db, sign_up, call.now, call.new_id, sender=digest(call.client.widest_network))


async def may_sign_up(db: Read, rules: SignUpRules, email: str, now: Instant) -> bool:
    if rules.policy == "invited":
        return await team.has_open(db, email, now)
    return rules.policy == "open"


async def save_sign_up(db: Write, sign_up: SignUp, now: Instant, new_id: NewId, *, sender: str = "") -> None:
    """Saves a pending account where the address is free, and queues the email about the sign-up."""
    await lock_address(db, sign_up.email)
    account = await accounts.lookup_by_email(db, sign_up.email)
    if account is not None and account.status != "pending":
        await outbox.add(db, new_id(), NewEmail.to_account("account_exists", account, sender=sender), now)
        return
    if account is None:
        account = sign_up.to_account(new_id(), now)
        await accounts.add(db, account)
    else:
        await accounts.save_sign_up(db, account.id, sign_up)
    details = to_json_text(sign_up)
    email = NewEmail("verify", sign_up.email, sign_up.locale, account.id, details=details, sender=sender)
    await outbox.add(db, new_id(), email, now)


async def hash_new_password(db: Database, call: Call, body: Verification, services: Services) -> str:
    """The hash of the password of a verification. Raises ValidationError for an invalid token, before it is hashed:
    hashing is expensive, and anybody can send an invalid token."""
    async with db.read() as read:
        token = await tokens.lookup_active(read, body.token, "verify", call.now)
    if token is None:
        raise ValidationError(INVALID_TOKEN)
    if errors := list(email_as_password(body.password, msgspec.json.decode(token.details, type=SignUp).email)):
        raise ValidationError(*errors)
    return await services.passwords.hash(body.password, call.client.widest_network)


async def activate_sign_up(
    db: Write, call: Call, body: Verification, password_hash: str, services: Services
) -> NewSession:
    """Activates the account of the sign-up whose email had the token, with the password sent, and signs in."""
    token = await tokens.consume(db, body.token, "verify", call.now)
    if token is None or token.account_id is None:
        raise ValidationError(INVALID_TOKEN)
    await accounts.save_sign_up(db, token.account_id, msgspec.json.decode(token.details, type=SignUp))
    account = await activate(db, token.account_id, password_hash, call.now, call.new_id)
    await accounts.save_sign_in(db, account.id, None, call.now)
    return await start_session(db, call, account, services.session_life)


async def activate(db: Write, uid: str, password_hash: str | None, now: Instant, new_id: NewId) -> Account:
    """Activates a pending account and adds its default workshop. Tokens of its other emails become invalid."""
    if not await accounts.save_verified(db, uid, password_hash, now):
        raise ValidationError(INVALID_TOKEN)
    await tokens.delete_all(db, uid, "verify")
    account = await accounts.find(db, uid)
    new = NewWorkshop(name=account.name, crafter_name=account.name)
    await add_workshop(db, ChangeSource(Actor("account", uid), now, new_id), uid, new, is_default=True)
    return account


async def resend_verification(db: Write, call: Call, body: VerificationRequest) -> None:
    """Send the activation email again, if the address has a pending account."""
    await _queue_email(db, call, "resend", body.email)


async def request_password_reset(db: Write, call: Call, body: PasswordResetRequest) -> None:
    """Send an email with a link to set a new password, or the first one, if the address has an account."""
    await _queue_email(db, call, "reset", body.email)


async def _queue_email(db: Write, call: Call, kind: EmailKind, email: str) -> None:
    """Queues an email that anybody may request. Whether the address has an account is looked up when it is sent, so
    that this does the same work for every address."""
    sender = digest(call.client.widest_network)
    await outbox.add(db, call.new_id(), NewEmail(kind, email, "en", sender=sender), call.now)


async def lock_address(db: Write, email: str) -> None:
    """Serializes the requests that would add an account for the address."""
    await db.lock(f"address {email_key(email)}")


class Joined(Struct, frozen=True):
    """The session of the new member, and the workshop that it joined."""

    session: NewSession
    workshop_id: str


async def hash_password(db: Database, call: Call, body: InvitationJoin, services: Services) -> str:
    """The hash of the password. Raises what would refuse the request, before it is hashed: hashing is expensive.

    Raises Forbidden where sign-up is closed, ValidationError, and Conflict `has_account`.
    """
    if services.sign_up_rules.policy == "closed":
        raise Forbidden
    async with db.read() as read:
        invitation = (await find_by_token(read, body.token, call.now)).invitation
        await _find_pending(read, invitation.email)
    if errors := list(email_as_password(body.password, invitation.email)):
        raise ValidationError(*errors)
    return await services.passwords.hash(body.password, call.client.widest_network)


async def add_member(db: Write, call: Call, body: InvitationJoin, password_hash: str, services: Services) -> Joined:
    """Adds an active account for the invited address, as a member and without a workshop of its own, and signs in.

    The address is verified where the token was emailed to it; not where an owner, who saw the token, passed it on.

    Raises Conflict `has_account` for an address with an account, whose owner signs in and accepts. A pending account
    becomes active.
    """
    found = await find_by_token(db, body.token, call.now)
    invitation = found.invitation
    await lock_address(db, invitation.email)
    pending = await _find_pending(db, invitation.email)
    sign_up = SignUp(
        email=invitation.email,
        name=body.name,
        locale=body.locale,
        terms_version=services.sign_up_rules.terms_version,
        terms_accepted_at=call.now,
    )
    if pending is None:
        uid = call.new_id()
        await accounts.add(db, sign_up.to_account(uid, call.now))
    else:
        uid = pending.id
        await accounts.save_sign_up(db, uid, sign_up)
    await accounts.save_joined(db, uid, password_hash, verified_at=call.now if found.is_mailed else None)
    await tokens.delete_all(db, uid, "verify")
    await redeem(db, call, invitation, uid)
    source = ChangeSource(Actor("account", uid), call.now, call.new_id)
    await audit.add(db, source.change(invitation.workshop_id, "member.joined", uid))
    await notify_accepted(db, call, invitation, uid)
    await accounts.save_sign_in(db, uid, None, call.now)
    session = await start_session(db, call, await accounts.find(db, uid), services.session_life)
    return Joined(session, invitation.workshop_id)


async def _find_pending(db: Read, email: str) -> Account | None:
    """The account that signed up with the address and was never confirmed. Raises Conflict for any other account."""
    account = await accounts.lookup_by_email(db, email)
    if account is not None and account.status != "pending":
        raise Conflict("has_account", "This address has an account; sign in with it to accept the invitation")
    return account


# Over HTTP


async def get_profile(db: Read, call: Call, request: Request) -> Response:
    """Read the profile of the signed-in account. The header `Account-Id` has the `uid` of the account."""
    body = to_json(await accounts.get(db, call))
    response = conditional(body, request.headers.get(b"if-none-match"))
    response.headers.append((b"account-id", call.uid.encode()))
    return response


async def update_profile(db: Write, call: Call, body: ProfileEdit) -> MeProfile:
    """Change name or locale of the signed-in account. Each workshop that then shows another member has an entry."""
    # The lock of joining a workshop, which would show the name as it was.
    await db.lock(f"workshops of {call.uid}")
    before = await members.list_own(db.locking("m"), call.uid)
    await db.save("accounts", await accounts.find(db, call.uid), **sent(body))
    after, source = await members.list_own(db, call.uid), source_of(call)
    # In the order of ids, as everybody adds entries of several workshops.
    for workshop_id in sorted(id_ for id_, member in after.items() if member != before.get(id_)):
        await audit.add(db, source.change(workshop_id, "member.updated", call.uid))
    return await accounts.get(db, call)


async def verify(
    db: Write, call: Call, request: Request, body: Verification, prepared: str, services: Services
) -> Response:
    """Activate an account with the token of the email and a password, and sign in."""
    session = await activate_sign_up(db, call, body, prepared, services)
    request.uid = session.response.user.uid
    return signed_in(session, services)


async def join(
    db: Write, call: Call, request: Request, body: InvitationJoin, prepared: str, services: Services
) -> Response:
    """Join a workshop without an account: the token of the invitation and a password make one, and sign in.

    Raises Conflict `has_account` where the address has an account.
    """
    joined = await add_member(db, call, body, prepared, services)
    request.uid = joined.session.response.user.uid
    request.changed_workshop = joined.workshop_id
    return signed_in(joined.session, services)


async def delete(
    db: Write, call: Call, body: AccountDeletion, query: WithInvoices, prepared: str, services: Services
) -> Response:
    """Delete the signed-in account and the workshops without other members."""
    await deletion.delete(db, call, prepared, with_invoices=query.is_allowed)
    return empty(204, *cleared_cookies(is_secure=services.is_secure), CLEAR_CACHE)
