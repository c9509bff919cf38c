"""Accounts: sign up, verify and delete. No response tells whether an email address has an account."""

import msgspec

from backbench.actions.accounts.passwords import verify_password
from backbench.actions.accounts.sign_in import NewSession, start_session
from backbench.actions.email_limits import count_request
from backbench.actions.operations.administration import delete_account
from backbench.actions.workshops.workshops import add_workshop
from backbench.domain.accounts.accounts import (
    INVALID_TOKEN,
    Account,
    AccountDeletion,
    NewAccount,
    SignUp,
    Verification,
    email_as_password,
)
from backbench.domain.accounts.clients import Client
from backbench.domain.accounts.sessions import Caller, digest
from backbench.domain.mail.emails import EmailKind
from backbench.domain.values.errors import Forbidden, ValidationError, WrongPassword
from backbench.domain.values.ids import NewId
from backbench.domain.values.limits import EmailLimits, SessionLife, SignInLimits, SignUpRules
from backbench.domain.values.numbers import to_json_text
from backbench.domain.values.scalars import fold_case
from backbench.domain.values.times import Instant
from backbench.domain.workshops.audit import Actor, actor_of
from backbench.domain.workshops.workshops import NewWorkshop
from backbench.integrations.passwords import Passwords
from backbench.storage.accounts import accounts, tokens
from backbench.storage.engine.database import Database, Read, Write
from backbench.storage.operations import email_outbox
from backbench.storage.workshops import invitations


async def sign_up(
    db: Database,
    client: Client,
    body: NewAccount,
    rules: SignUpRules,
    limits: EmailLimits,
    now: Instant,
    new_id: NewId,
) -> None:
    """Adds a pending account and queues an email to verify it; where the address is taken, an email that says so.

    The password of the sign-up is not stored: the account gets the one that is sent together with the email's token.
    Raises Forbidden where sign-up is closed, or only open to invited addresses and this is none.
    """
    await count_request(db, client, body.email, limits, now)
    async with db.read() as read:
        if not await may_sign_up(read, rules, body.email, now):
            raise Forbidden
    sign_up = SignUp(
        email=body.email,
        name=body.name,
        locale=body.locale,
        terms_version=rules.terms_version,
        terms_accepted_at=now,
    )
    await db.write(lambda write: save_sign_up(write, sign_up, now, new_id, sender=digest(client.widest_network)))


async def may_sign_up(db: Read, rules: SignUpRules, email: str, now: Instant) -> bool:
    if rules.policy == "invited":
        return await invitations.has_open(db, email, now)
    return rules.policy == "open"


async def save_sign_up(db: Write, sign_up: SignUp, now: Instant, new_id: NewId, *, sender: str = "") -> None:
    """Saves a pending account where the address is free, and queues the email about the sign-up."""
    await lock_address(db, sign_up.email)
    account = await accounts.lookup_by_email(db, sign_up.email)
    if account is not None and account.status != "pending":
        await email_outbox.add(
            db, new_id(), "account_exists", account.email, account.locale, now, account_id=account.id, sender=sender
        )
        return
    if account is None:
        account = sign_up.to_account(new_id(), now)
        await accounts.add(db, account)
    else:
        await accounts.save_sign_up(db, account.id, sign_up)
    details = to_json_text(sign_up)
    await email_outbox.add(
        db,
        new_id(),
        "verify",
        sign_up.email,
        sign_up.locale,
        now,
        account_id=account.id,
        details=details,
        sender=sender,
    )


async def verify(
    db: Database,
    passwords: Passwords,
    client: Client,
    body: Verification,
    life: SessionLife,
    now: Instant,
    new_id: NewId,
) -> NewSession:
    """Activates the account of the sign-up whose email had the token, with the password sent, and signs in."""
    async with db.read() as read:
        # Checked before the password is hashed: hashing is expensive, and anybody can send an invalid token.
        token = await tokens.lookup_active(read, body.token, "verify", now)
    if token is None:
        raise ValidationError(INVALID_TOKEN)
    if errors := list(email_as_password(body.password, msgspec.json.decode(token.details, type=SignUp).email)):
        raise ValidationError(*errors)
    hashed = await passwords.hash(body.password, client.widest_network)

    async def open_session(write: Write) -> NewSession:
        token = await tokens.consume(write, body.token, "verify", now)
        if token is None or token.account_id is None:
            raise ValidationError(INVALID_TOKEN)
        await accounts.save_sign_up(write, token.account_id, msgspec.json.decode(token.details, type=SignUp))
        account = await activate(write, token.account_id, hashed, now, new_id)
        await accounts.save_sign_in(write, account.id, None, now)
        return await start_session(write, account, client, life, now, new_id)

    return await db.write(open_session)


async def activate(db: Write, uid: str, password_hash: str | None, now: Instant, new_id: NewId) -> Account:
    """Activates a pending account and adds its default workshop. Tokens of its other emails become invalid."""
    if not await accounts.save_verified(db, uid, password_hash, now):
        raise ValidationError(INVALID_TOKEN)
    await tokens.delete_all(db, uid, "verify")
    account = await accounts.find(db, uid)
    new = NewWorkshop(name=account.name, crafter_name=account.name)
    await add_workshop(db, Actor("account", uid), uid, new, is_default=True, now=now, new_id=new_id)
    return account


async def request_email(
    db: Database, client: Client, kind: EmailKind, email: str, limits: EmailLimits, now: Instant, new_id: NewId
) -> None:
    """Queues an email that anybody may request. Whether the address has an account is looked up when it is sent, so
    that this does the same work for every address."""
    await count_request(db, client, email, limits, now)
    sender = digest(client.widest_network)
    await db.write(lambda write: email_outbox.add(write, new_id(), kind, email, "en", now, sender=sender))


async def delete(
    db: Database,
    passwords: Passwords,
    caller: Caller,
    body: AccountDeletion,
    limits: SignInLimits,
    now: Instant,
    new_id: NewId,
) -> None:
    """Deletes the account with its sessions, API keys and the workshops without other members.

    Raises Conflict where a workshop with other members would have no owner, or a subscription is running.
    """
    verified_hash = await verify_password(db, passwords, caller, body.password, limits, now)

    async def delete_all(write: Write) -> None:
        account = await accounts.find(write, caller.uid)
        if account.password_hash != verified_hash:
            raise WrongPassword
        await delete_account(write, actor_of(caller), caller.uid, now, new_id)
        await email_outbox.add(write, new_id(), "goodbye", account.email, account.locale, now)

    await db.write(delete_all)


async def lock_address(db: Write, email: str) -> None:
    """Serializes the requests that would add an account for the address."""
    await db.lock(f"address {fold_case(email)}")
