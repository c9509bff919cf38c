"""Effects of changes: the orders and estimates of which lists show something else.

The log names an object for each change, and its order or estimate is found from what is stored; where that says it no
more, the database has noted it in `change_effects`.
"""

from typing import Annotated, Any

from msgspec import Meta, Struct

from backbench.engine.database import Read, Value
from backbench.estimating import summaries
from backbench.estimating.document_settings import DocumentSettings
from backbench.estimating.summaries import EstimateSummary, StoredSummary
from backbench.orders import order_summaries
from backbench.orders.order_summaries import OrderSummary, SummaryRow
from backbench.sharing.comments import EstimateComment
from backbench.values.calls import Call
from backbench.values.scalars import END
from backbench.values.times import Instant
from backbench.workshops import inbox
from backbench.workshops.inbox import InboxItem

_NAMES = ("orderSummaries", "estimateSummaries", "inbox", "comments", "payments", "photos")
_NAME = f"(?:{'|'.join(_NAMES)})"
Include = Annotated[
    str,
    Meta(
        pattern=rf"^{_NAME}(?:,{_NAME}){{0,11}}" + END,
        extra={"detail": f"Expected {', '.join(_NAMES)}, with commas between them"},
    ),
]
IN_RANGE = "workshop_id = :workshop_id AND version > :since AND version <= :until"
_CHANGED = f"SELECT object_id FROM audit_entries WHERE {IN_RANGE}"
_TABLES = ("orders", "estimates")
_NOTED = f"SELECT value FROM change_effects WHERE workshop_id = :workshop_id AND object_id IN ({_CHANGED})"
_ORDERS = f"""
    {_CHANGED}
    UNION SELECT order_id FROM payments WHERE id IN ({_CHANGED})
    UNION SELECT order_id FROM photos WHERE id IN ({_CHANGED})
    UNION SELECT order_id FROM invoices WHERE id IN ({_CHANGED})
    UNION SELECT id FROM orders WHERE estimate_id IN ({_CHANGED})
    UNION {_NOTED} AND kind = 'order'"""
_ESTIMATES = f"""
    {_CHANGED}
    UNION SELECT estimate_id FROM pdf_exports WHERE id IN ({_CHANGED})
    UNION SELECT estimate_id FROM handoffs WHERE id IN ({_CHANGED})
    UNION SELECT estimate_id FROM orders WHERE estimate_id IS NOT NULL AND id IN ({_CHANGED})
    UNION {_NOTED} AND kind = 'estimate'"""

# What is paid of them follows from the payments for their order, and what is to be paid from corrections.
INVOICES = f"""
    SELECT order_id FROM payments WHERE id IN ({_CHANGED})
    UNION SELECT order_id FROM invoices WHERE id IN ({_CHANGED})"""
# A draft has the figures and parties of its order, of the estimate and the customer that this has, and of the workshop.
DRAFTS = f"""
    {_CHANGED}
    UNION SELECT id FROM orders WHERE estimate_id IN ({_CHANGED})
    UNION SELECT order_id FROM order_details WHERE customer_id IN ({_CHANGED})"""
ALL_DRAFTS = "SELECT order_id FROM invoices WHERE workshop_id = :workshop_id AND state = 'draft'"


class CommentOfEstimate(EstimateComment, frozen=True, rename="camel", kw_only=True):
    estimate_id: str


class _Named(Struct, frozen=True):
    action: str
    object_id: str


