"""Who belongs to a workshop, and as what. A workshop always has an owner."""

from backbench.actions.authorization import must_be_member, must_be_owner
from backbench.domain.accounts.sessions import Caller
from backbench.domain.values.errors import Conflict, NotAllowed, NotFound
from backbench.domain.values.times import Instant
from backbench.domain.workshops.members import MemberEdit
from backbench.domain.workshops.workshops import WorkshopMember
from backbench.storage.engine.database import Read, Write
from backbench.storage.workshops import workshops


async def edit(
    db: Write, caller: Caller, workshop_id: str, user_id: str, body: MemberEdit, now: Instant
) -> WorkshopMember:
    """Gives a member another role. Conflict `last_owner` where nobody would own the workshop."""
    await workshops.find(db, workshop_id)
    await hold(db, workshop_id)
    await must_be_owner(db, caller, workshop_id)
    member = await _find(db, workshop_id, user_id)
    if body.role != "owner":
        await _must_not_be_last_owner(db, workshop_id, user_id)
    await workshops.add_member(db, workshop_id, member.id, body.role, now)
    return await _find(db, workshop_id, user_id)


async def remove(db: Write, caller: Caller, workshop_id: str, user_id: str) -> None:
    """An owner removes anybody, a member itself. Conflict `last_owner` where nobody would own the workshop."""
    await workshops.find(db, workshop_id)
    await hold(db, workshop_id)
    role = await must_be_member(db, caller, workshop_id)
    if role != "owner" and user_id != caller.uid:
        raise NotAllowed
    await _find(db, workshop_id, user_id)
    await _must_not_be_last_owner(db, workshop_id, user_id)
    await workshops.remove_member(db, workshop_id, user_id)


async def hold(db: Write, workshop_id: str) -> None:
    """Changes to a workshop's members go one at a time, so that two owners cannot both leave as the last but one."""
    await db.hold(f"members {workshop_id}")


async def _find(db: Read, workshop_id: str, user_id: str) -> WorkshopMember:
    for member in await workshops.members(db, workshop_id):
        if member.id == user_id:
            return member
    raise NotFound


async def _must_not_be_last_owner(db: Read, workshop_id: str, user_id: str) -> None:
    if await workshops.owners(db, workshop_id) == [user_id]:
        raise Conflict("last_owner", "The workshop would have no owner")
