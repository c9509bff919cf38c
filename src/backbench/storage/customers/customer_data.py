"""What belongs to many orders or estimates at once: a statement of each kind, however many they are."""

from collections import defaultdict
from collections.abc import Callable, Sequence
from typing import Any, TypeVar

from msgspec import Struct

from backbench.domain.estimating.estimates import Estimate
from backbench.domain.estimating.handoffs import Handoff
from backbench.domain.orders.order_notices import Notice
from backbench.domain.orders.order_questions import OrderQuestion
from backbench.domain.orders.payments import Payment
from backbench.domain.orders.photos import StoredPhoto
from backbench.domain.sharing.comments import EstimateComment
from backbench.domain.sharing.decisions import StoredDecision
from backbench.domain.sharing.links import StoredLink
from backbench.storage.engine.database import Catalog, Read
from backbench.storage.engine.parameters import rows_of
from backbench.storage.engine.rows import JoinedRow, columns
from backbench.storage.estimating import document_facts, estimates, revisions
from backbench.storage.estimating.document_facts import StoredFacts
from backbench.storage.estimating.revisions import ConfirmedRow
from backbench.storage.orders import photos
from backbench.storage.orders.order_signatures import StoredSignature
from backbench.storage.sharing import links
from backbench.storage.workshops import orders
from backbench.storage.workshops.orders import StoredOrder

T = TypeVar("T")
_NEWEST_FIRST = "ORDER BY created_at DESC, id DESC"


class _QuestionOf(JoinedRow, frozen=True):
    parent: str
    row: OrderQuestion


class _NoticeOf(JoinedRow, frozen=True):
    parent: str
    row: Notice


class _FactsOf(JoinedRow, frozen=True):
    parent: str
    row: StoredFacts


class _RevisionOf(JoinedRow, frozen=True):
    parent: str
    row: ConfirmedRow


class _HandoffOf(JoinedRow, frozen=True):
    parent: str
    row: Handoff


class _CommentOf(JoinedRow, frozen=True):
    parent: str
    row: EstimateComment


class OrderRows(Struct, frozen=True):
    """By the id of the order."""

    orders: dict[str, list[StoredOrder]]
    questions: dict[str, list[OrderQuestion]]
    notices: dict[str, list[Notice]]
    payments: dict[str, list[Payment]]
    photos: dict[str, list[StoredPhoto]]
    signatures: dict[str, list[StoredSignature]]


class EstimateRows(Struct, frozen=True):
    """By the id of the estimate."""

    estimates: dict[str, list[Estimate]]
    facts: dict[str, list[StoredFacts]]
    revisions: dict[str, list[ConfirmedRow]]
    handoffs: dict[str, list[Handoff]]
    links: dict[str, list[StoredLink]]
    decisions: dict[str, list[StoredDecision]]
    comments: dict[str, list[EstimateComment]]


async def of_orders(db: Read, catalog: Catalog, ids: Sequence[str]) -> OrderRows:
    rows = _Rows(db, catalog, ids)
    of = "WHERE order_id IN"
    return OrderRows(
        await rows.by_id(StoredOrder, f"SELECT {orders.COLUMNS} FROM orders WHERE id IN"),
        await rows.of(
            _QuestionOf,
            f"SELECT order_id AS parent, {columns(OrderQuestion)} FROM order_questions {of}",
            "ORDER BY at, id",
        ),
        await rows.of(
            _NoticeOf,
            f"SELECT order_id AS parent, {columns(Notice)} FROM order_notices {of}",
            "ORDER BY at DESC, id DESC",
        ),
        await rows.of_order(Payment, f"SELECT {columns(Payment)} FROM payments {of}", _NEWEST_FIRST),
        await rows.of_order(StoredPhoto, f"SELECT {photos.COLUMNS} FROM photos {of}", "ORDER BY position, id"),
        await rows.of_order(StoredSignature, f"SELECT {columns(StoredSignature)} FROM order_signatures {of}"),
    )


async def of_estimates(db: Read, catalog: Catalog, ids: Sequence[str]) -> EstimateRows:
    rows = _Rows(db, catalog, ids)
    of = "WHERE estimate_id IN"
    facts = f"SELECT e.id AS parent, {document_facts.COLUMNS} FROM estimates e WHERE e.id IN"
    confirmed = f"SELECT estimate_id AS parent, {revisions.CONFIRMED_COLUMNS} FROM revisions {of}"
    return EstimateRows(
        await rows.by_id(Estimate, f"SELECT {estimates.COLUMNS} FROM estimates WHERE id IN"),
        await rows.of(_FactsOf, facts),
        await rows.of(_RevisionOf, confirmed, "ORDER BY revision_number"),
        await rows.of(
            _HandoffOf, f"SELECT estimate_id AS parent, {columns(Handoff)} FROM handoffs {of}", _NEWEST_FIRST
        ),
        await rows.of_estimate(
            StoredLink,
            f"SELECT {links.COLUMNS} FROM links l {links.JOINED} WHERE l.estimate_id IN",
            "ORDER BY l.created_at DESC, l.id DESC",
        ),
        await rows.of_estimate(
            StoredDecision,
            f"SELECT {columns(StoredDecision)} FROM decisions {of}",
            "ORDER BY recorded_at DESC, id DESC",
        ),
        await rows.of(
            _CommentOf,
            f"SELECT estimate_id AS parent, {columns(EstimateComment)} FROM link_comments {of}",
            _NEWEST_FIRST,
        ),
    )


class _Rows:
    """The rows of these orders or estimates. A statement ends where their ids go, and has its order apart."""

    def __init__(self, db: Read, catalog: Catalog, ids: Sequence[str]) -> None:
        self._db = db
        self._ids = catalog.rows_from_json("orders", ["id"])
        self._values = {"rows": rows_of(ids)}

    async def of(self, type_: Any, select: str, order: str = "") -> dict[str, list[Any]]:
        found = await self._read(type_, select, order)
        return _grouped(found, lambda each: each.parent, lambda each: each.row)

    async def by_id(self, type_: type[T], select: str, order: str = "") -> dict[str, list[T]]:
        return _grouped(await self._read(type_, select, order), lambda each: each.id)

    async def of_order(self, type_: type[T], select: str, order: str = "") -> dict[str, list[T]]:
        return _grouped(await self._read(type_, select, order), lambda each: each.order_id)

    async def of_estimate(self, type_: type[T], select: str, order: str = "") -> dict[str, list[T]]:
        return _grouped(await self._read(type_, select, order), lambda each: each.estimate_id)

    async def _read(self, type_: type[T], select: str, order: str) -> list[T]:
        return await self._db.all(type_, f"{select} ({self._ids}) {order}", **self._values)


def _grouped(
    found: Sequence[Any], parent_of: Callable[[Any], str], row_of: Callable[[Any], Any] = lambda each: each
) -> dict[str, list[Any]]:
    groups: dict[str, list[Any]] = defaultdict(list)
    for each in found:
        groups[parent_of(each)].append(row_of(each))
    return groups
