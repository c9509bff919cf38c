"""Summaries of a workshop's estimates."""

from backbench.domain.estimating.summaries import EstimateSummary, SummaryFilter
from backbench.domain.values.pagination import Page
from backbench.storage.engine.database import Read
from backbench.storage.estimating import document_settings, summaries


async def list_all(db: Read, workshop_id: str, query: SummaryFilter) -> Page[EstimateSummary]:
    """List summaries of the estimates of a workshop, the latest changed first."""
    settings = await document_settings.find(db, workshop_id)
    page = await summaries.of_workshop(workshop_id, query).page(db, query)
    return page.map(lambda row: row.to_summary(settings))
