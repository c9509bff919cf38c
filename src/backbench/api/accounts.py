"""Account operations whose responses set or clear cookies."""

from backbench.actions.accounts import accounts, joining
from backbench.actions.services import Services
from backbench.api.sign_in import CLEAR_CACHE, cleared_cookies, signed_in
from backbench.domain.accounts.accounts import AccountDeletion, Verification
from backbench.domain.accounts.calls import Call
from backbench.domain.workshops.invitations import InvitationJoin
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


async def join(
    db: Write, call: Call, request: Request, body: InvitationJoin, prepared: str, services: Services
) -> Response:
    """Join a workshop without an account: the token of the invitation and a password make one, and sign in.

    Raises Conflict `has_account` where the address has an account.
    """
    joined = await joining.join(db, call, body, prepared, services)
    request.uid = joined.session.response.user.uid
    request.changed_workshop = joined.workshop_id
    return signed_in(joined.session, services)


async def delete(db: Write, call: Call, body: AccountDeletion, prepared: str, services: Services) -> Response:
    """Delete the signed-in account and the workshops without other members."""
    await accounts.delete(db, call, prepared)
    return empty(204, *cleared_cookies(is_secure=services.is_secure), CLEAR_CACHE)
