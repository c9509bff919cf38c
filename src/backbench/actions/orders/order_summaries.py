"""Order summaries and counts: the board by date."""

from backbench.domain.accounts.calls import Call
from backbench.domain.estimating.document_settings import DocumentSettings
from backbench.domain.orders.due import WallClock, wall_clock
from backbench.domain.orders.order_summaries import OrderCounts, OrderSummary, OrderSummaryFilter
from backbench.domain.values.errors import Forbidden
from backbench.domain.values.pagination import Page
from backbench.domain.values.times import Instant
from backbench.storage.engine.database import Read
from backbench.storage.estimating import document_settings
from backbench.storage.orders import order_summaries


async def list_all(db: Read, call: Call, workshop_id: str, query: OrderSummaryFilter) -> Page[OrderSummary]:
    """List summaries of the orders of a workshop, the earliest due first, then by number.

    `due` is for sessions and keys with `payments:read`, `agreed` for keys with `estimates:read`, too;
    the parameter `owed` needs `payments:read`.
    """
    if query.owed is not None and not call.caller.may("payments:read"):
        raise Forbidden(missing_scope="payments:read")
    settings = await document_settings.find(db, workshop_id)
    listed = order_summaries.of_workshop(workshop_id, query, _clock(settings, call.now))
    page = await listed.page(db, query)
    return page.map(lambda row: row.to_summary(settings).shown_to(call.caller))


async def count(db: Read, call: Call, workshop_id: str) -> OrderCounts:
    """Count the orders of a workshop by the date in its time zone, and by stage."""
    settings = await document_settings.find(db, workshop_id)
    return await order_summaries.count(db, workshop_id, _clock(settings, call.now))


def _clock(settings: DocumentSettings, now: Instant) -> WallClock:
    return wall_clock(now, settings.zone)
