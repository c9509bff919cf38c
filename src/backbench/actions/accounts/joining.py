"""Joining: somebody who was invited and has no account gets one with the invitation."""

from msgspec import Struct

from backbench.actions.accounts.accounts import lock_address
from backbench.actions.accounts.sign_in import NewSession, start_session
from backbench.actions.services import Services
from backbench.actions.workshops.invitations import find_by_token, notify_accepted, redeem
from backbench.domain.accounts.accounts import Account, SignUp, email_as_password
from backbench.domain.accounts.calls import Call
from backbench.domain.values.errors import Conflict, Forbidden, ValidationError
from backbench.domain.workshops.audit import Actor, ChangeSource
from backbench.domain.workshops.invitations import InvitationJoin
from backbench.storage.accounts import accounts, tokens
from backbench.storage.engine.database import Database, Read, Write
from backbench.storage.workshops import audit


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


async def join(db: Write, call: Call, body: InvitationJoin, password_hash: str, services: Services) -> Joined:
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
