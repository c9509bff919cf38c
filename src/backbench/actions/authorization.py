"""Who may do what: the one page that decides whether a caller may act on a workshop."""

from backbench.domain.accounts.sessions import Caller
from backbench.domain.values.errors import NotAllowed
from backbench.domain.workshops.workshops import MemberRole
from backbench.storage.engine.database import Read
from backbench.storage.workshops import workshops


async def must_be_member(db: Read, caller: Caller, workshop_id: str) -> MemberRole:
    """The caller's role in the workshop, or NotAllowed. A key bound to another workshop is no member here."""
    if caller.only_workshop is not None and caller.only_workshop != workshop_id:
        raise NotAllowed
    role = await workshops.role_of(db, workshop_id, caller.uid)
    if role is None:
        raise NotAllowed
    caller.acted_on.append(workshop_id)
    return role


async def must_be_owner(db: Read, caller: Caller, workshop_id: str) -> None:
    if await must_be_member(db, caller, workshop_id) != "owner":
        raise NotAllowed
