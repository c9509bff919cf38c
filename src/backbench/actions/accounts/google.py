"""Sign-in with Google: an identity is an issuer and a subject, never an email address.

An email address decides only which account an identity is linked to, and only when both sides have verified it. So
signing up first with another person's address, here or at Google, gains nothing.
"""

import msgspec

from backbench.actions.accounts.accounts import activate, lock_address, may_sign_up
from backbench.actions.accounts.sign_in import NewSession, start_session
from backbench.actions.rate_limits import Counter, count_all
from backbench.actions.services import Services
from backbench.domain.accounts.accounts import Account, SignUp, is_same_mailbox
from backbench.domain.accounts.calls import Call
from backbench.domain.accounts.google import FLOW_SECONDS, GoogleFlow, GoogleProfile
from backbench.domain.accounts.sessions import digest
from backbench.domain.mail.emails import NewEmail
from backbench.domain.values.errors import Conflict, FieldError, NotFound, ValidationError
from backbench.domain.values.limits import SignInLimits, SignUpRules
from backbench.domain.values.numbers import to_json_text
from backbench.domain.values.times import Instant, later
from backbench.storage.accounts import accounts, identities, tokens
from backbench.storage.accounts.tokens import StoredToken
from backbench.storage.engine.database import Database, Write
from backbench.storage.operations import email_outbox


async def count(db: Database, call: Call, limits: SignInLimits) -> None:
    """Counts a sign-in with Google by the client's address. Raises RateLimited."""
    await count_all(db, call, [Counter(f"google from {call.client.address}", limits.ceiling, "address")])


async def begin(db: Database, state: str, flow: GoogleFlow, now: Instant) -> None:
    """Saves a sign-in in progress, by the digest of its state."""
    details, expires_at = to_json_text(flow), later(now, FLOW_SECONDS)
    await db.write(lambda write: tokens.add(write, state, "google", expires_at, StoredToken(details=details)))


async def resume(db: Database, state: str, browser: str, now: Instant) -> GoogleFlow:
    """The sign-in that started with this state in this browser. Raises ValidationError; each state is used once."""
    token = await db.write(lambda write: tokens.consume(write, state, "google", now))
    flow = None if token is None else msgspec.json.decode(token.details, type=GoogleFlow)
    if flow is None or flow.browser != digest(browser):
        raise ValidationError(
            FieldError("/state", "not_valid", "This sign-in was not started in this browser, or it has expired")
        )
    return flow


async def sign_in(db: Write, call: Call, profile: GoogleProfile, services: Services) -> NewSession | None:
    """Starts a session. None where the account is suspended, the address unverified, or sign-up closed."""
    await db.lock(f"identity {profile.issuer} {profile.subject}")
    uid = await identities.lookup_account_id(db, profile.issuer, profile.subject)
    account = (
        await _link_account(db, call, profile, services.sign_up_rules) if uid is None else await accounts.find(db, uid)
    )
    if account is None or not await accounts.save_sign_in(db, account.id, None, call.now):
        return None
    return await start_session(db, call, account, services.session_life)


async def _link_account(db: Write, call: Call, profile: GoogleProfile, rules: SignUpRules) -> Account | None:
    """The account for an unknown identity, found by its address or added, and linked; None where neither is allowed."""
    if profile.email is None or not profile.is_email_verified:
        return None
    await lock_address(db, profile.email)
    account = await accounts.lookup_by_email(db, profile.email)
    if account is None or account.status == "pending":
        allowed = await may_sign_up(db, rules, profile.email, call.now)
        account = await _add_account(db, call, profile, profile.email, account) if allowed else None
    elif not await _may_link(db, account, profile.email):
        return None
    else:
        await email_outbox.add(db, call.new_id(), NewEmail.to_account("google_linked", account), call.now)
    if account is not None:
        await identities.add(db, account.id, profile.issuer, profile.subject, call.now)
    return account


async def _may_link(db: Write, account: Account, email: str) -> bool:
    """Whether both sides have verified the address and no other identity is linked: an address can change hands, a
    subject cannot."""
    return (
        account.status == "active"
        and account.email_verified_at is not None
        and is_same_mailbox(account.email, email)
        and not await identities.exists(db, account.id)
    )


async def _add_account(db: Write, call: Call, profile: GoogleProfile, email: str, pending: Account | None) -> Account:
    """Adds an active account. An unverified sign-up with the address is overwritten."""
    sign_up = SignUp(
        email=email,
        name=profile.account_name(),
        locale=profile.account_locale(),
        terms_version=None,
        terms_accepted_at=None,
    )
    if pending is None:
        uid = call.new_id()
        await accounts.add(db, sign_up.to_account(uid, call.now))
    else:
        uid = pending.id
        await accounts.save_sign_up(db, uid, sign_up)
    return await activate(db, uid, None, call.now, call.new_id)


async def unlink(db: Write, call: Call) -> None:
    """Unlink Google from the account, which is notified by email.

    Raises NotFound where it is not linked, Conflict where it is the only sign-in method.
    """
    account = await accounts.find(db, call.uid)
    if not await identities.exists(db, call.uid):
        raise NotFound
    if account.password_hash is None:
        raise Conflict("last_sign_in_method", "Set a password first: Google is the only way to sign in to this account")
    await identities.delete_all(db, call.uid)
    await email_outbox.add(db, call.new_id(), NewEmail.to_account("google_unlinked", account), call.now)
