"""Notices about an order: that the customer has been informed."""

from backbench.actions.authorization import require_role
from backbench.actions.orders.order_details import authorize
from backbench.domain.accounts.sessions import Caller
from backbench.domain.orders.order_notices import NewNotice, Notice
from backbench.domain.values.ids import NewId
from backbench.domain.values.pagination import Page, PageQuery
from backbench.domain.values.times import Instant
from backbench.domain.workshops.audit import Audited
from backbench.storage.engine.database import Read, Write
from backbench.storage.orders import order_notices
from backbench.storage.workshops import orders


async def list_all(db: Read, caller: Caller, order_id: str, query: PageQuery) -> Page[Notice]:
    """List the notices of an order, newest first."""
    await authorize(db, caller, order_id)
    return await order_notices.of_order(order_id).page(db, query)


async def create(
    db: Write, caller: Caller, order_id: str, body: NewNotice, now: Instant, new_id: NewId
) -> Audited[Notice]:
    """Record that the customer of an order has been informed. It sends nothing."""
    workshop_id, role = await orders.find_workshop(db, order_id, caller.uid)
    require_role(caller, workshop_id, role)
    notice = Notice(new_id(), body.kind, body.channel, now, caller.uid)
    await order_notices.add(db, workshop_id, order_id, notice)
    return Audited(notice, workshop_id, order_id)
