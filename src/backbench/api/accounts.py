"""Account operations that need the client's address, cookies or user agent."""

from backbench.actions.accounts import accounts, feedback
from backbench.api.sign_in import CLEAR_CACHE, cleared_cookies, signed_in
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
    sign_up_rules: SignUpRules,
    email_limits: EmailLimits,
    trusted_proxies: tuple[Network, ...],
    now: Instant,
    new_id: NewId,
) -> None:
    """Sign up: sends an email with a link that activates the account, with a password that is sent with the link.

    Response and response time are the same whether or not the address has an account.
    """
    client = request.client(trusted_proxies)
    await accounts.sign_up(db, client, body, sign_up_rules, email_limits, now, new_id)


async def verify(
    db: Database,
    request: Request,
    body: Verification,
    passwords: Passwords,
    session_life: SessionLife,
    trusted_proxies: tuple[Network, ...],
    is_secure: bool,
    now: Instant,
    new_id: NewId,
) -> Response:
    """Activate an account with the token of the email and a password, and sign in."""
    client = request.client(trusted_proxies)
    session = await accounts.verify(db, passwords, client, body, session_life, now, new_id)
    request.uid = session.response.user.uid
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
    """Send the activation email again, if the address has a pending account."""
    client = request.client(trusted_proxies)
    await accounts.request_email(db, client, "resend", body.email, email_limits, now, new_id)


async def request_password_reset(
    db: Database,
    request: Request,
    body: PasswordResetRequest,
    email_limits: EmailLimits,
    trusted_proxies: tuple[Network, ...],
    now: Instant,
    new_id: NewId,
) -> None:
    """Send an email with a link to set a new password, if the address has an account."""
    client = request.client(trusted_proxies)
    await accounts.request_email(db, client, "reset", body.email, email_limits, now, new_id)


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
    """Delete the signed-in account and the workshops without other members."""
    await accounts.delete(db, passwords, caller, body, sign_in_limits, now, new_id)
    return empty(204, *cleared_cookies(is_secure=is_secure), CLEAR_CACHE)


async def send_feedback(
    db: Write,
    request: Request,
    caller: Caller,
    body: NewFeedback,
    support_email: str,
    email_limits: EmailLimits,
    now: Instant,
    new_id: NewId,
) -> AccountDataExportFeedback:
    """Send feedback to the people who run the server."""
    user_agent = request.client(()).user_agent
    return await feedback.create(db, caller, body, user_agent, support_email, email_limits, now, new_id)
