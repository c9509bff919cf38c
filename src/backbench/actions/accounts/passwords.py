"""Passwords: reset with the token of an email, or change with the current password."""

from backbench.actions.rate_limits import Counter, count_all
from backbench.domain.accounts.accounts import INVALID_TOKEN, PasswordChange, PasswordReset
from backbench.domain.accounts.sessions import Caller
from backbench.domain.values.errors import ValidationError, WrongPassword
from backbench.domain.values.ids import NewId
from backbench.domain.values.limits import SignInLimits
from backbench.domain.values.times import Instant
from backbench.integrations.passwords import Passwords
from backbench.storage.accounts import accounts, api_keys, sessions, tokens
from backbench.storage.engine.database import Database, Write
from backbench.storage.operations import email_outbox
from backbench.storage.sharing import link_addresses


async def reset(db: Database, passwords: Passwords, body: PasswordReset, now: Instant, new_id: NewId) -> None:
    """Set a new password with the token of an email.

    Ends every session of the account; on request its API keys, and the addresses of links that it made.
    """
    async with db.read() as read:
        # Checked before the password is hashed: hashing is expensive, and anybody can send an invalid token.
        if await tokens.lookup_active(read, body.token, "reset", now) is None:
            raise ValidationError(INVALID_TOKEN)
    hashed = await passwords.hash(body.password)

    async def set_new(write: Write) -> None:
        token = await tokens.consume(write, body.token, "reset", now)
        uid = None if token is None else token.account_id
        if uid is None or not await accounts.save_reset(write, uid, hashed, now):
            raise ValidationError(INVALID_TOKEN)
        await sessions.delete_all(write, uid)
        if body.end_api_keys:
            await api_keys.save_all_revoked(write, uid, now)
        if body.end_links:
            await link_addresses.save_ended(write, uid, now)
        await _after_change(write, uid, now, new_id)

    await db.write(set_new)


async def change(
    db: Database,
    passwords: Passwords,
    caller: Caller,
    body: PasswordChange,
    sign_in_limits: SignInLimits,
    now: Instant,
    new_id: NewId,
) -> None:
    """Change the password. Ends every other session of the account, and on request its addresses of links."""
    verified_hash = await verify_password(db, passwords, caller, body.current_password, sign_in_limits, now)
    hashed = await passwords.hash(body.new_password)

    async def set_new(write: Write) -> None:
        if not await accounts.save_changed_password(write, caller.uid, hashed, verified_hash):
            raise WrongPassword
        await sessions.delete_all(write, caller.uid, except_id=caller.session_id)
        if body.end_links:
            await link_addresses.save_ended(write, caller.uid, now)
        await _after_change(write, caller.uid, now, new_id)

    await db.write(set_new)


async def _after_change(db: Write, uid: str, now: Instant, new_id: NewId) -> None:
    """Deletes open reset tokens and queues an email about the change."""
    await tokens.delete_all(db, uid, "reset")
    account = await accounts.find(db, uid)
    await email_outbox.add(db, new_id(), "password_changed", account.email, account.locale, now, account_id=uid)


async def verify_password(
    db: Database, passwords: Passwords, caller: Caller, password: str, limits: SignInLimits, now: Instant
) -> str:
    """The stored hash that `password` matches. Raises WrongPassword, and RateLimited like a sign-in."""
    await count_all(db, [Counter(f"password of {caller.uid}", limits.pair, "account")], caller.quotas, now)
    async with db.read() as read:
        known = (await accounts.find(read, caller.uid)).password_hash
    if not await passwords.verify(known, password) or known is None:
        raise WrongPassword
    return known
