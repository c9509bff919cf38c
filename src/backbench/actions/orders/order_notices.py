"""Notices about an order: that the customer has been informed."""

from backbench.domain.accounts.calls import Call
from backbench.domain.orders.order_notices import NewNotice, Notice
from backbench.domain.values.pagination import Page, PageQuery
from backbench.domain.workshops.audit import Audited
from backbench.storage.engine.database import Read, Write
from backbench.storage.orders import order_notices
from backbench.storage.orders.order_links import OrderRef


async def list_all(db: Read, order: OrderRef, query: PageQuery) -> Page[Notice]:
    """List the notices of an order, newest first."""
    return await order_notices.of_order(order.id).page(db, query)


async def create(db: Write, call: Call, order: OrderRef, body: NewNotice) -> Audited[Notice]:
    """Record that the customer of an order has been informed. It sends nothing."""
    notice = Notice(call.new_id(), body.kind, body.channel, call.now, call.uid)
    await db.add("order_notices", notice, workshop_id=order.workshop_id, order_id=order.id)
    return Audited(notice, order.workshop_id, order.id)
