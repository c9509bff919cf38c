"""Sessions of the signed-in account: list and end."""

from backbench.domain.accounts.sessions import Caller, SessionResponse
from backbench.domain.values.errors import NotFound
from backbench.domain.values.pagination import Page, PageQuery
from backbench.domain.values.times import Instant
from backbench.storage.accounts import sessions
from backbench.storage.engine.database import Read, Write


async def list_all(db: Read, caller: Caller, query: PageQuery, now: Instant) -> Page[SessionResponse]:
    """List the sessions of the signed-in account, newest first."""
    return await sessions.list_page(db, caller.uid, caller.session_id, now, query)


async def delete(db: Write, caller: Caller, session_id: str) -> None:
    """End a session of the signed-in account."""
    if not await sessions.delete(db, session_id, caller.uid):
        raise NotFound


async def require_own(db: Read, caller: Caller, session_id: str) -> None:
    """Raises NotFound where the account has no such session."""
    if not await sessions.exists(db, session_id, caller.uid):
        raise NotFound
