"""Reading the audit trail, and writing it."""

from msgspec import UNSET

from backbench.actions.authorization import require_owner
from backbench.domain.accounts.sessions import Caller
from backbench.domain.values.ids import NewId
from backbench.domain.values.numbers import to_json
from backbench.domain.values.pagination import Page, PageQuery
from backbench.domain.values.times import Instant
from backbench.domain.workshops.audit import AuditEntry, AuditTrail
from backbench.storage.engine.database import Read, Write
from backbench.storage.workshops import audit, workshops

_PAGE = 100


async def show_all(db: Read, caller: Caller, workshop_id: str, query: PageQuery) -> Page:
    """Who did what to the workshop, newest first, for its owner; a hundred entries a page unless asked otherwise."""
    await workshops.find(db, workshop_id)
    await require_owner(db, caller, workshop_id)
    shown, following = await audit.list_page(db, workshop_id, PageQuery(query.limit or _PAGE, query.cursor))
    return Page(to_json(AuditTrail(shown)), following)


async def note(
    db: Write, caller: Caller, workshop_id: str, action: str, object_id: str, now: Instant, new_id: NewId
) -> None:
    """Adds to the workshop's trail, in the transaction of the change."""
    await audit.add(
        db,
        AuditEntry(
            id=new_id(),
            workshop_id=workshop_id,
            at=now,
            actor_uid=caller.uid,
            action=action,
            object_id=object_id,
            session_id=caller.session_id or UNSET,
            key_id=caller.key_id or UNSET,
        ),
    )
