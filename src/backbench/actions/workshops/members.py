"""Who belongs to a workshop, and as what. A workshop always has an owner."""

from backbench.actions.authorization import require_member, require_owner
from backbench.domain.accounts.sessions import Caller
from backbench.domain.values.errors import Conflict, Forbidden, NotFound
from backbench.domain.values.times import Instant
from backbench.domain.workshops.members import MemberEdit
from backbench.domain.workshops.workshops import WorkshopMember
from backbench.storage.engine.database import Read, Write
from backbench.storage.workshops import members, workshops


async def edit(
    db: Write, caller: Caller, workshop_id: str, user_id: str, body: MemberEdit, now: Instant
) -> WorkshopMember:
    """Gives a member another role. Conflict `last_owner` where nobody would own the workshop."""
    await workshops.find(db, workshop_id)
    await lock(db, workshop_id)
    await require_owner(db, caller, workshop_id)
    member = await _find(db, workshop_id, user_id)
    if body.role != "owner":
        await _must_not_be_last_owner(db, workshop_id, user_id)
    await members.add(db, workshop_id, member.id, body.role, now)
    return await _find(db, workshop_id, user_id)


async def delete(db: Write, caller: Caller, workshop_id: str, user_id: str) -> None:
    """An owner removes anybody, a member itself. Conflict `last_owner` where nobody would own the workshop."""
    await workshops.find(db, workshop_id)
    await lock(db, workshop_id)
    role = await require_member(db, caller, workshop_id)
    if role != "owner" and user_id != caller.uid:
        raise Forbidden
    await _find(db, workshop_id, user_id)
    await _must_not_be_last_owner(db, workshop_id, user_id)
    await members.delete(db, workshop_id, user_id)


async def lock(db: Write, workshop_id: str) -> None:
    """Changes to a workshop's members go one at a time, so that two owners cannot both leave as the last but one."""
    await db.lock(f"members {workshop_id}")


async def _find(db: Read, workshop_id: str, user_id: str) -> WorkshopMember:
    for member in await members.list_all(db, workshop_id):
        if member.id == user_id:
            return member
    raise NotFound


async def _must_not_be_last_owner(db: Read, workshop_id: str, user_id: str) -> None:
    if await members.list_owner_ids(db, workshop_id) == [user_id]:
        raise Conflict("last_owner", "The workshop would have no owner")
