"""Accounts: sign up, verify and delete. No response tells whether an email address has an account."""

import msgspec

from backbench.actions.accounts.passwords import verify_password
from backbench.actions.accounts.sign_in import NewSession, start_session
from backbench.actions.operations.administration import delete_account
from backbench.actions.rate_limits import Counter, count_all
from backbench.actions.workshops.workshops import add_workshop
from backbench.domain.accounts.accounts import INVALID_TOKEN, Account, AccountDeletion, NewAccount, SignUp, Verification
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
    passwords: Passwords,
    client: Client,
    body: NewAccount,
    rules: SignUpRules,
    limits: EmailLimits,
    now: Instant,
    new_id: NewId,
) -> None:
    """Adds a pending account and queues an email to verify it; where the address is taken, an email that says so.

    Raises Forbidden where sign-up is closed, or only open to invited addresses and this is none.
    """
    await count_email(db, client, body.email, limits, now)
    async with db.read() as read:
        if not await may_sign_up(read, rules, body.email, now):
            raise Forbidden
    hashed = await passwords.hash(body.password)
    sign_up = SignUp(
        email=body.email,
        name=body.name,
        locale=body.locale,
        password_hash=hashed,
        terms_version=rules.terms_version,
        terms_accepted_at=now,
    )
    await db.write(lambda write: save_sign_up(write, sign_up, now, new_id))


async def may_sign_up(db: Read, rules: SignUpRules, email: str, now: Instant) -> bool:
    if rules.policy == "invited":
        return await invitations.has_open(db, email, now)
    return rules.policy == "open"


async def save_sign_up(db: Write, sign_up: SignUp, now: Instant, new_id: NewId) -> None:
    """Saves a pending account where the address is free, and queues the email about the sign-up."""
    await lock_address(db, sign_up.email)
    account = await accounts.lookup_by_email(db, sign_up.email)
    if account is not None and account.status != "pending":
        await email_outbox.add(
            db, new_id(), "account_exists", account.email, account.locale, now, account_id=account.id
        )
        return
    if account is None:
        account = sign_up.to_account(new_id(), now)
        await accounts.add(db, account)
    else:
        await accounts.save_sign_up(db, account.id, sign_up)
    details = to_json_text(sign_up)
    await email_outbox.add(
        db, new_id(), "verify", sign_up.email, sign_up.locale, now, account_id=account.id, details=details
    )


async def verify(
    db: Write, client: Client, body: Verification, life: SessionLife, now: Instant, new_id: NewId
) -> NewSession:
    """Activates the account of the sign-up whose email had the token, adds its workshop, and signs in."""
    token = await tokens.consume(db, body.token, "verify", now)
    if token is None or token.account_id is None:
        raise ValidationError(INVALID_TOKEN)
    await accounts.save_sign_up(db, token.account_id, msgspec.json.decode(token.details, type=SignUp))
    account = await activate(db, token.account_id, now, new_id)
    await accounts.save_sign_in(db, account.id, None, now)
    return await start_session(db, account, client, life, now, new_id)


async def activate(db: Write, uid: str, now: Instant, new_id: NewId) -> Account:
    """Activates a pending account and adds its default workshop. Tokens of its other emails become invalid."""
    if not await accounts.save_verified(db, uid, now):
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
    await count_email(db, client, email, limits, now)
    await db.write(lambda write: email_outbox.add(write, new_id(), kind, email, "en", now))


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


async def count_email(db: Database, client: Client, email: str, limits: EmailLimits, now: Instant) -> None:
    """Counts an email that an unauthenticated client causes: by the client's address and by the recipient."""
    await count_all(
        db,
        [
            Counter(f"mails from {client.address}", limits.ceiling, "address"),
            Counter(f"mails to {digest(fold_case(email))}", limits.mailbox, "mailbox", is_reported=False),
        ],
        client.quotas,
        now,
    )


async def lock_address(db: Write, email: str) -> None:
    """Serializes the requests that would add an account for the address."""
    await db.lock(f"address {fold_case(email)}")