class Effects(Struct, frozen=True):
    """The orders and estimates that the changes of a range of the log concern; `dismissed` are items of the inbox.

    `of_all`: settings of the workshop were changed, on which all of them depend. `has_erasure`: comments were emptied.
    """

    workshop_id: str
    since: int
    until: int
    of_all: bool
    orders: frozenset[str]
    estimates: frozenset[str]
    has_erasure: bool
    dismissed: frozenset[str]

    @property
    def range(self) -> dict[str, Value]:
        return {"workshop_id": self.workshop_id, "since": self.since, "until": self.until}

    async def order_summaries(self, db: Read, settings: DocumentSettings) -> list[OrderSummary]:
        condition = "" if self.of_all else f"AND o.id IN ({_ORDERS})"
        return [row.to_summary(settings) for row in await self._rows(db, SummaryRow, order_summaries.SELECT, condition)]

    async def estimate_summaries(self, db: Read, settings: DocumentSettings) -> list[EstimateSummary]:
        condition = "" if self.of_all else f"AND e.id IN ({_ESTIMATES})"
        return [row.to_summary(settings) for row in await self._rows(db, StoredSummary, summaries.SELECT, condition)]

    async def _rows(self, db: Read, type_: type[Any], select: str, condition: str) -> list[Any]:
        alias = "d" if type_ is SummaryRow else "e"
        values = {"workshop_id": self.workshop_id} if self.of_all else self.range
        return await db.all(type_, f"{select} {alias}.workshop_id = :workshop_id {condition}", **values)

    async def inbox(self, db: Read, call: Call, since_at: Instant) -> tuple[list[InboxItem], list[str]]:
        """The items about these orders and estimates, and the ids of those that are there no more.

        What came with the time since `since_at` is among them, though nobody has changed anything.
        """
        waiting = (await inbox.find(db, call, self.workshop_id)).items
        if self.of_all:
            orders, estimates = (f"SELECT id FROM {table} WHERE workshop_id = :workshop_id" for table in _TABLES)
        else:
            orders, estimates = _ORDERS, _ESTIMATES
        possible = await inbox.list_possible(db, orders, estimates, **self.range) | self.dismissed
        new = [item for item in waiting if item.id in possible or self._concerns(item) or item.at > since_at]
        # An order that was due today is overdue.
        possible |= {item.id.replace("overdue", "due_today", 1) for item in new if item.kind == "overdue"}
        gone = possible - {item.id for item in waiting}
        # Their ids have an amount, or name an invoice.
        hidden = inbox.hidden_kinds(call)
        return new, sorted(id_ for id_ in gone if id_.partition(".")[0] not in hidden)

    def _concerns(self, item: InboxItem) -> bool:
        return item.order_id in self.orders or item.estimate_id in self.estimates

    async def comments(self, db: Read) -> list[CommentOfEstimate]:
        """All comments of the estimates that were commented, oldest first."""
        commented = _ESTIMATES if self.has_erasure else f"{_CHANGED} AND action = 'estimate.commented'"
        sql = f"""
            SELECT id, created_at, link_id, author, name, text, author_uid, estimate_id FROM link_comments
            WHERE workshop_id = :workshop_id AND estimate_id IN ({commented}) ORDER BY created_at, id
        """
        return await db.all(CommentOfEstimate, sql, **self.range)


async def find(db: Read, workshop_id: str, since: int, until: int) -> Effects:
    """The effects of the changes after version `since` and up to `until`."""
    of_range: dict[str, Value] = {"workshop_id": workshop_id, "since": since, "until": until}
    sql = f"""
        SELECT DISTINCT action, object_id FROM audit_entries
        WHERE {IN_RANGE} AND action IN ('workshop.updated', 'customer.erased', 'inbox.dismissed')
    """
    named = await db.all(_Named, sql, **of_range)
    actions = {each.action for each in named}
    of_all = "workshop.updated" in actions
    orders = f"SELECT id FROM orders WHERE workshop_id = :workshop_id {'' if of_all else f'AND id IN ({_ORDERS})'}"
    estimates = (
        f"SELECT id FROM estimates WHERE workshop_id = :workshop_id {'' if of_all else f'AND id IN ({_ESTIMATES})'}"
    )
    values = {"workshop_id": workshop_id} if of_all else of_range
    return Effects(
        workshop_id,
        since,
        until,
        of_all,
        frozenset(await db.all(str, orders, **values)),
        frozenset(await db.all(str, estimates, **values)),
        "customer.erased" in actions,
        frozenset(each.object_id for each in named if each.action == "inbox.dismissed"),
    )
