"""Accounts: sign up, verify and delete. No response tells whether an email address has an account."""

import msgspec

from backbench.actions.accounts.passwords import verify_password
from backbench.actions.accounts.sign_in import NewSession, start_session
from backbench.actions.operations.administration import delete_account
from backbench.actions.services import Services
from backbench.actions.workshops.workshops import add_workshop
from backbench.domain.accounts.accounts import (
    INVALID_TOKEN,
    Account,
    AccountDeletion,
    NewAccount,
    PasswordResetRequest,
    SignUp,
    Verification,
    VerificationRequest,
    email_as_password,
)
from backbench.domain.accounts.calls import Call
from backbench.domain.accounts.sessions import digest
from backbench.domain.mail.emails import EmailKind, NewEmail
from backbench.domain.values.errors import Forbidden, ValidationError, WrongPassword
from backbench.domain.values.ids import NewId
from backbench.domain.values.limits import SignUpRules
from backbench.domain.values.numbers import to_json_text
from backbench.domain.values.scalars import email_key
from backbench.domain.values.times import Instant
from backbench.domain.workshops.audit import Actor, ChangeSource, source_of
from backbench.domain.workshops.workshops import NewWorkshop
from backbench.storage.accounts import accounts, tokens
from backbench.storage.engine.database import Database, Read, Write
from backbench.storage.operations import email_outbox
from backbench.storage.workshops import invitations


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
        return await invitations.has_open(db, email, now)
    return rules.policy == "open"


async def save_sign_up(db: Write, sign_up: SignUp, now: Instant, new_id: NewId, *, sender: str = "") -> None:
    """Saves a pending account where the address is free, and queues the email about the sign-up."""
    await lock_address(db, sign_up.email)
    account = await accounts.lookup_by_email(db, sign_up.email)
    if account is not None and account.status != "pending":
        await email_outbox.add(db, new_id(), NewEmail.to_account("account_exists", account, sender=sender), now)
        return
    if account is None:
        account = sign_up.to_account(new_id(), now)
        await accounts.add(db, account)
    else:
        await accounts.save_sign_up(db, account.id, sign_up)
    details = to_json_text(sign_up)
    email = NewEmail("verify", sign_up.email, sign_up.locale, account.id, details=details, sender=sender)
    await email_outbox.add(db, new_id(), email, now)


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


async def verify(db: Write, call: Call, body: Verification, password_hash: str, services: Services) -> NewSession:
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
    """Send an email with a link to set a new password, if the address has an account."""
    await _queue_email(db, call, "reset", body.email)


async def _queue_email(db: Write, call: Call, kind: EmailKind, email: str) -> None:
    """Queues an email that anybody may request. Whether the address has an account is looked up when it is sent, so
    that this does the same work for every address."""
    sender = digest(call.client.widest_network)
    await email_outbox.add(db, call.new_id(), NewEmail(kind, email, "en", sender=sender), call.now)


async def delete(db: Write, call: Call, verified_hash: str) -> None:
    """Deletes the account with its sessions, API keys and the workshops without other members.

    Raises Conflict where a workshop with other members would have no owner, or a subscription is running.
    """
    account = await accounts.find(db, call.uid)
    if account.password_hash != verified_hash:
        raise WrongPassword
    await delete_account(db, source_of(call), call.uid)
    await email_outbox.add(db, call.new_id(), NewEmail("goodbye", account.email, account.locale), call.now)


async def verify_deletion(db: Database, call: Call, body: AccountDeletion, services: Services) -> str:
    """The hash that the password matches. Raises WrongPassword, RateLimited."""
    return await verify_password(db, call, body.password, services)


async def lock_address(db: Write, email: str) -> None:
    """Serializes the requests that would add an account for the address."""
    await db.lock(f"address {email_key(email)}")
