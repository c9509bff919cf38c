"""Events of a workshop: the entries of its log after a version, for those who may read them."""

from backbench.domain.accounts.calls import Call
from backbench.domain.operations.changes import ChangeCursor, LogPosition, kind_of, readable_kinds
from backbench.domain.workshops.audit import AuditEntry
from backbench.storage.engine.database import Read
from backbench.storage.operations import changes
from backbench.storage.workshops import audit
from backbench.storage.workshops.members import MEMBERSHIP

AT_ONCE = 200


async def position(db: Read, workshop_id: str, since: ChangeCursor | None) -> LogPosition:
    """The present position of the log. Raises NotFound, Forbidden."""
    return await changes.find_position(db, workshop_id, 0 if since is None else since.version)


async def list_after(db: Read, call: Call, workshop_id: str, version: int) -> list[AuditEntry]:
    """The next entries after the version, oldest first, at most 200. Raises Forbidden."""
    await MEMBERSHIP.find(db, call, workshop_id)
    return await audit.list_after(db, workshop_id, version, AT_ONCE)


def readable(call: Call, entries: list[AuditEntry]) -> list[AuditEntry]:
    """A session reads every entry; a key those of the kinds that its scopes allow."""
    if call.caller.key_id is None:
        return entries
    kinds = readable_kinds(call.caller)
    return [entry for entry in entries if kind_of(entry.action) in kinds]
