"""Everything that a workshop stores about one customer: for the person itself, who may ask for it."""

from collections import defaultdict
from collections.abc import AsyncGenerator, Callable, Sequence
from contextlib import aclosing
from typing import Any, TypeVar

from msgspec import UNSET, Struct, UnsetType

from backbench.customers import customer_links, customers
from backbench.customers.customers import CUSTOMER, Customer
from backbench.engine.database import Catalog, Database, Read
from backbench.engine.rows import JoinedRow, columns, rows_of
from backbench.estimating import document_facts, document_settings, estimates, revisions
from backbench.estimating.document_facts import DocumentFacts, StoredFacts
from backbench.estimating.document_settings import DocumentSettings
from backbench.estimating.estimates import Estimate, EstimateRevision
from backbench.estimating.handoffs import Handoff
from backbench.estimating.revisions import ConfirmedRow
from backbench.integrations.temporary_files import TemporaryContent
from backbench.orders import invoices, order_details, orders, photos
from backbench.orders.invoices import Invoice, StoredInvoice
from backbench.orders.order_details import OrderDetails, StoredDetails
from backbench.orders.order_notices import Notice
from backbench.orders.order_questions import OrderQuestion
from backbench.orders.order_signatures import OrderSignature, StoredSignature
from backbench.orders.orders import Order, StoredOrder
from backbench.orders.payments import Payment
from backbench.orders.photos import Photo, StoredPhoto
from backbench.sharing import links
from backbench.sharing.comments import EstimateComment
from backbench.sharing.decisions import StoredDecision
from backbench.sharing.exported_links import ExportedSharing, exported_link
from backbench.sharing.links import StoredLink
from backbench.values.calls import Call
from backbench.values.numbers import joined_elements, to_json
from backbench.values.shapes import made_of
from backbench.values.times import Instant


class CustomerOrder(Struct, frozen=True):
    order: Order
    details: OrderDetails
    questions: list[OrderQuestion]
    notices: list[Notice]
    payments: list[Payment]
    invoices: list[Invoice]
    photos: list[Photo]
    signature: OrderSignature | UnsetType = UNSET


class CustomerRevision(Struct, frozen=True, rename="camel"):
    """A revision, with what its documents say about the recipient."""

    revision: EstimateRevision
    recipient_name: str
    document: DocumentFacts


class CustomerEstimate(Struct, frozen=True):
    estimate: Estimate
    document: DocumentFacts
    revisions: list[CustomerRevision]
    handoffs: list[Handoff]
    sharing: ExportedSharing


class CustomerData(Struct, frozen=True):
    """`merged`: the records of the same customer that were merged into this one and are still kept."""

    customer: Customer
    merged: list[Customer]
    orders: list[CustomerOrder]
    estimates: list[CustomerEstimate]


# Statements


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
    invoices: dict[str, list[Invoice]]
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
        await rows.of_order(
            StoredInvoice,
            f"SELECT {invoices.COLUMNS} FROM invoices i WHERE i.order_id IN",
            "ORDER BY i.created_at DESC, i.id DESC",
            shown=invoices.list_shown,
        ),
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

    async def of_order(self, type_: type[Any], select: str, order: str = "", shown: Any = None) -> dict[str, list[Any]]:
        found = await self._read(type_, select, order)
        return _grouped(found if shown is None else await shown(self._db, found), lambda each: each.order_id)

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


# Verbs


_ORDERS_AT_ONCE = 100
# They are larger: with up to 500 lines, in each revision.
_ESTIMATES_AT_ONCE = 20
_PAGE = f"""
    d.customer_id = :customer_id AND d.number > :after ORDER BY d.number LIMIT {_ORDERS_AT_ONCE}
"""


async def read(db: Database, call: Call, customer_id: str) -> AsyncGenerator[bytes, None]:
    """The JSON of everything that the workshop stores about a customer. Raises NotFound, Forbidden."""
    async with TemporaryContent() as content:
        async with db.snapshot() as snapshot, aclosing(_pieces(snapshot, db.catalog, call, customer_id)) as pieces:
            async for piece in pieces:
                await content.write(piece)
        async with aclosing(content.read()) as whole:
            async for piece in whole:
                yield piece


async def _pieces(db: Read, catalog: Catalog, call: Call, customer_id: str) -> AsyncGenerator[bytes, None]:
    """The members of CustomerData."""
    customer = await CUSTOMER.find(db, call, customer_id)
    settings = await document_settings.find(db, customer.workshop_id)
    yield b'{"customer":' + to_json(customer)
    yield b',"merged":' + to_json(await customers.list_merged(db, customer_id)) + b',"orders":['
    async with aclosing(joined_elements(_orders(db, catalog, customer, settings))) as orders:
        async for piece in orders:
            yield piece
    yield b'],"estimates":['
    async with aclosing(joined_elements(_estimates(db, catalog, customer, call.now))) as estimates:
        async for piece in estimates:
            yield piece
    yield b"]}"


async def _orders(
    db: Read, catalog: Catalog, customer: Customer, settings: DocumentSettings
) -> AsyncGenerator[list[CustomerOrder], None]:
    after = 0
    while page := await order_details.list_all(db, customer.workshop_id, _PAGE, customer_id=customer.id, after=after):
        after = page[-1].facts.number
        rows = await of_orders(db, catalog, [each.order.id for each in page])
        yield [_order(each, settings, rows) for each in page]


async def _estimates(
    db: Read, catalog: Catalog, customer: Customer, now: Instant
) -> AsyncGenerator[list[CustomerEstimate], None]:
    ids = await customer_links.list_estimates(db, customer.id)
    for start in range(0, len(ids), _ESTIMATES_AT_ONCE):
        page = ids[start : start + _ESTIMATES_AT_ONCE]
        rows = await of_estimates(db, catalog, page)
        yield [_estimate(each, rows, now) for each in page]


def _order(stored: StoredDetails, settings: DocumentSettings, rows: OrderRows) -> CustomerOrder:
    id_ = stored.order.id
    signatures = rows.signatures[id_]
    return CustomerOrder(
        order=rows.orders[id_][0],
        details=stored.to_response(settings),
        questions=rows.questions[id_],
        notices=rows.notices[id_],
        payments=rows.payments[id_],
        invoices=rows.invoices[id_],
        photos=[made_of(Photo, photo) for photo in rows.photos[id_]],
        signature=made_of(OrderSignature, signatures[0]) if signatures else UNSET,
    )


def _estimate(id_: str, rows: EstimateRows, now: Instant) -> CustomerEstimate:
    confirmed = [each.to_confirmed() for each in rows.revisions[id_]]
    return CustomerEstimate(
        estimate=rows.estimates[id_][0],
        document=rows.facts[id_][0].facts,
        revisions=[CustomerRevision(each.revision, each.recipient_name, each.facts) for each in confirmed],
        handoffs=rows.handoffs[id_],
        sharing=ExportedSharing(
            links=[exported_link(each, now) for each in rows.links[id_]],
            decisions=[each.to_evidence() for each in rows.decisions[id_]],
            comments=rows.comments[id_],
        ),
    )
