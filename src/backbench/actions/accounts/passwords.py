"""How a password is replaced: by whoever knows it, or by whoever reads the account's mails."""

from backbench.actions.rate_limits import Counted, count_all
from backbench.domain.accounts.accounts import INVALID_TOKEN, PasswordChange, PasswordReset
from backbench.domain.accounts.sessions import Caller
from backbench.domain.values.errors import ValidationError, WrongPassword
from backbench.domain.values.ids import NewId
from backbench.domain.values.limits import SignInLimits
from backbench.domain.values.times import Instant
from backbench.integrations.passwords import Passwords
from backbench.storage.accounts import accounts, sessions, tokens
from backbench.storage.engine.database import Database, Write
from backbench.storage.operations import email_outbox


async def reset(db: Database, passwords: Passwords, body: PasswordReset, now: Instant, new_id: NewId) -> None:
    """Sets the new password and ends every session."""
    async with db.read() as read:
        # Looked at before the password is hashed: hashing is dear, and anybody can send a made-up token.
        if await tokens.find_active(read, body.token, "reset", now) is None:
            raise ValidationError(INVALID_TOKEN)
    hashed = await passwords.hash(body.password)

    async def set_new(write: Write) -> None:
        token = await tokens.consume(write, body.token, "reset", now)
        uid = None if token is None else token.account_id
        if uid is None or not await accounts.save_reset(write, uid, hashed, now):
            raise ValidationError(INVALID_TOKEN)
        await sessions.delete_all(write, uid)
        await _password_has_changed(write, uid, now, new_id)

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
    """Sets the new password and ends every other session."""
    former = await known_password(db, passwords, caller, body.current_password, sign_in_limits, now)
    hashed = await passwords.hash(body.new_password)

    async def set_new(write: Write) -> None:
        if not await accounts.save_changed_password(write, caller.uid, hashed, former):
            raise WrongPassword
        await sessions.delete_all(write, caller.uid, but=caller.session_id)
        await _password_has_changed(write, caller.uid, now, new_id)

    await db.write(set_new)


async def _password_has_changed(db: Write, uid: str, now: Instant, new_id: NewId) -> None:
    """Links to choose another are worth nothing any more, and the owner is told."""
    await tokens.delete_all_of(db, uid, "reset")
    account = await accounts.find(db, uid)
    await email_outbox.add(db, new_id(), "password_changed", account.email, account.locale, now, account_id=uid)


async def known_password(
    db: Database, passwords: Passwords, caller: Caller, password: str, limits: SignInLimits, now: Instant
) -> str:
    """The stored hash that `password` is right for; WrongPassword else. Guesses are counted like sign-ins."""
    await count_all(db, [Counted(f"password of {caller.uid}", limits.pair, "account")], caller.quotas, now)
    async with db.read() as read:
        known = (await accounts.find(read, caller.uid)).password_hash
    if not await passwords.verify(known, password) or known is None:
        raise WrongPassword
    return known
