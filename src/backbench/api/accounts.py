"""Accounts over HTTP: what needs the visitor's address, the cookies or the browser's name."""

from backbench.actions.accounts import accounts, feedback
from backbench.api.sign_in import FORGET, cleared_cookies, signed_in
from backbench.domain.accounts.accounts import (
    AccountDeletion,
    NewAccount,
    PasswordResetRequest,
    Verification,
    VerificationRequest,
)
from backbench.domain.accounts.feedback import AccountDataExportFeedback, NewFeedback
from backbench.domain.accounts.sessions import Caller
from backbench.domain.values.ids import NewId
from backbench.domain.values.limits import EmailLimits, SessionLife, SignInLimits, SignUpRules
from backbench.domain.values.times import Instant
from backbench.http.requests import Network, Request
from backbench.http.responses import Response, empty
from backbench.integrations.passwords import Passwords
from backbench.storage.engine.database import Database, Write


async def sign_up(
    db: Database,
    request: Request,
    body: NewAccount,
    passwords: Passwords,
    sign_up_rules: SignUpRules,
    email_limits: EmailLimits,
    trusted_proxies: tuple[Network, ...],
    now: Instant,
    new_id: NewId,
) -> None:
    """Signs up: a mail goes to the address, and its link confirms the account.

    The answer and its time are the same whether or not the address has an account.
    """
    visitor = request.visitor(trusted_proxies)
    await accounts.sign_up(db, passwords, visitor, body, sign_up_rules, email_limits, now, new_id)


async def verify(
    db: Database,
    request: Request,
    body: Verification,
    session_life: SessionLife,
    trusted_proxies: tuple[Network, ...],
    is_secure: bool,
    now: Instant,
    new_id: NewId,
) -> Response:
    """Confirms the address with the token of the mail, and signs in."""
    visitor = request.visitor(trusted_proxies)
    session = await db.write(lambda write: accounts.verify(write, visitor, body, session_life, now, new_id))
    request.uid = session.answer.user.uid
    return signed_in(session, session_life, is_secure=is_secure)


async def resend_verification(
    db: Database,
    request: Request,
    body: VerificationRequest,
    email_limits: EmailLimits,
    trusted_proxies: tuple[Network, ...],
    now: Instant,
    new_id: NewId,
) -> None:
    """Mails the link to confirm the address again, if the address waits for it."""
    visitor = request.visitor(trusted_proxies)
    await accounts.request_email(db, visitor, "resend", body.email, email_limits, now, new_id)


async def request_password_reset(
    db: Database,
    request: Request,
    body: PasswordResetRequest,
    email_limits: EmailLimits,
    trusted_proxies: tuple[Network, ...],
    now: Instant,
    new_id: NewId,
) -> None:
    """Mails a link to choose a new password, if the address has an account."""
    visitor = request.visitor(trusted_proxies)
    await accounts.request_email(db, visitor, "reset", body.email, email_limits, now, new_id)


async def delete(
    db: Database,
    caller: Caller,
    body: AccountDeletion,
    passwords: Passwords,
    sign_in_limits: SignInLimits,
    is_secure: bool,
    now: Instant,
    new_id: NewId,
) -> Response:
    """Deletes the account, with the workshops that it alone belongs to."""
    await accounts.delete(db, passwords, caller, body, sign_in_limits, now, new_id)
    return empty(204, *cleared_cookies(is_secure=is_secure), FORGET)


async def send_feedback(
    db: Write,
    request: Request,
    caller: Caller,
    body: NewFeedback,
    support_email: str,
    now: Instant,
    new_id: NewId,
) -> AccountDataExportFeedback:
    """Tells the people who run the service something."""
    user_agent = request.visitor(()).user_agent
    return await feedback.tell(db, caller, body, user_agent, support_email, now, new_id)
