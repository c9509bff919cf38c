"""Passwords: length and strength rules. All characters are allowed; commonly used passwords are rejected."""

import re
from functools import cache
from importlib import resources
from typing import Annotated

from msgspec import Meta, Struct

from backbench.accounts import accounts, api_keys, sessions, tokens
from backbench.accounts.accounts import INVALID_TOKEN, Token
from backbench.accounts.rate_limits import Counter, count_all
from backbench.engine.database import Database, Write
from backbench.mail import outbox
from backbench.mail.outbox import NewEmail
from backbench.services import Services
from backbench.sharing import link_access
from backbench.values.calls import Call
from backbench.values.errors import ValidationError, WrongPassword
from backbench.values.ids import NewId
from backbench.values.scalars import Rule
from backbench.values.times import Instant

Password = Annotated[
    str,
    Meta(min_length=8, max_length=256),
    Rule(
        code="common",
        detail="Must not be a commonly used password",
        holds=lambda password: not is_common(password),
    ),
]


class PasswordReset(Struct, frozen=True, rename="camel", forbid_unknown_fields=True):
    token: Token
    password: Password
    end_api_keys: bool = False
    # Ends the addresses of links that the account made: a thief of the password may have made some.
    end_links: bool = False


# Compared with the stored hash. Longer than a password may be, so that a wrong one is incorrect and not malformed.
CurrentPassword = Annotated[str, Meta(max_length=1024)]


class PasswordChange(Struct, frozen=True, rename="camel", forbid_unknown_fields=True):
    current_password: CurrentPassword
    new_password: Password
    # As in PasswordReset.
    end_links: bool = False


_LIST = "common_passwords.txt"
# Words of this product and its context that many people would choose, with digits and punctuation behind them.
_CONTEXT_WORDS = re.compile(r"(?:backbench|workshop|warsztat|pracownia|password|has[lł]o|polska)[\W\d_]*")


@cache
def _common() -> frozenset[str]:
    """The most frequent passwords of public leaks, in lower case (common_passwords.LICENCE.txt)."""
    return frozenset(resources.files(__package__).joinpath(_LIST).read_text("utf-8").splitlines())


def is_common(password: str) -> bool:
    """Whether the password is commonly used or a context word, in any case."""
    folded = password.casefold()
    return folded in _common() or _CONTEXT_WORDS.fullmatch(folded) is not None


# Verbs


class NewPasswordHash(Struct, frozen=True):
    """The hash of a new password, and the stored one that the current password matched."""

    new: str
    verified: str


async def hash_reset(db: Database, call: Call, body: PasswordReset, services: Services) -> str:
    """The hash of the new password. Raises ValidationError for an invalid token, before it is hashed: hashing is
    expensive, and anybody can send an invalid token."""
    async with db.read() as read:
        if await tokens.lookup_active(read, body.token, "reset", call.now) is None:
            raise ValidationError(INVALID_TOKEN)
    return await services.passwords.hash(body.password)


async def reset(db: Write, call: Call, body: PasswordReset, prepared: str) -> None:
    """Set a new password with the token of an email.

    Ends every session of the account; on request its API keys, and the addresses of links that it made. Its API keys in
    any case where the address was not verified before: somebody else may have made them.
    """
    token = await tokens.consume(db, body.token, "reset", call.now)
    uid = None if token is None else token.account_id
    if uid is None:
        raise ValidationError(INVALID_TOKEN)
    was_verified = (await accounts.find(db, uid)).email_verified_at is not None
    if not await accounts.save_reset(db, uid, prepared, call.now):
        raise ValidationError(INVALID_TOKEN)
    await sessions.delete_all(db, uid)
    if body.end_api_keys or not was_verified:
        await api_keys.save_all_revoked(db, uid, call.now)
    if body.end_links:
        await link_access.save_ended(db, uid, call.now)
    await _after_change(db, uid, call.now, call.new_id)


async def hash_change(db: Database, call: Call, body: PasswordChange, services: Services) -> NewPasswordHash:
    """Raises WrongPassword, RateLimited."""
    verified = await verify_password(db, call, body.current_password, services)
    return NewPasswordHash(new=await services.passwords.hash(body.new_password), verified=verified)


async def change(db: Write, call: Call, body: PasswordChange, prepared: NewPasswordHash) -> None:
    """Change the password. Ends every other session of the account, and on request its addresses of links."""
    if not await accounts.save_changed_password(db, call.uid, prepared.new, prepared.verified):
        raise WrongPassword
    await sessions.delete_all(db, call.uid, except_id=call.caller.session_id)
    if body.end_links:
        await link_access.save_ended(db, call.uid, call.now)
    await _after_change(db, call.uid, call.now, call.new_id)


async def _after_change(db: Write, uid: str, now: Instant, new_id: NewId) -> None:
    """Deletes open reset tokens and queues an email about the change."""
    await tokens.delete_all(db, uid, "reset")
    account = await accounts.find(db, uid)
    await outbox.add(db, new_id(), NewEmail.to_account("password_changed", account), now)


async def verify_password(db: Database, call: Call, password: str, services: Services) -> str:
    """The stored hash that `password` matches. Raises WrongPassword, and RateLimited like a sign-in."""
    await count_all(db, call, [Counter(f"password of {call.uid}", services.sign_in_limits.pair, "account")])
    async with db.read() as read:
        known = (await accounts.find(read, call.uid)).password_hash
    if not await services.passwords.verify(known, password) or known is None:
        raise WrongPassword
    return known
