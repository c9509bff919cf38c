"""Notices about orders in the database."""

from backbench.domain.orders.order_notices import Notice
from backbench.storage.engine.database import Read
from backbench.storage.engine.lists import NewestFirst


def of_order(order_id: str) -> NewestFirst[Notice]:
    select = "SELECT id, kind, channel, at, by_uid FROM order_notices WHERE order_id = :order_id"
    return NewestFirst(Notice, select, {"order_id": order_id}, at="at")


class NoticeRecord(Notice, frozen=True, rename="camel"):
    """A notice in the data archive."""

    order_id: str


async def list_after(db: Read, workshop_id: str, after: tuple[str, str, str], limit: int) -> list[NoticeRecord]:
    """The next notices of the workshop after the order's id, the time and the id."""
    sql = """
        SELECT id, kind, channel, at, by_uid, order_id FROM order_notices
        WHERE workshop_id = :workshop_id AND (order_id, at, id) > (:order_id, :at, :id)
        ORDER BY order_id, at, id LIMIT :limit
    """
    order_id, at, id_ = after
    return await db.all(NoticeRecord, sql, workshop_id=workshop_id, order_id=order_id, at=at, id=id_, limit=limit)
