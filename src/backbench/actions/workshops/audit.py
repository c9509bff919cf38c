"""Audit trail of a workshop, for its owners."""

from backbench.domain.values.pagination import Page, PageQuery
from backbench.domain.workshops.audit import AuditEntry
from backbench.storage.engine.database import Read
from backbench.storage.workshops import audit

_DEFAULT_LIMIT = 100


async def list_all(db: Read, workshop_id: str, query: PageQuery) -> Page[AuditEntry]:
    """List the audit entries of a workshop, newest first, 100 a page by default. Owners only."""
    return await audit.of_workshop(workshop_id).page(db, PageQuery(query.limit or _DEFAULT_LIMIT, query.cursor))
