"""Account operations whose responses set or clear cookies."""

from backbench.actions.accounts import accounts
from backbench.actions.services import Services
from backbench.api.sign_in import CLEAR_CACHE, cleared_cookies, signed_in
from backbench.domain.accounts.accounts import AccountDeletion, Verification
from backbench.domain.accounts.calls import Call
from backbench.http.requests import Request
from backbench.http.responses import Response, empty
from backbench.storage.engine.database import Write


async def verify(
    db: Write, call: Call, request: Request, body: Verification, prepared: str, services: Services
) -> Response:
    """Activate an account with the token of the email and a password, and sign in."""
    session = await accounts.verify(db, call, body, prepared, services)
    request.uid = session.response.user.uid
    return signed_in(session, services)


async def delete(db: Write, call: Call, body: AccountDeletion, prepared: str, services: Services) -> Response:
    """Delete the signed-in account and the workshops without other members."""
    await accounts.delete(db, call, prepared)
    return empty(204, *cleared_cookies(is_secure=services.is_secure), CLEAR_CACHE)
