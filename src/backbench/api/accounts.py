"""Account operations whose responses set or clear cookies, or name the account in a header."""

from backbench.actions.accounts import accounts, joining, profile
from backbench.actions.services import Services
from backbench.api.sign_in import CLEAR_CACHE, cleared_cookies, signed_in
from backbench.domain.accounts.accounts import AccountDeletion, Verification
from backbench.domain.accounts.calls import Call
from backbench.domain.values.numbers import to_json
from backbench.domain.workshops.invitations import InvitationJoin
from backbench.http.compression import conditional
from backbench.http.requests import Request
from backbench.http.responses import Response, empty
from backbench.storage.engine.database import Read, Write


async def get_profile(db: Read, call: Call, request: Request) -> Response:
    """Read the profile of the signed-in account. The header `Account-Id` has the `uid` of the account."""
    body = to_json(await profile.get(db, call))
    response = conditional(body, request.headers.get(b"if-none-match"))
    response.headers.append((b"account-id", call.uid.encode()))
    return response


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
