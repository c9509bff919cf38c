"""Sessions of the signed-in account: list and end."""

from backbench.domain.accounts.calls import Call
from backbench.domain.accounts.sessions import SessionResponse
from backbench.domain.values.pagination import Page, PageQuery
from backbench.storage.accounts import sessions
from backbench.storage.engine.database import Read, Write


async def list_all(db: Read, call: Call, query: PageQuery) -> Page[SessionResponse]:
    """List the sessions of the signed-in account, newest first."""
    return await sessions.list_page(db, call.uid, call.caller.session_id, call.now, query)


async def delete(db: Write, call: Call, session_id: str) -> None:
    """End a session of the signed-in account."""
    await sessions.delete(db, session_id, call.uid)
