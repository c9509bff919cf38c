"""Notices about an order: that the customer has been informed."""

from backbench.actions.authorization import require_role
from backbench.actions.orders.order_details import authorize
from backbench.domain.accounts.calls import Call
from backbench.domain.orders.order_notices import NewNotice, Notice
from backbench.domain.values.pagination import Page, PageQuery
from backbench.domain.workshops.audit import Audited
from backbench.storage.engine.database import Read, Write
from backbench.storage.orders import order_details, order_notices


async def list_all(db: Read, call: Call, order_id: str, query: PageQuery) -> Page[Notice]:
    """List the notices of an order, newest first."""
    await authorize(db, call, order_id)
    return await order_notices.of_order(order_id).page(db, query)


async def create(db: Write, call: Call, order_id: str, body: NewNotice) -> Audited[Notice]:
    """Record that the customer of an order has been informed. It sends nothing."""
    workshop_id, role = await order_details.find_workshop(db, order_id, call.uid)
    require_role(call, workshop_id, role)
    notice = Notice(call.new_id(), body.kind, body.channel, call.now, call.uid)
    await order_notices.add(db, workshop_id, order_id, notice)
    return Audited(notice, workshop_id, order_id)
