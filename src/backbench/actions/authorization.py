"""Who may do what: the one page that decides whether a caller may act on a workshop."""

from backbench.domain.accounts.sessions import Caller
from backbench.domain.values.errors import Forbidden
from backbench.domain.workshops.workshops import MemberRole
from backbench.storage.engine.database import Read
from backbench.storage.workshops import members


async def require_member(db: Read, caller: Caller, workshop_id: str) -> MemberRole:
    """The caller's role in the workshop, or NotAllowed. A key bound to another workshop is no member here."""
    if caller.only_workshop is not None and caller.only_workshop != workshop_id:
        raise Forbidden
    role = await members.lookup_role(db, workshop_id, caller.uid)
    if role is None:
        raise Forbidden
    caller.acted_on.append(workshop_id)
    return role


async def require_owner(db: Read, caller: Caller, workshop_id: str) -> None:
    if await require_member(db, caller, workshop_id) != "owner":
        raise Forbidden
