"""Notices: that a customer has been informed about an order, recorded by a member. Recording one sends nothing."""

from typing import Literal

from msgspec import Struct

from backbench.engine.database import Read, Write
from backbench.engine.lists import NewestFirst
from backbench.orders.order_links import OrderRef
from backbench.values.calls import Call
from backbench.values.pagination import Page, PagedList, PageQuery
from backbench.values.times import Instant
from backbench.workshops.audit import Audited

NoticeKind = Literal["received", "waiting", "delayed", "ready", "reminder"]
NoticeChannel = Literal["message-copied", "message-shared", "email-opened", "called"]


class NewNotice(Struct, frozen=True, forbid_unknown_fields=True):
    kind: NoticeKind
    channel: NoticeChannel


class Notice(Struct, frozen=True, rename="camel"):
    id: str
    kind: NoticeKind
    channel: NoticeChannel
    at: Instant
    by_uid: str


class NoticesList(PagedList, frozen=True):
    notices: list[Notice]


# Statements


def of_order(order_id: str) -> NewestFirst[Notice]:
    select = "SELECT id, kind, channel, at, by_uid FROM order_notices WHERE order_id = :order_id"
    return NewestFirst(Notice, select, {"order_id": order_id}, at="at")


class NoticeRecord(Notice, frozen=True, rename="camel"):
    """A notice in the data archive."""

    order_id: str


# Verbs


async def list_all(db: Read, order: OrderRef, query: PageQuery) -> Page[Notice]:
    """List the notices of an order, newest first."""
    return await of_order(order.id).page(db, query)


async def create(db: Write, call: Call, order: OrderRef, body: NewNotice) -> Audited[Notice]:
    """Record that the customer of an order has been informed. It sends nothing."""
    notice = Notice(call.new_id(), body.kind, body.channel, call.now, call.uid)
    await db.add("order_notices", notice, workshop_id=order.workshop_id, order_id=order.id)
    return Audited(notice, order.workshop_id, order.id)
