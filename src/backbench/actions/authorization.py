"""Authorization: whether a caller may act on a workshop, as a member or as an owner."""

from backbench.domain.accounts.calls import Call
from backbench.domain.values.errors import Forbidden
from backbench.domain.workshops.workshops import MemberRole, StoredWorkshop
from backbench.storage.engine.database import Read
from backbench.storage.workshops import members, workshops


async def require_member(db: Read, call: Call, workshop_id: str) -> MemberRole:
    """The caller's role in the workshop. Raises Forbidden for others, and for a key bound to another workshop."""
    return require_role(call, workshop_id, await members.lookup_role(db, workshop_id, call.uid))


def require_role(call: Call, workshop_id: str, role: MemberRole | None) -> MemberRole:
    """The same for a role that was read with an object of the workshop: None for an account that is no member."""
    if role is None or (call.caller.only_workshop is not None and call.caller.only_workshop != workshop_id):
        raise Forbidden
    return role


async def require_owner(db: Read, call: Call, workshop_id: str) -> None:
    """Raises Forbidden unless the caller is an owner of the workshop."""
    if await require_member(db, call, workshop_id) != "owner":
        raise Forbidden


async def member_of(db: Read, call: Call, workshop_id: str) -> StoredWorkshop:
    """The workshop, of which the caller is a member. Raises NotFound, Forbidden."""
    workshop = await workshops.find(db, workshop_id)
    await require_member(db, call, workshop_id)
    return workshop


async def owner_of(db: Read, call: Call, workshop_id: str) -> StoredWorkshop:
    """The workshop, of which the caller is an owner. Raises NotFound, Forbidden."""
    workshop = await workshops.find(db, workshop_id)
    await require_owner(db, call, workshop_id)
    return workshop
